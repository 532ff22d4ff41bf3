/* What makes tables and graphs of a page come alive: the scripts of rendered pages, brought when first asked for. */

import { element } from "./dom.js";

const FILES = ["page/famulus-table.js", "page/d3.js", "page/famulus-graph.js"];
let scripts;

/** Bring the tables and graphs to life that stand on the page and are not alive yet. */
export async function enliven() {
  scripts ??= FILES.reduce((before, file) => before.then(() => load(file)), Promise.resolve());
  await scripts;
  globalThis.famulusTables();
  globalThis.famulusGraphs();
}

function load(file) {
  return new Promise((done, failed) => {
    const script = element("script", { src: String(new URL(file, import.meta.url)) });
    script.addEventListener("load", done);
    script.addEventListener("error", failed);
    document.head.append(script);
  });
}
