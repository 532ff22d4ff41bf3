--- The table primitive: which columns and rows are drawn, and the table that pandoc writes.

local format = require("famulus.format")
local labels = require("famulus.labels")
local markup = require("famulus.markup")
local page = require("famulus.page")
local printed = require("famulus.printed")
local problems = require("famulus.problems")
local resources = require("famulus.resources")
local scripts = require("famulus.scripts")
local target = require("famulus.target")
local text = require("famulus.text")
local widths = require("famulus.widths")

local M = {}

local MAX_ROWS = 50
--- @class famulus.Order
--- @field key string of a column
--- @field descending boolean

--- @class famulus.TableOptions
--- @field columns string[]|nil keys in the order in which they are drawn
--- @field max_rows integer|nil
--- @field sort famulus.Order[]|nil by which columns, the first one first

--- @class famulus.DrawnColumn
--- @field at integer place in a row
--- @field column table the view's column
--- @field link integer|nil place of its address in a row
--- @field numeric boolean
--- @field keyword boolean|nil does it hold a keyword between its contexts?

--- Does the table have all columns that the options name?
--- @param part table
--- @param options famulus.TableOptions
--- @return famulus.Problem|nil
function M.check(part, options)
  local keys, known = {}, {}
  for _, column in ipairs(part.columns) do
    keys[column.key] = true
    known[#known + 1] = column.key
  end
  local wanted = { table.unpack(options.columns or {}) }
  for _, order in ipairs(options.sort or {}) do
    wanted[#wanted + 1] = order.key
  end
  for _, key in ipairs(wanted) do
    if not keys[key] then
      return problems.new("column-unknown", { column = key, wanted = key, known = known })
    end
  end
end

--- Return the columns that are drawn: not those that only hold another one's links.
--- @param part table
--- @param keys string[]|nil
--- @return famulus.DrawnColumn[]
local function drawn_columns(part, keys)
  local place, holds_links = {}, {}
  for at = #part.columns, 1, -1 do
    local column = part.columns[at]
    place[column.key] = at
    if type(column.link) == "string" and column.link ~= column.key then
      holds_links[column.link] = true
    end
  end
  local drawn = {}
  local function draw(at)
    local column = part.columns[at]
    drawn[#drawn + 1] = { at = at, column = column, link = place[column.link], numeric = format.is_numeric(column.type) }
  end
  if keys then
    for _, key in ipairs(keys) do
      draw(place[key])
    end
  else
    for at, column in ipairs(part.columns) do
      if not holds_links[column.key] and column.hidden ~= true then
        draw(at)
      end
    end
  end
  for at = 2, #drawn do
    drawn[at].keyword = drawn[at].column.align == "center" and drawn[at - 1].column.align == "right"
  end
  return drawn
end

--- @param value any
--- @param numeric boolean
--- @return any value to compare, nil for a missing one
local function comparable(value, numeric)
  if value == nil or value == pandoc.json.null then
    return nil
  elseif type(value) == "boolean" then
    return value and 1 or 0
  elseif type(value) == "string" then
    return numeric and tonumber(value) or pandoc.text.lower(value)
  end
  return value
end

--- Return rows in the order of one column; equal ones keep theirs, missing values come last.
--- @param rows table[]
--- @param columns table[]
--- @param order famulus.Order
--- @return table[]
local function ordered_by(rows, columns, order)
  local at, numeric = 1, false
  for index, column in ipairs(columns) do
    if column.key == order.key then
      at, numeric = index, (format.is_numeric(column.type))
    end
  end
  local keyed = {}
  for index, row in ipairs(rows) do
    keyed[index] = { index = index, row = row, value = comparable(row[at], numeric) }
  end
  table.sort(keyed, function(a, b)
    if a.value == b.value then
      return a.index < b.index
    elseif a.value == nil or b.value == nil then
      return b.value == nil
    elseif type(a.value) ~= type(b.value) then
      return type(a.value) == "number"
    end
    if order.descending then
      return a.value > b.value
    end
    return a.value < b.value
  end)
  local result = {}
  for index, entry in ipairs(keyed) do
    result[index] = entry.row
  end
  return result
end

--- Return the rows in the order that `sort` asks for.
--- @param part table
--- @param sort famulus.Order[]|nil
--- @return table[]
local function sorted_rows(part, sort)
  local rows = part.rows
  for at = #(sort or {}), 1, -1 do
    rows = ordered_by(rows, part.columns, sort[at])
  end
  return rows
end

--- @type table<string, any>
local ALIGNMENT = { left = pandoc.AlignLeft, center = pandoc.AlignCenter, right = pandoc.AlignRight }

--- Return a cell as text; a word of ours in the page's language.
--- @param value any
--- @param column table
--- @return string
local function worded(value, column)
  local key = type(column.words) == "string" and type(value) == "string" and column.words .. "." .. value
  if key and labels.has(key) then
    return labels.label(key, page.lang)
  end
  return format.cell(value, page.lang, column.type, column.format)
end

--- @param drawn famulus.DrawnColumn[]
--- @param rows table[]
--- @param count integer how many of them are drawn
--- @return pandoc.Block[][][] rows of cells
--- @return famulus.Extent[]
local function body(drawn, rows, count)
  local lines, extents = {}, {}
  local outward = target.html() and pandoc.Attr("", {}, { { "rel", "noopener noreferrer" } }) or pandoc.Attr()
  for index = 1, count do
    local row, cells = rows[index], {}
    for at, one in ipairs(drawn) do
      local words = worded(row[one.at], one.column)
      widths.extend(extents, at, words, one.numeric)
      local inlines = text.list(words)
      if one.keyword and #inlines > 0 then
        -- Where the parts stand in one line, no blank goes before a comma.
        local joined = drawn[at + 1] and tostring(row[drawn[at + 1].at] or ""):match("^[,.;:!?)]")
        inlines = markup.span("famulus-keyword", inlines, joined and { { "data-joined", "true" } } or nil)
      end
      local url = one.link and #inlines > 0 and text.url(row[one.link])
      cells[at] = #inlines > 0 and { pandoc.Plain(url and { pandoc.Link(inlines, url, "", outward) } or inlines) } or {}
    end
    lines[index] = cells
  end
  return lines, extents
end

--- @param drawn famulus.DrawnColumn[]
--- @param extents famulus.Extent[] widened where a heading is longer
--- @return pandoc.Block[][]
local function headings(drawn, extents)
  local heads = {}
  for at, one in ipairs(drawn) do
    local words = labels.resolve(one.column.label, page.lang)
    widths.extend(extents, at, words, one.numeric)
    heads[at] = { pandoc.Plain(text.list(words)) }
  end
  return heads
end

--- Say how the values of a column are ordered: numbers and days by their value, what stands left of a keyword from its last
--- word backwards and what stands right of it from its first one. famulus-table.js asks; texts it orders by the language of the page.
--- @param drawn famulus.DrawnColumn[]
--- @param at integer
--- @return string|nil
local function order_of(drawn, at)
  local kind = (drawn[at].column.type or ""):upper()
  if drawn[at].numeric then
    return "number"
  elseif kind:match("^DATE$") or kind:match("^TIMESTAMP") then
    return "date"
  elseif drawn[at + 1] and drawn[at + 1].keyword then
    return "left"
  end
  return at > 1 and drawn[at - 1].keyword and "right" or nil
end

--- @type integer from how many characters on a column's texts run over lines, and should not stand there word by word
local TEXT, LONG, WIDER, SHORT = 160, 30, 12, 7

--- Return the classes that keep a column as wide as its texts can be read.
--- @param length integer of the longest text, in characters
--- @return string[]
local function width_classes(length)
  if length > LONG then
    return length > TEXT and { "famulus-long", "famulus-text" } or { "famulus-long" }
  end
  return length > WIDER and { "famulus-wider" } or length > SHORT and { "famulus-short" } or {}
end

--- Return the attributes of the headings.
--- @param drawn famulus.DrawnColumn[]
--- @param extents famulus.Extent[]
--- @return pandoc.Attr[]
local function heading_attributes(drawn, extents)
  local attributes = {}
  for at = 1, #drawn do
    local length, order = extents[at].length, order_of(drawn, at)
    attributes[at] = pandoc.Attr("", width_classes(length), { { "scope", "col" }, order and { "data-order", order } })
  end
  return attributes
end

--- Return the classes of a table's wrapper. How its columns stand is said there and not by a style in each cell: a page may
--- forbid those, and cells that carry nothing are quick.
--- @param drawn famulus.DrawnColumn[]
--- @return string[]
local function classes_of(drawn)
  local classes = { "famulus-table" }
  for at, one in ipairs(drawn) do
    if one.keyword then
      classes[#classes + 1] = "famulus-kwic"
    end
    if target.html() and (one.column.align == "right" or one.column.align == "center") then
      classes[#classes + 1] = "famulus-" .. one.column.align .. "-" .. at
    end
  end
  return classes
end

--- Make a table of cells that hold blocks. A simple table, because its cells need no objects of their own: four times as
--- fast, and a page may have 100,000.
--- @param aligns any[]
--- @param relative number[] widths, 0 for those the writer chooses
--- @param heads pandoc.Block[][]
--- @param rows pandoc.Block[][][]
--- @param caption pandoc.Inlines
--- @param attributes pandoc.Attr[]|nil of the headings, in HTML
--- @return pandoc.Table
function M.make(aligns, relative, heads, rows, caption, attributes)
  local made = pandoc.utils.from_simple_table(pandoc.SimpleTable(caption, aligns, relative, heads, rows))
  if target.html() and made.head.rows[1] then
    for at, cell in ipairs(made.head.rows[1].cells) do
      cell.attr = attributes and attributes[at] or pandoc.Attr("", {}, { { "scope", "col" } })
    end
  end
  return made
end

--- @param part table
--- @param shown integer
--- @return string
local function count_text(part, shown)
  local function number(n)
    return format.number(n, page.lang)
  end
  if shown < part.total then
    return labels.label("table.more", page.lang, { shown = number(shown), total = number(part.total) })
  end
  local few = { [0] = "table.empty", [1] = "table.row" }
  return labels.label(few[part.total] or "table.all", page.lang, { total = number(part.total) })
end

--- Draw the line below a table: how many rows it shows, how they were sorted, and where all of them are.
--- @param found famulus.Found
--- @param part table
--- @param shown integer
--- @param sort table|nil
--- @return pandoc.Blocks, famulus.Problem|nil
local function more(found, part, shown, sort)
  local pieces = { text.inlines(count_text(part, shown)) }
  if sort and #part.rows < part.total then
    pieces[#pieces + 1] = text.inlines(labels.label("table.sorted", page.lang,
      { shown = format.number(#part.rows, page.lang) }))
  end
  local links, problem = {}, nil
  for _, full in ipairs(target.epub() and {} or { part.full, part.csv }) do
    if type(full) == "table" then
      local url, kept, missing = resources.offered(found, full.file)
      problem = problem or missing
      local name = (full.format == "csv" and "CSV" or "Parquet") .. " (" .. format.bytes(full.bytes, page.lang) .. ")"
      if url then
        links[#links + 1] = { pandoc.Link(text.inlines(name), url, "",
          target.html() and pandoc.Attr("", {}, { { "download", kept } }) or pandoc.Attr()) }
      end
    end
  end
  if #links > 0 then
    local all = text.inlines(labels.label("table.full", page.lang) .. ": ")
    pieces[#pieces + 1] = all .. markup.dotted(links)
  end
  return markup.line("famulus-more", markup.dotted(pieces)), problem
end

--- Return what famulus-table.js says.
--- @return table<string, string>
local function live_words()
  local words = scripts.words({ filter = "table.filter", found = "table.found", up = "table.sorted-up",
    down = "table.sorted-down", none = "table.sorted-not", within = "table.within" })
  words.point = labels.language_of(page.lang) == "de" and "," or "."
  words.lang = page.lang
  return words
end

--- Draw a table.
--- @param found famulus.Found
--- @param part table
--- @param options famulus.TableOptions
--- @param caption pandoc.Inlines
--- @param id string|nil of the table, where it is a target of cross-references
--- @return pandoc.Blocks
--- @return famulus.Problem|nil a file that is missing; the table stands all the same
function M.draw(found, part, options, caption, id)
  local drawn = drawn_columns(part, options.columns)
  local rows = sorted_rows(part, options.sort)
  local count = math.min(#rows, options.max_rows or MAX_ROWS)
  local lines, extents = body(drawn, rows, count)
  local heads = headings(drawn, extents)
  local aligns, in_context = {}, false
  for at, one in ipairs(drawn) do
    in_context = in_context or one.keyword == true
    local align = one.column.align or "left"
    -- In HTML classes say it; typst centres what is not told.
    aligns[at] = not target.html() and ALIGNMENT[align] or pandoc.AlignDefault
  end
  local relative, size = widths.relative(extents, in_context)
  local blocks = pandoc.Blocks({})
  if #drawn > 0 then
    local own = caption
    if printed.caption_is_line(id) then
      blocks:extend(markup.line("famulus-part-title", caption, true))
      own = pandoc.Inlines({})
    end
    local whole = M.make(aligns, relative, heads, lines, #own > 0 and markup.span("famulus-caption-text", own) or own,
      heading_attributes(drawn, extents))
    whole.identifier = id or ""
    local name = text.attribute(pandoc.utils.stringify(caption), found.block.id .. "." .. found.name)
    local inside = printed.table(pandoc.Blocks({ whole }), size)
    local attributes = { { "tabindex", "0" }, { "role", "region" }, { "aria-label", name },
      count < part.total and { "data-partial", "true" } or nil }
    blocks:extend(markup.div(classes_of(drawn), inside, target.html() and attributes or {}))
  end
  local below, problem = more(found, part, count, options.sort)
  blocks:extend(below)
  if count > 1 and scripts.run() then
    blocks:extend(scripts.bring("table", live_words()))
  end
  return blocks, problem
end

return M
