/**
 * What is used of Quarto's interface for engines (the package @quarto/types, the same in Quarto 1.9 to 1.11), and our own
 * shapes. Types only.
 *
 * @typedef {{ value: string, fileName?: string, map: (at: number, closest?: boolean) => Mapped | undefined }} MappedString
 * @typedef {{ index: number, originalString: MappedString }} Mapped
 * @typedef {{
 *   withSpinner: <T>(options: { message: string, doneMessage: boolean }, run: () => Promise<T>) => Promise<T>,
 *   completeMessage: (message: string) => void,
 *   info: (message: string, options?: { indent?: number }) => void,
 *   warning: (message: string) => void,
 *   error: (message: string) => void,
 * }} Console
 * @typedef {{
 *   console: Console,
 *   markdownRegex: {
 *     extractYaml: (markdown: string) => Record<string, any>,
 *     partition: (markdown: string) => Partitioned,
 *   },
 *   mappedString: {
 *     fromFile: (path: string) => MappedString,
 *     fromString: (text: string, fileName?: string) => MappedString,
 *     normalizeNewlines: (markdown: MappedString) => MappedString,
 *   },
 *   system: {
 *     onCleanup: (handler: () => void) => void,
 *     tempContext: () => { createFile: (options: { prefix: string, suffix: string }) => string },
 *   },
 * }} QuartoAPI
 *
 * @typedef {{ yaml?: Record<string, any>, containsRefs: boolean, markdown: string, srcMarkdownNoYaml: string }} Partitioned
 * @typedef {{ dir: string, config?: Record<string, any>, files?: { input: string[] } }} Project
 *   `files` and the whole `config` are there in a render, though the interface does not promise them
 * @typedef {{ source: string, input: string, markdown: MappedString, metadata: Record<string, any> }} Target
 * @typedef {string | { path?: string }} Filter
 * @typedef {{
 *   identifier?: { "target-format"?: string },
 *   execute: { enabled?: boolean | null, eval?: unknown, echo?: unknown, output?: unknown, include?: unknown },
 *   pandoc: Record<string, any>,
 *   metadata: Record<string, any>,
 * }} Format
 * @typedef {{
 *   target: Target,
 *   format: Format,
 *   project: Project,
 *   params?: Record<string, unknown>,
 *   quiet?: boolean,
 *   previewServer?: boolean,
 *   handledLanguages: string[],
 * }} ExecuteOptions
 * @typedef {{
 *   command: (name: string, description?: string) => Command,
 *   arguments: (args: string) => Command,
 *   action: (run: (...args: any[]) => Promise<void>) => Command,
 * }} Command
 *
 * @typedef {[line: number, file: string, fileLine: number]} Origin from this line on, lines are those of a file
 * @typedef {{ file: string, markdown: string, origins: Origin[] }} Source a page's text, and where it was written
 * @typedef {"error" | "warning"} Severity
 * @typedef {{ place: string, message: string, hint: string, severity: Severity }} Problem
 * @typedef {{ document: string, at?: string, shortcode: string, code: string, block?: string, message: string,
 *   hint: string, severity: Severity }} Recorded a line of what the filter writes to FAMULUS_PROBLEMS
 */

export {};
