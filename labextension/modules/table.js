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
  const columns = drawnColumns(part);
  const rows = part.rows.map((row) => columns.map((column) => cellText(row[column.at], lang, column)));
  const heads = columns.map((column, at) => {
    const title = resolve(column.label, lang);
    const longest = Math.max(title.length, ...rows.map((row) => row[at].length));
    const classes = [...aligned(column), ...widthClasses(longest)].map((name) => `.famulus-${name}`);
    return element(`th${classes.join("")}`, { scope: "col", "data-order": column.order }, title);
  });
  const table = element("table", {},
    caption ? element("caption", {}, caption) : null,
    element("thead", {}, element("tr", {}, ...heads)),
    element("tbody", {}, ...rows.map((texts, index) => element("tr", {}, ...columns.map((column, at) => {
      const text = column.keyword && texts[at] ? element("span.famulus-keyword", {}, texts[at]) : texts[at];
      const inside = column.url >= 0 ? link(part.rows[index][column.url], text) : text;
      return element(["td", ...aligned(column)].join(".famulus-"), {}, inside);
    })))));
  return element("div.famulus-part", {},
    element(`div.famulus-table${columns.some((column) => column.keyword) ? ".famulus-kwic" : ""}`, {
      tabindex: "0", role: "region", "aria-label": caption || undefined,
      "data-partial": part.rows.length < part.total ? "true" : undefined,
    }, table),
    moreOf(part, surface),
    data("famulus-table-words", wordsOf(lang)));
}

/** Return the columns that are drawn: not hidden ones, nor those that hold the links of others. */
function drawnColumns({ columns }) {
  const links = new Set(columns.filter((one) => one.link !== one.key).map((one) => one.link));
  const drawn = columns.map((column, at) => ({
    ...column, at, numeric: isNumeric(column.type), url: columns.findIndex((one) => one.key === column.link),
  })).filter((column) => !links.has(column.key) && !column.hidden);
  drawn.forEach((column, at) => {
    column.keyword = column.align === "center" && drawn[at - 1]?.align === "right";
  });
  drawn.forEach((column, at) => {
    column.order = orderOf(column, drawn[at - 1], drawn[at + 1]);
  });
  return drawn;
}

const aligned = (column) => (column.align === "left" ? [] : [column.align]);

/** Return what keeps a column as wide as its texts can be read. */
function widthClasses(longest) {
  const short = longest > 12 ? ["wider"] : longest > 7 ? ["short"] : [];
  return longest > 160 ? ["long", "text"] : longest > 30 ? ["long"] : short;
}

/** Return how the values of a column are ordered: what stands left of a keyword from its last word backwards. */
function orderOf({ numeric, type }, before, after) {
  if (numeric) {
    return "number";
  }
  const beside = after?.keyword ? "left" : before?.keyword ? "right" : undefined;
  return /^(?:DATE$|TIMESTAMP)/i.test(type ?? "") ? "date" : beside;
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
