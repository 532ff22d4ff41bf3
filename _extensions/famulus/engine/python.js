/** The Python that has famulus, and the one process of it that plays the blocks of a render. */

import { existsSync, statSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { plainError } from "./problems.js";

// A project's own json.py or duckdb.py must not be taken for the library.
const SAFE_PATH = "-P";

/** What to do where there is none. */
export const NO_PYTHON =
  "Install it with: pip install famulus-kernel, or name the Python that has it in QUARTO_PYTHON.";

/** A process that answers one request after another: a line of JSON there, lines of JSON back. */
export class Worker {
  /**
   * @param {string} python
   * @param {() => void} [onEnd] told when the process turns out to have ended
   */
  constructor(python, onEnd = () => {}) {
    const command = new Deno.Command(python, {
      args: [SAFE_PATH, "-m", "famulus_kernel.render.worker"],
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    });
    this.child = command.spawn();
    this.input = this.child.stdin.getWriter();
    this.lines = readLines(this.child.stdout);
    this.onEnd = onEnd;
    /** @type {Promise<unknown>} the request before the next one */
    this.turn = Promise.resolve();
  }

  /**
   * The worker of the first Python that has the package.
   * @param {string} folder the project's
   * @param {() => void} onEnd
   */
  static async start(folder, onEnd) {
    const { python, without } = await findPython(folder);
    if (python !== undefined) return new Worker(python, onEnd);
    const tried = without.map((one) => `\n  ${one}`).join("") || "\n  there is no Python on PATH";
    throw plainError(`famulus: no Python with the package famulus_kernel. Looked at:${tried}\n${NO_PYTHON}`);
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
    const line = new TextEncoder().encode(`${JSON.stringify(request)}\n`);
    await this.input.write(line).catch(() => {}); // a process that is gone says so below
    for (;;) {
      const { value, done } = await this.lines.next();
      if (done) throw await this.ended();
      const message = JSON.parse(value);
      if (message.event) onEvent(message);
      else if (message.error) throw plainError(`${message.error.place}: ${message.error.message}`);
      else return message;
    }
  }

  async ended() {
    this.onEnd();
    const { code, signal } = await this.child.status;
    return plainError(`famulus: the Python process ended (${signal ?? `exit status ${code}`}); see above why.`);
  }
}

/**
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream
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
 * Run a program with its input and output those of this process, and return its exit status.
 * @param {string} python
 * @param {string[]} args
 */
export async function runPython(python, args) {
  const { code } = await new Deno.Command(python, { args: [SAFE_PATH, ...args] }).spawn().status;
  return code;
}

/**
 * @param {string} folder
 * @returns {Promise<{ python?: string, without: string[] }>} the first Python with the package, and those before it
 */
export async function findPython(folder) {
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
    const question = new Deno.Command(python, { args: [SAFE_PATH, "-c", "import famulus_kernel"], stdin: "null" });
    const { success, stderr } = await question.output();
    return success ? undefined : new TextDecoder().decode(stderr).trim().split("\n").at(-1);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * The Pythons to ask, in order: QUARTO_PYTHON, the environment that is active, the `.venv` of the project or of the
 * nearest folder above it (a repository that holds several), those on PATH.
 * @param {string} folder
 * @returns {string[]}
 */
function pythons(folder) {
  const { env } = process;
  const windows = process.platform === "win32";
  const names = windows ? ["python.exe"] : ["python3", "python"];
  const inFolder = (/** @type {string} */ place) => names.map((name) => join(place, name)).find(existsSync);
  const inEnvironment = (/** @type {string} */ place) => inFolder(join(place, windows ? "Scripts" : "bin"));
  const asked = env.QUARTO_PYTHON;
  const isFolder = asked && existsSync(asked) && statSync(asked).isDirectory();
  const candidates = [
    isFolder ? inFolder(asked) ?? inEnvironment(asked) : asked,
    env.VIRTUAL_ENV && inEnvironment(env.VIRTUAL_ENV),
    ...ancestors(folder).map((place) => inEnvironment(join(place, ".venv"))),
    ...(env.PATH ?? "").split(delimiter).filter(Boolean).map(inFolder),
  ];
  return [...new Set(candidates.flatMap((python) => (python ? [python] : [])))];
}

/**
 * @param {string} folder
 * @returns {string[]} the folder and those above it, nearest first
 */
function ancestors(folder) {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...ancestors(above)];
}
