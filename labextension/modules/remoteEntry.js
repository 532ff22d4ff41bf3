/*
 * What JupyterLab loads of this extension: an object with `init`, which takes the packages that JupyterLab shares, and
 * `get`, which gives our plugins. A bundler would write such a file ("module federation"); we are plain ES modules that
 * lie beside it, so that what is read here is what runs, and nothing has to be built.
 */
window._JUPYTERLAB = window._JUPYTERLAB || {};
window._JUPYTERLAB.famulus = (() => {
  let scope = {};
  return {
    init(shared) {
      scope = shared;
    },
    async get() {
      const { take } = await import("./shared.js");
      await take(scope);
      const { default: plugins } = await import("./extension.js");
      return () => ({ __esModule: true, default: plugins });
    },
  };
})();
