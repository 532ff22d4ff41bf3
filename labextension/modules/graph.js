/* The graph of a view: its picture, and once it is on the page the same view in motion that rendered pages have. */

import { data, element, safeUrl } from "./dom.js";
import { formatNumber, label } from "./words.js";

/**
 * @param {object} part a `graph` of a view
 * @param {{ lang: string, file: (name: string) => string | null }} surface
 */
export function graphOf(part, caption, { lang, file }) {
  const numbers = [part.nodes, part.edges].map((items) => formatNumber(items.length, lang));
  const alt = label("graph.alt", lang, { nodes: numbers[0], edges: numbers[1] });
  const address = file(part.svg);
  // A layered picture may be wider than its place and is moved there, by keys too.
  const moved = part.layout === "layered" ? { tabindex: "0", role: "region", "aria-label": alt } : {};
  const made = element("div.famulus-graph", { "data-layout": part.layout, ...moved },
    element("figure", {},
      address ? element("img", { src: address, alt }) : element("p", {}, alt),
      caption ? element("figcaption", {}, caption) : null));
  if (part.layout === "force" && part.nodes.length) {
    const live = { ...rowsOf(part), words: { name: alt } };
    for (const key of ["search", "keys", "neighbour", "neighbours", "found"]) {
      live.words[key] = label(`graph.${key}`, lang);
    }
    made.append(data("famulus-graph-data", live));
  }
  return made;
}

function rowsOf(part) {
  const place = new Map(part.nodes.map((node, at) => [node.id, at]));
  return {
    nodes: part.nodes.map((node) => [node.label, node.group ?? "", node.weight, safeUrl(node.url) ?? ""]),
    edges: part.edges.filter((edge) => place.has(edge.source) && place.has(edge.target))
      .map((edge) => [place.get(edge.source), place.get(edge.target), edge.weight]),
  };
}
