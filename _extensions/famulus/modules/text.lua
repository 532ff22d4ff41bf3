--- Data as text. Nothing that comes from an artefact reaches the page by another way than through this module.
---
--- A piece of data becomes one Str, blanks included: no parser of shortcodes (ours or Quarto's, now or in a later pass)
--- finds an opening word at the end of a Str there, and pandoc's writers escape what is inside. Pandoc's markdown writers
--- escape too little (`&amp;`, `1. x`, `\(`), so for them we escape ourselves.

local target = require("famulus.target")

local M = {}

local REPLACEMENT = "\u{fffd}"

--- @type string[] other line ends than "\n", as patterns over UTF-8 bytes
local LINE_ENDS = { "\r\n?", "[\v\f]", "\u{85}", "\u{2028}", "\u{2029}" }
--- @type string[] what would act instead of being read: controls, direction overrides (`artefacts/characters.py`)
local ACTING = { "[%z\1-\8\14-\31\127]", "\xC2[\x80-\x9F]", "\xE2\x80[\xAA-\xAE]", "\xE2\x81[\xA6-\xA9]",
  "\xED[\xA0-\xBF][\x80-\xBF]", "\xEF\xBF[\xBE\xBF]" }

--- Return text for a reader: every kind of line end is a newline, and what would act is shown as U+FFFD.
--- @param s string
--- @return string
function M.visible(s)
  for _, pattern in ipairs(LINE_ENDS) do
    s = s:gsub(pattern, "\n")
  end
  for _, pattern in ipairs(ACTING) do
    s = s:gsub(pattern, REPLACEMENT)
  end
  return s
end

--- Escape what markdown could take for markup: all that is special anywhere, and at the start what opens a block.
--- @param s string
--- @return string
local function escape_markdown(s)
  s = s:gsub("[\\`*_{}%[%]<>#|~$&^@]", "\\%0")
  s = s:gsub(":([%w_+-]+):", "\\:%1\\:")
  s = s:gsub("^([-+])%f[%s%z]", "\\%1"):gsub("^[-=]+%s*$", "\\%0")
  return (s:gsub("^(%d+)([.)])%f[%s%z]", "%1\\%2"))
end

--- Return one line of data as an inline element.
--- @param line string
--- @return pandoc.Inline
local function piece(line)
  if target.markdown() then
    return pandoc.RawInline("markdown", escape_markdown(line))
  end
  return pandoc.Str(line)
end

--- Return data as inlines: each line one element, line ends as line breaks (blanks where markdown allows none).
--- @param s string
--- @return pandoc.Inlines
function M.inlines(s)
  local result = pandoc.Inlines({})
  for line in (M.visible(s) .. "\n"):gmatch("(.-)\n") do
    if #result > 0 then
      result:insert(target.markdown() and pandoc.Space() or pandoc.LineBreak())
    end
    if line ~= "" then
      result:insert(piece(line))
    end
  end
  return result
end

--- Return text that may stand in an attribute: Quarto runs shortcodes in attributes, so one that could hold one does not.
--- @param s string
--- @param instead string
--- @return string
function M.attribute(s, instead)
  s = M.visible(s):gsub("%s+", " ")
  return (s == "" or s:find("{{", 1, true)) and instead or s
end

--- @type string[] what no address holds unescaped; a backslash is a slash to browsers
local UNSAFE_IN_URL = { "[%z\1-\32\127\\<>\"`{}|^]", "\xC2[\x80-\xA0]", "\xE2\x80[\xAA-\xAE]", "\xE2\x81[\xA6-\xA9]" }

--- Return a URL that a page may link to, or nil: http, https, mailto or relative (`artefacts/urls.py`).
--- @param url any
--- @return string|nil
function M.url(url)
  if type(url) ~= "string" then
    return nil
  end
  url = url:match("^[ \t\r\n]*(.-)[ \t\r\n]*$")
  if url == "" or url:sub(1, 2) == "//" then
    return nil
  end
  for _, pattern in ipairs(UNSAFE_IN_URL) do
    if url:find(pattern) then
      return nil
    end
  end
  local lower = url:lower()
  if lower:match("^https?://[^/?#]") or lower:match("^mailto:") then
    return url
  end
  return not url:match("^[^/?#]*:") and url or nil
end

return M
