--- The options of a shortcode: which there are, and what those mean that say how a view is drawn.

local problems = require("famulus.problems")

local M = {}

--- @type string[]
local OPTIONS = { "caption", "columns", "format", "label", "max-rows", "sort", "title", "value", "version" }

--- Is each option one of a shortcode's?
--- @param options table<string, string>
--- @return famulus.Problem|nil
function M.check(options)
  for name in pairs(options) do
    local known = false
    for _, option in ipairs(OPTIONS) do
      known = known or option == name
    end
    if not known then
      return problems.new("option-unknown", { option = name, wanted = name, known = OPTIONS })
    end
  end
end

--- Say which values an option takes.
--- @param option string
--- @param value string
--- @param needed string
--- @return famulus.Problem
function M.bad_value(option, value, needed)
  return problems.new("option-value", { option = option, value = value, needed = needed })
end

--- @param words string with commas between
--- @return string[]
local function listed(words)
  local result = {}
  for word in (words .. ","):gmatch("%s*(.-)%s*,") do
    result[#result + 1] = word ~= "" and word or nil
  end
  return result
end

--- Read the options that say how a view is drawn.
--- @param options table<string, string>
--- @param caption fun(markdown: string): pandoc.Inlines draws what the author wrote
--- @return famulus.ViewOptions|nil, famulus.Problem|nil
function M.of_view(options, caption)
  local result = { label = options.label, columns = options.columns and listed(options.columns) }
  if options.title == "false" then
    result.title = false
  elseif options.title then
    result.title = caption(options.title)
  end
  if options["max-rows"] then
    result.max_rows = math.tointeger(tonumber(options["max-rows"]:match("^%d+$")))
    if not result.max_rows or result.max_rows == 0 then
      return nil, M.bad_value("max-rows", options["max-rows"], "1, 2, 3 …")
    end
  end
  if options.sort then
    result.sort = {}
    for at, word in ipairs(listed(options.sort)) do
      local sign, key = word:match("^([-+]?)(.*)$")
      result.sort[at] = { key = key, descending = sign == "-" }
    end
  end
  if options.label and not options.label:match("^tbl%-[%w_\128-\255-]+$") and not options.label:match("^fig%-[%w_\128-\255-]+$") then
    return nil, M.bad_value("label", options.label, "tbl-… / fig-…")
  end
  if options.caption == "false" then
    result.caption = false
  elseif options.caption then
    result.caption = caption(options.caption)
  end
  return result
end

return M
