--- The scripts of a page: each set is brought once, by the first thing on the page that comes alive by it. Everything
--- stands on the page without them.

local home = require("famulus.home")
local labels = require("famulus.labels")
local page = require("famulus.page")
local resources = require("famulus.resources")
local target = require("famulus.target")

local M = {}

--- @type table<string, string[]> files of the extension, in the order in which they run
local SETS = {
  graph = { "vendor/d3.js", "famulus-graph.js" },
  table = { "famulus-table.js" },
}

--- @type table<string, true>
local brought = {}

--- Can what is written run scripts?
--- @return boolean
function M.run()
  return target.html() and not tostring(FORMAT):match("^epub")
end

--- Return data as an element for a script. Nothing in it ends the element or opens a shortcode: `<` is written as its
--- number.
--- @param class string one of our own names
--- @param value table
--- @return pandoc.Block
function M.data(class, value)
  local json = pandoc.json.encode(value):gsub("[<>&]", function(c)
    return string.format("\\u%04x", c:byte())
  end)
  return pandoc.RawBlock("html", '<script type="application/json" class="' .. class .. '">' .. json .. "</script>")
end

--- Return words of labels.json for a script, in the language of the page.
--- @param keys table<string, string> key of labels.json by the name that the script has for it
--- @return table<string, string>
function M.words(keys)
  local words = {}
  for name, key in pairs(keys) do
    words[name] = labels.label(key, page.lang)
  end
  return words
end

--- Return the elements that bring a set of scripts; empty from the second time on.
--- @param name string "graph" or "table"
--- @param words table<string, string>|nil what the scripts say, once for the page
--- @return pandoc.Blocks
function M.bring(name, words)
  local blocks = pandoc.Blocks({})
  if brought[name] then
    return blocks
  end
  brought[name] = true
  if words then
    blocks:insert(M.data("famulus-" .. name .. "-words", words))
  end
  if target.quarto() then
    local paths = {}
    for at, file in ipairs(SETS[name]) do
      paths[at] = pandoc.path.join({ home.folder, file })
    end
    quarto.doc.add_html_dependency({ name = "famulus-" .. name, version = "0.1.0", scripts = paths })
    return blocks
  end
  for _, file in ipairs(SETS[name]) do
    local url = resources.own(file)
    if url then
      blocks:insert(pandoc.RawBlock("html", '<script src="' .. url .. '" defer></script>'))
    end
  end
  return blocks
end

return M
