/**
 * The execution engine of `.fam` pages, and of `.qmd` pages with `{famulus}` blocks, for Quarto 1.9 and later.
 *
 * Quarto hands over a page's markdown; one Python process (`famulus_kernel.render.worker`) plays its stale blocks and
 * gives the markdown back with a cell in each block's place, which the filter draws from the store. What is wrong on a page
 * stands there in a box, and is told here by file and line. A box does not stop the render, so that a website is whole
 * with its search and its sitemap; the exit status is set at the very end.
 *
 * One file that imports nothing but `node:` modules, for Quarto loads it as it is, and perhaps offline.
 *
 * @typedef {{ value: string, fileName?: string, map: (at: number, closest?: boolean) => Mapped | undefined }} MappedString
 * @typedef {{ index: number, originalString: MappedString }} Mapped
 * @typedef {[line: number, file: string, fileLine: number]} Origin from this line on, lines are those of a file
 * @typedef {{ place: string, message: string, hint: string, severity: "error" | "warning" }} Problem
 * @typedef {{ document: string, at?: string, shortcode: string, code: string, block?: string, message: string,
 *   hint: string, severity: "error" | "warning" }} Recorded a line of what the filter writes to FAMULUS_PROBLEMS
 */

import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { delimiter, dirname, extname, join, relative, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const NAME = "famulus";
const SUFFIX = ".fam";
const EXTENSION = dirname(fileURLToPath(import.meta.url));
const FILTERS = [
  { path: join(EXTENSION, "famulus-filter.lua"), listed: /(^|[\\/])famulus(-filter\.lua)?$/ },
];
const NO_PYTHON = "Install it with: pip install famulus-kernel, or name the Python that has it in QUARTO_PYTHON.";

// --- what lives as long as the process, however many pages it renders ------------------------------------------------

/** Quarto's interface; the type is QuartoAPI of @quarto/types. */
let quarto;
/** @type {Promise<Worker> | undefined} */
let worker;
/** @type {string} where the filter writes its problems */
let recordFile;
/** @type {Set<string>} what was told, so that a second format of a page does not repeat it */
const told = new Set();
/** How many problems there are that a render must not pass over. */
let failures = 0;
let warnedOfParameters = false;

/** The pages that were executed, and the numbers by which the filter names the places of their cells. */
const pages = {
  /** @type {{ file: string, markdown: string, origins: Origin[], first: number, reported: Set<string> }[]} */
  all: [],
  next: 1,

  /**
   * Take a page. One that was taken before stays, for the filter may still speak of it: each format is executed anew,
   * and only then drawn.
   * @param {string} file
   * @param {MappedString} markdown
   */
  add(file, markdown) {
    const page = { file, markdown: markdown.value, origins: lineOrigins(markdown), first: this.next, reported: new Set() };
    this.next += markdown.value.split("\n").length + 1;
    this.all.push(page);
    return page;
  },

  /**
   * Forget a page, whose next preview begins.
   * @param {string} file
   */
  forget(file) {
    this.all = this.all.filter((page) => page.file !== file);
    told.clear();
  },

  /**
   * The page and the line (1-based, of its markdown) that a place number means.
   * @param {number} place
   */
  at(place) {
    const page = this.all.findLast((one) => one.first < place);
    return page && { page, line: place - page.first };
  },
};

// --- source lines ----------------------------------------------------------------------------------------------------

/**
 * Where the lines of a markdown with expanded includes come from: one entry where lines stop following one another.
 * @param {MappedString} markdown
 * @returns {Origin[]}
 */
function lineOrigins(markdown) {
  /** @type {Map<MappedString, number[]>} */
  const breaks = new Map();
  /** @type {Origin[]} */
  const origins = [];
  let offset = 0;
  markdown.value.split("\n").forEach((text, number) => {
    const found = markdown.map(offset, true);
    offset += text.length + 1;
    const file = found?.originalString.fileName;
    if (!file) return;
    const source = found.originalString;
    if (!breaks.has(source)) breaks.set(source, lineBreaks(source.value));
    const line = countBefore(breaks.get(source), found.index) + 1;
    const last = origins.at(-1);
    if (last && last[1] === file && line - last[2] === number + 1 - last[0]) return;
    origins.push([number + 1, file, line]);
  });
  return origins.map(([line, file, fileLine]) => [line, resolve(file), fileLine]);
}

/** @param {string} text */
function lineBreaks(text) {
  return [...text.matchAll(/\n/g)].map((found) => found.index);
}

/**
 * How many of the ascending numbers are smaller than the limit.
 * @param {number[]} numbers
 * @param {number} limit
 */
function countBefore(numbers, limit) {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The file and line, as people name them, of a line (1-based) of a page's markdown.
 * @param {{ file: string, origins: Origin[] }} page
 * @param {number} line
 */
function sourcePlace(page, line) {
  const origin = page.origins.findLast(([first]) => first <= line);
  return origin ? `${shown(origin[1])}:${origin[2] + line - origin[0]}` : shown(page.file);
}

/**
 * A path as people name it: from the project's folder, which is where Quarto was called, or else whole.
 * @param {string} path
 */
function shown(path) {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}

// --- problems --------------------------------------------------------------------------------------------------------

/**
 * Tell a problem, once.
 * @param {Problem} problem
 */
function tell({ place, message, hint, severity }) {
  const text = `${place}: ${message}${hint ? ` (${hint})` : ""}`;
  if (told.has(text)) return;
  told.add(text);
  if (severity === "warning") {
    quarto.console.warning(text);
  } else {
    failures += 1;
    quarto.console.error(text);
  }
}

/** Tell what the filter has recorded since the last time, by file and line. */
function tellRecorded() {
  if (!recordFile || !existsSync(recordFile)) return;
  const lines = readFileSync(recordFile, "utf8").split("\n").filter(Boolean);
  writeFileSync(recordFile, "");
  for (const line of lines) {
    /** @type {Recorded} */
    const recorded = JSON.parse(line);
    const cell = recorded.at ? pages.at(Number(recorded.at)) : undefined;
    // A block that was played just now has told its error itself, with the line of the key.
    if (cell && recorded.code === "block-error" && cell.page.reported.has(recorded.block)) continue;
    const place = cell ? sourcePlace(cell.page, cell.line) : shortcodePlace(recorded);
    const of = !cell && recorded.shortcode ? `${recorded.shortcode}: ` : "";
    tell({ ...recorded, place, message: of + recorded.message });
  }
}

/**
 * The place of a shortcode that its author wrote, found in the source: pandoc's tree has no positions. Where several pages
 * have become one document, as in a printed book, it may stand on any of them.
 * @param {Recorded} recorded
 */
function shortcodePlace({ document, shortcode }) {
  const wanted = shortcodeWords(shortcode);
  const ending = `/${document.replaceAll("\\", "/")}`;
  const isNamed = ({ file }) => file.replaceAll("\\", "/").endsWith(ending);
  const newestFirst = pages.all.toReversed();
  const searched = [...newestFirst.filter(isNamed), unexecuted(document), ...newestFirst];
  for (const page of searched) {
    const lines = page && wanted ? shortcodeLines(page.markdown, wanted) : [];
    if (lines.length === 0) continue;
    const [first, ...others] = lines.map((line) => sourcePlace(page, line));
    return others.length ? `${first} (and ${others.join(", ")})` : first;
  }
  return document;
}

/**
 * The lines (1-based) where a shortcode of these words stands.
 * @param {string} markdown
 * @param {string} wanted
 */
function shortcodeLines(markdown, wanted) {
  const breaks = lineBreaks(markdown);
  return [...markdown.matchAll(/(?:\{\{<|<<<)\s*famulus\s[^]*?(?:>\}\}|>>>)/g)]
    .filter((found) => shortcodeWords(found[0]) === wanted)
    .map((found) => countBefore(breaks, found.index) + 1);
}

/**
 * A page that another engine executed, read from where it lies.
 * @param {string} document relative to a project, perhaps the one we are in
 */
function unexecuted(document) {
  const file = resolve(document);
  if (!existsSync(file)) return undefined;
  return { file, markdown: readFileSync(file, "utf8"), origins: [[1, file, 1]] };
}

/**
 * A shortcode's words in one order and without quotes, however it was written.
 * @param {string} shortcode
 */
function shortcodeWords(shortcode) {
  const inner = shortcode.match(/^(?:\{\{<|<<<)\s*famulus\s+([^]*?)\s*(?:>\}\}|>>>)$/)?.[1];
  return inner?.replace(/["'\\]/g, "").split(/\s+/).sort().join(" ");
}

/** Tell what is left, and make the process end with 1 where a page has a box that nobody allowed. */
function settle() {
  tellRecorded();
  if (failures === 0) return;
  const places = failures === 1 ? "1 place" : `${failures} places`;
  quarto.console.error(`famulus: ${places} to look at; the pages are written and say so there.`);
  // Quarto exits with 0 of its own accord after a render; the last to speak is the `unload` event.
  globalThis.addEventListener("unload", () => {
    if (Deno.exitCode === 0) Deno.exitCode = 1;
  });
}

/**
 * An error that Quarto shows as its message alone.
 * @param {string} message
 */
function plainError(message) {
  const error = new Error(message);
  error.stack = "";
  return error;
}

// --- the Python process ----------------------------------------------------------------------------------------------

/** One Python process that answers one request after another: a line of JSON there, lines of JSON back. */
class Worker {
  /** @param {string} python */
  constructor(python) {
    const command = new Deno.Command(python, {
      // -P: a project's own json.py or duckdb.py must not be taken for the library
      args: ["-P", "-m", "famulus_kernel.render.worker"],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    });
    this.child = command.spawn();
    this.child.unref();
    this.input = this.child.stdin.getWriter();
    this.lines = readLines(this.child.stdout);
    /** @type {Promise<unknown>} the request before the next one */
    this.turn = Promise.resolve();
  }

  /**
   * Send a request and return its answer.
   * @param {Record<string, unknown>} request
   * @param {(event: Record<string, any>) => void} [onEvent] told what happens before the answer
   * @returns {Promise<Record<string, any>>}
   */
  ask(request, onEvent = () => {}) {
    const answer = this.turn.then(() => this.exchange(request, onEvent));
    this.turn = answer.catch(() => {});
    return answer;
  }

  /**
   * @param {Record<string, unknown>} request
   * @param {(event: Record<string, any>) => void} onEvent
   */
  async exchange(request, onEvent) {
    await this.input.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`)).catch(() => {});
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done) {
        worker = undefined;
        const { code, signal } = await this.child.status;
        throw plainError(`famulus: the Python process ended (${signal ?? `exit status ${code}`}); see above for its reason.`);
      }
      const message = JSON.parse(value);
      if (message.event) onEvent(message);
      else if (message.error) throw plainError(`${message.error.place}: ${message.error.message}`);
      else return message;
    }
  }
}

/**
 * @param {ReadableStream<Uint8Array>} stream
 * @returns {AsyncGenerator<string, void>}
 */
async function* readLines(stream) {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/**
 * The one worker of this process, started with the first Python that has the package.
 * @param {string} folder the project's
 */
function startedWorker(folder) {
  worker ??= startWorker(folder).catch((error) => {
    worker = undefined;
    throw error;
  });
  return worker;
}

/** @param {string} folder */
async function startWorker(folder) {
  const found = await findPython(folder);
  if (found.python === undefined) {
    const tried = found.without.map((python) => `\n  ${python}`).join("") || "\n  there is no Python on PATH";
    throw plainError(`famulus: no Python with the package famulus_kernel. Looked at:${tried}\n${NO_PYTHON}`);
  }
  return new Worker(found.python);
}

/**
 * @param {string} folder
 * @returns {Promise<{ python?: string, without: string[] }>} the first Python with the package, and those before it
 */
async function findPython(folder) {
  const without = [];
  for (const python of pythons(folder)) {
    const reason = await whyNot(python);
    if (reason === undefined) return { python, without };
    without.push(`${python} (${reason})`);
  }
  return { without };
}

/**
 * Why a Python cannot be the worker's, or undefined where it can.
 * @param {string} python
 */
async function whyNot(python) {
  try {
    const question = new Deno.Command(python, { args: ["-P", "-c", "import famulus_kernel"], stdin: "null" });
    const { success, stderr } = await question.output();
    return success ? undefined : new TextDecoder().decode(stderr).trim().split("\n").at(-1);
  } catch (error) {
    return error.message;
  }
}

/**
 * The Pythons to ask, in order: QUARTO_PYTHON, the environment that is active or lies in the project, those on PATH.
 * @param {string} folder
 * @returns {string[]}
 */
function pythons(folder) {
  const windows = process.platform === "win32";
  const names = windows ? ["python.exe"] : ["python3", "python"];
  const inFolder = (place) => names.map((name) => join(place, name)).find((path) => existsSync(path));
  const inEnvironment = (place) => place && inFolder(join(place, windows ? "Scripts" : "bin"));
  const asked = process.env.QUARTO_PYTHON;
  const candidates = [
    asked && (existsSync(asked) && statSync(asked).isDirectory() ? inFolder(asked) ?? inEnvironment(asked) : asked),
    inEnvironment(process.env.VIRTUAL_ENV),
    inEnvironment(join(folder, ".venv")),
    ...(process.env.PATH ?? "").split(delimiter).filter(Boolean).map(inFolder),
  ];
  return [...new Set(candidates.filter(Boolean))];
}

// --- a page ----------------------------------------------------------------------------------------------------------

/**
 * Read a page. A byte order mark would hide its front matter from Quarto.
 * @param {string} file
 * @returns {MappedString}
 */
function readPage(file) {
  const read = quarto.mappedString.fromFile(file);
  const bare = read.value.startsWith("\ufeff")
    ? quarto.mappedString.fromString(read.value.slice(1), read.fileName)
    : read;
  return quarto.mappedString.normalizeNewlines(bare);
}

/** Play a page's blocks and put a cell in the place of each. The argument is ExecuteOptions of @quarto/types. */
async function execute(options) {
  const { target, format, project, quiet } = options;
  const file = resolve(target.source);
  refuseTwin(file, project);
  warnOfParameters(options);
  if (options.previewServer) pages.forget(file);
  const page = pages.add(file, target.markdown);
  const request = {
    op: "page",
    file,
    markdown: page.markdown,
    origins: page.origins,
    first_place: page.first,
    options: cellOptions(options),
    lenient: format.metadata?.famulus?.["on-error"] === "warn",
    handled: [...options.handledLanguages, "ojs"],
  };
  const python = await startedWorker(project.dir);
  const answer = await python.ask(request, (event) => !quiet && quarto.console.info(played(event)));
  answer.problems.forEach(tell);
  page.reported = new Set(answer.reported);
  return {
    engine: NAME,
    markdown: answer.markdown,
    supporting: [],
    filters: [],
    pandoc: { filters: missingFilters(format.pandoc?.filters) },
    postProcess: true,
  };
}

/** @param {{ block: string, version: string, status: string, seconds: number }} event */
function played({ block, version, status, seconds }) {
  return `  ${block} ${version}: ${status}, ${seconds.toFixed(2)} s`;
}

/**
 * What Quarto's execute options mean for blocks (`CellOptions` of render/cells.py).
 *
 * Quarto echoes code unless it is told not to; a block's YAML is no reading matter, so it is shown where the document or the
 * project asks for it by name.
 */
function cellOptions({ format, target, project }) {
  const { enabled, eval: evaluate, output, include } = format.execute;
  const echo = target.metadata.execute?.echo ?? project.config?.execute?.echo ?? false;
  return {
    run: enabled !== false && evaluate !== false,
    echo: echo !== false,
    output: output !== false,
    include: include !== false,
  };
}

/**
 * Our filters that the document does not list itself: each must run, and none twice.
 * @param {(string | { path?: string })[] | undefined} listed
 */
function missingFilters(listed) {
  const paths = (listed ?? []).map((filter) => (typeof filter === "string" ? filter : filter.path ?? ""));
  return FILTERS.filter((filter) => !paths.some((path) => filter.listed.test(path))).map(({ path }) => path);
}

/**
 * Two sources of one page: whichever Quarto took last would be the page, and the other one silently gone.
 * @param {string} file
 * @param {{ files?: { input: string[] } }} project
 */
function refuseTwin(file, project) {
  const stem = file.slice(0, -extname(file).length);
  const twin = project.files?.input.find((other) => other !== file && other.slice(0, -extname(other).length) === stem);
  if (!twin) return;
  throw plainError(
    `${shown(file)} and ${shown(twin)} would be one page: rename one of them, or name the files to render under ` +
      `project: render: in _quarto.yml.`,
  );
}

/** Say, once, that a claim has no parameters: its text is what is checked. */
function warnOfParameters({ params }) {
  const names = Object.keys(params ?? {});
  if (warnedOfParameters || names.length === 0) return;
  warnedOfParameters = true;
  quarto.console.warning(`famulus: blocks take no parameters, so ${names.join(", ")} changes nothing in them.`);
}

// --- what Quarto asks for --------------------------------------------------------------------------------------------

/** Make the engine of one project: ExecutionEngineInstance of @quarto/types. */
function launch() {
  return {
    name: NAME,
    canFreeze: false,
    markdownForFile: (file) => Promise.resolve(readPage(file)),
    target: (file, _quiet, markdown = readPage(file)) =>
      Promise.resolve({
        source: file,
        input: file,
        markdown,
        // the front matter alone: the preamble of a block is YAML between two `---` lines as well
        metadata: quarto.markdownRegex.partition(markdown.value).yaml ?? {},
      }),
    partitionedMarkdown: (file) => Promise.resolve(quarto.markdownRegex.partition(readPage(file).value)),
    execute,
    dependencies: () => Promise.resolve({ includes: {} }),
    postprocess: () => Promise.resolve(tellRecorded()),
    canKeepSource: () => true,
  };
}

/** `quarto check famulus`. */
async function checkInstallation({ jsonResult }) {
  const found = await quarto.console.withSpinner(
    { message: "Checking famulus..........", doneMessage: false },
    () => findPython(process.cwd()),
  );
  const facts = found.python ? await new Worker(found.python).ask({ op: "check" }) : { found: false, looked_at: found.without };
  if (jsonResult) {
    jsonResult.famulus = facts;
    return;
  }
  quarto.console.completeMessage(`Checking famulus..........${found.python ? "OK" : "(None)"}`);
  const lines = found.python
    ? Object.entries(facts).map(([name, value]) => `${name}: ${value}`)
    : [...found.without.map((python) => `no famulus_kernel in ${python}`), NO_PYTHON];
  quarto.console.info(lines.join("\n"), { indent: 6 });
  quarto.console.info("");
}

/** `quarto call engine famulus status|run|check`: the same commands as famulus-notebook has. */
function populateCommand(command) {
  for (
    const [name, description] of [
      ["status", "Say for each block whether it is fresh, and if not, why."],
      ["run", "Play what is stale or missing, with all that it needs."],
      ["check", "Say what is wrong with the notebooks, without running anything."],
    ]
  ) {
    command.command(name, description).arguments("[project:string] [blocks...:string]")
      .action((_options, ...args) => callCommandLine([name, ...args.flat().filter(Boolean)]));
  }
}

/** @param {string[]} args */
async function callCommandLine(args) {
  const { python } = await findPython(process.cwd());
  if (!python) throw plainError(`famulus: no Python with the package famulus_kernel. ${NO_PYTHON}`);
  const program = ["-P", "-c", "import famulus_kernel.cli as cli; cli.main()"];
  const { code } = await new Deno.Command(python, { args: [...program, ...args] }).spawn().status;
  globalThis.addEventListener("unload", () => {
    if (Deno.exitCode === 0) Deno.exitCode = code;
  });
}

/** ExecutionEngineDiscovery of @quarto/types. */
export default {
  name: NAME,
  defaultExt: SUFFIX,
  defaultYaml: () => [],
  defaultContent: () => [
    "```{famulus}",
    "---",
    "id: sum",
    "partiturs:",
    "  - {id: duckdb-read, input: {sql: SELECT sum(i) AS total FROM range(1, 101) AS numbers(i)}, artefact: table}",
    "artefacts:",
    "  - {name: table, kind: table}",
    "oracle: {total: 5050}",
    "---",
    "What do the numbers from 1 to 100 add up to?",
    "```",
  ],
  validExtensions: () => [SUFFIX],
  claimsFile: (_file, ext) => ext.toLowerCase() === SUFFIX,
  claimsLanguage: (language) => language === NAME,
  // a frozen page would never ask whether one of its blocks is stale
  canFreeze: false,
  generatesFigures: false,
  ignoreDirs: () => [],
  quartoRequired: ">=1.9.0",

  /** Called dozens of times a render, always with the same interface. */
  init(api) {
    if (quarto) return;
    quarto = api;
    recordFile = quarto.system.tempContext().createFile({ prefix: "famulus-problems", suffix: ".jsonl" });
    process.env.FAMULUS_PROBLEMS = recordFile;
    quarto.system.onCleanup(settle);
  },

  launch,
  populateCommand,
  checkInstallation,
};
