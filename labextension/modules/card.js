/* The card of a block: question, verdict, answer, what was compared. Its words are made by the kernel. */

import { element, safe } from "./dom.js";
import { label } from "./words.js";

/** Return the badges of a version. */
export function marksOf(marks) {
  return element("p.famulus-marks", {}, ...marks.map((mark) => badge(mark.status, mark.glyph, mark.text)));
}

/** Return a badge: its shape and its word. */
export function badge(status, glyph, text) {
  return element("span.famulus-badge", { "data-status": status },
    element("span.famulus-glyph", { "aria-hidden": "true" }, glyph), ` ${text}`);
}

/** Return prose: `html` is what the kernel made of the markdown. */
export function prose(html) {
  const made = element("div.famulus-prose");
  made.append(safe(html ?? ""));
  return made;
}

/** Return the card. */
export function cardOf(card, lang) {
  const answer = card.answer_html ? prose(card.answer_html) : null;
  answer?.classList.add("famulus-answer");
  const words = (name, text) => (text ? element(`p.${name}`, {}, text) : null);
  return element("section.famulus-card", { "aria-label": label("card.label", lang, { block: card.block }) },
    element("header.famulus-card-head", {}, words("famulus-question", card.question), marksOf(card.marks)),
    answer,
    card.problem ? problemOf(card.problem, lang) : null,
    card.oracle.length ? oracleOf(card.oracle, lang) : null,
    words("famulus-note", card.note),
    words("famulus-guard", card.guard.join(" · ")),
    words("famulus-meta", card.meta.join(" · ")));
}

function problemOf(problem, lang) {
  const message = problem.message.split(/(?<!\\)\*\*/).map((part, at) => {
    const text = part.replaceAll("\\*", "*");
    return at % 2 ? element("strong", {}, text) : text;
  });
  return element("div.famulus-box", { role: "note", "data-code": problem.code },
    element("p.famulus-box-title", {}, element("span.famulus-glyph", { "aria-hidden": "true" }, "▲"),
      ` ${label("badge.error", lang)}`),
    element("p", {}, ...message),
    problem.hint ? element("p.famulus-hint", {}, `${label("hint", lang)}: ${problem.hint}`) : null,
    problem.where ? element("p.famulus-where", {}, problem.where) : null);
}

function oracleOf(rows, lang) {
  const name = label("oracle", lang);
  const heads = ["key", "expected", "observed", "ok"].map((key) =>
    element("th", { scope: "col" }, label(`oracle.${key}`, lang)));
  const agrees = (ok) => element("span.famulus-agrees", { "data-ok": String(ok) },
    element("span.famulus-glyph", { "aria-hidden": "true" }, ok ? "✓" : "✗"),
    ` ${label(ok ? "value.yes" : "value.no", lang)}`);
  return element("div.famulus-oracle", { tabindex: "0", role: "region", "aria-label": name },
    element("table", {}, element("caption", {}, name), element("thead", {}, element("tr", {}, ...heads)),
      element("tbody", {}, ...rows.map((row) => element("tr", {},
        element("th", { scope: "row" }, row.key), element("td", {}, row.expected), element("td", {}, row.observed),
        element("td", {}, agrees(row.ok)))))));
}
