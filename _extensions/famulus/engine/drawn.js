/** What pages were drawn from: one that another engine makes may stand before the page that plays its blocks. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";

/**
 * @typedef {import("./types.js").Problem} Problem
 */

/** Knows which versions the filter drew, and which were played in this render. */
export class Drawn {
  /** @param {string} record the file in which the filter writes a line for each page that it has drawn */
  constructor(record) {
    this.record = record;
    /** @type {Map<string, string>} the version of each block that was played */
    this.newest = new Map();
  }

  /** @param {Record<string, any>} event of the worker */
  played({ block, version }) {
    this.newest.set(block, version);
  }

  /** Begin anew, as each preview does: it makes one page at a time. */
  forget() {
    if (existsSync(this.record)) writeFileSync(this.record, "");
  }

  /**
   * The pages that show a version which this render has replaced.
   * @returns {Problem[]}
   */
  outdated() {
    const lines = existsSync(this.record) ? readFileSync(this.record, "utf8").split("\n").filter(Boolean) : [];
    /** @type {Map<string, Record<string, string>>} a page is drawn once for each of its formats, or again */
    const pages = new Map(lines.map((line) => JSON.parse(line)).map(({ document, blocks }) => [document, blocks]));
    return [...pages].flatMap(([place, blocks]) =>
      Object.entries(blocks).filter(([block, version]) => numberOf(version) < numberOf(this.newest.get(block)))
        .map(([block, version]) => ({
          place,
          message: `shows ${block} ${version}, but ${this.newest.get(block)} was played after this page was made`,
          hint: "render it again; with engine: famulus in its front matter it plays what it shows",
          severity: /** @type {const} */ ("error"),
        }))
    );
  }
}

/** @param {string} [version] as the store writes it, `v0003` */
function numberOf(version = "v0") {
  return Number(version.slice(1));
}
