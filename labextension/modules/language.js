/* Highlighting of cells: YAML in the preamble, SQL in what a key `sql` holds, references in the text. The two languages
   are those that JupyterLab brings; ours only says where each begins and ends. */

import { queriesIn } from "./queries.js";
import { sectionsOf } from "./sections.js";
import { lab } from "./shared.js";

const { NodeSet, NodeType, Parser, Tree, parseMixed } = lab.lezer;
const { Language, LanguageSupport, defineLanguageFacet, languageDataProp } = lab.language;
const { styleTags, tags } = lab.highlight;

const NAMES = ["Cell", "Options", "Rule", "Yaml", "Sql", "Reference"];

class CellParser extends Parser {
  constructor(facet, inner) {
    super();
    const types = NAMES.map((name, id) => NodeType.define({
      id, name, top: id === 0, props: id === 0 ? [[languageDataProp, facet]] : [],
    }));
    this.types = new NodeSet(types).extend(styleTags({ Options: tags.comment, Rule: tags.meta, Reference: tags.link }));
    this.mixed = parseMixed((node) => {
      const parser = inner[node.name];
      return !parser ? null : node.name === "Yaml" ? { parser, overlay: around(node.node) } : { parser };
    });
  }

  /** A cell is short: it is read whole, at once, each time, and nothing of what was found before is taken over. */
  createParse(input, _fragments, ranges) {
    return this.mixed(this.whole(input), input, [], ranges);
  }

  whole(input) {
    const type = (name) => this.types.types[NAMES.indexOf(name)];
    return {
      parsedPos: 0,
      stoppedAt: null,
      stopAt(position) {
        this.stoppedAt = position;
      },
      advance() {
        const length = this.stoppedAt ?? input.length;
        this.parsedPos = length;
        const sections = sectionsOf(input.read(0, length));
        const nodes = sections.map(({ name, from, to }) => {
          const queries = name === "Yaml" ? queriesIn(input.read(from, to)) : [];
          const parts = queries.map((query) => new Tree(type("Sql"), [], [], query.to - query.from));
          return new Tree(type(name), parts, queries.map((query) => query.from), to - from);
        });
        return new Tree(type("Cell"), nodes, sections.map(({ from }) => from), length);
      },
    };
  }
}

/** Return what of a node lies around its children. */
function around(node) {
  const ranges = [];
  let from = node.from;
  for (let child = node.firstChild; child; child = child.nextSibling) {
    ranges.push({ from, to: child.from });
    from = child.to;
  }
  return [...ranges, { from, to: node.to }].filter((range) => range.from < range.to);
}

async function support(languages) {
  const parserOf = async (name) => (await languages.getLanguage(name))?.support?.language.parser;
  const facet = defineLanguageFacet({ commentTokens: { line: "#" } });
  const parser = new CellParser(facet, { Yaml: await parserOf("YAML"), Sql: await parserOf("SQL") });
  return new LanguageSupport(new Language(facet, parser, [], "famulus"));
}

export default {
  id: "famulus:language",
  description: "Highlights the cells of Famulus notebooks.",
  autoStart: true,
  requires: [lab.codemirror.IEditorLanguageRegistry],
  activate(_app, languages) {
    languages.addLanguage({
      name: "famulus",
      displayName: "Famulus",
      mime: "text/x-famulus",
      load: () => support(languages),
    });
    languages.addLanguage({
      name: "famulus-document",
      displayName: "Famulus document",
      mime: "text/x-famulus-document",
      extensions: ["fam"],
      load: async () => (await languages.getLanguage("ipythongfm")).support,
    });
  },
};
