--- Drawing of views: the five primitives facts, table, prose, figure and graph, never a kind of artefact (spec 5.1).

local format = require("famulus.format")
local graph = require("famulus.graph")
local labels = require("famulus.labels")
local markup = require("famulus.markup")
local page = require("famulus.page")
local printed = require("famulus.printed")
local problems = require("famulus.problems")
local prose = require("famulus.prose")
local resources = require("famulus.resources")
local tables = require("famulus.tables")
local target = require("famulus.target")
local text = require("famulus.text")

local M = {}

--- @class famulus.ViewOptions: famulus.TableOptions
--- @field caption pandoc.Inlines|false|nil the author's caption; false takes the view's away
--- @field title pandoc.Inlines|false|nil the author's title; false takes the view's away
--- @field label string|nil target of cross-references, `tbl-…` or `fig-…`

--- @type table<string, true> images that every writer of HTML shows; others are linked
local SHOWN = { png = true, jpg = true, jpeg = true, svg = true }
--- @type table<string, true> parts that carry a caption of their own
local CAPTIONED = { table = true, figure = true, graph = true }

--- @param words any a string of data, or nothing
--- @return pandoc.Inlines
local function inlines_of(words)
  return type(words) == "string" and text.inlines(words) or pandoc.Inlines({})
end

--- @param fact table
--- @return pandoc.Inlines
local function fact_value(fact)
  local value = fact.value
  local words = type(value) == "table" and labels.resolve(value, page.lang) or format.cell(value, page.lang)
  if type(fact.badge) == "string" then
    return markup.badge(fact.badge, words)
  end
  return text.inlines(words)
end

--- @param part table
--- @return pandoc.Blocks
local function draw_facts(part)
  if target.markdown() then
    local lines = {}
    for at, fact in ipairs(part.items) do
      local line = pandoc.Inlines({ pandoc.Strong(text.inlines(labels.resolve(fact.label, page.lang))), pandoc.Str(":"),
        pandoc.Space() })
      line:extend(fact_value(fact))
      lines[at] = { pandoc.Plain(line) }
    end
    return pandoc.Blocks({ pandoc.BulletList(lines) })
  end
  if not target.html() then
    local lines = pandoc.Inlines({})
    for at, fact in ipairs(part.items) do
      local words = text.inlines(labels.resolve(fact.label, page.lang)) .. pandoc.Inlines({ pandoc.Str(":") })
      lines:extend(at > 1 and { pandoc.LineBreak() } or {})
      lines:extend(pandoc.Inlines({ pandoc.Strong(words), pandoc.Space() }) .. fact_value(fact))
    end
    return markup.div("famulus-facts", { pandoc.Para(lines) })
  end
  local items = {}
  for at, fact in ipairs(part.items) do
    items[at] = { text.inlines(labels.resolve(fact.label, page.lang)), { { pandoc.Plain(fact_value(fact)) } } }
  end
  return markup.div("famulus-facts", { pandoc.DefinitionList(items) })
end

--- Wrap an image into a figure with its caption. Markdown has images only: its writer makes HTML of a figure, and that
--- loses our text, unless a label needs the figure to be numbered first.
--- @param inlines pandoc.Inlines
--- @param caption pandoc.Inlines
--- @param id string|nil
--- @return pandoc.Blocks
local function figure(inlines, caption, id)
  if target.markdown() then
    local blocks = pandoc.Blocks({ pandoc.Para(inlines) })
    if #caption > 0 or id then
      blocks:insert(pandoc.Para(caption))
    end
    return id and pandoc.Blocks({ pandoc.Div(blocks, pandoc.Attr(id)) }) or blocks
  end
  if not id and (#caption == 0 and not target.html() or printed.caption_is_line(id)) then
    -- A figure without words would be numbered all the same, and float.
    return pandoc.Blocks({ pandoc.Para(inlines) }) .. markup.line("famulus-caption", caption)
  end
  local long = #caption > 0 and { pandoc.Plain(markup.span("famulus-caption-text", caption)) } or {}
  return pandoc.Blocks({ pandoc.Figure({ pandoc.Plain(inlines) }, { long = long }, pandoc.Attr(id or "")) })
end

--- Make an image. Quarto drops the words of one that is the target of a cross-reference, but not the attribute.
--- @param words string
--- @param source string
--- @param attributes table[]
--- @return pandoc.Inlines
local function image(words, source, attributes)
  if target.html() and target.quarto() then
    attributes = { { "alt", text.attribute(words, "") }, table.unpack(attributes) }
  end
  return pandoc.Inlines({ pandoc.Image(text.inlines(words), source, "", pandoc.Attr("", {}, attributes)) })
end

--- @param width any
--- @return table
local function width_attribute(width)
  if target.markdown() then
    return {}
  end
  local number, unit = tostring(width or ""):match("^(%d+%.?%d*)(%a+)$")
  local units = { px = true, em = true, rem = true, ch = true, cm = true, mm = true, ["in"] = true, pt = true }
  local percent = tostring(width or ""):match("^%d+%.?%d*%%$")
  return (percent or (number and units[unit])) and { { "width", width } } or {}
end

--- @param found famulus.Found
--- @param part table
--- @param caption pandoc.Inlines
--- @param id string|nil
--- @return pandoc.Blocks, famulus.Problem|nil
local function draw_figure(found, part, caption, id)
  local suffix = (part.file:match("%.(%w+)$") or ""):lower()
  local shown = SHOWN[suffix] or (suffix == "pdf" and target.latex())
  local source, problem = (shown and resources.image or resources.url)(found, part.file)
  local alt = text.inlines(part.alt)
  local inside = alt
  if source and shown then
    inside = image(part.alt, source, width_attribute(part.width))
  elseif source then
    local words = labels.label("figure.open", page.lang, { format = suffix:upper() })
    inside = alt .. pandoc.Inlines({ pandoc.LineBreak(), pandoc.Link(text.inlines(words), source) })
  end
  return markup.div("famulus-figure", figure(inside, caption, id)), problem
end

--- @param found famulus.Found
--- @param part table
--- @param caption pandoc.Inlines
--- @param id string|nil
--- @return pandoc.Blocks, famulus.Problem|nil
local function draw_graph(found, part, caption, id)
  local source, problem = resources.image(found, part.svg)
  local words = graph.words(part)
  local inside = source and image(words, source, {}) or text.inlines(words)
  local blocks = figure(inside, caption, id) .. graph.live(part)
  -- A layered picture is wider than a phone and is moved there, by keys too.
  local moved = target.html() and part.layout == "layered"
  return markup.div("famulus-graph", blocks, { { "data-layout", part.layout }, moved and { "tabindex", "0" } or nil,
    moved and { "role", "region" } or nil, moved and { "aria-label", words } or nil }), problem
end

--- Draw one part of a view.
--- @param found famulus.Found
--- @param part table
--- @param options famulus.ViewOptions
--- @param caption pandoc.Inlines the view's own, where it is about this part alone
--- @param id string|nil
--- @return pandoc.Blocks, famulus.Problem|nil
local function draw_part(found, part, options, caption, id)
  local title = text.inlines(labels.resolve(part.title, page.lang))
  local blocks, problem
  local function whole(above)
    return markup.div("famulus-part", id and printed.numbered(above .. blocks) or above .. blocks), problem
  end
  if part.type == "table" then
    local own = #caption > 0 and caption or title
    blocks, problem = tables.draw(found, part, options, own, id)
    return whole(pandoc.Blocks({}))
  elseif part.type == "facts" then
    blocks = draw_facts(part)
  elseif part.type == "prose" then
    blocks = markup.div("famulus-prose", prose.blocks(part.markdown))
  elseif part.type == "figure" then
    local own = (#caption > 0 or options.caption == false) and caption or inlines_of(part.caption)
    blocks, problem = draw_figure(found, part, own, id)
  elseif part.type == "graph" then
    blocks, problem = draw_graph(found, part, caption, id)
  else
    problem = problems.new("part-unknown", { part = tostring(part.type) })
    blocks = pandoc.Blocks({})
  end
  return whole(markup.line("famulus-part-title", title, true))
end

--- Check that what the options ask of tables can be had of one.
--- @param view table
--- @param options famulus.ViewOptions
--- @return famulus.Problem|nil
function M.check(view, options)
  if not options.columns and not options.sort and not options.max_rows then
    return nil
  end
  local problem = problems.new("table-none", {})
  for _, part in ipairs(view.parts) do
    if part.type == "table" then
      problem = tables.check(part, options)
      if not problem then
        return nil
      end
    end
  end
  return problem
end

--- Make the parts a target of Quarto's cross-references.
--- @param blocks pandoc.Blocks
--- @param caption pandoc.Inlines
--- @param label string
--- @return pandoc.Blocks
local function quarto_float(blocks, caption, label)
  if target.markdown() and target.quarto_before("1.6") then -- whose writer of markdown takes one block only
    blocks = pandoc.Blocks({ pandoc.Div(blocks) })
  end
  return pandoc.Blocks({ quarto.FloatRefTarget({
    identifier = label,
    type = label:match("^fig%-") and "Figure" or "Table",
    content = blocks,
    caption_long = pandoc.Plain(markup.span("famulus-caption-text", caption)),
  }) })
end

--- Return which part carries the view's caption and label: the only one, else the only one that is of the label's kind
--- (without a label, the only picture). A caption below a picture's table would be taken for the table's.
--- @param parts table[]
--- @param label string|nil
--- @return integer|nil
local function bearer(parts, label)
  local wanted = label and label:match("^tbl%-") and { table = true } or { figure = true, graph = true }
  local found
  for at, part in ipairs(parts) do
    if wanted[part.type] or (#parts == 1 and CAPTIONED[part.type]) then
      if found then
        return nil
      end
      found = at
    end
  end
  return found
end

--- Draw a view.
--- @param found famulus.Found
--- @param view table
--- @param options famulus.ViewOptions
--- @param marks famulus.Mark[]
--- @param id string|nil
--- @return pandoc.Blocks
--- @return famulus.Problem|nil the first thing that could not be shown
function M.draw(found, view, options, marks, id)
  local title = options.title or (options.title == nil and text.inlines(labels.resolve(view.title, page.lang)))
    or pandoc.Inlines({})
  local caption = options.caption or (options.caption == nil and inlines_of(view.caption)) or pandoc.Inlines({})
  local label, carrier = options.label, bearer(view.parts, options.label)
  if label and #caption == 0 and carrier and options.caption == nil then
    caption = inlines_of(view.parts[carrier].caption)
  end
  if label and #caption == 0 then
    caption, title = title, pandoc.Inlines({})
  end
  local float = label and target.quarto() and quarto.FloatRefTarget ~= nil
  local blocks, problem = pandoc.Blocks({}), nil
  for at, part in ipairs(view.parts) do
    local carries = at == carrier
    local own = carries and not float and caption or pandoc.Inlines({})
    local how = carries and float and setmetatable({ caption = false }, { __index = options }) or options
    local drawn, wrong = draw_part(found, part, how, own, carries and not float and label or nil)
    if carries and float then
      drawn = quarto_float(drawn, caption, label --[[@as string]])
      drawn = #view.parts > 1 and markup.div("famulus-part", printed.numbered(drawn)) or drawn
    end
    blocks:extend(drawn)
    if carries and #view.parts > 1 and #caption > 0 then -- what the picture says of itself is not what the view says of it
      blocks:extend(markup.line("famulus-caption", inlines_of(part.caption)))
    end
    problem = problem or wrong
  end
  if float and not carrier then
    blocks = quarto_float(blocks, caption, label --[[@as string]])
  elseif not carrier then
    blocks:extend(markup.line("famulus-caption", caption))
    if label then
      blocks = pandoc.Blocks({ pandoc.Div(blocks, pandoc.Attr(label --[[@as string]], { "famulus-float" })) })
    end
  end
  local whole = markup.marks(marks) .. markup.line("famulus-title", title, true) .. blocks
  local classes = { "famulus-view", "mathjax_ignore" }
  if not (carrier and label and #view.parts == 1) then
    whole = printed.unnumbered(whole)
    classes[3] = target.typst() and printed.UNNUMBERED or nil
  end
  return markup.div(classes, whole, {}, id), problem
end

return M
