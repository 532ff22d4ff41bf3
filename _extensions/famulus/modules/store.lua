--- From a call to what it names: a block's version, and in it an artefact, the report or the verdict.

local locate = require("famulus.locate")
local page = require("famulus.page")
local problems = require("famulus.problems")

local M = {}

local FORMAT = 1

--- @type table<string, true> names that every block has besides its artefacts
local RESERVED = { card = true, report = true, verdict = true, credit = true }

--- @class famulus.Found
--- @field block famulus.Block
--- @field name string the artefact's name or a reserved one
--- @field folder string of the version, absolute
--- @field version string `v0003`
--- @field pinned boolean the call names the version
--- @field manifest table

--- @class famulus.Wanted
--- @field project string|nil
--- @field notebook string|nil
--- @field block string
--- @field name string
--- @field version integer|nil

--- Read a version as written: `v3`, `v0003`.
--- @param written string
--- @return integer|nil
local function version_number(written)
  local number = tonumber(written:match("^v(%d+)$"))
  return number and number > 0 and math.tointeger(number) or nil
end

--- Read what a call names: `<block> <name>`, or one reference `[fam:project/notebook/]block.name[@version]`. A version may
--- stand behind either word too.
--- @param call famulus.Call
--- @return famulus.Wanted|nil, famulus.Problem|nil
function M.wanted(call)
  local args = call.args
  local wanted
  if #args == 2 then
    local block, of_block = args[1]:match("^([^@]+)@(.+)$")
    local name, of_name = args[2]:match("^([^@]+)@(.+)$")
    wanted = { block = block or args[1], name = name or args[2] }
    call.options.version = call.options.version or of_block or of_name
  elseif #args == 1 then
    local place, rest = args[1]:match("^fam:(.*)/([^/]*)$")
    local project, notebook = (place or ""):match("^([^/]+)/([^/]+)$")
    local block, name, version = (rest or args[1]):match("^([^.@/]+)%.([^.@/]+)@?(.*)$")
    if block and (project or not args[1]:match("^fam:")) then
      wanted = { project = project, notebook = notebook, block = block, name = name }
      call.options.version = call.options.version or (version ~= "" and version or nil)
    elseif not args[1]:find("[.:/@]") then
      return nil, problems.new("name-missing", { block = args[1] })
    end
  end
  if not wanted then
    return nil, problems.new(#args == 0 and "call-empty" or "call-words", { words = table.concat(args, " ") })
  end
  local written = call.options.version
  wanted.version = written and version_number(written)
  if written and not wanted.version then
    return nil, problems.new("option-value", { option = "version", value = written, needed = "v1, v2, …" })
  end
  return wanted
end

--- Read a JSON file of a version.
--- @param folder string
--- @param file string relative to it
--- @return table|nil, famulus.Problem|nil
local function read(folder, file)
  local path = pandoc.path.join({ folder, file })
  local value, why = locate.json(path)
  local shown = pandoc.path.make_relative(path, page.root)
  if type(value) ~= "table" then
    return nil, problems.new(why and "unreadable" or "file-missing", { file = shown, why = why })
  end
  local header = type(value.famulus) == "table" and value.famulus or value
  if type(header.format) == "number" and header.format > FORMAT then
    return nil, problems.new("format", { file = shown, found = string.format("%d", header.format) })
  end
  return value
end

--- Find the version of a block that a call names.
--- @param wanted famulus.Wanted
--- @return famulus.Found|nil, famulus.Problem|nil
local function find_version(wanted)
  local root = page.root
  if wanted.project then
    local folder = page.folder_of(wanted.project)
    if not folder then
      return nil, problems.new("project-unknown", { project = wanted.project })
    end
    root = folder
  end
  local block, code, facts = locate.block(root, wanted.block)
  if not block then
    facts = facts or {}
    facts.block, facts.wanted = wanted.block, wanted.block
    return nil, problems.new(code --[[@as string]], facts)
  end
  if wanted.notebook and block.notebook ~= wanted.notebook then
    return nil, problems.new("notebook-other",
      { block = block.id, notebook = block.notebook, named = wanted.notebook })
  end
  local folder, version = locate.version(block.folder, wanted.version)
  if not folder then
    local asked = wanted.version and string.format("v%04d", wanted.version)
    return nil, problems.new(asked and "version-unknown" or "version-none", { block = block.id, version = asked })
  end
  local manifest, problem = read(folder, "manifest.json")
  if not manifest then
    return nil, problem
  end
  return { block = block, name = wanted.name, folder = folder, version = version --[[@as string]],
    pinned = wanted.version ~= nil, manifest = manifest }
end

--- @param manifest table
--- @param name string
--- @return table|nil entry, string[] known
local function entry_of(manifest, name)
  local known = {}
  for _, entry in ipairs(type(manifest.artefacts) == "table" and manifest.artefacts or {}) do
    if entry.name == name then
      return entry, known
    end
    known[#known + 1] = entry.name
  end
  return nil, known
end

--- Find what a call names.
--- @param call famulus.Call
--- @return famulus.Found|nil, famulus.Problem|nil
function M.find(call)
  local wanted, problem = M.wanted(call)
  if not wanted then
    return nil, problem
  end
  local found
  found, problem = find_version(wanted)
  if not found or RESERVED[wanted.name] then
    return found, problem
  end
  local entry, known = entry_of(found.manifest, wanted.name)
  if entry then
    return found
  elseif found.manifest.status == "error" then
    return nil, M.error_of(found)
  end
  return nil, problems.new("artefact-unknown", { block = found.block.id, version = found.version, name = wanted.name,
    known = known, wanted = wanted.name })
end

--- Return the verdict of a version.
--- @param found famulus.Found
--- @return table
function M.verdict(found)
  return read(found.folder, "verdict.json") or { status = found.manifest.status, observed = {} }
end

--- Return the keys of a verdict's oracle in the order in which the block has them: a Lua table has none, the file does,
--- and each of its levels is one blank further in (spec 2.6).
--- @param found famulus.Found
--- @return string[]
function M.oracle_keys(found)
  local file = io.open(pandoc.path.join({ found.folder, "verdict.json" }), "rb")
  local whole = file and file:read("a") or ""
  if file then
    file:close()
  end
  local keys = {}
  for line in (whole:match('\n "oracle": {\n(.-)\n }') or ""):gmatch("[^\n]+") do
    local written = line:match('^  (".*[^\\]"): ') or line:match('^  ("[^"]*"): ')
    -- A value may hold `": ` too: the shortest beginning that is a whole text is the key.
    for at = 2, written and #written or 0 do
      local ok, key = pcall(pandoc.json.decode, written:sub(1, at), false)
      if ok and type(key) == "string" then
        keys[#keys + 1] = key
        break
      end
    end
  end
  return keys
end

--- Return the error that a version ended in, in the words of the run. A gap is one that its golden row knows of.
--- @param found famulus.Found
--- @return famulus.Problem
function M.error_of(found)
  local observed = M.verdict(found).observed
  local said = type(observed) == "table" and type(observed.error) == "table" and observed.error or {}
  local message = type(said.message) == "string" and said.message or ""
  local hint = type(said.hint) == "string" and said.hint ~= "" and said.hint or nil
  -- Messages mark what they are about with two asterisks and escape others.
  message = message:gsub("\\%*", "\0"):gsub("%*%*", ""):gsub("%z", "*")
  -- DuckDB points from a line of its own at a place above: in letters of several widths it would point elsewhere.
  message = message:gsub("\n *%^+ *%f[\n\0]", "")
  local code = found.manifest.status == "gap" and "block-gap" or "block-error"
  return problems.new(code, { block = found.block.id, version = found.version, why = message, hint = hint })
end

--- Read the envelope of what was found: the artefact's own, or the report's for the reserved names.
--- @param found famulus.Found
--- @return table|nil envelope, famulus.Problem|nil
function M.envelope(found)
  local file = "report.json"
  if not RESERVED[found.name] then
    local entry = entry_of(found.manifest, found.name)
    if not entry or not locate.is_inside(entry.file) then
      return nil, problems.new("unreadable", { file = found.version .. "/manifest.json", why = "file" })
    end
    file = "artefacts/" .. entry.file
  end
  return read(found.folder, file)
end

--- What a reader must know about a version before he trusts it: stale, unchecked, failed, not verified.
--- @param found famulus.Found
--- @return {status: string, since: string|nil}[]
function M.marks(found)
  local marks = {}
  local state = locate.states(found.block.root)[found.block.id]
  if page.mark_stale and not found.pinned and type(state) == "table" and state.state == "stale" then
    marks[#marks + 1] = { status = "stale", since = state.since }
  end
  local status = M.status(found)
  if status ~= "pass" then
    marks[#marks + 1] = { status = status == "error" and "unverified" or status }
  end
  return marks
end

--- Return the word for a version's verdict: a pass that nothing was compared for is unchecked.
--- @param found famulus.Found
--- @return string
function M.status(found)
  local status = found.manifest.status
  return status == "pass" and found.manifest.checked == false and "unchecked" or tostring(status)
end

return M
