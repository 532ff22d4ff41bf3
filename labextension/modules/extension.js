/* The plugins that JupyterLab activates; each says by tokens what it needs of the application. */

import artefacts from "./artefacts.js";
import blocks from "./blocks.js";
import language from "./language.js";
import notebooks from "./notebooks.js";

for (const file of ["page/famulus.css", "extension.css"]) {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = new URL(file, import.meta.url);
  document.head.append(link);
}

export default [notebooks, language, artefacts, blocks];
