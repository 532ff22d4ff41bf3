/* The parts of a cell, found line by line: options (`#| key: value`), preamble between two `---`, text. */

const RULE = /^---[ \t]*$/;
const REFERENCE = /\{\{ref:[^{}\n]*\}\}/g;

/**
 * Return the parts of a cell in order; what lies between them is blank or ordinary.
 *
 * @param {string} text
 * @returns {{ name: "Options" | "Rule" | "Yaml" | "Reference", from: number, to: number }[]}
 */
export function sectionsOf(text) {
  const found = [];
  const add = (name, from, to) => {
    const last = found.at(-1);
    if (last && last.name === name && name !== "Rule" && last.to + 1 >= from) {
      last.to = to;
    } else if (to > from) {
      found.push({ name, from, to });
    }
  };
  let rules = 0;
  let at = 0;
  for (const line of text.split("\n")) {
    const [from, to] = [at, at + line.length];
    at = to + 1;
    if (rules === 0 && /^(?:#\||[ \t]*$)/.test(line)) {
      add("Options", from, to);
    } else if (RULE.test(line)) {
      add("Rule", from, to);
      rules += 1;
    } else if (rules === 0) {
      break;
    } else {
      add("Yaml", from, to);
    }
    if (rules === 2) {
      break;
    }
  }
  const rest = found.length ? found.at(-1).to : 0;
  for (const match of text.slice(rest).matchAll(REFERENCE)) {
    add("Reference", rest + match.index, rest + match.index + match[0].length);
  }
  return found;
}
