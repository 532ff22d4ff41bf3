--- The words of the page, from labels.json, the file that Python reads too.

local home = require("famulus.home")

local M = {}

--- @type string
local FALLBACK = "en"

--- @type table<string, table<string, string>>|nil
local words

--- @return table<string, table<string, string>>
local function all_words()
  if not words then
    local file = assert(io.open(pandoc.path.join({ home.folder, "labels.json" }), "rb"))
    words = pandoc.json.decode(file:read("a"), false)
    file:close()
  end
  return words --[[@as table]]
end

--- Return the shipped language for a BCP 47 tag: `de-AT` reads `de`, anything unknown `en`.
--- @param tag string
--- @return string
function M.language_of(tag)
  local primary = tag:match("^%a+")
  primary = primary and primary:lower() or FALLBACK
  return all_words()[primary] and primary or FALLBACK
end

--- Put each value in the place that its name in braces marks, once; braces inside a value are text.
--- @param text string
--- @param values table<string, any>
--- @return string
function M.fill(text, values)
  return (text:gsub("{([%w_]+)}", function(name)
    local value = values[name]
    return value ~= nil and tostring(value) or nil
  end))
end

--- Return the word for a message key; the key itself where labels.json has none, so that there is something to search for.
--- @param key string
--- @param lang string
--- @param values table<string, any>|nil
--- @return string
function M.label(key, lang, values)
  return M.fill(all_words()[M.language_of(lang)][key] or key, values or {})
end

--- @param key string
--- @return boolean
function M.has(key)
  return all_words()[FALLBACK][key] ~= nil
end

--- Return what a view's label says in `lang`; "" for none.
--- @param label table|nil `{message = …}` or `{text = …}`
--- @param lang string
--- @return string
function M.resolve(label, lang)
  if type(label) ~= "table" then
    return ""
  end
  if type(label.message) == "string" then
    return M.label(label.message, lang)
  end
  return type(label.text) == "string" and label.text or ""
end

--- Return the day of an ISO timestamp in words (`22. September 2026`); text that is no such day stays as it is.
--- @param iso string
--- @param lang string
--- @return string
function M.date(iso, lang)
  local year, month, day = iso:match("^(%d%d%d%d)%-(%d%d)%-(%d%d)")
  if not year or not M.has("month." .. month) then
    return iso
  end
  return M.label("date.day", lang, { day = string.format("%d", tonumber(day)), year = year,
    month = M.label("month." .. month, lang) })
end

return M
