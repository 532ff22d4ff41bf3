--- The table of contents of a docx. Pandoc leaves its entries to Word, and every other program shows none; here it has them,
--- as links, in a field that Word fills with the numbers of pages. Runs after all that makes headings.
---
--- The renderer says in the metadata: famulus-contents, how many levels of headings it shows.

dofile(pandoc.path.join({ os.getenv("FAMULUS_EXTENSION"), "modules", "load.lua" }))

local labels = require("famulus.labels")
local page = require("famulus.page")

local BEGIN = '<w:r><w:fldChar w:fldCharType="begin" w:dirty="true"/></w:r><w:r><w:instrText xml:space="preserve">TOC \\o '
  .. '"1-%d" \\h \\z \\u</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>'
local END = '<w:r><w:fldChar w:fldCharType="end"/></w:r>'

--- @param style string
--- @param inlines pandoc.Inlines
--- @return pandoc.Div
local function styled(style, inlines)
  return pandoc.Div({ pandoc.Para(inlines) }, pandoc.Attr("", {}, { { "custom-style", style } }))
end

--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc|nil
local function place_contents(doc)
  local depth = tonumber(doc.meta["famulus-contents"] and pandoc.utils.stringify(doc.meta["famulus-contents"]))
  doc.meta["famulus-contents"], doc.meta.toc = nil, nil
  local lines, levels = pandoc.List({}), pandoc.List({})
  doc:walk({ Header = function(header)
    if depth and header.level <= depth and header.identifier ~= "" and not header.classes:includes("unlisted") then
      local words = header.content:walk({ Note = function() return {} end, Link = function(link) return link.content end })
      lines:insert(pandoc.Inlines({ pandoc.Link(words, "#" .. header.identifier) }))
      levels:insert(header.level)
    end
  end })
  if #lines == 0 then
    return doc
  end
  lines[1]:insert(1, pandoc.RawInline("openxml", BEGIN:format(depth)))
  lines[#lines]:insert(pandoc.RawInline("openxml", END))
  local title = doc.meta["toc-title"] and pandoc.utils.stringify(doc.meta["toc-title"]) or labels.label("contents", page.lang)
  local top = math.min(table.unpack(levels))
  local blocks = pandoc.Blocks({ styled("TOC Heading", pandoc.Inlines({ pandoc.Str(title) })) })
  for at, line in ipairs(lines) do
    blocks:insert(styled("toc " .. levels[at] - top + 1, line))
  end
  doc.blocks = blocks .. doc.blocks
  return doc
end

return { {
  Pandoc = function(doc)
    page.configure(function(key) return doc.meta[key] end, true)
    return place_contents(doc)
  end,
} }
