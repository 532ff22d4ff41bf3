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

--- @param path string
--- @return string
local function decoded(path)
  return (path:gsub("%%(%x%x)", function(code) return string.char(tonumber(code, 16)) end))
end

--- Return a path from the page's folder, or with a slash from the site's root, as one from the root.
--- @param path string
--- @return string
local function from_root(path)
  local folder = pandoc.path.directory(os.getenv("FAMULUS_PAGE") or "")
  local named = path:sub(1, 1) == "/" and path:sub(2) or pandoc.path.join({ folder, path })
  local parts = {}
  for part in pandoc.path.normalize(named):gsub("\\", "/"):gmatch("[^/]+") do
    if part == ".." and #parts > 0 then
      table.remove(parts)
    elseif part ~= "." then
      parts[#parts + 1] = part
    end
  end
  return table.concat(parts, "/")
end

--- @param path string relative to the site
--- @return boolean
local function is_there(path)
  local page, source = os.getenv("FAMULUS_DOCUMENT") or "", os.getenv("FAMULUS_PAGE") or ""
  local file = io.open(page:sub(1, #page - #source) .. path, "rb")
  return file ~= nil and file:close()
end

--- Return an address as the made page needs it: that of a page's source becomes that of the page, and one that starts at
--- the site's root starts at the page. What it needs besides pages is written down.
--- @param address string
--- @return string
local function turned(address)
  local path, rest = address:match("^([^#?]*)(.*)$")
  if path == "" or path:match("^//") or path:match("^%a[%w+.-]*:") then
    return address
  end
  local is_page = site.sources[from_root(path)] or site.sources[from_root(decoded(path))]
  if path:sub(1, 1) == "/" and (is_page or is_there(from_root(decoded(path)))) then
    path = string.rep("../", select(2, (os.getenv("FAMULUS_PAGE") or ""):gsub("/", ""))) .. path:sub(2)
  end
  if is_page then
    return path:gsub("%.%w+$", site.suffix) .. rest
  end
  needs(path)
  return path .. rest
end

--- @param link pandoc.Link
--- @return pandoc.Link
local function replace_link(link)
  link.target = turned(link.target)
  return link
end

--- @param image pandoc.Image
--- @return pandoc.Image
local function replace_image(image)
  image.src = turned(image.src)
  return image
end

--- The same for what the author wrote as HTML.
--- @param raw pandoc.RawBlock|pandoc.RawInline
--- @return pandoc.RawBlock|pandoc.RawInline|nil
local function raw_resources(raw)
  if raw.format ~= "html" then
    return nil
  end
  for _, name in ipairs({ "href", "src" }) do
    raw.text = raw.text:gsub("(%s" .. name .. "%s*=%s*[\"'])([^\"']+)", function(before, address)
      return before .. turned(address)
    end)
  end
  return raw
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
    Image = replace_image,
    RawBlock = raw_resources,
    RawInline = raw_resources,
  },
  { Pandoc = title_as_heading },
}
