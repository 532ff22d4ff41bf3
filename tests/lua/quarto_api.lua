--- A stand-in for what Quarto gives to filters and shortcodes, as `resources/lua-types/quarto` of 1.4 to 1.11 documents it.
--- A name that is not in it, an argument of another type and a dependency with an unknown field fail.

local M = {}

--- @type table<string, string> the fields of an HTML dependency, by their types
local DEPENDENCY = { name = "string", version = "string", meta = "table", links = "table", scripts = "table",
  stylesheets = "table", resources = "table", serviceworkers = "table", head = "string" }
--- @type table<string, string> the fields of a FloatRefTarget that its author may give
local FLOAT = { identifier = "string", type = "string", content = "Blocks", caption_long = "Block" }

--- @param fields table<string, string>
--- @param value table
--- @param about string
local function shaped(fields, value, about)
  for key, field in pairs(value) do
    local kind = fields[key] or error(about .. " has no " .. tostring(key), 3)
    if type(field) ~= kind and pandoc.utils.type(field) ~= kind then
      error(string.format("%s: %s is no %s", about, key, kind), 3)
    end
  end
end

--- @param path string
--- @param members table
--- @return table
local function closed(path, members)
  return setmetatable(members, {
    __index = function(_, key)
      error(path .. "." .. tostring(key) .. " is not documented", 2)
    end,
    __newindex = function()
      error(path .. " is not to be changed", 2)
    end,
  })
end

--- Run a function with a Quarto of this version around it.
--- @param version string
--- @param format string
--- @param run fun(said: { dependencies: table[], resources: string[], floats: table[] })
--- @param directory string|nil of the website
function M.within(version, format, run, directory)
  local said = { dependencies = {}, resources = {}, floats = {} }
  local before, written = rawget(_G, "quarto"), rawget(_G, "FORMAT")
  FORMAT = format
  quarto = closed("quarto", {
    version = pandoc.types.Version(version),
    project = closed("quarto.project", { directory = directory or "/nowhere" }),
    FloatRefTarget = function(float)
      shaped(FLOAT, float, "FloatRefTarget")
      said.floats[#said.floats + 1] = float
      return pandoc.Div(float.content, pandoc.Attr(float.identifier))
    end,
    base64 = closed("quarto.base64", {
      encode = function(content)
        return "(" .. #content .. " bytes)"
      end,
    }),
    doc = closed("quarto.doc", {
      input_file = "/nowhere/page.qmd",
      is_format = function(name)
        return name == format
      end,
      add_html_dependency = function(dependency)
        shaped(DEPENDENCY, dependency, "a dependency")
        said.dependencies[#said.dependencies + 1] = dependency
      end,
      add_resource = function(path)
        said.resources[#said.resources + 1] = path
      end,
    }),
  })
  local ok, message = xpcall(run, debug.traceback, said)
  quarto, FORMAT = before, written
  if not ok then
    error(message, 0)
  end
end

return M
