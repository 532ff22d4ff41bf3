/* The modules of the lab extension that need no browser: words and numbers as Python has them, the parts of a cell. */

import { queriesIn } from "../../labextension/modules/queries.js";
import { sectionsOf } from "../../labextension/modules/sections.js";
import { cellText, formatNumber, label, readWords } from "../../labextension/modules/words.js";

const NUMBERS = JSON.parse(Deno.env.get("NUMBERS"));
const QUERIES = JSON.parse(Deno.env.get("QUERIES"));
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

/** Return the queries of a preamble. */
const texts = (yaml) => queriesIn(yaml).map(({ from, to }) => yaml.slice(from, to).trim());

Deno.test("queries are where a reader of YAML finds them", () => {
  for (const [yaml, found] of QUERIES) {
    equal(texts(yaml), found, yaml);
  }
});

Deno.test("a query that is being written ends at its line, and no query lies outside of the text", () => {
  equal(texts('a: {sql: "SELECT 1\nid: x'), ["SELECT 1"]);
  equal(texts("- sql: 'SELECT\n- id: x"), ["SELECT"]);
  equal(texts("a: {sql: SELECT 1"), ["SELECT 1"]);
  equal([texts("sql:"), texts("sql: |"), texts("sql: "), texts("{sql"), texts("{sql:,}")], [[], [], [], [], []]);
  for (const [yaml] of QUERIES) {
    for (let length = 0; length <= yaml.length; length += 1) {
      let end = 0;
      for (const { from, to } of queriesIn(yaml.slice(0, length))) {
        equal(from >= end && to > from && to <= length, true, yaml.slice(0, length));
        end = to;
      }
    }
  }
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
