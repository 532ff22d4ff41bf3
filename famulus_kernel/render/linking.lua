--- What a page has to do with other files: links to sources become links to pages, and images and data are written down so
--- that the renderer copies them. Runs after the famulus filter, whose links it turns too.
---
--- The renderer says in the environment: FAMULUS_EXTENSION, the folder of our modules; FAMULUS_PROBLEMS, where needed files
--- are written down; FAMULUS_PAGES, a JSON file of the site (its sources, the suffix they get); FAMULUS_PAGE, this page.

dofile(pandoc.path.join({ os.getenv("FAMULUS_EXTENSION"), "modules", "load.lua" }))

local locate = require("famulus.locate")
local target = require("famulus.target")

--- @type {sources: table<string, boolean>, suffix: string}
local site = locate.json(os.getenv("FAMULUS_PAGES")) or { sources = {}, suffix = ".html" }

--- @param path string
local function write_down(path)
  local file = io.open(os.getenv("FAMULUS_PROBLEMS") or "", "ab")
  if file then
    file:write(pandoc.json.encode({ resource = path }), "\n")
    file:close()
  end
end

--- @param address string
--- @return boolean
local function is_local(address)
  return address ~= "" and not address:match("^%a[%w+.-]*:") and not address:match("^[#/?]") and not address:match("^//")
end

--- @param address string
local function needs(address)
  if is_local(address) then
    write_down(address:gsub("[#?].*$", ""))
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

--- The anchor of a block that shows nothing has no room: typst would leave a line for it, and part a heading from its text.
--- @param div pandoc.Div
--- @return pandoc.Block|nil
local function replace_anchor(div)
  if target.typst() and #div.content == 0 and div.identifier ~= "" then
    local label = div.identifier:gsub('[\\"]', "\\%0")
    return pandoc.RawBlock("typst", '#metadata(none) #label("' .. label .. '")')
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
    Link = replace_link,
    Div = replace_anchor,
    Image = function(image) needs(image.src) end,
    RawBlock = raw_resources,
    RawInline = raw_resources,
  },
  { Pandoc = title_as_heading },
}
