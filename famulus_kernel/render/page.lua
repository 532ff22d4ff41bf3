--- What pages may use of Quarto where no Quarto makes them: callouts, tabsets, conditional content, folded code, the
--- shortcodes meta and pagebreak, links to other sources. Runs after the famulus filter, which it shares modules with.
---
--- The renderer says in the environment: FAMULUS_EXTENSION, the folder of our modules; FAMULUS_PROBLEMS, where problems
--- and needed files are written down; FAMULUS_PAGES, a JSON file of the site (its sources, the suffix they get); FAMULUS_PAGE,
--- this page's source.

dofile(pandoc.path.join({ os.getenv("FAMULUS_EXTENSION"), "modules", "load.lua" }))

local locate = require("famulus.locate")
local page = require("famulus.page")
local labels = require("famulus.labels")
local calls = require("famulus.calls")
local target = require("famulus.target")

--- @type {sources: table<string, boolean>, suffix: string}
local site = locate.json(os.getenv("FAMULUS_PAGES")) or { sources = {}, suffix = ".html" }
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
    local blocks = pandoc.Blocks({ pandoc.Para({ pandoc.Strong(title) }) })
    blocks:extend(div.content)
    return pandoc.BlockQuote(blocks)
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

-- Code, links -----------------------------------------------------------------------------------------------------------

--- @param code pandoc.CodeBlock
--- @return pandoc.Block[]|nil
local function fold(code)
  local folded = code.attributes["code-fold"] == "true" or code.classes:includes("cell-code")
  if not folded or not target.html() then
    return nil
  end
  local words = code.attributes["code-summary"] or labels.label("page.source", page.lang)
  return { pandoc.RawBlock("html", '<details class="code-fold"><summary>'), pandoc.Plain({ pandoc.Str(words) }),
    pandoc.RawBlock("html", "</summary>"), code, pandoc.RawBlock("html", "</details>") }
end

--- @param address string
--- @return boolean
local function is_local(address)
  return address ~= "" and not address:match("^%a[%w+.-]*:") and not address:match("^[#/?]") and not address:match("^//")
end

--- @param address string
local function needs(address)
  if is_local(address) then
    report({ resource = address:gsub("[#?].*$", "") })
  end
end

--- Turn a link to another page's source into one to what is made of it.
--- @param link pandoc.Link
--- @return pandoc.Link|nil
local function replace_link(link)
  local path, rest = link.target:match("^([^#?]*)(.*)$")
  local source = os.getenv("FAMULUS_PAGE") or ""
  local folder = pandoc.path.directory(source)
  local depth = select(2, source:gsub("/", ""))
  local from_root = path:sub(1, 1) == "/"
  local named = from_root and path:sub(2) or pandoc.path.join({ folder, path })
  local whole = pandoc.path.normalize(named):gsub("\\", "/")
  local parts = {}
  for part in whole:gmatch("[^/]+") do
    if part == ".." and #parts > 0 then
      table.remove(parts)
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  if path ~= "" and site.sources[table.concat(parts, "/")] then
    local address = from_root and string.rep("../", depth) .. path:sub(2) or path
    link.target = address:gsub("%.%w+$", site.suffix) .. rest
    return link
  end
  needs(link.target)
end

--- @param raw pandoc.RawBlock|pandoc.RawInline
local function raw_resources(raw)
  if raw.format == "html" then
    for address in raw.text:gmatch("%ssrc%s*=%s*[\"']([^\"']+)[\"']") do
      needs(address)
    end
    for address in raw.text:gmatch("%shref%s*=%s*[\"']([^\"']+)[\"']") do
      needs(address)
    end
  end
end

--- Markdown has no title but a heading.
--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc|nil
local function title_as_heading(doc)
  if not target.markdown() or not doc.meta.title then
    return nil
  end
  local head = pandoc.Blocks({ pandoc.Header(1, doc.meta.title) })
  if doc.meta.subtitle then
    head:insert(pandoc.Para({ pandoc.Emph(doc.meta.subtitle) }))
  end
  doc.blocks = head .. doc.blocks
  return doc
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
  {
    Div = replace_div,
    CodeBlock = fold,
    Link = replace_link,
    Image = function(image) needs(image.src) end,
    RawBlock = raw_resources,
    RawInline = raw_resources,
  },
  { Pandoc = title_as_heading },
}
