--- What printed pages need besides: tables in smaller letters that go on over the page, and numbers only where a label
--- asks for one. HTML has a style sheet for the first and counts nothing.

local target = require("famulus.target")

local M = {}

--- @type string the class of what holds no numbered table or figure, for `crossref`
M.UNNUMBERED = "famulus-unnumbered"

--- Dress a table: ragged cells in smaller letters. A typst figure stays on one page unless it is told that it may break,
--- and is printed over itself where it is too long for that.
--- @param blocks pandoc.Blocks what lies in one div
--- @return pandoc.Blocks
function M.table(blocks)
  if target.typst() then
    return pandoc.Blocks({ pandoc.RawBlock("typst", "#show figure: set block(breakable: true)\n"
      .. "#set text(size: 0.9em, hyphenate: true)\n#set par(justify: false)") }) .. blocks
  elseif target.latex() then
    return pandoc.Blocks({ pandoc.RawBlock("latex", "\\begingroup\\small\\renewcommand{\\arraystretch}{1.2}") }) .. blocks
      .. pandoc.Blocks({ pandoc.RawBlock("latex", "\\endgroup") })
  end
  return blocks
end

--- Keep the writer from counting the tables and figures of a div: typst counts even those without a caption.
--- @param blocks pandoc.Blocks
--- @return pandoc.Blocks
function M.unnumbered(blocks)
  if target.typst() then
    return pandoc.Blocks({ pandoc.RawBlock("typst", "#set figure(numbering: none)") }) .. blocks
  end
  return blocks
end

--- Does the writer number whatever has a caption, put it where nobody looks for it, or (Quarto's typst) leave it out? Then
--- one without a label is a line of text.
--- @param id string|nil label of the table or figure
--- @return boolean
function M.caption_is_line(id)
  return id == nil and (target.latex() or target.typst() or target.markdown())
end

--- Make the writer's own count go on where a number of ours was given.
--- @param kind string "tbl" or "fig"
--- @return pandoc.Blocks
function M.counted(kind)
  local name = kind == "fig" and "figure" or "table"
  if target.typst() then
    local of = kind == "fig" and "image" or "table"
    return pandoc.Blocks({ pandoc.RawBlock("typst", "#counter(figure.where(kind: " .. of .. ")).step()") })
  elseif target.latex() then
    return pandoc.Blocks({ pandoc.RawBlock("latex", "\\addtocounter{" .. name .. "}{1}") })
  end
  return pandoc.Blocks({})
end

return M
