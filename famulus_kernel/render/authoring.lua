--- What authors may use of Quarto where no Quarto makes the page: callouts, tabsets, conditional content, folded code, the
--- shortcodes meta and pagebreak. Runs before the famulus filter, so that it sees what authors wrote and no data.
---
--- The renderer says in the environment: FAMULUS_EXTENSION, the folder of our modules; FAMULUS_PROBLEMS, where problems
--- are written down.

dofile(pandoc.path.join({ os.getenv("FAMULUS_EXTENSION"), "modules", "load.lua" }))

local page = require("famulus.page")
local labels = require("famulus.labels")
local calls = require("famulus.calls")
local printed = require("famulus.printed")
local target = require("famulus.target")

--- @type table meta of the document
local meta = {}

--- Write a line for the renderer.
--- @param record table
local function report(record)
  local path = os.getenv("FAMULUS_PROBLEMS")
  local file = path and io.open(path, "ab")
  if file then
    file:write(pandoc.json.encode(record), "\n")
    file:close()
  end
end

--- @param message string
--- @param shortcode string
local function warn(message, shortcode)
  report({ document = page.document, message = message, shortcode = shortcode, code = "page", hint = "",
    severity = "warning" })
end

-- Shortcodes of Quarto --------------------------------------------------------------------------------------------------

--- @param name string dotted key
--- @return any
local function meta_at(name)
  local here = meta
  for part in name:gmatch("[^.]+") do
    here = type(here) == "table" and here[part] or nil
  end
  return here
end

local PAGEBREAKS = {
  latex = { "latex", "\\newpage{}" },
  typst = { "typst", "#pagebreak()" },
  docx = { "openxml", '<w:p><w:r><w:br w:type="page"/></w:r></w:p>' },
  html = { "html", '<div class="page-break"></div>' },
}

--- @return pandoc.Block
local function pagebreak()
  local raw = PAGEBREAKS[FORMAT:match("^%a+")] or (target.html() and PAGEBREAKS.html)
  return raw and pandoc.RawBlock(raw[1], raw[2]) or pandoc.HorizontalRule()
end

--- Find `{{< name … >}}` among inlines.
--- @param inlines pandoc.Inlines
--- @param from integer
--- @return integer|nil first, integer|nil last, string[]|nil words, string|nil before, string|nil after
local function shortcode(inlines, from)
  for first = from, #inlines do
    local el = inlines[first]
    local before = el.t == "Str" and el.text:match("^(.-){{<$")
    if before and not before:match("{$") then
      for last = first + 1, #inlines do
        local close = inlines[last]
        local after = close.t == "Str" and close.text:match("^>}}(.*)$")
        if after and not after:match("^}") then
          local text = pandoc.Inlines({})
          for at = first + 1, last - 1 do
            text:insert(inlines[at])
          end
          return first, last, (calls.words(calls.source(text))), before, after
        end
      end
    end
  end
end

--- @param words string[]
--- @return pandoc.Inlines|nil
local function expand(words)
  if words[1] == "meta" and words[2] then
    local value = meta_at(words[2])
    if type(value) == "boolean" or type(value) == "string" then
      return pandoc.Inlines({ pandoc.Str(tostring(value)) })
    elseif value ~= nil then
      return pandoc.utils.type(value) == "Inlines" and value or pandoc.Inlines(pandoc.utils.stringify(value))
    end
    warn("the page has no metadata " .. words[2], "{{< " .. table.concat(words, " ") .. " >}}")
    return pandoc.Inlines({ pandoc.Strong({ pandoc.Str("?meta:" .. words[2]) }) })
  elseif words[1] ~= "famulus" then
    warn("the shortcode " .. tostring(words[1]) .. " needs Quarto; it stands on the page as text",
      "{{< " .. table.concat(words, " ") .. " >}}")
  end
end

--- @param inlines pandoc.Inlines
--- @return pandoc.Inlines|nil
local function expand_all(inlines)
  local result, at, changed = pandoc.Inlines({}), 1, false
  while true do
    local first, last, words, before, after = shortcode(inlines, at)
    if not first then
      break
    end
    local expanded = expand(words)
    for index = at, expanded and first - 1 or last do
      result:insert(inlines[index])
    end
    if expanded then
      changed = true
      result:extend({ pandoc.Str(before), pandoc.Span(expanded), pandoc.Str(after) })
    end
    at = last + 1
  end
  if not changed then
    return nil
  end
  for index = at, #inlines do
    result:insert(inlines[index])
  end
  return result
end

--- @param el pandoc.Para
--- @return pandoc.Block|nil
local function lone_shortcode(el)
  local first, last, words = shortcode(el.content, 1)
  if first == 1 and last == #el.content and words[1] == "pagebreak" then
    return pagebreak()
  end
end

-- Divs ------------------------------------------------------------------------------------------------------------------

local CALLOUTS = { note = true, tip = true, warning = true, important = true, caution = true }

--- @param div pandoc.Div
--- @return string|nil
local function callout_kind(div)
  for _, class in ipairs(div.classes) do
    local kind = class:match("^callout%-(%a+)$")
    if CALLOUTS[kind] then
      return kind
    end
  end
end

--- @param div pandoc.Div
--- @param kind string
--- @return pandoc.Block|pandoc.Block[]
local function callout(div, kind)
  local title = div.attributes.title and pandoc.Inlines(div.attributes.title)
  local first = div.content[1]
  if not title and first and first.t == "Header" then
    title = first.content
    div.content:remove(1)
  end
  title = title or pandoc.Inlines(labels.label("callout." .. kind, page.lang))
  local collapse = div.attributes.collapse
  if not target.html() then
    local heading, attributes = printed.heading(pandoc.Para({ pandoc.Strong(title) }))
    local head = #attributes > 0 and pandoc.Blocks({ pandoc.Div(heading, pandoc.Attr("", {}, attributes)) }) or heading
    return pandoc.BlockQuote(head .. div.content)
  end
  local attr = pandoc.Attr(div.identifier, { "callout", "callout-" .. kind }, { { "role", "note" } })
  if collapse == "true" or collapse == "false" then
    local open = collapse == "false" and " open" or ""
    local head = pandoc.Blocks({ pandoc.RawBlock("html", "<details" .. open .. '><summary class="callout-title">'),
      pandoc.Plain(title), pandoc.RawBlock("html", "</summary>") })
    return pandoc.Div(head .. div.content .. pandoc.Blocks({ pandoc.RawBlock("html", "</details>") }), attr)
  end
  local head = pandoc.Blocks({ pandoc.RawBlock("html", '<p class="callout-title">'), pandoc.Plain(title),
    pandoc.RawBlock("html", "</p>") })
  return pandoc.Div(head .. div.content, attr)
end

--- Tabs are headings with what follows them; the page's script makes tabs of them, without it they are sections.
--- @param div pandoc.Div
--- @return pandoc.Block
local function tabset(div)
  if not target.html() then
    return pandoc.Div(div.content)
  end
  local blocks, panel = pandoc.Blocks({}), nil
  for _, block in ipairs(div.content) do
    if block.t == "Header" then
      panel = pandoc.Div({}, pandoc.Attr("", { "tab" }))
      panel.content:extend({ pandoc.RawBlock("html", '<p class="tab-title">'), pandoc.Plain(block.content),
        pandoc.RawBlock("html", "</p>") })
      blocks:insert(panel)
    elseif panel then
      panel.content:insert(block)
      blocks[#blocks] = panel
    end
  end
  return pandoc.Div(blocks, pandoc.Attr(div.identifier, { "panel-tabset" }))
end

--- @param attributes table
--- @return boolean
local function holds(attributes)
  local wanted = attributes["when-format"]
  local unwanted = attributes["unless-format"]
  local function is(format)
    return format == FORMAT:match("^%a+") or (format == "html" and target.html()) or (format == "pdf" and target.latex())
  end
  return (wanted == nil or is(wanted)) and (unwanted == nil or not is(unwanted))
end

--- @param div pandoc.Div
--- @return pandoc.Block|pandoc.Block[]|nil
local function replace_div(div)
  local kind = callout_kind(div)
  if target.markdown() and div.classes:includes("famulus-cell") then
    return div.content
  elseif kind then
    return callout(div, kind)
  elseif div.classes:includes("panel-tabset") then
    return tabset(div)
  elseif div.classes:includes("content-visible") then
    return holds(div.attributes) and div.content or {}
  elseif div.classes:includes("content-hidden") then
    local always = not div.attributes["when-format"] and not div.attributes["unless-format"]
    return (always or holds(div.attributes)) and {} or div.content
  end
end

-- Code ----------------------------------------------------------------------------------------------------------------

--- Return what is said of an option: by the code itself, else by the page or the site.
--- @param code pandoc.CodeBlock
--- @param name string
--- @return string|nil
local function option(code, name)
  local html = type(meta.format) == "table" and type(meta.format.html) == "table" and meta.format.html or {}
  for _, value in ipairs({ code.attributes[name] or "", html[name] == nil and "" or html[name],
    meta[name] == nil and "" or meta[name] }) do
    local said = type(value) == "boolean" and tostring(value) or pandoc.utils.stringify(value)
    if said ~= "" then
      return said
    end
  end
end

--- Fold code: `code-fold` true, false, or show for what begins open. The source of a block is folded unless it says false.
--- @param code pandoc.CodeBlock
--- @return pandoc.Block[]|nil
local function fold(code)
  local how = code.attributes["code-fold"]
  if code.classes:includes("cell-code") then
    how = option(code, "code-fold") or "true"
  end
  if not target.html() or (how ~= "true" and how ~= "show") then
    return nil
  end
  local words = option(code, "code-summary") or labels.label("page.source", page.lang)
  local open = how == "show" and " open" or ""
  return { pandoc.RawBlock("html", '<details class="code-fold"' .. open .. "><summary>"),
    pandoc.Plain({ pandoc.Str(words) }), pandoc.RawBlock("html", "</summary>"), code,
    pandoc.RawBlock("html", "</details>") }
end

return {
  {
    Meta = function(found)
      meta = found
      page.configure(function(key) return found[key] end, true)
    end,
  },
  { Para = lone_shortcode, Plain = lone_shortcode },
  { Inlines = expand_all },
  { Div = replace_div, CodeBlock = fold },
}
