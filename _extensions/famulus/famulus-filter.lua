--- The filter: draws `<<< famulus … >>>` and ends the page with its credits. In plain pandoc it also draws
--- `{{< famulus … >}}` and numbers and resolves cross-references, for which Quarto has stages of its own.
---
--- In Quarto it comes with the extension (`filters: [famulus]`). Plain pandoc: `pandoc -L famulus-filter.lua page.md`;
--- pandoc 3.1.1 or newer.

dofile(pandoc.path.join({ pandoc.path.directory(PANDOC_SCRIPT_FILE), "modules", "load.lua" }))

local crossref = require("famulus.crossref")
local draw = require("famulus.draw")
local markup = require("famulus.markup")
local page = require("famulus.page")
local problems = require("famulus.problems")
local target = require("famulus.target")
local walk = require("famulus.walk")

--- Run one stage. Whatever goes wrong in it, the page is written, with what the stages before made of it.
--- @param doc pandoc.Pandoc
--- @param stage fun(doc: pandoc.Pandoc): pandoc.Pandoc
--- @return pandoc.Pandoc
local function guarded(doc, stage)
  local ok, result = pcall(stage, doc)
  if ok then
    return result
  end
  problems.record(problems.defect(result), nil)
  return doc
end

--- @param doc pandoc.Pandoc
local function configure(doc)
  page.configure(function(key) return doc.meta[key] end, true)
end

--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc
local function draw_all(doc)
  local marked, found = walk.mark(walk.code(doc))
  return walk.draw(marked, found)
end

--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc
local function run_in_pandoc(doc)
  configure(doc)
  doc = guarded(doc, draw_all)
  doc = guarded(doc, function(drawn) return crossref.resolve(crossref.number(drawn)) end)
  return guarded(doc, walk.credits)
end

--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc
local function run_in_quarto(doc)
  markup.style()
  local drawn = guarded(guarded(doc, draw_all), walk.credits)
  draw.record()
  return drawn
end

if not target.quarto() then
  return { { Pandoc = run_in_pandoc } }
end
return {
  { Pandoc = function(doc)
    configure(doc)
    walk.find_nodes(doc)
  end },
  { Shortcode = walk.read_node },
  { Pandoc = run_in_quarto },
}
