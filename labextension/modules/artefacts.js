/* The renderer of `application/vnd.famulus.artefact+json`: card and views of a version, drawn of their values. */

import { cardOf, marksOf, prose, badge } from "./card.js";
import { element } from "./dom.js";
import { graphOf } from "./graph.js";
import { enliven } from "./live.js";
import { lab } from "./shared.js";
import { tableOf } from "./table.js";
import { cellText, label, readWords, resolve } from "./words.js";

const MIME = "application/vnd.famulus.artefact+json";
const GLYPHS = { pass: "✓", fail: "✗", gap: "◇", error: "▲", unchecked: "○", stale: "◔", unverified: "◐" };
const IMAGE = /\.(?:png|jpe?g|svg)$/;
const LENGTH = /^[0-9]{1,5}(?:\.[0-9]{1,3})?(?:%|px|em|rem|ch|cm|mm|in|pt)$/;
const words = readWords(new URL("page/labels.json", import.meta.url));

class ArtefactRenderer extends lab.widgets.Widget {
  constructor({ mimeType, resolver }) {
    super();
    this.addClass("jp-RenderedFamulus");
    this.mimeType = mimeType;
    this.resolver = resolver;
  }

  async renderModel(model) {
    try {
      await this.draw(model.data[this.mimeType]);
    } catch (error) {
      // Of another version, or of nobody knows whom: the same in plain text is in every bundle of ours.
      console.warn("famulus: an answer is shown as text:", error);
      this.node.replaceChildren(element("pre", {}, String(model.data["text/plain"] ?? "")));
    }
  }

  async draw(shown) {
    await words;
    const surface = { lang: shown.lang, file: await this.filesOf(shown) };
    const views = shown.artefacts.map(({ view }) => viewOf(view, surface));
    if (!shown.card && shown.marks.length) {
      views[0]?.prepend(marksOf(shown.marks));
    }
    this.node.replaceChildren(...(shown.card ? [cardOf(shown.card, shown.lang)] : []), ...views);
    this.enliven();
  }

  onAfterAttach() {
    this.enliven();
  }

  enliven() {
    if (this.isAttached && this.node.querySelector(".famulus-table, .famulus-graph")) {
      void enliven();
    }
  }

  /** Return what gives the address of a file of the version, or null where none can be had. */
  async filesOf({ folder, artefacts }) {
    const names = artefacts.flatMap(({ view }) => view.parts)
      .flatMap((part) => [part.file, part.svg, part.full?.file, part.csv?.file]).filter(Boolean);
    const found = new Map();
    for (const name of this.resolver && folder ? names : []) {
      const path = await this.resolver.resolveUrl(`${folder}/${name}`);
      found.set(name, await this.resolver.getDownloadUrl(path));
    }
    return (name) => found.get(name) ?? null;
  }
}

function viewOf(view, surface) {
  const alone = view.parts.length === 1 && ["table", "figure", "graph"].includes(view.parts[0].type);
  const [title, caption] = [resolve(view.title, surface.lang), view.caption ?? ""];
  return element("div.famulus-view", {},
    title ? element("p.famulus-title", {}, title) : null,
    ...view.parts.map((part) => partOf(part, alone ? caption : "", surface)),
    caption && !alone ? element("p.famulus-caption", {}, caption) : null);
}

function partOf(part, caption, surface) {
  const title = resolve(part.title, surface.lang);
  if (part.type === "table") {
    return tableOf(part, title || caption, surface);
  }
  const draw = { facts: factsOf, prose: (one) => prose(one.html), figure: figureOf, graph: graphOf }[part.type];
  return element("div.famulus-part", {},
    title ? element("p.famulus-part-title", {}, title) : null,
    draw ? draw(part, caption, surface) : null);
}

function factsOf(part, _caption, { lang }) {
  return element("dl.famulus-facts", {}, ...part.items.flatMap((fact) => {
    const text = fact.value !== null && typeof fact.value === "object" ? resolve(fact.value, lang)
      : cellText(fact.value, lang);
    return [element("dt", {}, resolve(fact.label, lang)),
      element("dd", {}, fact.badge ? badge(fact.badge, GLYPHS[fact.badge], text) : text)];
  }));
}

function figureOf(part, caption, { lang, file }) {
  const address = file(part.file);
  const text = caption || part.caption;
  const style = LENGTH.test(part.width ?? "") ? `width: ${part.width}` : undefined;
  const format = part.file.split(".").at(-1).toUpperCase();
  return element("div.famulus-figure", {}, element("figure", {},
    address && IMAGE.test(part.file) ? element("img", { src: address, alt: part.alt, style })
      : element("p", {}, part.alt, " ", address
        ? element("a", { href: address, target: "_blank" }, label("figure.open", lang, { format })) : null),
    text ? element("figcaption", {}, text) : null));
}

export default {
  id: "famulus:artefacts",
  description: "Draws what Famulus blocks answer.",
  autoStart: true,
  requires: [lab.rendermime.IRenderMimeRegistry],
  activate(_app, rendermime) {
    rendermime.addFactory({
      safe: true,
      mimeTypes: [MIME],
      defaultRank: 10,
      createRenderer: (options) => new ArtefactRenderer(options),
    });
  },
};
