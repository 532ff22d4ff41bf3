/** What pages were drawn from: one that another engine makes may stand before the page that plays its blocks. */

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";

/**
 * @typedef {import("./types.js").Problem} Problem
 * @typedef {{ document: string, root: string, blocks: Record<string, string> }} Page a line of what the filter writes to
 *   FAMULUS_DRAWN: a page, its project's folder, and the versions that it shows
 */

/** Knows which versions the filter drew, and which were played in this render. */
export class Drawn {
  /** @param {string} record the file in which the filter writes a line for each page that it has drawn */
  constructor(record) {
    this.record = record;
    /** @type {{ file: string, block: string, version: string }[]} what was played, and for which page */
    this.plays = [];
  }

  /**
   * @param {Record<string, any>} event of the worker
   * @param {string} file the page
   */
  played({ block, version }, file) {
    this.plays.push({ file, block, version });
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
    /** @type {Map<string, Page>} a page is drawn once for each of its formats, or again */
    const pages = new Map(lines.map((line) => JSON.parse(line)).map((page) => [`${page.root}/${page.document}`, page]));
    return [...pages.values()].flatMap(({ document, root, blocks }) =>
      Object.entries(blocks).flatMap(([block, version]) => {
        const newest = this.plays.findLast((play) =>
          play.block === block && !relative(root, play.file).startsWith("..")
        );
        return newest && numberOf(version) < numberOf(newest.version)
          ? [outdatedBy(document, `${block} ${version}`, newest.version)]
          : [];
      })
    );
  }
}

/**
 * @param {string} place
 * @param {string} shown
 * @param {string} newest
 * @returns {Problem}
 */
function outdatedBy(place, shown, newest) {
  return {
    place,
    message: `shows ${shown}, but ${newest} was played after this page was made`,
    hint: "render it again; with engine: famulus in its front matter it plays what it shows",
    severity: "error",
  };
}

/** @param {string} version as the store writes it, `v0003` */
function numberOf(version) {
  return Number(version.slice(1));
}
