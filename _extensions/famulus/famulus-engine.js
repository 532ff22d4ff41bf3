/**
 * The execution engine of `.fam` pages, and of `.qmd` pages with `{famulus}` blocks, for Quarto 1.9 and later.
 *
 * Quarto hands over a page's markdown; one Python process (`famulus_kernel.render.worker`) plays its stale blocks and
 * gives the markdown back with a cell in each block's place, which the filter draws from the store. What is wrong on a page
 * stands there in a box, and is told here by file and line. A box does not stop the render, so that a website is whole
 * with its search and its sitemap; the exit status is set at the very end.
 *
 * Plain modules that import `node:` and one another only, for Quarto loads them as they are, and perhaps offline.
 *
 * @typedef {import("./engine/types.js").Command} Command
 * @typedef {import("./engine/types.js").ExecuteOptions} ExecuteOptions
 * @typedef {import("./engine/types.js").Filter} Filter
 * @typedef {import("./engine/types.js").MappedString} MappedString
 * @typedef {import("./engine/types.js").Project} Project
 * @typedef {import("./engine/types.js").QuartoAPI} QuartoAPI
 */

import { dirname, extname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Drawn } from "./engine/drawn.js";
import { cellOptions } from "./engine/options.js";
import { endWith, plainError, Problems } from "./engine/problems.js";
import { findPython, NO_PYTHON, runPython, Worker } from "./engine/python.js";
import { afterBlankLine, Pages, shown } from "./engine/source.js";

const NAME = "famulus";
const SUFFIX = ".fam";
const FILTER = join(dirname(fileURLToPath(import.meta.url)), "famulus-filter.lua");
const OUR_FILTER = /(^|[\\/])famulus(-filter\.lua)?$/;

// --- what lives as long as the process, however many pages it renders ------------------------------------------------

/** @type {QuartoAPI} */
let quarto;
/** @type {Problems} */
let problems;
/** @type {Drawn} */
let drawn;
const pages = new Pages();
/** @type {Promise<Worker> | undefined} */
let worker;
/** The names of parameters that were given a value (`-P`), and of those that pages have. */
const parameters = { given: new Set(), known: new Set() };

/**
 * The one worker, started with the first page, and anew after it ended.
 * @param {string} folder the project's
 */
function startedWorker(folder) {
  const forget = () => {
    worker = undefined;
  };
  worker ??= Worker.start(folder, forget).catch((error) => {
    forget();
    throw error;
  });
  return worker;
}

// --- a page ----------------------------------------------------------------------------------------------------------

/**
 * Read a page. Two beginnings would mislead Quarto: a byte order mark hides the front matter, and of a block in the first
 * line it takes the preamble for one.
 * @param {string} file
 * @returns {MappedString}
 */
function readPage(file) {
  const read = quarto.mappedString.fromFile(file);
  const bare = read.value.startsWith("\ufeff")
    ? quarto.mappedString.fromString(read.value.slice(1), read.fileName)
    : read;
  const text = quarto.mappedString.normalizeNewlines(bare);
  return /^[ \t]*[`~]{3}/.test(text.value) ? afterBlankLine(text) : text;
}

/**
 * Divide a page into its front matter and the rest. What is wrong with it is said without Quarto's stack, and of which file.
 * @param {string} file
 * @param {string} markdown
 */
function partition(file, markdown) {
  try {
    return quarto.markdownRegex.partition(markdown);
  } catch (error) {
    throw plainError(`${shown(file)}: ${error instanceof Error ? error.message : error}`);
  }
}

/**
 * Play a page's blocks and put a cell in the place of each.
 * @param {ExecuteOptions} options
 */
async function execute(options) {
  const { target, format, project, quiet } = options;
  const file = resolve(target.source);
  refuseTwin(file, project);
  takeParameters(options);
  if (options.previewServer) {
    pages.forget(file);
    problems.forget();
    drawn.forget();
  }
  const page = pages.add(file, target.markdown);
  const request = {
    op: "page",
    file,
    markdown: page.markdown,
    origins: page.origins,
    first_place: page.first,
    options: cellOptions(options, quarto.markdownRegex.extractYaml),
    play: format.execute.enabled !== false && !process.env.FAMULUS_RENDER_ONLY,
    lenient: format.metadata?.famulus?.["on-error"] === "warn",
    handled: [...options.handledLanguages, "ojs"],
  };
  const python = await startedWorker(project.dir);
  const answer = await python.ask(request, (event) => {
    drawn.played(event, file);
    if (!quiet) quarto.console.info(played(event));
  });
  for (const problem of answer.problems) problems.tell(problem);
  for (const block of answer.reported) problems.blocks.add(block);
  return {
    engine: NAME,
    markdown: answer.markdown,
    supporting: [],
    filters: [],
    pandoc: { filters: missingFilters(format.pandoc?.filters) },
    // pandoc embeds what a page shows, but nothing that it links to
    metadata: format.pandoc?.["embed-resources"] || format.pandoc?.["self-contained"] ? { "famulus-alone": true } : {},
    postProcess: true,
  };
}

/** @param {Record<string, any>} event */
function played({ block, version, status, seconds }) {
  return `  ${block} ${version}: ${status}, ${seconds.toFixed(2)} s`;
}

/**
 * Our filter, unless the document lists it itself: it must run, and not twice.
 * @param {Filter[]} [listed]
 */
function missingFilters(listed) {
  const paths = (listed ?? []).map((filter) => (typeof filter === "string" ? filter : filter.path ?? ""));
  return paths.some((path) => OUR_FILTER.test(path)) ? [] : [FILTER];
}

/**
 * Refuse two sources of one page: whichever Quarto took last would be the page, and the other one silently gone.
 * @param {string} file
 * @param {Project} project
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

/**
 * Let the values of `-P` and `--execute-params` hold in the worker and in its kernel, which start later.
 * @param {ExecuteOptions} options
 */
function takeParameters({ params, target }) {
  for (const name of Object.keys(target.metadata.params ?? {})) parameters.known.add(name);
  if (!params) return;
  for (const name of Object.keys(params)) parameters.given.add(name);
  process.env.FAMULUS_PARAMETERS = JSON.stringify(params);
}

/** Say which values were given in vain; that no page has such a parameter is known when all are done. */
function warnOfParameters() {
  const known = [...parameters.known].join(", ") || "none";
  for (const name of parameters.given) {
    if (parameters.known.has(name)) continue;
    quarto.console.warning(`famulus: no page has a parameter ${name} (those of the pages rendered: ${known}).`);
  }
}

// --- what Quarto asks for --------------------------------------------------------------------------------------------

/** Make the engine of one project: ExecutionEngineInstance of @quarto/types. */
function launch() {
  return {
    name: NAME,
    canFreeze: false,
    markdownForFile: (/** @type {string} */ file) => Promise.resolve(readPage(file)),
    target: (/** @type {string} */ file, /** @type {boolean | undefined} */ _quiet, markdown = readPage(file)) =>
      Promise.resolve({
        source: file,
        input: file,
        markdown,
        // the front matter alone: the preamble of a block is YAML between two `---` lines as well
        metadata: partition(file, markdown.value).yaml ?? {},
      }),
    partitionedMarkdown: (/** @type {string} */ file) => Promise.resolve(partition(file, readPage(file).value)),
    execute,
    dependencies: () => Promise.resolve({ includes: {} }),
    postprocess: () => Promise.resolve(problems.tellRecorded()),
    canKeepSource: () => true,
  };
}

/**
 * `quarto check famulus`.
 * @param {{ jsonResult?: Record<string, unknown> }} check
 */
async function checkInstallation({ jsonResult }) {
  const message = "Checking famulus..........";
  const { python, without } = await quarto.console.withSpinner(
    { message, doneMessage: false },
    () => findPython(process.cwd()),
  );
  const facts = python
    ? await new Worker(python).ask({ op: "check" })
    : { "looked at": without.join(", ") || "nothing" };
  if (jsonResult) {
    jsonResult[NAME] = facts;
    return;
  }
  quarto.console.completeMessage(message + (python ? "OK" : "(None)"));
  const lines = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
  quarto.console.info([...lines, ...(python ? [] : [NO_PYTHON])].join("\n"), { indent: 6 });
  quarto.console.info("");
}

const COMMANDS = {
  status: "Say for each block whether it is fresh, and if not, why.",
  run: "Play what is stale or missing, with all that it needs.",
  check: "Say what is wrong with the notebooks, without running anything.",
};

/**
 * `quarto call engine famulus status|run|check`: the same commands as famulus-notebook has.
 * @param {Command} command
 */
function populateCommand(command) {
  for (const [name, description] of Object.entries(COMMANDS)) {
    command.command(name, description).arguments("[project:string] [blocks...:string]")
      .action((_options, ...args) => callCommandLine([name, ...args.flat().filter(Boolean)]));
  }
}

/** @param {string[]} args */
async function callCommandLine(args) {
  const { python } = await findPython(process.cwd());
  if (!python) throw plainError(`famulus: no Python with the package famulus_kernel. ${NO_PYTHON}`);
  endWith(await runPython(python, ["-m", "famulus_kernel.cli", ...args]));
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
  claimsFile: (/** @type {string} */ _file, /** @type {string} */ ext) => ext.toLowerCase() === SUFFIX,
  claimsLanguage: (/** @type {string} */ language) => language === NAME,
  // a frozen page would never ask whether one of its blocks is stale
  canFreeze: false,
  generatesFigures: false,
  ignoreDirs: () => [],
  quartoRequired: ">=1.9.0",

  /**
   * Called dozens of times a render, always with the same interface.
   * @param {QuartoAPI} api
   */
  init(api) {
    if (quarto) return;
    quarto = api;
    const record = (/** @type {string} */ name) => {
      const file = quarto.system.tempContext().createFile({ prefix: `famulus-${name}`, suffix: ".jsonl" });
      return process.env[`FAMULUS_${name.toUpperCase()}`] = file;
    };
    problems = new Problems(quarto.console, pages, record("problems"));
    drawn = new Drawn(record("drawn"));
    quarto.system.onCleanup(() => {
      warnOfParameters();
      for (const problem of drawn.outdated()) problems.tell(problem);
      problems.settle();
    });
  },

  launch,
  populateCommand,
  checkInstallation,
};
