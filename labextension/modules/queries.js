/* Where SQL stands in a preamble: what keys `sql` hold, in whatever way YAML writes it, also while it is being written.
   JupyterLab's YAML gives no tree that could be asked. */

const KEY = String.raw`(?:"sql"|'sql'|sql)[ \t]*:(?!\S)`;
const QUOTED = String.raw`"(?:[^"\\]|\\[^])*"|'(?:[^']|'')*'`;
const HEADER = String.raw`[|>][-+0-9]*[ \t]*(?:#.*)?$`;

/* In flow style (between brackets) and outside of it, what may begin where. */
const [FLOW, BLOCK] = [String.raw`(?<=[{[,:]\s*)`, String.raw`(?<=^ *(?:- +)*|:[ \t]+)`].map((begins) => new RegExp(
  String.raw`(?<!\S)#.*|${begins}(?:(?<sql>${KEY})|${QUOTED}|(?<header>${HEADER})|(?<open>[{[]))|(?<close>[}\]])`, "gm",
));

const VALUE_QUOTED = /\s*(?<value>"(?:[^"\\]|\\[^])*"?|'(?:[^']|'')*'?)/y;
const VALUE_HEADER = new RegExp(String.raw`[ \t]*${HEADER}`, "my");
const VALUE_FLOW = /\s*(?<value>[^\s,[\]{}#][^,[\]{}]*)/y;
const VALUE_PLAIN = /[ \t]*(?<value>[^\s#{[])/y;
const COMMENT = /\s#/;

/**
 * @param {string} yaml a preamble, or as much as there is of it
 * @returns {{ from: number, to: number }[]} without quotes and `|`, in order
 */
export function queriesIn(yaml) {
  const found = [];
  let depth = 0;
  let at = 0;
  for (;;) {
    const token = depth ? FLOW : BLOCK;
    token.lastIndex = at;
    const match = token.exec(yaml);
    if (!match) {
      return found;
    }
    const { sql, header, open, close } = match.groups;
    at = token.lastIndex;
    depth = Math.max(0, depth + (open ? 1 : 0) - (close ? 1 : 0));
    if (header) {
      at = endOfDeeper(yaml, at, indentAt(yaml, match.index));
    } else if (sql) {
      const query = valueAt(yaml, at, depth);
      if (query.from < query.to) {
        found.push(query);
      }
      at = Math.max(at, query.to);
    }
  }
}

/** Return where the value of a key lies that ends at `at`. */
function valueAt(yaml, at, depth) {
  const begins = (form) => {
    form.lastIndex = at;
    const match = form.exec(yaml);
    return match && form.lastIndex - (match.groups?.value.length ?? 0);
  };
  const indent = indentAt(yaml, at);
  let from = begins(VALUE_QUOTED);
  if (from !== null) {
    const to = VALUE_QUOTED.lastIndex - 1;
    return { from: from + 1, to: to > from && yaml[to] === yaml[from] ? to : endOfLine(yaml, from) };
  }
  from = depth ? null : begins(VALUE_HEADER);
  if (from !== null) {
    return { from: Math.min(from + 1, yaml.length), to: endOfDeeper(yaml, from, indent) };
  }
  from = begins(depth ? VALUE_FLOW : VALUE_PLAIN);
  if (from === null) {
    return { from: at, to: at };
  }
  const text = yaml.slice(from, depth ? VALUE_FLOW.lastIndex : endOfDeeper(yaml, from, indent));
  const comment = text.search(COMMENT);
  return { from, to: from + (comment < 0 ? text : text.slice(0, comment)).trimEnd().length };
}

/** Return how deep the keys of a line stand. */
function indentAt(yaml, at) {
  return /^ *(?:- +)*/.exec(yaml.slice(yaml.lastIndexOf("\n", at - 1) + 1))[0].length;
}

/** Return the end of the last of the lines after `at` that are blank or stand deeper. */
function endOfDeeper(yaml, at, indent) {
  let end = endOfLine(yaml, at);
  while (end < yaml.length) {
    const next = endOfLine(yaml, end + 1);
    const line = yaml.slice(end + 1, next);
    if (line.trim() && line.search(/\S/) <= indent) {
      break;
    }
    end = next;
  }
  return end;
}

function endOfLine(yaml, at) {
  const end = yaml.indexOf("\n", at);
  return end < 0 ? yaml.length : end;
}
