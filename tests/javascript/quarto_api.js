/**
 * A stand-in for Quarto, as its interface for engines documents it (the package @quarto/types; the same in 1.9, 1.10 and
 * 1.11). It knows every function by the types of its arguments and refuses whatever is not in it; those that the engine
 * uses work, the others throw. Results of the engine are checked against the same interface.
 */

import assert from "node:assert/strict";

// --- types -----------------------------------------------------------------------------------------------------------

const any = () => true;
const string = (value) => typeof value === "string";
const boolean = (value) => typeof value === "boolean";
const number = (value) => typeof value === "number";
const callable = (value) => typeof value === "function";
const object = (value) => typeof value === "object" && value !== null;
const list = (of) => (value) => Array.isArray(value) && value.every(of);
const record = (of) => (value) => object(value) && Object.values(value).every(of);
const optional = (type) => Object.assign((value) => value === undefined || type(value), { optional: true });
const either = (...types) => (value) => types.some((type) => type(value));
const shape = (members) => (value) =>
  object(value) && Object.keys(value).every((key) => key in members) &&
  Object.entries(members).every(([key, type]) => type(value[key]));
const mapped = shape({ value: string, fileName: optional(string), map: callable });
const logOptions = shape({
  newline: optional(boolean),
  bold: optional(boolean),
  dim: optional(boolean),
  indent: optional(number),
  format: optional(callable),
  colorize: optional(boolean),
  stripAnsiCode: optional(boolean),
});

/** The functions of QuartoAPI, by the types of their arguments. */
const INTERFACE = {
  markdownRegex: {
    extractYaml: [string],
    partition: [string],
    getLanguages: [string],
    getLanguagesWithClasses: [string],
    breakQuartoMd: [either(string, mapped), optional(boolean), optional(boolean), optional(object)],
  },
  mappedString: {
    fromString: [string, optional(string)],
    fromFile: [string],
    normalizeNewlines: [mapped],
    splitLines: [mapped, optional(boolean)],
    indexToLineCol: [mapped, number],
  },
  system: {
    isInteractiveSession: [],
    runningInCI: [],
    execProcess: [object, optional(string), optional(string), optional(callable), optional(boolean), optional(number)],
    runExternalPreviewServer: [object],
    onCleanup: [callable],
    tempContext: [],
    checkRender: [object],
    pandoc: [list(string), optional(string)],
  },
  console: {
    withSpinner: [
      shape({ message: either(string, callable), doneMessage: optional(either(string, boolean)) }),
      callable,
    ],
    completeMessage: [string],
    info: [string, optional(logOptions)],
    warning: [string, optional(logOptions)],
    error: [string, optional(logOptions)],
  },
  path: {
    absolute: [string],
    toForwardSlashes: [string],
    runtime: [optional(string)],
    resource: [string],
    dirAndStem: [string],
    isQmdFile: [string],
    inputFilesDir: [string],
    dataDir: [optional(string), optional(boolean)],
  },
  format: {
    isHtmlCompatible: [object],
    isIpynbOutput: [object],
    isLatexOutput: [object],
    isMarkdownOutput: [object, optional(list(string))],
    isPresentationOutput: [object],
    isHtmlDashboardOutput: [optional(string)],
    isServerShiny: [optional(object)],
    isServerShinyPython: [object, optional(string)],
  },
  text: {
    lines: [string],
    trimEmptyLines: [list(string), optional(string)],
    postProcessRestorePreservedHtml: [object],
    lineColToIndex: [string],
    executeInlineCodeHandler: [string, callable],
    asYamlText: [object],
  },
  crypto: { md5Hash: [string] },
  jupyter: {}, // what belongs to the engine of Jupyter is not for ours
};

const TEMP_CONTEXT = {
  createFileFromString: [string, optional(object)],
  createFile: [optional(shape({ suffix: optional(string), prefix: optional(string), dir: optional(string) }))],
  createDir: [optional(object)],
  onCleanup: [callable],
  cleanup: [],
};

const DISCOVERY = {
  init: optional(callable),
  name: string,
  defaultExt: string,
  defaultYaml: callable,
  defaultContent: callable,
  validExtensions: callable,
  claimsFile: callable,
  claimsLanguage: callable,
  canFreeze: boolean,
  generatesFigures: boolean,
  ignoreDirs: optional(callable),
  quartoRequired: optional(string),
  populateCommand: optional(callable),
  checkInstallation: optional(callable),
  launch: callable,
};

const INSTANCE = {
  name: string,
  canFreeze: boolean,
  markdownForFile: callable,
  target: callable,
  partitionedMarkdown: callable,
  filterFormat: optional(callable),
  execute: callable,
  executeTargetSkipped: optional(callable),
  dependencies: callable,
  postprocess: callable,
  canKeepSource: optional(callable),
  intermediateFiles: optional(callable),
  run: optional(callable),
  postRender: optional(callable),
};

const filter = either(string, shape({ path: string, at: optional(string), type: optional(string) }));
const EXECUTE_RESULT = {
  markdown: string,
  supporting: list(string),
  filters: list(string),
  metadata: optional(object),
  pandoc: optional(shape({ filters: optional(list(filter)) })),
  includes: optional(object),
  engine: optional(string),
  engineDependencies: optional(record(list(any))),
  preserve: optional(record(string)),
  postProcess: optional(boolean),
  resourceFiles: optional(list(string)),
};
const TARGET = { source: string, input: string, markdown: mapped, metadata: object, data: optional(any) };

/** Check a value that the engine gives against the interface. */
export const documented = {
  discovery: (value) => checked("ExecutionEngineDiscovery", DISCOVERY, value),
  instance: (value) => checked("ExecutionEngineInstance", INSTANCE, value),
  result: (value) => checked("ExecuteResult", EXECUTE_RESULT, value),
  target: (value) => checked("ExecutionTarget", TARGET, value),
};

function checked(name, members, value) {
  for (const [key, type] of Object.entries(members)) assert(type(value[key]), `${name}.${key}: ${value[key]}`);
  for (const key of Object.keys(value)) assert(key in members, `${name} has no ${key}`);
  return value;
}

// --- the stand-in ----------------------------------------------------------------------------------------------------

/** A Quarto: its interface (`api`), what was said through it (`said`), and the handlers to run at its end. */
export class StandIn {
  constructor(folder) {
    this.folder = folder;
    this.said = { info: [], warning: [], error: [], complete: [] };
    this.cleanup = [];
    this.temporary = [];
    this.api = this.guarded("quarto", INTERFACE, {
      markdownRegex: { partition, extractYaml: (markdown) => partition(markdown).yaml ?? {} },
      mappedString: {
        fromString,
        fromFile: (path) => fromString(Deno.readTextFileSync(path), path),
        normalizeNewlines,
      },
      system: { onCleanup: (handler) => this.cleanup.push(handler), tempContext: () => this.tempContext() },
      console: {
        info: (message) => this.said.info.push(message),
        warning: (message) => this.said.warning.push(message),
        error: (message) => this.said.error.push(message),
        completeMessage: (message) => this.said.complete.push(message),
        withSpinner: (_options, run) => run(),
      },
    });
  }

  tempContext() {
    return this.guarded("tempContext", { temp: TEMP_CONTEXT }, {
      temp: {
        createFile: ({ prefix = "", suffix = "" } = {}) => {
          const path = Deno.makeTempFileSync({ dir: this.folder, prefix, suffix });
          this.temporary.push(path);
          return path;
        },
      },
    }).temp;
  }

  /** What the engine says once the process ends. */
  end() {
    for (const handler of this.cleanup.toReversed()) handler();
  }

  /** Wrap functions so that each call is checked, and one that is not documented fails. */
  guarded(name, documentation, functions) {
    const unknown = (path) => ({
      get: (target, key) => {
        if (typeof key === "symbol" || key === "then") return target[key];
        assert(key in target, `${path}.${key} is not documented`);
        return target[key];
      },
      set: () => assert.fail(`${path} is not to be changed`),
    });
    const namespaces = Object.entries(documentation).map(([namespace, members]) => {
      const path = `${name}.${namespace}`;
      const calls = Object.entries(members).map(([key, types]) => [key, (...args) => {
        assert(args.length <= types.length, `${path}.${key} takes ${types.length} arguments`);
        types.forEach((type, at) => assert(type(args[at]), `${path}.${key}, argument ${at + 1}: ${args[at]}`));
        assert(functions[namespace]?.[key], `${path}.${key} is documented, but does nothing here`);
        return functions[namespace][key](...args);
      }]);
      return [namespace, new Proxy(Object.fromEntries(calls), unknown(path))];
    });
    return new Proxy(Object.fromEntries(namespaces), unknown(name));
  }
}

// --- mapped strings --------------------------------------------------------------------------------------------------

/** Text of a file. */
export function fromString(value, fileName) {
  const text = {
    value,
    fileName,
    map: (index, closest) => {
      const at = closest ? Math.max(0, Math.min(value.length - 1, index)) : index;
      return at < 0 || at >= value.length ? undefined : { index: at, originalString: text };
    },
  };
  return text;
}

/** Part of a text. */
function slice(source, start, end = source.value.length) {
  const value = source.value.slice(start, end);
  return {
    value,
    fileName: source.fileName,
    map: (index, closest) => {
      const at = closest ? Math.max(0, Math.min(value.length, index)) : index;
      return at < 0 || at >= value.length ? undefined : source.map(at + start, closest);
    },
  };
}

/** Texts one after another, as Quarto joins a page and what it includes. */
export function joined(...texts) {
  const parts = texts.map((text) => (typeof text === "string" ? fromString(text) : text));
  const value = parts.map((part) => part.value).join("");
  return {
    value,
    map: (index, closest) => {
      let at = closest ? Math.max(0, Math.min(value.length - 1, index)) : index;
      for (const part of parts) {
        if (at < part.value.length) return part.map(at);
        at -= part.value.length;
      }
      return undefined;
    },
  };
}

function normalizeNewlines(source) {
  const parts = [];
  let start = 0;
  for (const { index } of source.value.matchAll(/\r\n/g)) {
    parts.push(slice(source, start, index));
    start = index + 1;
  }
  return joined(...parts, slice(source, start));
}

/** The front matter of flat `key: value` lines, and the text after it. */
function partition(markdown) {
  const found = markdown.match(/^---\n([^]*?)\n---\n?/);
  const rows = (found?.[1] ?? "").split("\n").flatMap((line) => [...line.matchAll(/^([^:]+):\s*(.*)$/g)]);
  const values = rows.map(([, key, value]) => [key, /^[[{"]|^(true|false)$/.test(value) ? JSON.parse(value) : value]);
  const yaml = found ? Object.fromEntries(values) : undefined;
  const rest = markdown.slice(found?.[0].length ?? 0);
  return { yaml, containsRefs: false, markdown: rest, srcMarkdownNoYaml: rest };
}
