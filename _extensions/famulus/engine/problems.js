/** What is wrong on pages: told once, by file and line, and not forgotten when the process ends. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { linesOf, sourcePlace } from "./source.js";

/**
 * @typedef {import("./types.js").Console} Console
 * @typedef {import("./types.js").Problem} Problem
 * @typedef {import("./types.js").Recorded} Recorded
 * @typedef {import("./types.js").Source} Source
 * @typedef {import("./source.js").Pages} Pages
 */

const SHORTCODE = /(?:\{\{<|<<<)\s*famulus\s([^]*?)(?:>\}\}|>>>)/g;

/** Tells the problems of a render. */
export class Problems {
  /**
   * @param {Console} console
   * @param {Pages} pages
   * @param {string} record the file that the filter writes to
   */
  constructor(console, pages, record) {
    this.console = console;
    this.pages = pages;
    this.record = record;
    /** @type {Set<string>} what was told, so that a second format of a page does not repeat it */
    this.told = new Set();
    /** @type {Set<string | undefined>} blocks whose error was told with the line of its key */
    this.blocks = new Set();
    /** How many problems there are that a render must not pass over. */
    this.failures = 0;
  }

  /** Begin anew, as each preview does. */
  forget() {
    this.told.clear();
    this.blocks.clear();
  }

  /**
   * Tell a problem, unless it was told.
   * @param {Problem} problem
   */
  tell({ place, message, hint, severity }) {
    const text = `${place}: ${message}${hint ? ` (${hint})` : ""}`;
    if (this.told.has(text)) return;
    this.told.add(text);
    if (severity === "warning") {
      this.console.warning(text);
    } else {
      this.failures += 1;
      this.console.error(text);
    }
  }

  /** Tell what the filter has recorded since the last time. */
  tellRecorded() {
    if (!existsSync(this.record)) return;
    const lines = readFileSync(this.record, "utf8").split("\n").filter(Boolean);
    writeFileSync(this.record, "");
    for (const line of lines) {
      /** @type {Recorded} */
      const recorded = JSON.parse(line);
      const cell = recorded.at ? this.pages.at(Number(recorded.at)) : undefined;
      if (cell && recorded.code === "block-error" && this.blocks.has(recorded.block)) continue;
      const place = cell ? sourcePlace(cell.page, cell.line) : this.shortcodePlace(recorded);
      const of = !cell && recorded.shortcode ? `${recorded.shortcode}: ` : "";
      this.tell({ ...recorded, place, message: of + recorded.message });
    }
  }

  /**
   * The place of a shortcode that its author wrote, found in the source: pandoc's tree has no positions. Where several
   * pages have become one document, as in a printed book, it may stand on any of them.
   * @param {Recorded} recorded
   */
  shortcodePlace({ document, shortcode }) {
    const wanted = [...shortcode.matchAll(SHORTCODE)].map(([, inner]) => inOneOrder(inner))[0];
    const unclosed = wanted === undefined && shortcode ? asWritten(shortcode) : undefined;
    const ending = `/${document.replaceAll("\\", "/")}`;
    const newestFirst = this.pages.all.toReversed();
    const named = newestFirst.filter(({ file }) => file.replaceAll("\\", "/").endsWith(ending));
    for (const page of [...named, unexecuted(document), ...newestFirst]) {
      if (!page || (wanted ?? unclosed) === undefined) continue;
      const found = unclosed
        ? [...page.markdown.matchAll(unclosed)]
        : [...page.markdown.matchAll(SHORTCODE)].filter(([, inner]) => inOneOrder(inner) === wanted);
      if (found.length === 0) continue;
      const places = linesOf(page.markdown, found.map(({ index }) => index)).map((line) => sourcePlace(page, line));
      const [first, ...others] = new Set(places);
      return others.length ? `${first} (and ${others.join(", ")})` : first;
    }
    return document;
  }

  /** Tell what is left, and make the process end with 1 where a page has a box that nobody allowed. */
  settle() {
    this.tellRecorded();
    if (this.failures === 0) return;
    const places = this.failures === 1 ? "1 place" : `${this.failures} places`;
    this.console.error(`famulus: ${places} to look at; the pages are written and say so there.`);
    endWith(1);
  }
}

/**
 * Let the process end with this status where it would have ended well. Quarto exits with 0 of its own accord after a
 * render; the last to speak is the `unload` event.
 * @param {number} status
 */
export function endWith(status) {
  globalThis.addEventListener("unload", () => {
    if (Deno.exitCode === 0) Deno.exitCode = status;
  });
}

/**
 * An error that Quarto shows as its message alone.
 * @param {string} message
 */
export function plainError(message) {
  const error = new Error(message);
  error.stack = "";
  return error;
}

/**
 * A page that another engine executed, read from where it lies.
 * @param {string} document relative to a project, perhaps the one we are in
 * @returns {Source | undefined}
 */
function unexecuted(document) {
  const file = resolve(document);
  if (!existsSync(file)) return undefined;
  return { file, markdown: readFileSync(file, "utf8"), origins: [[1, file, 1]] };
}

/**
 * The words of a shortcode without quotes and in one order, however its author wrote it.
 * @param {string} words
 */
function inOneOrder(words) {
  return words.replace(/["'\\]/g, "").split(/\s+/).filter(Boolean).sort().join(" ");
}

/**
 * What finds words wherever the lines of their author break.
 * @param {string} words
 */
function asWritten(words) {
  return new RegExp(words.split(/\s+/).map((word) => word.replace(/[^\w\s]/g, "\\$&")).join("\\s+"), "g");
}
