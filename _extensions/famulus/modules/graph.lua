--- The graph primitive: its picture everywhere, and on a page of HTML also the data that famulus-graph.js draws from.

local format = require("famulus.format")
local home = require("famulus.home")
local labels = require("famulus.labels")
local page = require("famulus.page")
local resources = require("famulus.resources")
local target = require("famulus.target")
local text = require("famulus.text")

local M = {}

--- @type string[] in the order in which they run
local SCRIPTS = { "vendor/d3.js", "famulus-graph.js" }

local linked = false

--- Return what a graph shows, in words.
--- @param part table
--- @return string
function M.words(part)
  return labels.label("graph.alt", page.lang,
    { nodes = format.number(#part.nodes, page.lang), edges = format.number(#part.edges, page.lang) })
end

--- @param value any
--- @return string
local function words_of(value)
  return type(value) == "string" and (text.visible(value):gsub("%s+", " ")) or ""
end

--- Return nodes and edges as rows: label, group, weight, address; number of source and target (from 0), weight.
--- @param part table
--- @return table
local function rows_of(part)
  local place, nodes, edges = {}, {}, {}
  for at, node in ipairs(part.nodes) do
    place[node.id] = at - 1
    nodes[at] = { words_of(node.label), words_of(node.group), tonumber(node.weight) or 1, text.url(node.url) or "" }
  end
  for _, edge in ipairs(part.edges) do
    if place[edge.source] and place[edge.target] then
      edges[#edges + 1] = { place[edge.source], place[edge.target], tonumber(edge.weight) or 1 }
    end
  end
  return { nodes = nodes, edges = edges }
end

--- Return data as JSON that ends no script and opens no shortcode: `<` is written as its number.
--- @param value table
--- @return string
local function json(value)
  return (pandoc.json.encode(value):gsub("[<>&]", function(c)
    return string.format("\\u%04x", c:byte())
  end))
end

--- Return the elements that bring the scripts, once a page.
--- @return pandoc.Blocks
local function scripts()
  local blocks = pandoc.Blocks({})
  if linked then
    return blocks
  end
  linked = true
  if target.quarto() then
    local paths = {}
    for at, file in ipairs(SCRIPTS) do
      paths[at] = pandoc.path.join({ home.folder, file })
    end
    quarto.doc.add_html_dependency({ name = "famulus-graph", version = "0.1.0", scripts = paths })
    return blocks
  end
  for _, file in ipairs(SCRIPTS) do
    local url = resources.own(file)
    if url then
      blocks:insert(pandoc.RawBlock("html", '<script src="' .. url .. '" defer></script>'))
    end
  end
  return blocks
end

--- Return what makes a graph live: its data, and with the first one of a page the scripts. Layers are only a picture, for
--- their order is what they say.
--- @param part table
--- @return pandoc.Blocks
function M.live(part)
  local name = tostring(FORMAT)
  if not target.html() or name:match("^epub") or part.layout ~= "force" or #part.nodes == 0 then
    return pandoc.Blocks({})
  end
  local data = rows_of(part)
  data.words = { name = M.words(part) }
  for _, key in ipairs({ "search", "keys", "neighbours", "found" }) do
    data.words[key] = labels.label("graph." .. key, page.lang)
  end
  local script = '<script type="application/json" class="famulus-graph-data">' .. json(data) .. "</script>"
  return pandoc.Blocks({ pandoc.RawBlock("html", script) }) .. scripts()
end

return M
