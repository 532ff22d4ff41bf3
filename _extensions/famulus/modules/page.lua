--- The page that is being made: its language, its project, and what its metadata says about us.

local locate = require("famulus.locate")
local target = require("famulus.target")

local M = {}

--- @type string BCP 47 tag of the document
M.lang = "en"
--- @type string path of the source as people name it
M.document = "-"
--- @type string folder of the source, absolute
M.folder = "."
--- @type string the project's folder
M.root = "."
--- @type boolean do problems pass as warnings (`on-error: warn`)?
M.lenient = false
--- @type boolean
M.mark_stale = true
--- @type boolean are credits printed at the end?
M.credits = true
--- @type boolean is the page one file that is sent alone (`embed-resources`)? Quarto's engine says so.
M.alone = false
--- @type table<string, string> projects that references may name, with their paths
M.uses = {}

local configured = false

--- @param value any
--- @return string|nil
local function as_text(value)
  if value == nil or type(value) == "boolean" then
    return nil
  end
  local text = pandoc.utils.stringify(value)
  return text ~= "" and text or nil
end

--- Read a switch whose bare `false` must not be taken for an absent key.
--- @param value any
--- @param default boolean
--- @return boolean
local function as_switch(value, default)
  if type(value) == "boolean" then
    return value
  end
  local text = as_text(value)
  if text == nil then
    return default
  end
  return not (text == "false" or text == "no")
end

--- @return string path of the source, absolute where it is known
local function source()
  local given = os.getenv("FAMULUS_DOCUMENT")
  if given and given ~= "" then
    return given
  elseif target.quarto() and quarto.doc.input_file then
    return quarto.doc.input_file
  end
  return PANDOC_STATE and PANDOC_STATE.input_files and PANDOC_STATE.input_files[1] or "-"
end

--- @param path string
--- @return string
local function absolute(path)
  if pandoc.path.is_absolute(path) then
    return pandoc.path.normalize(path)
  end
  return pandoc.path.normalize(pandoc.path.join({ pandoc.system.get_working_directory(), path }))
end

--- Learn what the page is. The first caller wins: the filter, which sees all metadata, or else the shortcode.
--- @param get fun(key: string): any reads a key of the metadata
--- @param again boolean|nil take this reading although there was one
function M.configure(get, again)
  if configured and not again then
    return
  end
  configured = true
  local ours = get("famulus")
  ours = type(ours) == "table" and ours or {}
  local path = source()
  local whole = absolute(path)
  M.lang = as_text(get("lang")) or M.lang
  M.folder = pandoc.path.directory(whole)
  M.root = locate.root(M.folder)
  M.document = path == "-" and path or pandoc.path.make_relative(whole, M.root)
  M.lenient = as_text(ours["on-error"]) == "warn"
  M.mark_stale = as_switch(ours["mark-stale"], true)
  M.credits = as_switch(get("credits"), true) and as_switch(ours.credits, true)
  M.alone = as_switch(get("famulus-alone"), false)
  for project, folder in pairs(type(ours.uses) == "table" and ours.uses or {}) do
    M.uses[project] = as_text(folder)
  end
end

--- Return the folder of another project that references may name.
--- @param project string
--- @return string|nil folder absolute
function M.folder_of(project)
  local index = locate.index(M.root)
  if index.project == project then
    return M.root
  end
  local path = M.uses[project] or (type(index.uses) == "table" and index.uses[project]) or nil
  if type(path) ~= "string" then
    return nil
  end
  if path:sub(1, 2) == "~/" then
    path = pandoc.path.join({ os.getenv("HOME") or "", path:sub(3) })
  end
  return pandoc.path.is_absolute(path) and path or pandoc.path.normalize(pandoc.path.join({ M.root, path }))
end

return M
