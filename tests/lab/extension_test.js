/* The modules of the lab extension that need no browser: words and numbers as Python has them, the parts of a cell. */

import { sectionsOf } from "../../labextension/static/sections.js";
import { cellText, formatNumber, label, readWords } from "../../labextension/static/words.js";

const NUMBERS = JSON.parse(Deno.env.get("NUMBERS"));
await readWords(new URL("../../_extensions/famulus/labels.json", import.meta.url));

function equal(found, wanted, about = "") {
  const [one, other] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (one !== other) {
    throw new Error(`${about} ${one} is not ${other}`);
  }
}

/** Return the parts of a cell with their text. */
function parts(text) {
  return sectionsOf(text).map(({ name, from, to }) => [name, text.slice(from, to)]);
}

Deno.test("numbers are written as Python writes them", () => {
  for (const [value, lang, format, wanted] of NUMBERS) {
    equal(formatNumber(value, lang, format), wanted, JSON.stringify([value, lang, format]));
  }
});

Deno.test("cells are written in words of the document's language", () => {
  equal(cellText(null, "de"), "");
  equal(cellText(true, "de"), "ja");
  equal(cellText(false, "en-GB"), "no");
  equal(cellText("12345678901234567890", "de", { numeric: true }), "12.345.678.901.234.567.890");
  equal(cellText("1520", "de"), "1520");
  equal(label("table.more", "la", { shown: 1, total: 2 }), "1 of 2 rows");
  equal(label("no.such.key", "en"), "no.such.key");
});

Deno.test("a cell is options, preamble between rules, and text", () => {
  equal(parts("#| echo: false\n\n---\nid: a\nyears: {from: 1}\n---\nWas {{ref:b.c}} sagt.\n---\n"), [
    ["Options", "#| echo: false\n"],
    ["Rule", "---"],
    ["Yaml", "id: a\nyears: {from: 1}"],
    ["Rule", "---"],
    ["Reference", "{{ref:b.c}}"],
  ]);
});

Deno.test("SQL is what a key sql holds, in a block or on its line", () => {
  equal(parts("---\np:\n  - input:\n      sql: |\n        SELECT 1\n\n          FROM t\n    x: 1\n---"), [
    ["Rule", "---"],
    ["Yaml", "p:\n  - input:\n      sql: |"],
    ["Sql", "        SELECT 1\n\n          FROM t"],
    ["Yaml", "    x: 1"],
    ["Rule", "---"],
  ]);
  equal(parts("---\n- sql: >-\n   SELECT 1\n"), [["Rule", "---"], ["Yaml", "- sql: >-"], ["Sql", "   SELECT 1\n"]]);
  equal(parts("---\nsql: SELECT 1\nmysql: x\n---"), [
    ["Rule", "---"], ["Yaml", "sql: "], ["Sql", "SELECT 1"], ["Yaml", "mysql: x"], ["Rule", "---"],
  ]);
});

Deno.test("what is no block has no parts, and every part lies in the text, in order", () => {
  equal(parts("roster.table"), []);
  equal(parts(""), []);
  for (const text of ["---", "---\n---", "\n\n---\n", "#|", "---\nsql: |", "---\n sql: |\n---\n---", "{{ref:a}}", "---\r\n"]) {
    let end = 0;
    for (const { from, to } of sectionsOf(text)) {
      equal(from >= end && to > from && to <= text.length, true, JSON.stringify(text));
      end = to;
    }
  }
});
