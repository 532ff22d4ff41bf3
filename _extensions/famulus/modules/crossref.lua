--- Cross-references where no Quarto resolves them: tables and figures are numbered, `@tbl-x` and `@fig-x` become links.

local labels = require("famulus.labels")
local page = require("famulus.page")
local problems = require("famulus.problems")
local target = require("famulus.target")

local M = {}

--- @class famulus.Target
--- @field kind string "tbl", "fig" or "sec"
--- @field words pandoc.Inlines what a reference to it reads

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

--- Number the targets in the order of the text and put the numbers into their captions.
--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc
--- @return table<string, famulus.Target>
function M.number(doc)
  local targets, counts = {}, { tbl = 0, fig = 0 }

  --- @param identifier string
  --- @return pandoc.Inlines|nil name of a new target
  local function name(identifier)
    local kind = kind_of(identifier)
    if not kind or kind == "sec" or targets[identifier] then
      return nil
    end
    counts[kind] = counts[kind] + 1
    local words = pandoc.Inlines({ pandoc.Str(labels.label("crossref." .. kind, page.lang) .. "\u{a0}" .. counts[kind]) })
    targets[identifier] = { kind = kind, words = words }
    return words
  end

  --- @param el pandoc.Table|pandoc.Figure
  local function captioned(el)
    local words = name(el.identifier)
    if not words then
      return nil
    end
    local caption = el.caption
    local long = pandoc.Blocks(caption.long)
    prefix(long, words)
    el.caption = { long = long, short = caption.short }
    return el
  end

  doc = doc:walk({
    traverse = "topdown",
    Table = captioned,
    Figure = captioned,
    Div = function(div)
      local words = name(div.identifier)
      if not words then
        return nil
      end
      -- The caption of a div is its last paragraph, as Quarto has it.
      local last = div.content[#div.content]
      local inner = last and last.t == "Div" and last.content[1] or last
      if inner and inner.t == "Para" then
        inner.content = words .. pandoc.Inlines({ pandoc.Str(":"), pandoc.Space() }) .. inner.content
      else
        div.content:insert(pandoc.Para(words))
      end
      return div
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
          problems.record(problem, nil)
          inlines:extend(problems.inline_box(problem))
        end
      end
      return inlines
    end,
  })
end

return M
