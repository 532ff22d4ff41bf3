--- The wrappers that carry the classes of famulus.css, for each kind of writer.
---
--- HTML gets divs and spans with classes; other writers get the same elements, which most of them pass over; a markdown
--- page gets the bare content, because it would show divs as raw HTML.

local labels = require("famulus.labels")
local page = require("famulus.page")
local printed = require("famulus.printed")
local target = require("famulus.target")
local text = require("famulus.text")

local M = {}

local STYLE = { name = "famulus", version = "0.1.0", stylesheets = { "famulus.css" } }
local styled = false

--- Bring the style sheet to a page that Quarto makes; a filter or a shortcode asks, whichever is there.
function M.style()
  if not styled and target.quarto() and quarto.doc.is_format("html") then
    styled = true
    quarto.doc.add_html_dependency(STYLE)
  end
end

--- @type table<string, string> the shape of each verdict and mark: they are told apart without colour
M.GLYPHS = { pass = "✓", fail = "✗", gap = "◇", error = "▲", unchecked = "○", stale = "◔", unverified = "◐" }

--- Wrap blocks in a div. MathJax scans whole pages: data that looks like maths must stay text.
--- @param class string|string[]
--- @param blocks pandoc.Blocks|pandoc.Block[]
--- @param attributes table[]|nil pairs of name and value
--- @param id string|nil
--- @return pandoc.Blocks
function M.div(class, blocks, attributes, id)
  if target.markdown() then
    return pandoc.Blocks(blocks)
  end
  local classes = type(class) == "table" and class or { class }
  return pandoc.Blocks({ pandoc.Div(blocks, pandoc.Attr(id or "", classes, attributes or {})) })
end

--- Wrap inlines in a span. Captions are wrapped too: Quarto reads attributes out of one that ends in `{…}`.
--- @param class string
--- @param inlines pandoc.Inlines|pandoc.Inline[]
--- @param attributes table[]|nil
--- @return pandoc.Inlines
function M.span(class, inlines, attributes)
  if target.markdown() then
    return pandoc.Inlines(inlines)
  end
  return pandoc.Inlines({ pandoc.Span(inlines, pandoc.Attr("", { class }, attributes or {})) })
end

--- Make a line of its own. In HTML it is a `p` with a class, which pandoc's tree cannot say; elsewhere a paragraph, strong
--- where it heads something.
--- @param class string one of our own names, never data
--- @param inlines pandoc.Inlines|pandoc.Inline[]
--- @param strong boolean|nil
--- @return pandoc.Blocks empty for an empty line
function M.line(class, inlines, strong)
  if #inlines == 0 then
    return pandoc.Blocks({})
  elseif target.html() then
    return pandoc.Blocks({ pandoc.RawBlock("html", '<p class="' .. class .. '">'), pandoc.Plain(inlines),
      pandoc.RawBlock("html", "</p>") })
  end
  if strong then
    local blocks, attributes = printed.heading(pandoc.Para({ pandoc.Strong(inlines) }))
    return M.div(class, blocks, attributes)
  end
  return M.div(class, { pandoc.Para(inlines) })
end

--- Draw the glyph of a status; LaTeX has no such letters.
--- @param status string
--- @return pandoc.Inlines
function M.glyph(status)
  local inlines = pandoc.Inlines({})
  if not target.latex() and M.GLYPHS[status] then
    inlines:extend(M.span("famulus-glyph", { pandoc.Str(M.GLYPHS[status]) }, { { "aria-hidden", "true" } }))
    inlines:insert(pandoc.Space())
  end
  return inlines
end

--- Draw a badge: glyph and word.
--- @param status string
--- @param word string
--- @return pandoc.Inlines
function M.badge(status, word)
  local inlines = M.glyph(status)
  inlines:extend(text.inlines(word))
  if not target.html() then
    inlines:insert(1, pandoc.Str("["))
    inlines:insert(pandoc.Str("]"))
  end
  return M.span("famulus-badge", inlines, { { "data-status", status } })
end

--- @class famulus.Mark
--- @field status string
--- @field since string|nil ISO date

--- Draw the badge of a mark in the language of the page.
--- @param mark famulus.Mark
--- @return pandoc.Inlines
function M.mark(mark)
  if mark.status == "stale" and mark.since then
    return M.badge("stale", labels.label("stale.since", page.lang, { date = labels.date(mark.since, page.lang) }))
  end
  return M.badge(mark.status, labels.label("badge." .. mark.status, page.lang))
end

--- Draw the line of badges.
--- @param marks famulus.Mark[]
--- @return pandoc.Blocks
function M.marks(marks)
  local inlines = pandoc.Inlines({})
  for at, mark in ipairs(marks) do
    if at > 1 then
      inlines:insert(pandoc.Space())
    end
    inlines:extend(M.mark(mark))
  end
  return M.line("famulus-marks", inlines)
end

--- Join pieces with a middle dot.
--- @param pieces (pandoc.Inlines|pandoc.Inline[])[]
--- @return pandoc.Inlines
function M.dotted(pieces)
  local inlines = pandoc.Inlines({})
  for at, piece in ipairs(pieces) do
    if at > 1 then
      inlines:extend({ pandoc.Space(), pandoc.Str("·"), pandoc.Space() })
    end
    inlines:extend(piece)
  end
  return inlines
end

--- Draw a date; HTML says it to machines too.
--- @param words string
--- @param iso string
--- @return pandoc.Inlines
function M.date(words, iso)
  local inlines = text.inlines(words)
  if target.html() and iso:match("^%d%d%d%d%-%d%d%-%d%d$") then
    inlines:insert(1, pandoc.RawInline("html", '<time datetime="' .. iso .. '">'))
    inlines:insert(pandoc.RawInline("html", "</time>"))
  end
  return inlines
end

return M
