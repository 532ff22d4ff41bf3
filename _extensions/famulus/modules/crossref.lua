--- Cross-references where no Quarto resolves them: tables and figures are numbered, `@tbl-x` and `@fig-x` become links.

local calls = require("famulus.calls")
local labels = require("famulus.labels")
local page = require("famulus.page")
local printed = require("famulus.printed")
local problems = require("famulus.problems")
local target = require("famulus.target")

local M = {}

--- @class famulus.Target
--- @field kind string "tbl", "fig" or "sec"
--- @field words pandoc.Inlines what a reference to it reads

--- Which elements the writer numbers by itself: LaTeX those with a caption, typst every one. Their numbers are then ours.
--- @return "captioned"|"all"|nil
local function numbered_by_writer()
  return target.latex() and "captioned" or target.typst() and "all" or nil
end

--- @param identifier string
--- @return string|nil
local function kind_of(identifier)
  return identifier:match("^(tbl)%-.") or identifier:match("^(fig)%-.") or identifier:match("^(sec)%-.")
end

--- @param blocks pandoc.Blocks
--- @param name pandoc.Inlines
local function prefix(blocks, name)
  local first = blocks[1]
  local inlines = pandoc.Inlines({ table.unpack(name) })
  if first and (first.t == "Plain" or first.t == "Para") and #first.content > 0 then
    inlines:extend({ pandoc.Str(":"), pandoc.Space() })
    first.content = inlines .. first.content
  else
    blocks:insert(1, pandoc.Plain(inlines))
  end
end

--- Take a label away where another table or figure of the page has it already: a page with one identifier twice leads
--- nowhere, and typst makes none of it.
--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc
local function once(doc)
  local seen = {}
  local function first(el)
    local kind = kind_of(el.identifier)
    if kind ~= "tbl" and kind ~= "fig" then
      return nil
    elseif not seen[el.identifier] then
      seen[el.identifier] = true
      return nil
    end
    local problem = problems.new("label-twice", { name = "@" .. el.identifier })
    local call = calls.make({}, {}, el.identifier)
    problems.record(problem, call)
    el.identifier = ""
    return pandoc.Blocks(problems.box(problem, call)) .. pandoc.Blocks({ el })
  end
  return doc:walk({ traverse = "topdown", Table = first, Figure = first, Div = first })
end

--- Number the targets in the order of the text and put the numbers into their captions.
--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc
--- @return table<string, famulus.Target>
function M.number(doc)
  doc = once(doc)
  local targets, counts = {}, { tbl = 0, fig = 0 }
  local by_writer = numbered_by_writer()

  --- @param identifier string
  --- @param kind string
  --- @return pandoc.Inlines name of the next one of this kind
  local function name(identifier, kind)
    counts[kind] = counts[kind] + 1
    local words = pandoc.Inlines({ pandoc.Str(labels.label("crossref." .. kind, page.lang) .. "\u{a0}" .. counts[kind]) })
    targets[identifier] = targets[identifier] or { kind = kind, words = words }
    return words
  end

  --- @param el pandoc.Table|pandoc.Figure
  local function captioned(el)
    local kind = kind_of(el.identifier)
    local caption = el.caption
    if by_writer then
      if by_writer == "all" or #caption.long > 0 then
        local which = el.t == "Table" and "tbl" or "fig"
        name(el.identifier, which)
        return printed.counter(which, counts[which] - 1, el)
      end
      return nil
    elseif not counts[kind] or targets[el.identifier] then
      return nil
    end
    local long = pandoc.Blocks(caption.long)
    prefix(long, name(el.identifier, kind --[[@as string]]))
    el.caption = { long = long, short = caption.short }
    if target.markdown() then
      el.identifier = ""
    end
    return el
  end

  --- @param el pandoc.Table|pandoc.Figure one among others that are not counted
  local function counted(el)
    return kind_of(el.identifier) and captioned(el) or nil
  end

  --- @param div pandoc.Div one that holds a label and its caption together
  --- @return pandoc.Div|pandoc.Blocks|nil
  local function labelled(div)
    local kind = kind_of(div.identifier)
    if not counts[kind] or targets[div.identifier] then
      return nil
    end
    local words = name(div.identifier, kind --[[@as string]])
    -- The caption of a div is its last paragraph, as Quarto has it.
    local last = div.content[#div.content]
    if last and last.t == "RawBlock" then -- the end tag of a line of ours
      last = div.content[#div.content - 1]
    end
    local inner = last and last.t == "Div" and last.content[1] or last
    if inner and (inner.t == "Para" or inner.t == "Plain") then
      inner.content = words .. pandoc.Inlines({ pandoc.Str(":"), pandoc.Space() }) .. inner.content
    else
      div.content:insert(pandoc.Para(words))
    end
    div.content = printed.counted(kind --[[@as string]]) .. div.content
    return target.markdown() and div.content or div
  end

  doc = doc:walk({
    traverse = "topdown",
    Table = captioned,
    Figure = captioned,
    Div = function(div)
      if div.classes:includes(printed.UNNUMBERED) then
        return div:walk({ Div = labelled, Table = counted, Figure = counted }), false
      end
      return labelled(div)
    end,
    Header = function(header)
      if kind_of(header.identifier) == "sec" then
        targets[header.identifier] = { kind = "sec", words = header.content }
      end
    end,
  })
  return doc, targets
end

--- @param citation pandoc.Citation
--- @return boolean
local function is_ours(citation)
  return kind_of(citation.id) ~= nil
end

--- Turn references to numbered targets into links. A reference to nothing stays visible and is recorded.
--- @param doc pandoc.Pandoc
--- @param targets table<string, famulus.Target>
--- @return pandoc.Pandoc
function M.resolve(doc, targets)
  return doc:walk({
    Cite = function(cite)
      if not is_ours(cite.citations[1]) then
        return nil
      end
      local inlines = pandoc.Inlines({})
      for at, citation in ipairs(cite.citations) do
        local found = targets[citation.id]
        if at > 1 then
          inlines:extend({ pandoc.Str(","), pandoc.Space() })
        end
        if found then
          inlines:extend(target.markdown() and found.words or { pandoc.Link(found.words, "#" .. citation.id) })
        else
          local problem = problems.new("reference-unknown", { name = "@" .. citation.id })
          problems.record(problem, calls.make({}, {}, "@" .. citation.id))
          inlines:extend(problems.inline_box(problem))
        end
      end
      return inlines
    end,
  })
end

return M
