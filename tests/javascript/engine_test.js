/** The engine, run by a stand-in for Quarto that checks each call; the Python process and its kernel are the real ones. */

import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { documented, fromString, joined, StandIn } from "./quarto_api.js";

const REPOSITORY = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const EXTENSION = join(REPOSITORY, "_extensions", "famulus");
const ENGINE = new URL(`file://${EXTENSION}/famulus-engine.js`).href;
let loaded = 0;

/** The engine with nothing rendered yet, the Quarto it was given, and a project's folder. */
async function engine(name = "") {
  const folder = join(Deno.realPathSync(Deno.makeTempDirSync()), name);
  Deno.mkdirSync(folder, { recursive: true });
  Deno.writeTextFileSync(join(folder, "famulus.yml"), "id: probe\n");
  const quarto = new StandIn(folder);
  const discovery = (await import(`${ENGINE}?${loaded++}`)).default;
  discovery.init(quarto.api);
  const write = (name, text) => {
    Deno.mkdirSync(dirname(join(folder, name)), { recursive: true });
    Deno.writeTextFileSync(join(folder, name), text);
    return join(folder, name);
  };
  return { discovery, quarto, folder, write, instance: discovery.launch(project(folder)) };
}

/** EngineProjectContext, with what else a render's project has. */
function project(dir, more = {}) {
  return { dir, isSingleFile: false, fileInformationCache: new Map(), getOutputDirectory: () => dir, ...more };
}

/** ExecuteOptions of a page as Quarto gives them. */
async function pageOptions(instance, file, more = {}) {
  const { format, ...others } = more;
  return {
    target: await instance.target(file, false),
    format: {
      identifier: { "target-format": "html", "base-format": "html" },
      execute: { enabled: null, eval: true, output: true, include: true, echo: true },
      pandoc: {},
      metadata: {},
      ...format,
    },
    resourceDir: "",
    tempDir: "",
    dependencies: true,
    cwd: dirname(file),
    handledLanguages: ["mermaid", "dot"],
    project: project(dirname(file)),
    ...others,
  };
}

const block = (id, sql = "SELECT 1 AS n") =>
  "```{famulus}\n---\nid: " + id + "\npartiturs:\n  - {id: duckdb-read, input: {sql: " + sql + "}, artefact: tab}\n" +
  "artefacts:\n  - {name: tab, kind: table}\noracle: {n: 1}\n---\nWie viele?\n```\n";

/** Do something with other environment variables. */
async function withEnvironment(variables, run) {
  const before = Object.fromEntries(Object.keys(variables).map((name) => [name, Deno.env.get(name)]));
  const put = (values) =>
    Object.entries(values).forEach(([name, value]) =>
      value === undefined ? Deno.env.delete(name) : Deno.env.set(name, value)
    );
  put(variables);
  try {
    return await run();
  } finally {
    put(before);
  }
}

// One worker serves all pages of a process and lives as long as it: no test can close it.
const test = (name, run) => Deno.test({ name, fn: run, sanitizeOps: false, sanitizeResources: false });

test("its modules import nothing that would have to be fetched", () => {
  const names = [
    "famulus-engine.js",
    ...[...Deno.readDirSync(join(EXTENSION, "engine"))].map(({ name }) => `engine/${name}`),
  ];
  assert(names.length > 3);
  for (const name of names) {
    const code = Deno.readTextFileSync(join(EXTENSION, name)).replaceAll(/\/\*\*[^]*?\*\//g, "");
    for (const [, module] of code.matchAll(/\b(?:from|import)\s*\(?\s*["']([^"']+)["']/g)) {
      assert(module.startsWith("node:") || module.startsWith("./"), `${name} imports ${module}`);
    }
  }
});

test("it has every member that the interface asks for, and no other", async () => {
  const { discovery, instance } = await engine();
  documented.discovery(discovery);
  documented.instance(instance);
  assert.equal(discovery.name, instance.name);
  assert.deepEqual([discovery.canFreeze, instance.canFreeze], [false, false]);
});

test("it takes .fam files and famulus blocks, and leaves the others alone", async () => {
  const { discovery } = await engine();
  assert.deepEqual(discovery.validExtensions(), [".fam"]);
  const files = ["a.fam", "b.FAM", "a.qmd", "a.fam.qmd", "fam", "a.md", "a.ipynb"];
  assert.deepEqual(files.filter((file) => discovery.claimsFile(file, file.match(/\.[^.]*$/)?.[0] ?? "")), [
    "a.fam",
    "b.FAM",
  ]);
  assert.deepEqual(["famulus", "python", "Famulus", "fam"].filter((name) => discovery.claimsLanguage(name)), [
    "famulus",
  ]);
});

test("init, launch and claimsFile may be called as often as Quarto likes, and start nothing", async () => {
  const { discovery, quarto, folder } = await engine();
  for (let count = 0; count < 100; count++) {
    discovery.init(quarto.api);
    discovery.launch(project(folder));
    discovery.claimsFile("a.fam", ".fam");
  }
  assert.equal(quarto.cleanup.length, 1);
  assert.equal(quarto.temporary.length, 2);
  assert.equal(Deno.env.get("FAMULUS_PROBLEMS"), quarto.temporary[0]);
});

test("a page is read without its byte order mark and with plain line ends", async () => {
  const { instance, write } = await engine();
  const file = write("a.fam", "\ufeff---\r\ntitle: T\r\n---\r\n\r\nText\r\n");
  const markdown = await instance.markdownForFile(file);
  assert.equal(markdown.value, "---\ntitle: T\n---\n\nText\n");
  assert.equal(markdown.map(markdown.value.indexOf("Text")).originalString.fileName, file);
  assert.equal((await instance.partitionedMarkdown(file)).yaml.title, "T");
});

test("a page that begins with a block begins with a blank line, and its lines are counted right", async () => {
  const { instance, quarto, write } = await engine();
  const file = write("a.fam", "```{famulus}\n---\nide: x\n---\n```\n");
  assert.match((await instance.markdownForFile(file)).value, /^\n```\{famulus\}/);
  await instance.execute(await pageOptions(instance, file));
  assert.match(quarto.said.error.join(), /a\.fam:3: key id/);
});

test("a target's metadata is the front matter, and not the preamble of a block", async () => {
  const { instance, write } = await engine();
  const file = write("a.fam", "---\ntitle: T\n---\n\n~~~{famulus}\n---\nid: x\ntitle: Y\n---\n~~~\n");
  const target = documented.target(await instance.target(file, true));
  assert.deepEqual(target.metadata, { title: "T" });
  assert.deepEqual((await instance.target(file, true, fromString("no front matter"))).metadata, {});
});

test("a page comes back with a cell in the place of its block", async () => {
  const { instance, quarto, write } = await engine();
  const file = write("a.fam", "---\ntitle: T\n---\n\n" + block("one"));
  const result = documented.result(await instance.execute(await pageOptions(instance, file)));
  assert.match(
    result.markdown,
    /^---\ntitle: T\n---\n\n\n::: \{\.famulus-cell #famulus-one\}\n\n\{\{< famulus one card at=\d+ cell=true >\}\}/,
  );
  assert.deepEqual(result.pandoc.filters, [join(EXTENSION, "famulus-filter.lua")]);
  assert.equal(result.postProcess, true);
  assert.match(quarto.said.info.join(), /^ {2}one v0001: pass, \d+\.\d\d s$/);
  assert.deepEqual(quarto.said.error, []);
});

test("a filter that the document lists itself is not added", async () => {
  const { instance, write } = await engine();
  const file = write("a.fam", "Text\n");
  const listings = [["famulus"], ["quarto", "org/famulus"], [{ path: "famulus", at: "pre-quarto" }], [
    `${EXTENSION}/famulus-filter.lua`,
  ]];
  for (const filters of listings) {
    const result = await instance.execute(await pageOptions(instance, file, { format: { pandoc: { filters } } }));
    assert.deepEqual(result.pandoc.filters, [], JSON.stringify(filters));
  }
  const other = await instance.execute(
    await pageOptions(instance, file, { format: { pandoc: { filters: ["notfamulus"] } } }),
  );
  assert.equal(other.pandoc.filters.length, 1);
});

test("one worker serves all pages of a render", async () => {
  const { instance, write } = await engine();
  const started = [];
  const spawn = Deno.Command.prototype.spawn;
  Deno.Command.prototype.spawn = function () {
    started.push(this);
    return spawn.call(this);
  };
  try {
    const files = ["a.fam", "b.fam", "c.fam"].map((name) => write(name, "Text\n"));
    await Promise.all(files.map(async (file) => instance.execute(await pageOptions(instance, file))));
    await instance.execute(await pageOptions(instance, files[0]));
  } finally {
    Deno.Command.prototype.spawn = spawn;
  }
  assert.equal(started.length, 1);
});

test("--no-execute plays nothing, nor does whoever asks for pages only", async () => {
  const { instance, quarto, folder, write } = await engine();
  const file = write("a.fam", block("one"));
  const render = async (execute) =>
    (await instance.execute(await pageOptions(instance, file, { format: { execute } }))).markdown;
  assert.match(await render({ enabled: false, eval: true }), /famulus one card/);
  assert.match(await render({ enabled: null, eval: false }), /SELECT 1 AS n/);
  await withEnvironment({ FAMULUS_RENDER_ONLY: "1" }, async () => {
    assert.match(await render({ enabled: null, eval: true }), /famulus one card/);
  });
  assert.deepEqual(quarto.said.info, []);
  assert.throws(() => Deno.statSync(join(folder, "_famulus", "store")));
});

test("the text of blocks is shown where the document or the project asks for it, and not by Quarto's default", async () => {
  const { instance, folder, write } = await engine();
  const shows = async (front, config) => {
    const file = write("a.fam", front + block("one"));
    const options = await pageOptions(instance, file, { project: project(folder, { config }) });
    return (await instance.execute(options)).markdown.includes("SELECT 1 AS n");
  };
  assert.equal(await shows(""), false);
  assert.equal(await shows('---\nexecute: {"echo": true}\n---\n'), true);
  assert.equal(await shows("", { execute: { echo: true } }), true);
  assert.equal(await shows('---\nexecute: {"echo": false}\n---\n', { execute: { echo: true } }), false);
  assert.equal(await shows('---\nformat: {"html": {"echo": true}}\n---\n'), true);
  assert.equal(await shows('---\nformat: {"docx": {"echo": true}}\n---\n'), false);
  write("_metadata.yml", 'execute: {"echo": true}\n');
  assert.equal(await shows(""), true);
  assert.equal(await shows("---\necho: false\n---\n"), false);
});

test("values given for parameters hold for the blocks of a page, and one that no page has is told at the end", async () => {
  const { instance, quarto, folder, write } = await engine();
  const file = write(
    "a.fam",
    '---\nparams: {"n": 1}\n---\n\n' + block("one", "{param: sql}").replace("n: 1", "n: {param: n}"),
  );
  await withEnvironment({ FAMULUS_PARAMETERS: undefined }, async () => {
    await instance.execute(await pageOptions(instance, file, { params: { n: 2, m: 3 } }));
  });
  assert.match(quarto.said.error[0], /a\.fam:9: .*there is no parameter sql \(.*known are: n\)/);
  Deno.writeTextFileSync(file, Deno.readTextFileSync(file).replace("{param: sql}", "SELECT 2 AS n"));
  await withEnvironment({ FAMULUS_PARAMETERS: undefined }, async () => {
    await instance.execute(await pageOptions(instance, file, { params: { n: 2, m: 3 } }));
  });
  assert.match(quarto.said.info[0], /one v0001: pass/);
  assert(folder);
  quarto.end();
  assert.deepEqual(quarto.said.warning, [
    "famulus: no page has a parameter m (those of the pages rendered: n).",
  ]);
});

test("a problem is told once, at the line of the file that was included", async () => {
  const { instance, quarto, write } = await engine();
  const part = write("_part.fam", "Text\n\n" + block("bad", "SELEC 1"));
  const file = write("a.fam", "Davor.\n\n{{< include _part.fam >}}\n");
  const markdown = joined(fromString("Davor.\n\n", file), fromString(Deno.readTextFileSync(part), part), "\n");
  for (let format = 0; format < 2; format++) {
    const options = await pageOptions(instance, file, { target: await instance.target(file, true, markdown) });
    const result = await instance.execute(options);
    const at = result.markdown.match(/at=(\d+)/)[1];
    Deno.writeTextFileSync(
      quarto.temporary[0],
      JSON.stringify({
        document: "a.fam",
        at,
        shortcode: "",
        code: "block-error",
        block: "bad",
        message: "x",
        hint: "",
        severity: "error",
      }) + "\n",
    );
    await instance.postprocess({});
  }
  assert.equal(quarto.said.error.length, 1);
  assert.match(quarto.said.error[0], /_part\.fam:7: block bad, key partiturs\.0/);
});

test("what the filter records is told with its place in the source", async () => {
  const { instance, quarto, folder, write } = await engine();
  const file = write(
    "kapitel/a.fam",
    "---\ntitle: T\n---\n\n{{< famulus  one tab sort='-n' columns=a >}}\n\n" + block("one"),
  );
  const plain = write(
    "b.qmd",
    "x\n\nText {{< famulus two tab >}} und\n{{< famulus two tab >}} {{< famulus two tab >}}\n\n<<< famulus\na ü-b\n",
  );
  const result = await instance.execute(await pageOptions(instance, file));
  const at = result.markdown.match(/at=(\d+)/)[1];
  const recorded = (more) => JSON.stringify({ shortcode: "", code: "c", hint: "", severity: "error", ...more }) + "\n";
  Deno.chdir(folder);
  Deno.writeTextFileSync(
    quarto.temporary[0],
    recorded({ document: "kapitel/a.fam", at, message: "in a cell", hint: "mend it" }) +
      recorded({
        document: "kapitel/a.fam",
        shortcode: "{{< famulus one tab columns=a sort=-n >}}",
        message: "in the text",
      }) +
      recorded({ document: "b.qmd", shortcode: "<<< famulus two tab >>>", message: "elsewhere" }) +
      recorded({ document: "b.qmd", shortcode: "<<< famulus a ü-b", message: "without an end" }) +
      recorded({ document: "b.qmd", shortcode: "{{< famulus gone >}}", message: "nowhere", severity: "warning" }),
  );
  await instance.postprocess({});
  assert.deepEqual(quarto.said.error, [
    "kapitel/a.fam:7: in a cell (mend it)",
    "kapitel/a.fam:5: {{< famulus one tab columns=a sort=-n >}}: in the text",
    "b.qmd:3 (and b.qmd:4): <<< famulus two tab >>>: elsewhere",
    "b.qmd:6: <<< famulus a ü-b: without an end",
  ]);
  assert.deepEqual(quarto.said.warning, ["b.qmd: {{< famulus gone >}}: nowhere"]);
  assert.equal(Deno.readTextFileSync(quarto.temporary[0]), "", "nothing is told twice");
  assert(plain);
});

test("a page that shows what this render has replaced is told at the end", async () => {
  const { instance, quarto, folder, write } = await engine();
  await instance.execute(await pageOptions(instance, write("a.fam", block("one"))));
  const page = (document, one, root = folder) =>
    JSON.stringify({ document, root, blocks: { one, other: "v0001" } }) + "\n";
  const record = Deno.env.get("FAMULUS_DRAWN");
  Deno.writeTextFileSync(record, page("a.fam", "v0001") + page("b.qmd", "v0000") + page("c.qmd", "v0000"));
  Deno.writeTextFileSync(record, page("c.qmd", "v0002"), { append: true });
  Deno.writeTextFileSync(record, page("b.qmd", "v0000", join(folder, "another-project")), { append: true });
  quarto.end();
  assert.equal(quarto.said.error.length, 2);
  assert.match(quarto.said.error[0], /^b\.qmd: shows one v0000, but v0001 was played after this page was made/);
});

test("a document may let its problems pass", async () => {
  const { instance, quarto, write } = await engine();
  const file = write("a.fam", block("bad", "SELEC 1"));
  await instance.execute(
    await pageOptions(instance, file, { format: { metadata: { famulus: { "on-error": "warn" } } } }),
  );
  assert.equal(quarto.said.warning.length, 1);
  quarto.end();
  assert.deepEqual(quarto.said.error, []);
});

test("each preview tells its problems anew", async () => {
  const { instance, quarto, write } = await engine();
  const file = write("a.fam", "```{famulus}\n---\nide: x\n---\n```\n");
  for (let save = 0; save < 2; save++) {
    await instance.execute(await pageOptions(instance, file, { previewServer: true }));
  }
  assert.equal(quarto.said.error.length, 2);
});

test("a page with two sources is refused", async () => {
  const { instance, folder, write } = await engine();
  const file = write("a.fam", "Text\n");
  const input = [file, write("a.qmd", "Text\n"), write("b.fam", "Text\n")];
  const options = await pageOptions(instance, file, { project: project(folder, { files: { input } }) });
  await assert.rejects(instance.execute(options), /a\.fam and .*a\.qmd would be one page/);
});

test("a front matter that cannot be read is said to be that of its file", async () => {
  const { instance, write } = await engine();
  const file = write("a.fam", "---\ntitle: [\n---\n");
  for (const read of [() => instance.target(file), () => instance.partitionedMarkdown(file)]) {
    assert.throws(read, (error) => /a\.fam: ./.test(error.message) && error.stack === "");
  }
});

test("an error says file and line, and has no stack", async () => {
  const { instance, write } = await engine();
  const file = write("a.fam", '---\ntitle: T\nfamulus: {"on-eror": "warn"}\n---\n');
  await assert.rejects(instance.execute(await pageOptions(instance, file)), (error) => {
    assert.match(error.message, /^a\.fam:3: .*on-eror/);
    assert.equal(error.stack, "");
    return true;
  });
});

test("without a Python that has famulus it says where it looked", async () => {
  const { instance, folder, write } = await engine();
  const file = write("a.fam", "Text\n");
  const python = write("bin/python3", "#!/bin/sh\necho 'no module famulus_kernel' >&2\nexit 1\n");
  Deno.chmodSync(python, 0o755);
  const environment = { QUARTO_PYTHON: join(folder, "gone"), VIRTUAL_ENV: undefined, PATH: join(folder, "bin") };
  await withEnvironment(environment, async () => {
    await assert.rejects(instance.execute(await pageOptions(instance, file)), (error) => {
      assert.match(error.message, /gone \(/);
      assert.match(error.message, /bin\/python3 \(no module famulus_kernel\)/);
      assert.match(error.message, /QUARTO_PYTHON/);
      return true;
    });
  });
  await instance.execute(await pageOptions(instance, file));
});

for (const home of [".venv", "../.venv"]) {
  test(`the environment at ${home} of the project is used before the Python on PATH`, async () => {
    const { instance, write } = await engine("work");
    const file = write("a.fam", block("one"));
    const python = write(`${home}/bin/python3`, `#!/bin/sh\nexec "${Deno.env.get("QUARTO_PYTHON")}" "$@"\n`);
    Deno.chmodSync(python, 0o755);
    await withEnvironment({ QUARTO_PYTHON: undefined, VIRTUAL_ENV: undefined, PATH: "/nowhere" }, async () => {
      const result = await instance.execute(await pageOptions(instance, file));
      assert.match(result.markdown, /famulus one card/);
    });
  });
}

test("a worker that ends is told of, and the next page has another", async () => {
  const { instance, write } = await engine();
  const file = write("a.fam", "Text\n");
  const once = write(
    "once.sh",
    `#!/bin/sh\ncase "$*" in *worker*) [ -e "$0.used" ] || { touch "$0.used"; exit 7; };; esac\nexec "${
      Deno.env.get("QUARTO_PYTHON")
    }" "$@"\n`,
  );
  Deno.chmodSync(once, 0o755);
  await withEnvironment({ QUARTO_PYTHON: once }, async () => {
    await assert.rejects(instance.execute(await pageOptions(instance, file)), /ended \(exit status 7\)/);
    assert.equal((await instance.execute(await pageOptions(instance, file))).markdown, "Text\n");
  });
});

test("quarto check tells what is installed, in words and as JSON", async () => {
  const { discovery, quarto } = await engine();
  await discovery.checkInstallation({ strict: false, target: "famulus", jsonResult: undefined });
  assert.match(quarto.said.complete.join(), /OK$/);
  assert.match(quarto.said.info.join("\n"), /duckdb: \d/);
  const jsonResult = {};
  await discovery.checkInstallation({ strict: false, target: "all", jsonResult });
  assert.deepEqual(Object.keys(jsonResult.famulus), ["famulus", "duckdb", "python", "path"]);
});

test("quarto call engine has the commands of the command line", async () => {
  const { discovery } = await engine();
  const made = [];
  const command = {
    command: (name, description) => (made.push([name, description]), command),
    arguments: () => command,
    action: () => command,
  };
  discovery.populateCommand(command);
  assert.deepEqual(made.map(([name]) => name), ["status", "run", "check"]);
});

test("the process ends with 1 where a page has a box, and only then", async () => {
  const program = `
    import { StandIn } from "${import.meta.resolve("./quarto_api.js")}";
    import engine from "${ENGINE}";
    const quarto = new StandIn(Deno.args[0]);
    engine.init(quarto.api);
    if (Deno.args[1]) Deno.writeTextFileSync(Deno.env.get("FAMULUS_PROBLEMS"), Deno.args[1]);
    quarto.end();
    Deno.exit(0);`;
  const folder = Deno.makeTempDirSync();
  const run = async (...recorded) => {
    const file = join(folder, "program.js");
    Deno.writeTextFileSync(file, program);
    const command = new Deno.Command(Deno.execPath(), {
      args: ["run", "--allow-all", "--no-config", "--no-lock", file, folder, ...recorded],
    });
    return (await command.output()).code;
  };
  const recorded = { document: "a.fam", shortcode: "", code: "c", message: "m", hint: "", severity: "error" };
  assert.equal(await run(), 0);
  assert.equal(await run(JSON.stringify(recorded)), 1);
  assert.equal(await run(JSON.stringify({ ...recorded, severity: "warning" })), 0);
});
