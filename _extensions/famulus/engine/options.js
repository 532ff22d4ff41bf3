/** What Quarto's execute options mean for blocks (`CellOptions` of render/cells.py). */

import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** @typedef {import("./types.js").ExecuteOptions} ExecuteOptions */

const FOLDER_METADATA = ["_metadata.yml", "_metadata.yaml"];

/**
 * Quarto echoes code unless it is told not to; a block's YAML is no reading matter, so it is shown where the document, its
 * folder or the project asks for it by name. Quarto's own answer does not tell the two apart.
 * @param {ExecuteOptions} options
 * @param {(markdown: string) => Record<string, any>} readYaml of a front matter
 */
export function cellOptions({ format, target, project }, readYaml) {
  const { eval: evaluate, output, include, echo } = format.execute;
  const said = [target.metadata, ...ofFolders(resolve(target.source), resolve(project.dir), readYaml), project.config];
  const asked = said.flatMap((metadata) => wordsOnEcho(metadata ?? {}, format.identifier?.["target-format"] ?? ""))[0];
  return {
    run: evaluate !== false,
    echo: echo !== false && (asked ?? false) !== false,
    output: output !== false,
    include: include !== false,
  };
}

/**
 * What is said on whether code is shown, at the four places where Quarto takes it; what holds most stands first.
 * @param {Record<string, any>} metadata
 * @param {string} to the format that is being made
 * @returns {unknown[]}
 */
function wordsOnEcho({ echo, execute, format }, to) {
  const words = [format?.[to]?.execute?.echo, format?.[to]?.echo, execute?.echo, echo];
  return words.filter((word) => word !== undefined);
}

/**
 * What `_metadata.yml` says in the folders from a page's up to its project's.
 * @param {string} file
 * @param {string} root
 * @param {(markdown: string) => Record<string, any>} readYaml
 * @returns {Record<string, any>[]}
 */
function ofFolders(file, root, readYaml) {
  const folder = dirname(file);
  const own = FOLDER_METADATA.map((name) => join(folder, name)).filter(existsSync)
    .map((path) => readYaml(`---\n${readFileSync(path, "utf8")}\n---\n`) ?? {});
  return folder === root || folder === dirname(folder) ? own : [...own, ...ofFolders(folder, root, readYaml)];
}
