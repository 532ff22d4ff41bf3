--- The graph primitive: its picture everywhere, and on a page of HTML also the data that famulus-graph.js draws from.

local format = require("famulus.format")
local labels = require("famulus.labels")
local page = require("famulus.page")
local scripts = require("famulus.scripts")
local text = require("famulus.text")

local M = {}

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

--- Return what makes a graph live: its data, and with the first one of a page the scripts. Layers are only a picture, for
--- their order is what they say.
--- @param part table
--- @return pandoc.Blocks
function M.live(part)
  if not scripts.run() or part.layout ~= "force" or #part.nodes == 0 then
    return pandoc.Blocks({})
  end
  local data = rows_of(part)
  data.words = scripts.words({ search = "graph.search", keys = "graph.keys", neighbour = "graph.neighbour",
    neighbours = "graph.neighbours", found = "graph.found" })
  data.words.name = M.words(part)
  return pandoc.Blocks({ scripts.data("famulus-graph-data", data) }) .. scripts.bring("graph")
end

return M
