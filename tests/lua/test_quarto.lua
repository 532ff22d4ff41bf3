local quarto_api = dofile(pandoc.path.join({ pandoc.path.directory(arg[0]), "quarto_api.lua" }))
local extension = pandoc.path.join({ pandoc.path.directory(arg[0]), "..", "..", "_extensions", "famulus" })
local page = require("famulus.page")
local resources = require("famulus.resources")
local view = require("famulus.view")
local walk = require("famulus.walk")

local cases = {}

--- @return fun(args: string[], kwargs: table, meta: table, raw: any, context: string|nil): any
local function shortcode()
  PANDOC_SCRIPT_FILE = pandoc.path.join({ extension, "famulus-shortcode.lua" })
  return dofile(PANDOC_SCRIPT_FILE).famulus
end

--- Run what writes problems without a word on stderr, and return what was written.
--- @param run fun()
--- @return string
local function recorded(run)
  local get, path = os.getenv, os.tmpname()
  os.getenv = function(name)
    return name == "FAMULUS_PROBLEMS" and path or get(name)
  end
  local ok, message = pcall(run)
  os.getenv = get
  local file = assert(io.open(path, "rb"))
  local written = file:read("a")
  file:close()
  os.remove(path)
  return ok and written or error(message, 0)
end

--- @param version string
--- @param kwargs table<string, string>
--- @param context string|nil
--- @return string kind of what the shortcode gave: a Lua or a pandoc type
--- @return string
local function drawn(version, kwargs, context)
  local result
  recorded(function()
    quarto_api.within(version, "html", function()
      result = shortcode()({ "no-block", "tab" }, kwargs, {}, nil, context)
    end)
  end)
  return pandoc.utils.type(result), type(result) == "string" and result or pandoc.utils.stringify(result)
end

cases["a shortcode gives what its place can hold"] = function()
  check.equal(drawn("1.11.0", {}, "block"), "Blocks")
  check.equal(drawn("1.11.0", {}, "inline"), "Inlines")
  check.equal(drawn("1.11.0", { place = "line" }, "block"), "Inlines", "in a table's cell")
  check.equal(select(2, drawn("1.11.0", { value = "n" }, "text")), "?famulus:block-unknown")
end

cases["Quarto 1.4 says of no place what it can hold: the filter has seen it"] = function()
  check.equal(drawn("1.4.557", {}), "Blocks")
  check.equal(drawn("1.4.557", { place = "paragraph" }), "Inlines")
  check.equal(drawn("1.4.557", { value = "n" }), "Inlines")
end

cases["Quarto 1.4 loses the names of options in raw HTML and in addresses"] = function()
  check.equal(select(2, drawn("1.4.557", { ["="] = "n" })), "?famulus:block-unknown")
end

cases["the filter tells a shortcode that is not alone where it stands"] = function()
  local function node(id, ...)
    local params = { { type = "param", value = "a" }, { type = "param", value = "tab" }, ... }
    return { name = "famulus", params = params, __quarto_custom_node = { attributes = { __quarto_custom_id = id } } }
  end
  local function span(id)
    return pandoc.Span({}, pandoc.Attr("", {}, { { "__quarto_custom_id", id } }))
  end
  quarto_api.within("1.4.557", "html", function()
    walk.find_nodes(pandoc.Pandoc({ pandoc.Para({ span("alone") }), pandoc.Para({ pandoc.Str("x"), span("beside") }),
      pandoc.Header(1, { span("heading") }) }))
    for id, place in pairs({ alone = "", beside = "paragraph", heading = "line" }) do
      local seen = node(id)
      walk.read_node(seen)
      check.equal(#seen.params == 3 and seen.params[3].value or "", place, id)
    end
  end)
end

cases["a labelled table is a target of Quarto's references"] = function()
  local found = { block = { id = "a", root = "/nowhere" }, name = "tab", folder = "/nowhere", version = "v0001" }
  local facts = { type = "facts", items = { { label = "n", value = 1 } } }
  for version, kind in pairs({ ["1.5.57"] = "Div", ["1.11.0"] = "Table" }) do
    quarto_api.within(version, "gfm", function(said)
      view.draw(found, { parts = { facts } }, { label = "tbl-a" }, {})
      check.equal(#said.floats, 1)
      check.equal(said.floats[1].type, "Table")
      local first = said.floats[1].content[1]
      check.equal(first.t == "Div" and "Div" or "Table", kind, version)
    end)
  end
end

cases["a file outside of the website is copied into it, under its project's name where that is another one"] = function()
  pandoc.system.with_temporary_directory("famulus", function(folder)
    local version = pandoc.path.join({ folder, "store", "v0001" })
    pandoc.system.make_directory(pandoc.path.join({ version, "artefacts" }), true)
    local web = pandoc.path.join({ folder, "web" })
    pandoc.system.make_directory(web)
    pandoc.system.make_directory(pandoc.path.join({ folder, "_famulus" }))
    local hostile = '{"project": "../../away", "blocks": {}}' -- leads out of the website, and is not followed
    for path, text in pairs({ [{ version, "artefacts", "tab.csv" }] = "n\n1\n", [{ web, "_quarto.yml" }] = "x: 1\n",
      [{ folder, "_famulus", "index.json" }] = hostile }) do
      local file = assert(io.open(pandoc.path.join(path), "wb"))
      file:write(text)
      file:close()
    end
    for root, name in pairs({ [page.root] = "_famulus/files/a/v0001/tab.csv", [folder] = "_famulus/files/other/a/v0001/tab.csv" }) do
      local found = { block = { id = "a", root = root }, folder = version, version = "v0001" }
      quarto_api.within("1.11.0", "html", function(said)
        local url = resources.url(found, "artefacts/tab.csv")
        check.truthy(url:sub(-#name) == name and said.resources[1]:sub(-#name) == name, url)
      end, web)
      check.truthy(io.open(pandoc.path.join({ web, name }), "rb"), name)
      for _, elsewhere in ipairs({ folder, pandoc.path.join({ folder, "other" }) }) do -- in the website, and no website
        quarto_api.within("1.11.0", "html", function()
          check.equal(resources.url(found, "artefacts/tab.csv"):match("[^/]*/[^/]*/artefacts/tab.csv$"),
            "store/v0001/artefacts/tab.csv")
        end, elsewhere)
      end
    end
  end)
end

cases["a page that is sent alone holds its small tables, in HTML"] = function()
  pandoc.system.with_temporary_directory("famulus", function(folder)
    local found = { block = { id = "a", root = folder }, folder = folder, version = "v0001" }
    for name, size in pairs({ ["small.csv"] = 12, ["large.parquet"] = 1000001 }) do
      local file = assert(io.open(pandoc.path.join({ folder, name }), "wb"))
      file:write(("x"):rep(size))
      file:close()
    end
    page.alone = true
    quarto_api.within("1.11.0", "html", function()
      local url, kept = resources.offered(found, "small.csv")
      check.list({ url, kept }, { "data:text/csv;base64,(12 bytes)", "small.csv" })
      check.equal(resources.offered(found, "large.parquet"):sub(-13), "large.parquet")
    end, folder)
    quarto_api.within("1.11.0", "docx", function()
      check.equal(resources.offered(found, "small.csv"):sub(-9), "small.csv")
    end, folder)
    page.alone = false
  end)
end

cases["a block that another engine leaves as text is told, and fails nothing"] = function()
  local said = recorded(function()
    quarto_api.within("1.11.0", "html", function()
      walk.code(pandoc.Pandoc({ pandoc.CodeBlock("---\nid: lost\n---\nHow many?", pandoc.Attr("", { "{famulus}" })),
        pandoc.CodeBlock("---\nid: shown\n---", pandoc.Attr("", { "famulus" })) }))
    end)
  end)
  check.truthy(said:find('"message":"Block lost is not played', 1, true), said)
  check.truthy(said:find('"severity":"warning"', 1, true), said)
  check.truthy(not said:find("shown", 1, true), said)
end

cases["what another engine shows of a block that it played gives way to the cell's own calls"] = function()
  local output = pandoc.Div({ pandoc.RawBlock("html", "<p>kernel</p>") }, pandoc.Attr("", { "cell-output", "cell-output-display" }))
  local cell = pandoc.Div({ pandoc.CodeBlock("id: a", pandoc.Attr("", { "cell-code" })), output }, pandoc.Attr("", { "cell" }))
  local page = pandoc.Pandoc({ pandoc.Div({ cell }, pandoc.Attr("famulus-a", { "famulus-cell", "famulus-played" })), cell })
  local html = pandoc.write((walk.mark(page)), "html")
  check.equal(select(2, html:gsub("kernel", "")), 1, html)
  check.equal(select(2, html:gsub("id: a", "")), 2, html)
end

return cases
