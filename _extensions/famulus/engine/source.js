/** Where the text of pages was written, by file and line. */

import { relative, resolve } from "node:path";
import process from "node:process";

/**
 * @typedef {import("./types.js").MappedString} MappedString
 * @typedef {import("./types.js").Origin} Origin
 * @typedef {import("./types.js").Source} Source
 */

/** The pages that were executed, and the numbers by which the filter names the places of their cells. */
export class Pages {
  constructor() {
    /** @type {(Source & { first: number })[]} */
    this.all = [];
    this.next = 1;
  }

  /**
   * Take a page. One that was taken before stays, for the filter may still speak of it: each format is executed anew,
   * and only then drawn.
   * @param {string} file
   * @param {MappedString} markdown
   */
  add(file, markdown) {
    const page = { file, markdown: markdown.value, origins: lineOrigins(markdown), first: this.next };
    this.next += markdown.value.split("\n").length + 1;
    this.all.push(page);
    return page;
  }

  /**
   * Forget a page whose next preview begins.
   * @param {string} file
   */
  forget(file) {
    this.all = this.all.filter((page) => page.file !== file);
  }

  /**
   * The page and the line (1-based, of its markdown) that a place number means.
   * @param {number} place
   */
  at(place) {
    const page = this.all.findLast((one) => one.first < place);
    return page && { page, line: place - page.first };
  }
}

/**
 * Where the lines of a markdown with expanded includes come from: one entry where lines stop following one another.
 * @param {MappedString} markdown
 * @returns {Origin[]}
 */
export function lineOrigins(markdown) {
  /** @type {Map<MappedString, number[]>} */
  const breaks = new Map();
  /** @type {Origin[]} */
  const origins = [];
  let offset = 0;
  markdown.value.split("\n").forEach((text, number) => {
    const found = markdown.map(offset, true);
    offset += text.length + 1;
    const file = found?.originalString.fileName;
    if (!file) return; // a line break that Quarto put in
    const source = found.originalString;
    const sourceBreaks = breaks.get(source) ?? lineBreaks(source.value);
    breaks.set(source, sourceBreaks);
    const line = countBefore(sourceBreaks, found.index) + 1;
    const last = origins.at(-1);
    if (last && last[1] === file && line - last[2] === number + 1 - last[0]) return;
    origins.push([number + 1, file, line]);
  });
  return origins.map(([line, file, fileLine]) => [line, resolve(file), fileLine]);
}

/**
 * A text with a blank line before it, which comes from nowhere.
 * @param {MappedString} text
 * @returns {MappedString}
 */
export function afterBlankLine(text) {
  return {
    value: `\n${text.value}`,
    fileName: text.fileName,
    map: (at, closest) => text.map(at - 1, closest && at > 0),
  };
}

/**
 * The file and line, as people name them, of a line (1-based) of a page's markdown.
 * @param {Source} page
 * @param {number} line
 */
export function sourcePlace(page, line) {
  const origin = page.origins.findLast(([first]) => first <= line);
  return origin ? `${shown(origin[1])}:${origin[2] + line - origin[0]}` : shown(page.file);
}

/**
 * A path as people name it: from the folder where Quarto was called, or else whole.
 * @param {string} path
 */
export function shown(path) {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short;
}

/**
 * The line (1-based) of each of the ascending offsets in a text.
 * @param {string} text
 * @param {number[]} offsets
 */
export function linesOf(text, offsets) {
  const breaks = lineBreaks(text);
  return offsets.map((offset) => countBefore(breaks, offset) + 1);
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
