--- Files of the store that a page shows or links to: figures and full tables.
---
--- In Quarto they are resources of the site and keep their place; those of a store outside of it are copied to
--- `_famulus/files`. The embedded renderer names a folder beside the pages (FAMULUS_RESOURCES) and its address from this
--- page (FAMULUS_RESOURCES_URL): they are copied there. In plain pandoc an image goes into the mediabag, and everything is
--- addressed where it lies.

local home = require("famulus.home")
local locate = require("famulus.locate")
local page = require("famulus.page")
local problems = require("famulus.problems")
local target = require("famulus.target")

local M = {}

local CHUNK = 1024 * 1024
--- @type integer bytes of a table that is put into a page which is one file (`render/embedding.py` has the same)
local LARGEST_TABLE = 1000000
local MIME = { svg = "image/svg+xml", png = "image/png", jpg = "image/jpeg", jpeg = "image/jpeg", pdf = "application/pdf",
  csv = "text/csv", parquet = "application/vnd.apache.parquet" }

--- Write a path as an address.
--- @param path string
--- @return string
local function as_url(path)
  return (path:gsub("\\", "/"):gsub("[^%w/._~%-]", function(c)
    return string.format("%%%02X", c:byte())
  end))
end

--- @param path string
--- @return integer|nil
local function size_of(path)
  local file = io.open(path, "rb")
  if not file then
    return nil
  end
  local size = file:seek("end")
  file:close()
  return size
end

--- Copy a file, piece by piece, so that the target is there whole or not at all.
--- @param from string
--- @param to string
--- @return boolean
local function copy(from, to)
  local source = io.open(from, "rb")
  local made = pcall(pandoc.system.make_directory, pandoc.path.directory(to), true)
  local partial = to .. "." .. pandoc.utils.sha1(tostring(source) .. os.time() .. os.clock()):sub(1, 12) .. ".part"
  local sink = source and made and io.open(partial, "wb")
  if not source or not sink then
    return false
  end
  for chunk in function() return source:read(CHUNK) end do
    sink:write(chunk)
  end
  source:close()
  sink:close()
  return os.rename(partial, to) ~= nil
end

--- Return the path of `path` seen from the folder of the page that is written.
--- @param path string absolute
--- @return string
local function from_page(path)
  local folder = page.folder
  if not target.quarto() and PANDOC_STATE and PANDOC_STATE.output_file then
    local output = PANDOC_STATE.output_file
    folder = pandoc.path.directory(pandoc.path.is_absolute(output) and output
      or pandoc.path.join({ pandoc.system.get_working_directory(), output }))
  end
  return (pandoc.path.make_relative(path, folder, true):gsub("\\", "/"))
end

--- Where a file is copied that lies outside of the website which Quarto makes: it takes resources from its own folder only.
--- @param path string absolute
--- @return string|nil folder nil where Quarto can take it as it lies
local function beyond_quarto(path)
  local project = target.quarto() and quarto.project and quarto.project.directory or nil
  local outside = project and pandoc.path.make_relative(path, project) == path
  -- A page of no website has its own folder for a project, and is read where it lies.
  for _, name in ipairs(outside and { "_quarto.yml", "_quarto.yaml" } or {}) do
    if locate.exists(pandoc.path.join({ project, name })) then
      return pandoc.path.join({ project, "_famulus", "files" })
    end
  end
end

--- Make a file of a version reachable from the page and return its address.
--- @param found famulus.Found
--- @param file string relative to the version's folder
--- @return string|nil url, famulus.Problem|nil
function M.url(found, file)
  local shown = found.block.id .. " " .. found.version .. ": " .. tostring(file)
  if not locate.is_inside(file) then
    return nil, problems.new("unreadable", { file = shown, why = "path" })
  end
  local path = pandoc.path.join({ found.folder, file })
  local size = size_of(path)
  if not size then
    return nil, problems.new("file-missing", { file = shown })
  end
  local folder = os.getenv("FAMULUS_RESOURCES")
  local embedded = folder ~= nil and folder ~= ""
  folder = embedded and folder or beyond_quarto(path)
  if folder then
    local name = table.concat({ found.block.id, found.version, (file:gsub("^artefacts/", "")) }, "/")
    if found.block.root ~= page.root then -- two projects may have one block id
      local project = locate.index(found.block.root).project
      name = (locate.is_inside(project) and project or "other") .. "/" .. name
    end
    local copied = pandoc.path.join({ folder, name })
    -- Versions do not change: a copy of the same size is the same file.
    if size_of(copied) ~= size and not copy(path, copied) then
      return nil, problems.new("file-missing", { file = shown })
    elseif embedded then
      return (os.getenv("FAMULUS_RESOURCES_URL") or "") .. as_url(name)
    end
    path = copied
  end
  local relative = from_page(path)
  if target.quarto() then
    quarto.doc.add_resource(relative)
  end
  return as_url(relative)
end

--- Make a file of a version one that readers can take from the page: in a page that is sent alone it is part of it.
--- @param found famulus.Found
--- @param file string relative to the version's folder
--- @return string|nil url
--- @return string name under which it is kept, "" for its own
--- @return famulus.Problem|nil
function M.offered(found, file)
  local path = pandoc.path.join({ found.folder, file })
  local size = page.alone and target.quarto() and target.html() and locate.is_inside(file) and size_of(path) or nil
  local table_file = size and size <= LARGEST_TABLE and io.open(path, "rb")
  if not table_file then
    local url, problem = M.url(found, file)
    return url, "", problem
  end
  local content = table_file:read("a")
  table_file:close()
  local kind = MIME[(file:match("%.(%w+)$") or ""):lower()] or "application/octet-stream"
  return "data:" .. kind .. ";base64," .. quarto.base64.encode(content), pandoc.path.filename(file)
end

--- Make a file of the extension itself reachable from the page and return its address.
--- @param file string relative to the extension's folder
--- @return string|nil url
function M.own(file)
  local path = pandoc.path.join({ home.folder, file })
  local folder = os.getenv("FAMULUS_RESOURCES")
  if folder and folder ~= "" then
    -- Always anew: a later release may have another file of the same size.
    local copied = copy(path, pandoc.path.join({ folder, file }))
    return copied and (os.getenv("FAMULUS_RESOURCES_URL") or "") .. as_url(file) or nil
  end
  return as_url(from_page(path))
end

--- Make an image of a version reachable and return what an Image element names as its source.
--- @param found famulus.Found
--- @param file string relative to the version's folder
--- @return string|nil source, famulus.Problem|nil
function M.image(found, file)
  local url, problem = M.url(found, file)
  if not url or target.quarto() or os.getenv("FAMULUS_RESOURCES") then
    return url, problem
  end
  local image = io.open(pandoc.path.join({ found.folder, file }), "rb")
  if image then
    pandoc.mediabag.insert(url, MIME[(file:match("%.(%w+)$") or ""):lower()], image:read("a"))
    image:close()
  end
  return url
end

return M
