/* `.fam` files are notebooks: their type and icon, the widget that opens them, and how a new one is made. */

import { famulusIcon, famulusIconUrl } from "./icon.js";
import { lab } from "./shared.js";

const NEW = "famulus:new-notebook";
const FACTORY = "Notebook";
const KERNEL = "famulus";

/* What an application may or may not have: Notebook 7 has no launcher. */
const SERVICES = Object.entries({
  launcher: lab.launcher?.ILauncher,
  palette: lab.apputils?.ICommandPalette,
  menu: lab.mainmenu?.IMainMenu,
  browser: lab.filebrowser?.IDefaultFileBrowser,
}).filter(([, token]) => token);

/**
 * Have every cell that a kernel is asked to run name its notebook. Jupyter names it once, when it starts the kernel, and
 * says the same after a restart; a notebook may be renamed meanwhile.
 */
function nameNotebook(kernel, context) {
  const { PathExt } = lab.coreutils;
  const folder = PathExt.dirname(context.localPath);
  const request = kernel.requestExecute.bind(kernel);
  kernel.requestExecute = (content, disposeOnDone, metadata) => request(content, disposeOnDone, {
    ...metadata, famulus: { ...metadata?.famulus, file: PathExt.relative(folder, context.localPath) },
  });
}

export default {
  id: "famulus:notebooks",
  description: "Opens .fam files as notebooks and makes new ones.",
  autoStart: true,
  optional: SERVICES.map(([, token]) => token),
  activate(app, ...given) {
    const { launcher, palette, menu, browser } = Object.fromEntries(SERVICES.map(([name], at) => [name, given[at]]));
    app.docRegistry.addFileType({
      name: "famulus",
      displayName: "Famulus Notebook",
      extensions: [".fam"],
      contentType: "notebook",
      fileFormat: "json",
      icon: famulusIcon,
    }, [FACTORY]);
    // A Quarto document stays a text, and opens as a notebook for those who say so.
    app.docRegistry.addFileType({
      name: "famulus-quarto", displayName: "Quarto document", extensions: [".qmd"], icon: lab.ui.markdownIcon,
    }, ["Editor", FACTORY]);
    app.docRegistry.addWidgetExtension(FACTORY, {
      createNew(panel, context) {
        if (context.path.endsWith(".fam")) {
          panel.title.icon = famulusIcon;
        }
        panel.sessionContext.kernelChanged.connect((_, { newValue: kernel }) => {
          if (kernel?.name === KERNEL) {
            nameNotebook(kernel, context);
          }
        });
      },
    });
    app.commands.addCommand(NEW, {
      label: (args) => (args.isPalette ? "New Famulus Notebook" : "Famulus Notebook"),
      caption: "Make a new .fam notebook",
      icon: (args) => (args.isPalette ? undefined : famulusIcon),
      execute: async (args) => {
        const path = args.cwd ?? browser?.model.path ?? "";
        const made = await app.serviceManager.contents.newUntitled({ path, type: "file", ext: ".fam" });
        return app.commands.execute("docmanager:open", {
          path: made.path, factory: FACTORY, kernel: { name: KERNEL },
        });
      },
    });
    launcher?.add({ command: NEW, category: "Notebook", rank: 1, kernelIconUrl: famulusIconUrl });
    palette?.addItem({ command: NEW, category: "Notebook", args: { isPalette: true } });
    menu?.fileMenu.newMenu.addItem({ command: NEW, rank: 10 });
  },
};
