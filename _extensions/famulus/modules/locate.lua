--- Where a block's versions lie: from the page up to the project, through the index to one folder, and one listing of it.

local M = {}

local PROJECT_FILE = "famulus.yml"
local STORE = "_famulus"

--- @type table<string, any> contents of JSON files by path, for the whole run
local read = {}

--- Take the nulls out of objects, so that an absent key and an empty one are the same; lists keep theirs.
--- @param value any
--- @return any
local function without_nulls(value)
  if type(value) == "table" then
    local list = #value > 0
    for key, item in pairs(value) do
      if item == pandoc.json.null and not list then
        value[key] = nil
      else
        without_nulls(item)
      end
    end
  end
  return value
end

--- Read a JSON file once.
--- @param path string
--- @return any value nil where there is no such file
--- @return string|nil problem why it cannot be read, where it is there
function M.json(path)
  local known = read[path]
  if not known then
    known = {}
    local file = io.open(path, "rb")
    if file then
      local ok, value, why = pcall(pandoc.json.decode, file:read("a"), false)
      file:close()
      known = ok and value ~= nil and { value = without_nulls(value) }
        or { problem = tostring((ok and why or value) or "no JSON"):match("^[^\n]*") }
    end
    read[path] = known
  end
  return known.value, known.problem
end

--- Is there a file that can be read?
--- @param path string
--- @return boolean
function M.exists(path)
  local file = io.open(path, "rb")
  if file then
    file:close()
  end
  return file ~= nil
end

--- Return the project's folder: the nearest ancestor with famulus.yml; without one, the page's own folder, whose store
--- is then that of a lone notebook.
--- @param folder string absolute
--- @return string
function M.root(folder)
  local here = folder
  while true do
    if M.exists(pandoc.path.join({ here, PROJECT_FILE })) then
      return here
    end
    local above = pandoc.path.directory(here)
    if above == here or above == "." or above == "" then
      return folder
    end
    here = above
  end
end

--- Is the path inside the folder it is relative to?
--- @param path any
--- @return boolean
function M.is_inside(path)
  if type(path) ~= "string" or path == "" or path:find("[\\%z]") or path:match("^/") or path:match("^%a:") then
    return false
  end
  for part in path:gmatch("[^/]+") do
    if part == ".." then
      return false
    end
  end
  return true
end

--- @param folder string
--- @return string[] names empty where there is no such folder
local function listing(folder)
  local ok, names = pcall(pandoc.system.list_directory, folder)
  return ok and names or {}
end

--- @param root string
--- @return table index the empty index where there is none
--- @return string|nil problem
function M.index(root)
  local index, problem = M.json(pandoc.path.join({ root, STORE, "index.json" }))
  return type(index) == "table" and index or { blocks = {}, uses = {}, aliases = {}, missing = true }, problem
end

--- What `famulus-notebook status` last found of each block.
--- @param root string
--- @return table<string, {state: string, since: string, reasons: string[]}>
function M.states(root)
  local status = M.json(pandoc.path.join({ root, STORE, "status.json" }))
  return type(status) == "table" and type(status.blocks) == "table" and status.blocks or {}
end

--- Find the folder of a block without an index: one listing for each notebook of the store.
--- @param root string
--- @param block string
--- @return string[] folders relative to the root
local function folders_of(root, block)
  local found = {}
  for _, notebook in ipairs(listing(pandoc.path.join({ root, STORE, "store" }))) do
    local folder = table.concat({ STORE, "store", notebook, block }, "/")
    if #listing(pandoc.path.join({ root, folder })) > 0 then
      found[#found + 1] = folder
    end
  end
  return found
end

--- Make NFC of text with combining marks, as the index has its ids: pandoc's LaTeX reader composes accents.
--- @param text string
--- @return string
local function composed(text)
  local accents = { ["\u{300}"] = "`", ["\u{301}"] = "'", ["\u{302}"] = "^", ["\u{303}"] = "~", ["\u{304}"] = "=",
    ["\u{306}"] = "u", ["\u{307}"] = ".", ["\u{308}"] = '"', ["\u{30a}"] = "r", ["\u{30b}"] = "H", ["\u{30c}"] = "v",
    ["\u{327}"] = "c", ["\u{328}"] = "k" }
  return (text:gsub("(%a)(\xCC[\x80-\xBF])", function(letter, mark)
    local accent = accents[mark]
    return accent and pandoc.utils.stringify(pandoc.read("\\" .. accent .. "{" .. letter .. "}", "latex")) or nil
  end))
end

--- @class famulus.Block
--- @field id string
--- @field folder string absolute
--- @field notebook string
--- @field root string

--- Find a block of a project.
--- @param root string
--- @param id string
--- @return famulus.Block|nil
--- @return string|nil code what is wrong: block-unknown, block-ambiguous, unreadable
--- @return table|nil facts for the message
function M.block(root, id)
  local index, problem = M.index(root)
  if problem then
    return nil, "unreadable", { file = "_famulus/index.json", why = problem }
  end
  local blocks = type(index.blocks) == "table" and index.blocks or {}
  local aliases = type(index.aliases) == "table" and index.aliases or {}
  local name = id
  for _, candidate in ipairs({ id, aliases[id] or id, id:find("\xCC") and composed(id) or id }) do
    name = blocks[candidate] and candidate or name
  end
  local entry = blocks[name]
  if type(entry) == "table" and M.is_inside(entry.folder) then
    return { id = name, folder = pandoc.path.join({ root, entry.folder }), notebook = entry.notebook, root = root }
  end
  local folders = index.missing and folders_of(root, id) or {}
  if #folders > 1 then
    return nil, "block-ambiguous", { folders = table.concat(folders, ", ") }
  elseif #folders == 1 then
    return { id = id, folder = pandoc.path.join({ root, folders[1] }), notebook = folders[1]:match("([^/]+)/[^/]+$"),
      root = root }
  end
  local known = {}
  for key in pairs(blocks) do
    known[#known + 1] = key
  end
  return nil, "block-unknown", { known = known }
end

--- @type table<string, integer[]> version numbers by block folder, newest first
local numbers = {}

--- Return the folder of a version: the one of that number, or the newest that has a manifest.
--- @param folder string
--- @param wanted integer|nil
--- @return string|nil folder, string|nil name
function M.version(folder, wanted)
  if not numbers[folder] then
    local found = {}
    for _, name in ipairs(listing(folder)) do
      local number = name:match("^v(%d%d%d%d+)$")
      found[#found + 1] = tonumber(number)
    end
    table.sort(found, function(a, b) return a > b end)
    numbers[folder] = found
  end
  for _, number in ipairs(wanted and { wanted } or numbers[folder]) do
    local name = string.format("v%04d", number)
    local version = pandoc.path.join({ folder, name })
    if M.exists(pandoc.path.join({ version, "manifest.json" })) then
      return version, name
    end
  end
end

return M
