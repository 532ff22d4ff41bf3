--- Values as text in the language of the page. The rules are those of `famulus_kernel/artefacts/numbers.py`, to the letter.

local labels = require("famulus.labels")

local M = {}

local SMALLEST, LARGEST = 1e-3, 1e15
--- @type integer integers up to here survive the way through a double
local EXACT = 2 ^ 53

--- Is `fmt` a pattern such as `,.2f`, `,d`, `.1%` or `,`?
--- @param fmt string
--- @return boolean
function M.is_pattern(fmt)
  return fmt == "," or fmt:match("^,?d$") ~= nil or fmt:match("^,?[f%%]$") ~= nil
    or fmt:match("^,?%.%d%d?[f%%]$") ~= nil
end

--- @param number string
--- @return string
local function without_end_zeros(number)
  return (number:gsub("0+$", ""):gsub("%.$", ""))
end

--- Write a number by the rule that holds without a pattern.
--- @param value number
--- @return string
local function plain(value)
  local size = math.abs(value)
  if value % 1 == 0 and size < LARGEST then
    return string.format("%.0f", value)
  elseif size >= SMALLEST and size < LARGEST then
    return without_end_zeros(string.format("%.4f", value))
  end
  local mantissa, sign, exponent = string.format("%.3e", value):match("^(.-)e([+-])0*(%d+)$")
  return without_end_zeros(mantissa) .. "e" .. (sign == "-" and "-" or "") .. exponent
end

--- @param digits string
--- @param separator string
--- @return string
local function grouped(digits, separator)
  local head = #digits % 3
  local groups = head > 0 and { digits:sub(1, head) } or {}
  for at = head + 1, #digits, 3 do
    groups[#groups + 1] = digits:sub(at, at + 2)
  end
  return table.concat(groups, separator)
end

--- Put the separators of the language into a number written with a point.
--- @param number string
--- @param lang string
--- @param group boolean
--- @return string
local function localised(number, lang, group)
  local mantissa, exponent = number:match("^(.-)(e%-?%d+)$")
  local minus, whole, decimals = (mantissa or number):match("^(%-?)(%d+)%.(%d+)$")
  if not minus then
    minus, whole = (mantissa or number):match("^(%-?)(%d+)$")
  end
  if not minus then
    return number
  end
  local german = labels.language_of(lang) == "de"
  local separator, point = german and "." or ",", german and "," or "."
  return minus .. (group and grouped(whole, separator) or whole) .. (decimals and point .. decimals or "")
    .. (exponent or "")
end

--- @param number string
--- @return string
local function no_minus_zero(number)
  return number:match("^%-[0.]*$") and number:sub(2) or number
end

--- Return a number as text in a language.
--- @param value number|string a string is a number whose digits must all be kept
--- @param lang string BCP 47 tag
--- @param fmt string|nil a pattern; nil is the plain rule
--- @param integral boolean|nil the number came from an integer column: never written with an exponent
--- @return string
function M.number(value, lang, fmt, integral)
  local group = fmt == nil or fmt:sub(1, 1) == ","
  if type(value) == "string" then
    return localised(value, lang, group)
  end
  if value ~= value then
    return "NaN"
  elseif value == math.huge or value == -math.huge then
    return value > 0 and "Infinity" or "-Infinity"
  end
  local kind = fmt and fmt:sub(-1) or ","
  if kind == "," then
    local whole = integral and value % 1 == 0 and math.abs(value) <= EXACT
    return localised(whole and string.format("%.0f", value) or no_minus_zero(plain(value)), lang, true)
  elseif kind == "d" then
    return localised(no_minus_zero(string.format("%.0f", value)), lang, group)
  end
  local decimals = tonumber((fmt --[[@as string]]):match("%.(%d+)")) or 6
  local sign = ""
  if kind == "%" then
    value, sign = value * 100, labels.language_of(lang) == "de" and "\u{a0}%" or "%"
  end
  return localised(no_minus_zero(string.format("%." .. decimals .. "f", value)), lang, group) .. sign
end

--- @type table<string, boolean> DuckDB's types of numbers; true for those that hold integers
local NUMERIC = { TINYINT = true, SMALLINT = true, INTEGER = true, BIGINT = true, HUGEINT = true, UTINYINT = true,
  USMALLINT = true, UINTEGER = true, UBIGINT = true, UHUGEINT = true, BIGNUM = true, VARINT = true, DECIMAL = false,
  FLOAT = false, REAL = false, DOUBLE = false }

--- Is the DuckDB type one of numbers, and of integers?
--- @param kind string|nil
--- @return boolean numeric, boolean integral
function M.is_numeric(kind)
  local integral = NUMERIC[(kind or ""):upper():match("^%a+") or ""]
  return integral ~= nil, integral == true
end

--- Return a cell as text: yes and no are words, nothing is empty, numbers by the language and the column's pattern.
--- @param value any JSON scalar
--- @param lang string
--- @param kind string|nil the column's DuckDB type; nil for a value that has no column
--- @param fmt string|nil the column's pattern
--- @return string
function M.cell(value, lang, kind, fmt)
  if value == nil or value == pandoc.json.null then
    return ""
  elseif type(value) == "boolean" then
    return labels.label(value and "value.yes" or "value.no", lang)
  end
  local numeric, integral = M.is_numeric(kind)
  if type(value) == "number" then
    return M.number(value, lang, fmt, integral or kind == nil)
  elseif type(value) ~= "string" then
    return pandoc.json.encode(value)
  end
  return numeric and M.number(value, lang, fmt) or value
end

--- Return a size for readers: 820 kB, 1.2 MB.
--- @param size number in bytes
--- @param lang string
--- @return string
function M.bytes(size, lang)
  local units, at = { "B", "kB", "MB", "GB", "TB" }, 1
  while size >= 1000 and at < #units do
    size, at = size / 1000, at + 1
  end
  return M.number(size, lang, at <= 2 and ",d" or ",.1f") .. "\u{a0}" .. units[at]
end

--- Follow a dotted path into data; a number in it counts the entries of a list from 0.
--- @param data any
--- @param path string
--- @return any value nil where the path leads nowhere
--- @return string[] known the keys that were there instead
function M.at_path(data, path)
  local here = data
  for part in (path .. "."):gmatch("(.-)%.") do
    local known = {}
    if type(here) == "table" then
      local list = #here > 0
      for key in pairs(here) do
        known[#known + 1] = list and string.format("%d", key - 1) or tostring(key)
      end
      here = list and here[(tonumber(part) or -1) + 1] or here[part]
    else
      here = nil
    end
    if here == nil then
      table.sort(known)
      return nil, known
    end
  end
  return here, {}
end

return M
