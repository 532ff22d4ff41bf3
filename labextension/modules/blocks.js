/* The panel beside the notebook: the blocks of its project, in which state they are, and how to get to them. */

import { element } from "./dom.js";
import { famulusIcon } from "./icon.js";
import { lab } from "./shared.js";

const { NotebookActions } = lab.notebook;
const GLYPHS = { fresh: "✓", stale: "◔", missing: "○", error: "▲", blocked: "◇", unverifiable: "◐" };
const FAILED = { fail: "✗", gap: "◇" };
const QUIET_MS = 300;

class BlocksPanel extends lab.widgets.Widget {
  constructor(app, tracker) {
    super();
    Object.assign(this, { app, tracker });
    this.id = "famulus-blocks";
    this.addClass("jp-FamulusBlocks");
    this.title.icon = famulusIcon;
    this.title.caption = "Famulus blocks";
    this.list = element("div.jp-FamulusBlocks-list");
    const again = element("button", { type: "button", title: "Look again", "aria-label": "Look again" }, "↻");
    again.addEventListener("click", () => this.refresh());
    this.heading = element("h2", {}, "Blocks");
    this.node.append(element("header", {}, this.heading, again), this.list);
  }

  onAfterShow() {
    this.refresh();
  }

  /** Look again, once what happens now has settled. */
  refresh() {
    clearTimeout(this.timer);
    this.timer = this.isVisible ? setTimeout(() => void this.look(), QUIET_MS) : undefined;
  }

  async look() {
    const path = this.tracker.currentWidget?.context.path ?? "";
    try {
      const found = await ask(this.app.serviceManager.serverSettings, path);
      const parts = Map.groupBy(found.blocks, (block) => block.path);
      this.heading.textContent = found.project;
      this.list.replaceChildren(
        ...found.errors.map((error) => this.problem(error)),
        ...[...parts].map(([file, blocks]) => element("section", {},
          element("h3", {}, file), element("ul", {}, ...blocks.map((block) => this.item(block))))));
    } catch (error) {
      this.list.replaceChildren(element("p", {}, String(error.message ?? error)));
    }
  }

  item(block) {
    const name = element("button.jp-FamulusBlocks-name", { type: "button" }, block.id);
    name.addEventListener("click", () => void this.open(block));
    const run = element("button.jp-FamulusBlocks-run", {
      type: "button", title: `Run ${block.id}`, "aria-label": `Run ${block.id}`,
    }, "▶");
    run.addEventListener("click", () => void this.run(block));
    const failed = FAILED[block.verdict];
    const state = `${block.state}${block.version ? `, ${block.version}` : ""}${failed ? `: ${block.verdict}` : ""}`;
    return element("li", { title: [state, ...block.reasons].join("\n"), "data-state": block.state },
      element("span.jp-FamulusBlocks-state", { role: "img", "aria-label": state }, GLYPHS[block.state] ?? "?"),
      name, failed ? element("span.jp-FamulusBlocks-failed", { "aria-hidden": "true" }, failed) : null, run);
  }

  problem({ message, hint, path, line }) {
    const place = path ? element("button", { type: "button" }, line ? `${path}:${line}` : path) : null;
    place?.addEventListener("click", () => void this.app.commands.execute("docmanager:open", { path }));
    return element("p.jp-FamulusBlocks-problem", { role: "note", title: hint || undefined }, `▲ ${message} `, place);
  }

  /** Open the notebook of a block with its cell in view; return both, or nothing where that is another browser tab. */
  async open(block) {
    const here = this.tracker.find((panel) => panel.context.path === block.path);
    const panel = here ?? await this.app.commands.execute("docmanager:open", { path: block.path, factory: "Notebook" });
    if (!panel?.content?.model) {
      return null;
    }
    await panel.revealed;
    this.app.shell.activateById(panel.id);
    const notebook = panel.content;
    const index = notebook.widgets.findIndex((cell) => isOf(cell.model, block.id));
    if (index >= 0) {
      notebook.activeCellIndex = index;
      notebook.deselectAll();
      await notebook.scrollToItem(index, "smart");
    }
    return index >= 0 ? panel : null;
  }

  /** Run the cell of a block, as if it had been run in its notebook. */
  async run(block) {
    const panel = await this.open(block);
    if (panel) {
      await panel.sessionContext.ready;
      await panel.sessionContext.session?.kernel?.info;  // what is run before the kernel listens is lost
      await NotebookActions.run(panel.content, panel.sessionContext);
    }
  }
}

/** Say whether a code cell holds a block: its id goes before that of the cell, which a copy may have as well. */
function isOf(model, block) {
  const found = /^id:[ \t]+["']?([^\s"'#]+)/m.exec(model.sharedModel.getSource());
  return model.type === "code" && (found ? found[1] === block : model.id === block);
}

async function ask(settings, path) {
  const url = lab.coreutils.URLExt.join(settings.baseUrl, "famulus", "blocks");
  const query = lab.coreutils.URLExt.objectToQueryString({ path });
  const answer = await lab.services.ServerConnection.makeRequest(url + query, {}, settings);
  const found = await answer.json();
  if (!answer.ok) {
    throw new Error(found.message);
  }
  return found;
}

export default {
  id: "famulus:blocks",
  description: "A panel with the blocks of a project.",
  autoStart: true,
  requires: [lab.notebook.INotebookTracker],
  activate(app, tracker) {
    const panel = new BlocksPanel(app, tracker);
    app.shell.add(panel, "left", { rank: 600 });
    const refresh = () => panel.refresh();
    tracker.currentChanged.connect(refresh);
    tracker.widgetAdded.connect((_, added) => added.context.saveState.connect(refresh));
    NotebookActions.executed.connect(refresh);
  },
};
