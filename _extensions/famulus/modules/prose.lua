--- Markdown of unknown origin as prose: CommonMark with tables, and nothing that acts (`artefacts/prose.py`).
---
--- Raw HTML is text, an image is its alternative text, a link is one that `text.url` lets be one. Shortcodes, citations,
--- footnotes, maths, attributes and raw blocks are unknown to this reader and stay the characters they are.

local printed = require("famulus.printed")
local target = require("famulus.target")
local text = require("famulus.text")

local M = {}

local DIALECT = "commonmark+pipe_tables+strikeout"

--- Would a parser of shortcodes take something in this text?
--- @param s string
--- @return boolean
local function could_open(s)
  return s:find("{{", 1, true) ~= nil or s:find("<<<", 1, true) ~= nil
end

--- Join what stands beside one another in a line into one piece of text, so that no opening word ends an element.
--- @param inlines pandoc.Inlines
--- @return pandoc.Inlines
local function joined(inlines)
  local result, words = pandoc.Inlines({}), {}
  local function flush()
    if #words > 0 then
      result:extend(text.inlines(table.concat(words)))
      words = {}
    end
  end
  for _, el in ipairs(inlines) do
    if el.t == "Str" then
      words[#words + 1] = el.text
    elseif el.t == "Space" or el.t == "SoftBreak" then
      words[#words + 1] = " "
    else
      flush()
      result:insert(el)
    end
  end
  flush()
  return result
end

--- @type table<string, function> what of a document is let through, and as what
local safe = {
  RawInline = function(el) return pandoc.Str(el.text) end,
  RawBlock = function(el) return pandoc.Para({ pandoc.Str((el.text:gsub("%s+$", ""))) }) end,
  Image = function(el) return el.caption end,
  Link = function(el)
    local url = text.url(el.target)
    return url and pandoc.Link(el.content, url) or el.content
  end,
  -- Quarto runs shortcodes in code; where one could be, the text matters more than its typeface.
  Code = function(el)
    return could_open(el.text) and pandoc.Str(el.text) or pandoc.Code(el.text)
  end,
  CodeBlock = function(el)
    if not could_open(el.text) then
      return pandoc.CodeBlock(el.text)
    end
    local lines = pandoc.List({})
    for line in (el.text .. "\n"):gmatch("(.-)\n") do
      lines:insert(text.inlines(line))
    end
    return pandoc.LineBlock(lines)
  end,
  -- A heading inside an artefact is none of the page's: it belongs to no table of contents.
  Header = function(el)
    local blocks, attributes = printed.heading(pandoc.Para({ pandoc.Strong(el.content) }))
    local plain = target.markdown() or (#attributes == 0 and not target.html())
    return plain and blocks or pandoc.Div(blocks, pandoc.Attr("", { "famulus-heading" }, attributes))
  end,
  Table = function(el)
    local printing = target.latex() or target.typst()
    return printing and pandoc.Div(printed.table(pandoc.Blocks({ el })), pandoc.Attr("", { "famulus-table" })) or nil
  end,
}

--- @type integer so many lists and quotes may stand inside one another on paper; LaTeX stops at more
local DEEPEST = 4

--- Put what stands too deep in lists and quotes beside them.
--- @param blocks pandoc.Blocks
--- @param depth integer of these blocks
--- @return pandoc.Blocks
local function shallow(blocks, depth)
  local result = pandoc.Blocks({})
  for _, el in ipairs(blocks) do
    local parts = (el.t == "BlockQuote" or el.t == "BulletList" or el.t == "OrderedList") and el.content
    if parts and depth >= DEEPEST then
      for _, part in ipairs(el.t == "BlockQuote" and { parts } or parts) do
        result:extend(shallow(part, depth))
      end
    else
      if el.t == "BlockQuote" then
        el.content = shallow(parts, depth + 1)
      elseif parts then
        el.content = parts:map(function(part) return shallow(part, depth + 1) end)
      end
      result:insert(el)
    end
  end
  return result
end

--- Read markdown that data holds.
--- @param markdown string
--- @return pandoc.Blocks
function M.blocks(markdown)
  local blocks = pandoc.read(text.visible(markdown), DIALECT).blocks
  blocks = target.latex() and shallow(blocks, 0) or blocks
  return blocks:walk(safe):walk({ Inlines = joined })
end

--- @type string what stands for a call while a caption is read: its number between two letters of a private area
local PLACE = "\u{e0fe}(%d+)\u{e0ff}"

--- Put what was drawn into the text that has its place.
--- @param el pandoc.Str|pandoc.RawInline
--- @param drawn pandoc.Inlines[]
--- @return pandoc.Inlines|nil
local function filled(el, drawn)
  if not el.text:find("\u{e0fe}", 1, true) then
    return nil
  end
  local result, at = pandoc.Inlines({}), 1
  local function words(text_before)
    if text_before ~= "" then
      local piece = el:clone()
      piece.text = text_before
      result:insert(piece)
    end
  end
  for from, number, after in el.text:gmatch("()" .. PLACE .. "()") do
    words(el.text:sub(at, from - 1))
    result:extend(drawn[tonumber(number)] or {})
    at = after
  end
  words(el.text:sub(at))
  return result
end

--- Read the caption that an author wrote into a shortcode: words with emphasis, code and links, and shortcodes of ours.
--- @param markdown string
--- @param draw fun(words: string): pandoc.Inlines what one shows, by what stands between `{{<` and `>}}`
--- @return pandoc.Inlines
function M.caption(markdown, draw)
  local drawn = {}
  markdown = markdown:gsub("\u{e0fe}", ""):gsub("\u{e0ff}", ""):gsub("{{<%s+(famulus%s.-)%s+>}}", function(words)
    drawn[#drawn + 1] = draw(words)
    return "\u{e0fe}" .. #drawn .. "\u{e0ff}"
  end)
  local inlines = pandoc.utils.blocks_to_inlines(pandoc.read(markdown, DIALECT .. "+smart").blocks:walk(safe))
  local function fill(el)
    return filled(el, drawn)
  end
  return #drawn > 0 and inlines:walk({ Str = fill, RawInline = fill }) or inlines
end

return M
