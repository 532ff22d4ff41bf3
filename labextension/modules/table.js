/* The table of a view. On the page it can be ordered and filtered, by the same script as in rendered pages. */

import { data, element, link } from "./dom.js";
import { cellText, formatNumber, isNumeric, label, pointOf, resolve } from "./words.js";

/**
 * @param {object} part a `table` of a view
 * @param {string} caption
 * @param {{ lang: string, file: (name: string) => string | null }} surface
 */
export function tableOf(part, caption, surface) {
  const { lang } = surface;
  const links = new Set(part.columns.filter((one) => one.link !== one.key).map((one) => one.link));
  const columns = part.columns.map((column, at) => ({
    ...column, at, numeric: isNumeric(column.type), url: part.columns.findIndex((one) => one.key === column.link),
  })).filter((column) => !links.has(column.key));
  const table = element("table", {},
    caption ? element("caption", {}, caption) : null,
    element("thead", {}, element("tr", {}, ...columns.map((column) => element(`th${aligned(column)}`,
      { scope: "col", "data-order": orderOf(column) }, resolve(column.label, lang))))),
    element("tbody", {}, ...part.rows.map((row) => element("tr", {}, ...columns.map((column) => {
      const text = cellText(row[column.at], lang, column);
      return element(`td${aligned(column)}`, {}, column.url >= 0 ? link(row[column.url], text) : text);
    })))));
  return element("div.famulus-part", {},
    element("div.famulus-table", {
      tabindex: "0", role: "region", "aria-label": caption || undefined,
      "data-partial": part.rows.length < part.total ? "true" : undefined,
    }, table),
    moreOf(part, surface),
    data("famulus-table-words", wordsOf(lang)));
}

const aligned = (column) => (column.align === "left" ? "" : `.famulus-${column.align}`);

function orderOf({ numeric, type }) {
  return numeric ? "number" : /^(?:DATE$|TIMESTAMP)/i.test(type ?? "") ? "date" : undefined;
}

function wordsOf(lang) {
  const keys = {
    filter: "filter", found: "found", up: "sorted-up", down: "sorted-down", none: "sorted-not", within: "within",
  };
  const words = Object.entries(keys).map(([name, key]) => [name, label(`table.${key}`, lang)]);
  return { ...Object.fromEntries(words), point: pointOf(lang), lang };
}

function moreOf(part, { lang, file }) {
  const [shown, total] = [formatNumber(part.rows.length, lang), formatNumber(part.total, lang)];
  const key = part.rows.length < part.total ? "more" : { 0: "empty", 1: "row" }[part.total] ?? "all";
  const made = element("p.famulus-more", {}, label(`table.${key}`, lang, { shown, total }));
  const downloads = [part.full, part.csv].filter((full) => full && file(full.file));
  downloads.forEach((full, at) => {
    const name = full.format === "csv" ? "CSV" : "Parquet";
    made.append(at ? " · " : ` · ${label("table.full", lang)}: `,
      element("a", { href: file(full.file), download: "" }, `${name} (${byteSize(full.bytes, lang)})`));
  });
  return made;
}

function byteSize(size, lang) {
  const step = Math.min(4, Math.max(0, Math.floor(Math.log10(size || 1) / 3)));
  return `${formatNumber(size / 1000 ** step, lang, step < 2 ? ",d" : ",.1f")}\u00a0${["B", "kB", "MB", "GB", "TB"][step]}`;
}
