--- What printed pages need besides: tables in smaller letters that go on over the page, and numbers only where a label
--- asks for one. HTML has a style sheet for the first and counts nothing.

local target = require("famulus.target")

local M = {}

--- @type string the class of what holds no numbered table or figure, for `crossref`
M.UNNUMBERED = "famulus-unnumbered"

--- @type {size: number, typst: string, latex: string}[] letters of tables by their size, as a part of the usual one
local LETTERS = { { size = 1, typst = "0.9em", latex = "\\small" }, { size = 0.9, typst = "0.81em", latex = "\\footnotesize" },
  { size = 0, typst = "0.72em", latex = "\\scriptsize" } }
--- In typst: a figure that stays on one page unless it may break is printed over itself where it is too long; a caption
--- above a table stays with it; pandoc centres a table in its caption, which `align` is taken for. Quarto 1.4 to 1.6 has a
--- typst that knows neither of the two.
local TYPST = [[#show figure: set block(breakable: true)
#show figure: set align(start)
#show figure.caption: it => if sys.version < version(0, 12, 0) { it } else { block(sticky: true, it) }
#show figure.caption: set text(size: 0.9em)
#show table: set text(size: %s, hyphenate: true)
#set par(justify: false)
#set table(inset: (x: 4pt, y: 3.5pt), stroke: if sys.version < version(0, 11, 0) { none } else {
  (_, y) => if y > 1 { (top: 0.3pt + luma(75%%)) }
})
#let align(_, body) = body]]
--- In LaTeX: at the left, with a caption as wide as the page. Longtable centres captions, unless the package caption does.
--- Every table brings it, since any of them may be taken out of the document.
local LATEX = [[\ifdefined\famulustable\else\makeatletter\gdef\famulustable#1{#1\renewcommand{\arraystretch}{1.2}\setlength{\LTleft}{0pt}%
\setlength{\LTright}{\fill}\setlength{\LTcapwidth}{\linewidth}\@ifundefined{captionsetup}%
{\def\LT@makecaption##1##2##3{\LT@mcol\LT@cols{@{}l}{\hbox to 0pt{\parbox[t]\LTcapwidth{%
\raggedright\small##1{##2: }##3\endgraf\vskip.5\baselineskip}\hss}}}}%
{\captionsetup{justification=raggedright,singlelinecheck=false,font=small}}}\makeatother\fi
]]
--- @type string a new page where less than some lines are left of this one, unless a heading of the text is just above
local ROOM = [[\par\expandafter\ifx\csname if@nobreak\endcsname\iftrue\else\ifinner\else
\ifdim\dimexpr\pagegoal-\pagetotal<7\baselineskip\newpage\fi\fi\fi]]

--- Dress a table: ragged cells in smaller letters, at the left like the words above and below it.
--- @param blocks pandoc.Blocks what lies in one div
--- @param size number|nil of the letters, as a part of what tables have
--- @return pandoc.Blocks
function M.table(blocks, size)
  local letters = 1
  while LETTERS[letters].size > (size or 1) do
    letters = letters + 1
  end
  if target.typst() then
    return pandoc.Blocks({ pandoc.RawBlock("typst", TYPST:format(LETTERS[letters].typst)) }) .. blocks
  elseif target.latex() then
    local begin = LATEX .. "\\begingroup\\famulustable{" .. LETTERS[letters].latex .. "}"
    return pandoc.Blocks({ pandoc.RawBlock("latex", begin) }) .. blocks
      .. pandoc.Blocks({ pandoc.RawBlock("latex", "\\endgroup") })
  end
  return blocks
end

--- Keep a line that heads something on one page with what it heads.
--- @param heading pandoc.Block
--- @return pandoc.Blocks blocks, table[] attributes of the div that holds them
function M.heading(heading)
  if target.typst() then
    return pandoc.Blocks({ heading }), target.quarto_before("1.7") and {} or { { "typst:sticky", "true" } }
  elseif target.latex() then
    return pandoc.Blocks({ pandoc.RawBlock("latex", ROOM), heading }), {}
  end
  return pandoc.Blocks({ heading }), tostring(FORMAT) == "docx" and { { "custom-style", "Famulus Heading" } } or {}
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

--- Let the writer count again, for the one part of such a div that has a label.
--- @param blocks pandoc.Blocks
--- @return pandoc.Blocks
function M.numbered(blocks)
  if target.typst() then
    return pandoc.Blocks({ pandoc.RawBlock("typst", '#set figure(numbering: "1")') }) .. blocks
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

--- The anchor of a block that shows nothing has no room: typst would leave a line for it, and part a heading from its text.
--- @param div pandoc.Div
--- @return pandoc.Block|nil nil where it may stay a div
function M.anchor(div)
  if target.typst() and #div.content == 0 and div.identifier:match("^famulus%-") then
    local label = div.identifier:gsub('[\\"]', "\\%0")
    return pandoc.RawBlock("typst", '#metadata(none) #label("' .. label .. '")')
  end
end

--- Set what the writer has counted before one of its tables or figures: older releases of longtable count those without a
--- caption too, and every reference would be wrong.
--- @param kind string "tbl" or "fig"
--- @param before integer how many there are before it
--- @param el pandoc.Table|pandoc.Figure
--- @return pandoc.Blocks|nil nil where the writer counts as we do
function M.counter(kind, before, el)
  if target.latex() then
    local name = kind == "fig" and "figure" or "table"
    return pandoc.Blocks({ pandoc.RawBlock("latex", "\\setcounter{" .. name .. "}{" .. before .. "}"), el })
  end
end

return M
