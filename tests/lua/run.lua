--- Tests of the Lua modules: `pandoc lua tests/lua/run.lua [NAME]` runs all cases, or those whose name contains NAME.
---
--- A file test_<module>.lua returns cases by name, each a function that raises when it fails. Every module's exports are a
--- contract: EXPORTS lists them, and both a missing and an unlisted one fail.

local here = pandoc.path.directory(arg[0])
local root = pandoc.path.join({ here, "..", ".." })
dofile(pandoc.path.join({ root, "_extensions", "famulus", "modules", "load.lua" }))

--- @type table<string, string[]>
local EXPORTS = {
  calls = { "make", "only", "source", "spell", "spelled", "split", "whole", "words" },
  card = { "credits", "credits_of", "draw" },
  choices = { "bad_value", "check", "of_view" },
  crossref = { "number", "resolve" },
  draw = { "block", "caption", "expect", "expect_id", "inline", "page_credits", "record", "text" },
  format = { "at_path", "bytes", "cell", "is_numeric", "is_pattern", "number" },
  graph = { "live", "words" },
  guard = { "draw" },
  labels = { "date", "fill", "has", "label", "language_of", "resolve" },
  locate = { "block", "exists", "index", "is_inside", "json", "root", "states", "version" },
  markup = { "GLYPHS", "badge", "date", "div", "dotted", "glyph", "line", "mark", "marks", "span", "style" },
  page = { "alone", "configure", "credits", "document", "folder", "folder_of", "lang", "lenient", "mark_stale", "root", "uses" },
  printed = { "UNNUMBERED", "anchor", "caption_is_line", "counted", "counter", "heading", "numbered", "table", "unnumbered" },
  problems = { "box", "defect", "inline_box", "nearest", "new", "record", "sentences" },
  prose = { "blocks", "caption" },
  resources = { "image", "offered", "own", "url" },
  scripts = { "bring", "data", "run", "words" },
  store = { "envelope", "error_of", "find", "marks", "oracle_keys", "status", "verdict", "wanted" },
  tables = { "check", "draw", "make" },
  target = { "epub", "html", "latex", "markdown", "quarto", "quarto_before", "typst" },
  text = { "attribute", "inlines", "list", "url", "visible" },
  view = { "check", "draw" },
  widths = { "extend", "relative" },
  walk = { "code", "credits", "draw", "find_nodes", "mark", "read_node" },
}

local failures, count = {}, 0

--- Run one case.
--- @param name string
--- @param case function
local function run(name, case)
  if arg[1] and not name:find(arg[1], 1, true) then
    return
  end
  count = count + 1
  local ok, message = xpcall(case, debug.traceback)
  if not ok then
    failures[#failures + 1] = name .. "\n  " .. tostring(message):gsub("\n", "\n  ")
  end
end

--- What test files use besides Lua itself.
check = {}

--- @param actual any
--- @param expected any
--- @param about string|nil
function check.equal(actual, expected, about)
  if actual ~= expected then
    error(string.format("%s: expected %q, got %q", about or "value", tostring(expected), tostring(actual)), 2)
  end
end

--- @param value any
--- @param about string|nil
function check.truthy(value, about)
  if not value then
    error((about or "value") .. " is " .. tostring(value), 2)
  end
end

--- Compare lists of strings.
--- @param actual string[]
--- @param expected string[]
function check.list(actual, expected)
  check.equal(table.concat(actual, "|"), table.concat(expected, "|"), "list")
end

for module, names in pairs(EXPORTS) do
  run("exports of " .. module, function()
    local found = {}
    for name in pairs(require("famulus." .. module)) do
      found[#found + 1] = name
    end
    table.sort(found)
    check.list(found, names)
  end)
end

for _, file in ipairs(pandoc.system.list_directory(pandoc.path.join({ root, "_extensions", "famulus", "modules" }))) do
  run("a list of exports for " .. file, function()
    check.truthy(file == "load.lua" or EXPORTS[file:match("^(.*)%.lua$")], file)
  end)
end

--- Return the parameters of a file's named functions that the lines above them give no type, as `function: parameter`, and
--- the functions of a module that nothing is said of.
--- @param path string
--- @return string[]
local function untyped(path)
  local found, above = {}, {}
  for line in io.lines(path) do
    local name, parameters = line:match("^local function ([%w_]+)%((.-)%)")
    if not name then
      name, parameters = line:match("^function (M%.[%w_]+)%((.-)%)")
    end
    local said = table.concat(above, "\n")
    for parameter in (parameters or ""):gmatch("[%w_]+") do
      if parameter ~= "_" and not said:find("@param " .. parameter .. " ", 1, true) then
        found[#found + 1] = name .. ": " .. parameter
      end
    end
    if name and name:match("^M%.") and said == "" then
      found[#found + 1] = name
    end
    above = line:match("^%-%-%-") and { table.unpack(above) } or {}
    above[#above + 1] = line:match("^%-%-%-") and line or nil
  end
  return found
end

for _, folder in ipairs({ "_extensions/famulus/modules", "_extensions/famulus", "famulus_kernel/render" }) do
  for _, file in ipairs(pandoc.system.list_directory(pandoc.path.join({ root, folder }))) do
    if file:match("%.lua$") then
      run("types of " .. file, function()
        check.list(untyped(pandoc.path.join({ root, folder, file })), {})
      end)
    end
  end
end

for _, file in ipairs(pandoc.system.list_directory(here)) do
  if file:match("^test_.*%.lua$") then
    for name, case in pairs(dofile(pandoc.path.join({ here, file }))) do
      run(file:match("^test_(.*)%.lua$") .. ": " .. name, case)
    end
  end
end

for _, failure in ipairs(failures) do
  io.stdout:write("FAIL ", failure, "\n")
end
io.stdout:write(string.format("%d cases, %d failed\n", count, #failures))
os.exit(#failures == 0 and 0 or 1)
