/* Highlighting of cells: YAML in the preamble, SQL below `sql:`, references in the text. The two languages are those
   that JupyterLab brings; ours only says where each begins and ends. */

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
    this.mixed = parseMixed((node) => (node.name in inner ? { parser: inner[node.name] } : null));
  }

  createParse(input, fragments, ranges) {
    return this.mixed(this.whole(input), input, fragments, ranges);
  }

  /** A cell is short: it is read whole, at once, each time. */
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
        const nodes = sections.map(({ name, from, to }) => new Tree(type(name), [], [], to - from));
        return new Tree(type("Cell"), nodes, sections.map(({ from }) => from), length);
      },
    };
  }
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
