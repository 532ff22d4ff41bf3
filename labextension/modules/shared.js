/* The packages that JupyterLab shares with its extensions. They are taken before any other module of ours is read. */

const PACKAGES = {
  apputils: "@jupyterlab/apputils",
  codemirror: "@jupyterlab/codemirror",
  coreutils: "@jupyterlab/coreutils",
  filebrowser: "@jupyterlab/filebrowser",
  highlight: "@lezer/highlight",
  language: "@codemirror/language",
  launcher: "@jupyterlab/launcher",
  lezer: "@lezer/common",
  mainmenu: "@jupyterlab/mainmenu",
  notebook: "@jupyterlab/notebook",
  rendermime: "@jupyterlab/rendermime",
  services: "@jupyterlab/services",
  ui: "@jupyterlab/ui-components",
  widgets: "@lumino/widgets",
};

/** The packages by the short names above; one that an application does not share (a launcher, say) is undefined. */
export const lab = {};

/**
 * Take the packages.
 *
 * @param {Record<string, Record<string, { get(): Promise<() => object> }>>} scope by name, then by version
 */
export async function take(scope) {
  await Promise.all(Object.entries(PACKAGES).map(async ([short, name]) => {
    const versions = scope[name] ?? {};
    const newest = Object.keys(versions).sort((a, b) => a.localeCompare(b, "en", { numeric: true })).at(-1);
    lab[short] = newest === undefined ? undefined : (await versions[newest].get())();
  }));
}
