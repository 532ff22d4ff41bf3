--- The way through a document: find the calls, then draw them.
---
--- Two passes, so that nothing which was drawn is ever searched for calls: the first puts an empty element in the place
--- of each call, the second replaces those elements. A later run of the same filter skips what carries our classes.

local calls = require("famulus.calls")
local draw = require("famulus.draw")
local page = require("famulus.page")
local printed = require("famulus.printed")
local problems = require("famulus.problems")
local target = require("famulus.target")

local M = {}

local PLACE = "famulus-call"
--- @type string what Quarto writes in the place of a shortcode while it reads the page; ids of headings keep it
local QUARTO_TOKEN = "%-?b58fc729%-690b%-4000%-b19f%-365a4093b2ff%x+"

--- @type table<string, true> classes of what we drew ourselves
local DRAWN = { ["famulus-view"] = true, ["famulus-card"] = true, ["famulus-box"] = true, ["famulus-credit"] = true,
  ["famulus-value"] = true, ["famulus-badge"] = true, ["famulus-marks"] = true }

--- @param el pandoc.Div|pandoc.Span
--- @return boolean
local function is_drawn(el)
  for _, class in ipairs(el.classes) do
    if DRAWN[class] then
      return true
    end
  end
  return false
end

--- @param found famulus.Call[]
--- @param call famulus.Call
--- @param whole boolean is it a paragraph of its own?
--- @return pandoc.Attr
local function place_for(found, call, whole)
  found[#found + 1] = call
  draw.expect(call, whole)
  return pandoc.Attr("", { PLACE }, { { "n", tostring(#found) } })
end

--- Put places for the calls within a line.
--- @param found famulus.Call[]
--- @param inlines pandoc.Inlines
--- @return pandoc.Inlines|nil
local function mark_inlines(found, inlines)
  local pieces, _, unclosed = calls.split(inlines)
  for _, raw in ipairs(unclosed) do
    problems.record(problems.new("call-unclosed"), calls.make({}, {}, raw))
  end
  if not pieces then
    return nil
  end
  local result = pandoc.Inlines({})
  for _, piece in ipairs(pieces) do
    if piece.args then
      result:insert(pandoc.Span({}, place_for(found, piece, false)))
    else
      result:extend(piece)
    end
  end
  return result
end

--- Give a heading the id it would have without the calls in it (as Quarto does), unless its author gave one.
--- @param header pandoc.Header
--- @param marked pandoc.Header
local function restore_identifier(header, marked)
  local function automatic(inlines)
    local doc = pandoc.Pandoc({ pandoc.Header(1, inlines) })
    local read = pandoc.read(pandoc.write(doc, "html", pandoc.WriterOptions({})), "html+auto_identifiers")
    return read.blocks[1] and read.blocks[1].identifier or ""
  end
  local own = automatic(header.content)
  if header.identifier == own or header.identifier:match("^" .. own:gsub("%p", "%%%0") .. "%-%d+$") then
    local words = marked.content:filter(function(el)
      return not (el.t == "Span" and el.classes:includes(PLACE))
    end)
    marked.identifier = automatic(words)
  end
end

--- Take away what another engine shows of a block that it has played: the cell's own calls draw it.
--- @param cell pandoc.Div
--- @return pandoc.Div
local function without_output(cell)
  return cell:walk({ Div = function(div)
    for _, class in ipairs(div.classes) do
      if class:match("^cell%-output") then
        return pandoc.Blocks({})
      end
    end
  end })
end

--- First pass: find the calls.
--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc doc
--- @return famulus.Call[] found
function M.mark(doc)
  local found = {}
  local inline_only = { Inlines = function(inlines) return mark_inlines(found, inlines) end }
  local function paragraph(el)
    local call = calls.only(el.content)
    if call then
      return pandoc.Div({}, place_for(found, call, true)), false
    end
  end
  local function shielded(el)
    if is_drawn(el) then
      return el, false
    elseif el.classes:includes("famulus-played") then
      el = without_output(el)
    end
    if el.identifier:match("^famulus%-") then
      draw.expect_id(el.identifier)
    end
    return el
  end
  -- Where an artefact cannot stand as a whole, every call is one within a line: a table in a cell breaks LaTeX.
  local function within(el)
    return el:walk(inline_only), false
  end
  return doc:walk({
    traverse = "topdown",
    Div = shielded,
    Span = shielded,
    Para = paragraph,
    Plain = paragraph,
    Table = within,
    Note = within,
    Header = function(el)
      local before = #found
      local marked = el:walk(inline_only)
      if target.quarto() then
        marked.identifier = marked.identifier:gsub(QUARTO_TOKEN, "")
      elseif #found > before then
        restore_identifier(el, marked)
      end
      return marked, false
    end,
    Figure = function(el)
      local caption = el.caption
      el.caption = { long = pandoc.Blocks(caption.long):walk(inline_only), short = caption.short }
      return el
    end,
    Inlines = inline_only.Inlines,
  }), found
end

--- A call in an address, which pandoc has percent-encoded.
--- @param address string
--- @return string|nil text
local function address_text(address)
  local decoded = address:gsub("%%(%x%x)", function(hex)
    return string.char(tonumber(hex, 16))
  end)
  local call = calls.whole(decoded)
  return call and draw.text(call)
end

--- Markdown has images only: its writer makes HTML of a figure, and what is drawn in a caption would be lost in it.
--- @param figure pandoc.Figure
--- @return pandoc.Blocks|nil
local function plain_figure(figure)
  local drawn = false
  pandoc.Blocks(figure.caption.long):walk({ RawInline = function() drawn = true end })
  if not target.markdown() or not drawn then
    return nil
  end
  local blocks = pandoc.Blocks({})
  for _, block in ipairs(figure.content) do
    blocks:insert(block.t == "Plain" and pandoc.Para(block.content) or block)
  end
  for _, block in ipairs(figure.caption.long) do
    blocks:insert(block.t == "Plain" and pandoc.Para(block.content) or block)
  end
  return figure.identifier ~= "" and pandoc.Blocks({ pandoc.Div(blocks, pandoc.Attr(figure.identifier)) }) or blocks
end

--- Second pass: draw them.
--- @param doc pandoc.Pandoc
--- @param found famulus.Call[]
--- @return pandoc.Pandoc
function M.draw(doc, found)
  local function call_of(el)
    return el.classes:includes(PLACE) and found[tonumber(el.attributes.n)] or nil
  end
  return doc:walk({
    Span = function(el)
      local call = call_of(el)
      return call and draw.inline(call) or nil
    end,
    Div = function(el)
      local call = call_of(el)
      return call and draw.block(call) or printed.anchor(el)
    end,
    Figure = plain_figure,
    Link = function(el)
      el.target = address_text(el.target) or el.target
      return el
    end,
    Image = function(el)
      el.src = address_text(el.src) or el.src
      return el
    end,
  })
end

--- Code shows shortcodes. In Quarto, which would run them there, they are escaped; elsewhere escaped ones are shown.
--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc
function M.code(doc)
  local function plain(el)
    el.text = el.text:gsub("{{{<(.-)>}}}", "{{<%1>}}")
    return el
  end
  local function escaped(el)
    if el.attributes.shortcodes ~= "false" and not el.classes:includes("cell-code") then
      el.text = el.text:gsub("({*){{<(%s*famulus%s.-)>}}", function(braces, words)
        return braces == "" and "{{{<" .. words .. ">}}}" or nil
      end)
    end
    return el
  end
  if not target.quarto() then
    return doc:walk({ Code = plain, CodeBlock = plain })
  end
  return doc:walk({ Code = escaped, CodeBlock = function(el)
    -- A cell that no engine has played: another one than ours has the page.
    if (el.classes[1] or ""):match("^{famulus%f[^%w_-]") then
      problems.record(problems.new("block-unplayed", { block = el.text:match("\nid:%s*(%S+)") or "?" }), nil)
    end
    return escaped(el)
  end })
end

--- @type table<string, true> ids of Quarto's shortcode nodes that stand where no whole artefact can
local in_line = {}
--- @type table<string, true> ids of those that are a paragraph of their own
local alone = {}

--- Quarto keeps `{{< … >}}` as nodes of its own until a later stage. See where each of them stands.
--- @param doc pandoc.Pandoc
function M.find_nodes(doc)
  local within = {
    Span = function(el)
      local id = el.attributes.__quarto_custom_id
      if id then
        in_line[id] = true
      end
    end,
  }
  local function inside(el)
    el:walk(within)
  end
  local function paragraph(el)
    local only = #el.content == 1 and el.content[1]
    if only and only.t == "Span" and only.attributes.__quarto_custom_id then
      alone[only.attributes.__quarto_custom_id] = true
    end
  end
  doc:walk({ Table = inside, Header = inside, Note = inside, Para = paragraph, Plain = paragraph })
end

--- Learn from one of Quarto's shortcode nodes what the page will show, and tell our shortcode where it stands.
--- @param node table
function M.read_node(node)
  if node.name ~= "famulus" then
    return
  end
  local args, options = {}, {}
  for _, param in ipairs(node.params) do
    if param.type == "key-value" then
      options[param.key] = param.value
    elseif param.type == "param" then
      args[#args + 1] = param.value
    end
  end
  local scaffold = node.__quarto_custom_node
  local id = scaffold and scaffold.attributes.__quarto_custom_id or ""
  draw.expect(calls.make(args, options, ""), alone[id] and not in_line[id])
  if in_line[id] or not alone[id] then
    table.insert(node.params, { type = "key-value", key = "place", value = in_line[id] and "line" or "paragraph" })
  end
end

--- Append the credits of what the page shows, unless it says not to.
--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc
function M.credits(doc)
  if page.credits then
    doc.blocks:extend(draw.page_credits())
  end
  return doc
end

return M
