--- The filter: draws `<<< famulus … >>>` and, in plain pandoc, `{{< famulus … >}}` too; there it also numbers and
--- resolves cross-references and ends the page with its credits, for which Quarto has stages of its own.
---
--- In Quarto it comes with the extension (`filters: [famulus]`). Plain pandoc: `pandoc -L famulus-filter.lua page.md`;
--- pandoc 3.1.1 or newer.

dofile(pandoc.path.join({ pandoc.path.directory(PANDOC_SCRIPT_FILE), "modules", "load.lua" }))

local crossref = require("famulus.crossref")
local page = require("famulus.page")
local target = require("famulus.target")
local walk = require("famulus.walk")

local STYLE = { name = "famulus", version = "0.1.0", stylesheets = { "famulus.css" } }

--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc
local function run(doc)
  page.configure(function(key) return doc.meta[key] end, true)
  local found
  doc, found = walk.mark(walk.code(doc))
  doc = walk.draw(doc, found)
  if target.quarto() then
    if quarto.doc.is_format("html") then
      quarto.doc.add_html_dependency(STYLE)
    end
    return doc
  end
  local targets
  doc, targets = crossref.number(doc)
  return walk.credits(crossref.resolve(doc, targets))
end

return { { Pandoc = run } }
