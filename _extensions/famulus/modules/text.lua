--- Data as text. Nothing that comes from an artefact reaches the page by another way than through this module.
---
--- A piece of data becomes one Str, blanks included: no parser of shortcodes (ours or Quarto's, now or in a later pass)
--- finds an opening word at the end of a Str there, and pandoc's writers escape what is inside. Its markdown writers escape
--- too little (`&amp;`, `1. x`, `\(`), its typst writer forgets what begins a table's cell (`- x`), and takes time by the
--- square of a text's length: there we do it.

local target = require("famulus.target")

local M = {}

local REPLACEMENT = "\u{fffd}"
--- @type string the same for LuaTeX, which takes that letter for a file that is broken, and stops
local REPLACEMENT_IN_LATEX = "[?]"

--- @type string[] other line ends than "\n", as patterns over UTF-8 bytes
local LINE_ENDS = { "\r\n?", "[\v\f]", "\u{85}", "\u{2028}", "\u{2029}" }
--- @type string[] what would act instead of being read: controls, direction overrides (`artefacts/characters.py`)
local ACTING = { "[%z\1-\8\14-\31\127]", "\xC2[\x80-\x9F]", "\xE2\x80[\xAA-\xAE]", "\xE2\x81[\xA6-\xA9]",
  "\xED[\xA0-\xBF][\x80-\xBF]", "\xEF\xBF[\xBE\xBF]" }

--- @type string a byte that could begin one of those
local UNUSUAL = "[%z\1-\31\127\xC2\xE2\xED\xEF]"

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
  return target.latex() and s:gsub(REPLACEMENT, REPLACEMENT_IN_LATEX) or s
end

--- Escape what markdown could take for markup: all that is special anywhere, and at the start what opens a block.
--- @param s string
--- @return string
local function escape_markdown(s)
  s = s:gsub("[\\`*_{}%[%]<>#|~$&^@]", "\\%0")
  s = s:gsub(":([%w_+-]+):", "\\:%1\\:"):gsub("://", "\\://")
  s = s:gsub("^([-+])%f[%s%z]", "\\%1"):gsub("^[-=]+%s*$", "\\%0")
  return (s:gsub("^(%d+)([.)])%f[%s%z]", "%1\\%2"))
end

--- Escape what typst could take for markup: what is special anywhere, what is so before certain letters (comments, dashes,
--- ellipses, links), and at the start what opens a list, a heading or a term.
--- @param s string
--- @return string
local function escape_typst(s)
  s = s:gsub("[\\#$*_`<>@:%[%]~\"']", "\\%0")
  s = s:gsub("//", "\\/\\/"):gsub("%-%-", "\\-\\-"):gsub("%-%?", "\\-?"):gsub("%.%.%.", "\\.\\.\\.")
  s = s:gsub("^[-+/]%f[%s%z]", "\\%0"):gsub("^=+%f[%s%z]", "\\%0")
  return (s:gsub("^(%d+)%.%f[%s%z]", "%1\\."))
end

--- Add one line of data to a list.
--- @param list pandoc.Inline[]
--- @param line string
local function add(list, line)
  if target.markdown() then
    list[#list + 1] = pandoc.RawInline("markdown", escape_markdown(line))
  elseif target.typst() then
    list[#list + 1] = pandoc.RawInline("typst", escape_typst(line))
  else
    list[#list + 1] = pandoc.Str(line)
  end
end

--- Return data as a plain list of inline elements: each line one of them, line ends as line breaks (blanks where markdown
--- allows none). A list, because a page may have 100,000 cells and each Inlines costs.
--- @param s string
--- @return pandoc.Inline[]
function M.list(s)
  local result = {}
  if not s:find(UNUSUAL) then
    if s ~= "" then
      add(result, s)
    end
    return result
  end
  for line in (M.visible(s) .. "\n"):gmatch("(.-)\n") do
    if #result > 0 then
      result[#result + 1] = target.markdown() and pandoc.Space() or pandoc.LineBreak()
    end
    if line ~= "" then
      add(result, line)
    end
  end
  return result
end

--- Return data as inlines.
--- @param s string
--- @return pandoc.Inlines
function M.inlines(s)
  return pandoc.Inlines(M.list(s))
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

--- Return an address as the writer needs it: a reader of markdown takes `&colon;` in one for the character, and pandoc does
--- not write it so that it stays.
--- @param url string
--- @return string
local function written(url)
  return target.markdown() and url:gsub("&(#?%w+;)", "&amp;%1") or url
end

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
    return written(url)
  end
  return not url:match("^[^/?#]*:") and written(url) or nil
end

return M
