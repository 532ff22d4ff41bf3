--- The grammar of shortcodes on pandoc's AST: `<<< famulus … >>>` and `{{< famulus … >}}` (spec 5.4).
---
--- When we see a paragraph, smart typography is done: quotes have become Quoted, `--` a dash, `_` perhaps emphasis. So a
--- call is found by its opening and closing words among the inlines, what lies between is written back as the source had
--- it, and that text is read word by word.

local M = {}

--- @class famulus.Call
--- @field args string[] positional arguments after the word famulus
--- @field options table<string, string>
--- @field raw string the call as the author wrote it, for boxes and messages
--- @field at string|nil the place the engine or the renderer gave it
--- @field in_line boolean true where our filter saw that no whole artefact can stand there
--- @field beside boolean true where our filter saw that it has a paragraph with others, or stands in line
--- @field cell boolean true where it stands for a block and was not written by the author

--- Opening word → closing word; all three bytes long. Pandoc's reader looks through the rest of the page at every `<`, so
--- the embedded renderer writes letters of a private area for the two pairs.
--- @type table<string, string>
local CLOSING = { ["{{<"] = ">}}", ["<<<"] = ">>>", ["\u{e0fa}"] = "\u{e0fb}", ["\u{e0fc}"] = "\u{e0fd}" }
--- @type table<string, string> opening word → the one that its author wrote
local WRITTEN = { ["\u{e0fa}"] = "{{<", ["\u{e0fc}"] = "<<<" }

--- What smart typography made, and what stood there before.
--- @type table<string, string>
local TYPED = { ["\u{2013}"] = "--", ["\u{2014}"] = "---", ["\u{2026}"] = "...", ["\u{2018}"] = "'",
  ["\u{2019}"] = "'", ["\u{201C}"] = '"', ["\u{201D}"] = '"' }

--- @param text string
--- @return string
local function untyped(text)
  return (text:gsub("\xE2\x80[\x93-\xA6]", TYPED))
end

--- Write inlines back as the source had them, as far as a call can hold them.
--- @param inlines pandoc.Inlines
--- @return string
function M.source(inlines)
  local function around(mark)
    return function(el)
      return mark .. M.source(el.content) .. mark
    end
  end
  local writers = {
    Str = function(el) return untyped(el.text) end,
    Space = function() return " " end,
    SoftBreak = function() return " " end,
    LineBreak = function() return " " end,
    Emph = around("_"),
    Strong = around("__"),
    Strikeout = around("~~"),
    Subscript = around("~"),
    Superscript = around("^"),
    Quoted = function(el)
      local mark = el.quotetype == "SingleQuote" and "'" or '"'
      return mark .. M.source(el.content):gsub("[\\" .. mark .. "]", "\\%0") .. mark
    end,
    Code = function(el) return "`" .. el.text .. "`" end,
    Math = function(el) return "$" .. el.text .. "$" end,
    RawInline = function(el) return el.text end,
    Link = function(el)
      local text = M.source(el.content)
      -- What looks like an address became a link: `block.name@v3` too.
      return (text == el.target or "mailto:" .. text == el.target) and text or "[" .. text .. "](" .. el.target .. ")"
    end,
    Image = function(el) return "![" .. M.source(el.caption) .. "](" .. el.src .. ")" end,
    Note = function() return "" end,
  }
  local parts = {}
  for _, el in ipairs(inlines) do
    local write = writers[el.t]
    parts[#parts + 1] = write and write(el) or (el.content and M.source(el.content) or "")
  end
  return table.concat(parts)
end

--- Read a value at `at`: quoted (a backslash escapes) or up to the next blank.
--- @param text string
--- @param at integer
--- @return string value, integer next
local function read_value(text, at)
  local quote = text:match("^[\"']", at)
  if quote then
    local value, position = {}, at + 1
    while position <= #text do
      local c = text:sub(position, position)
      if c == "\\" and text:match("^[\\\"']", position + 1) then
        position = position + 1
        c = text:sub(position, position)
      elseif c == quote then
        return table.concat(value), position + 1
      end
      value[#value + 1] = c
      position = position + 1
    end
  end
  local word = text:match("^%S+", at) or ""
  return word, at + #word
end

--- Read the words of a call: positional ones, and `key=value`.
--- @param text string what stands between the opening and the closing word
--- @return string[] words, table<string, string> options
function M.words(text)
  local words, options = {}, {}
  local at = text:find("%S")
  while at do
    local key, after = text:match("^([%a][%w_-]*)%s*=%s*()", at)
    local value, following = "", after
    -- After `columns= sort=n` nothing was said of the columns.
    if not (after and text:match("%s", after - 1) and text:match("^[%a][%w_-]*%s*=", after)) then
      value, following = read_value(text, after or at)
    end
    if key then
      options[key] = value
    else
      words[#words + 1] = value
    end
    at = text:find("%S", math.max(following, at + 1))
  end
  return words, options
end

--- Make a call of positional arguments and options; the words of the machinery (`at`, `cell`, `place`) are taken out.
--- @param args string[]
--- @param options table<string, string>
--- @param raw string
--- @return famulus.Call
function M.make(args, options, raw)
  local call = { args = args, options = options, at = options.at, cell = options.cell == "true",
    in_line = options.place == "line", beside = options.place ~= nil, raw = raw }
  options.at, options.cell, options.place = nil, nil, nil
  return call
end

--- Write a call of which only the arguments are known, for boxes and messages.
--- @param args string[]
--- @param options table<string, string>
--- @return string
function M.spell(args, options)
  local words, keys = { "{{< famulus" }, {}
  for _, word in ipairs(args) do
    words[#words + 1] = word
  end
  for key in pairs(options) do
    if key ~= "at" and key ~= "cell" and key ~= "place" then
      keys[#keys + 1] = key
    end
  end
  table.sort(keys)
  for _, key in ipairs(keys) do
    local value = options[key]
    words[#words + 1] = key .. "=" .. (value:find("%s") and '"' .. value .. '"' or value)
  end
  words[#words + 1] = ">}}"
  return table.concat(words, " ")
end

--- @param inlines pandoc.Inlines
--- @param from integer
--- @param to integer
--- @return pandoc.Inlines
local function slice(inlines, from, to)
  local result = pandoc.Inlines({})
  for at = from, to do
    result:insert(inlines[at])
  end
  return result
end

--- @param el pandoc.Inline|nil
--- @return boolean
local function is_blank(el)
  return el ~= nil and (el.t == "Space" or el.t == "SoftBreak" or el.t == "LineBreak")
end

--- Does a call of ours open at this element? Pandoc takes `<famulus … >` without a blank for an HTML element.
--- @param inlines pandoc.Inlines
--- @param at integer
--- @return string|nil opening, string|nil before the text in front of the opening word
local function opens(inlines, at)
  local el, after, word = inlines[at], inlines[at + 1], inlines[at + 2]
  if el.t ~= "Str" then
    return nil
  end
  local opening, before = el.text:sub(-3), el.text:sub(1, -4)
  if CLOSING[opening] and not before:match("[{<]$") and is_blank(after) and word and word.t == "Str"
    and word.text == "famulus" then
    return opening, before
  end
  if after and after.t == "RawInline" and after.format == "html" and after.text:match("^<famulus%s") then
    before = el.text:match("^(.-){{$")
    if before and not before:match("{$") then
      return "{{<", before
    end
    before = el.text:match("^(.-)<<$")
    return before and "<<<" or nil, before
  end
end

--- Find the closing word: in the text of an element after `at`, or split between raw HTML and the text after it.
--- @param inlines pandoc.Inlines
--- @param at integer where the call opens
--- @param closing string
--- @return integer|nil last the element that holds the closing word
--- @return string|nil text the call's text
--- @return string|nil after what follows the closing word in that element
local function closes(inlines, at, closing)
  local raw = inlines[at + 1]
  if raw.t == "RawInline" then
    local rest = inlines[at + 2] and inlines[at + 2].t == "Str" and inlines[at + 2].text or ""
    if rest:sub(1, 2) == closing:sub(2) then
      return at + 2, raw.text:sub(2, -2), rest:sub(3)
    end
    return nil
  end
  for last = at + 1, #inlines do
    local el = inlines[last]
    if el.t == "Str" then
      local from, to = el.text:find(closing, 1, true)
      if from then
        return last, M.source(slice(inlines, at + 1, last - 1)) .. untyped(el.text:sub(1, from - 1)), el.text:sub(to + 1)
      elseif CLOSING[el.text:sub(-3)] then
        return nil
      end
    end
  end
end

--- Take one pair of braces off `{{{< … >}}}`, which shows a shortcode instead of running it.
--- @param inlines pandoc.Inlines
--- @param at integer
--- @return pandoc.Inlines|nil shown, integer|nil last
local function literal(inlines, at)
  local el = inlines[at]
  if el.t ~= "Str" or not el.text:find("{{{<", 1, true) then
    return nil
  end
  for last = at, #inlines do
    local closing = inlines[last]
    if closing.t == "Str" and closing.text:find(">}}}", 1, true) then
      local shown = slice(inlines, at, last):map(function(inline) return inline:clone() end)
      shown[1].text = shown[1].text:gsub("{{{<", "{{<", 1)
      shown[#shown].text = shown[#shown].text:gsub(">}}}", ">}}", 1)
      return shown, last
    end
  end
end

--- Split inlines at the calls in them.
--- @param inlines pandoc.Inlines
--- @return (pandoc.Inlines|famulus.Call)[]|nil pieces in order, nil where there is nothing of ours
--- @return integer count how many of them are calls
--- @return string[] unclosed calls that open and do not close; they stay text
function M.split(inlines)
  local pieces, count, changed, unclosed = {}, 0, false, {}
  local text = pandoc.Inlines({})
  local at = 1
  while at <= #inlines do
    local opening, before = opens(inlines, at)
    local last, words, after
    if opening then
      last, words, after = closes(inlines, at, CLOSING[opening])
    end
    local shown, shown_last = literal(inlines, at)
    if last then
      if before ~= "" then
        text:insert(pandoc.Str(before))
      end
      local args, options = M.words(words --[[@as string]])
      table.remove(args, 1)
      pieces[#pieces + 1] = text
      pieces[#pieces + 1] = M.make(args, options, M.spelled(opening --[[@as string]], words --[[@as string]]))
      text = pandoc.Inlines({})
      count, changed = count + 1, true
      if after ~= "" then
        inlines = inlines:clone()
        inlines[last] = pandoc.Str(after)
        at = last
      else
        at = last + 1
      end
    elseif shown then
      text:extend(shown)
      changed, at = true, shown_last + 1
    else
      if opening then
        unclosed[#unclosed + 1] = (WRITTEN[opening] or opening) .. M.source(slice(inlines, at + 1, math.min(#inlines, at + 9)))
      end
      text:insert(inlines[at])
      at = at + 1
    end
  end
  pieces[#pieces + 1] = text
  return changed and pieces or nil, count, unclosed
end

--- Write a call as the author had it, without the words of the engine.
--- @param opening string
--- @param words string
--- @return string
function M.spelled(opening, words)
  local own = (" " .. words .. " "):gsub("%sat=%d+%f[%s]", ""):gsub("%scell=true%f[%s]", "")
  opening = WRITTEN[opening] or opening
  return opening .. " " .. own:gsub("%s+", " "):match("^%s*(.-)%s*$") .. " " .. CLOSING[opening]
end

--- Read a call that is the whole of a text.
--- @param text string
--- @return famulus.Call|nil
function M.whole(text)
  local opening = text:sub(1, 3)
  local closing = CLOSING[opening]
  local words = closing and text:sub(-#closing) == closing and text:sub(4, -4):match("^%s+famulus%s+(.-)%s*$")
  if not words then
    return nil
  end
  local args, options = M.words(words)
  return M.make(args, options, M.spelled(opening, "famulus " .. words))
end

--- Is there nothing but blanks and empty text?
--- @param inlines pandoc.Inlines
--- @return boolean
local function is_empty(inlines)
  for _, el in ipairs(inlines) do
    if not is_blank(el) and not (el.t == "Str" and el.text == "") then
      return false
    end
  end
  return true
end

--- Return the call that a paragraph consists of, or nil where there is more or something else in it.
--- @param inlines pandoc.Inlines
--- @return famulus.Call|nil
function M.only(inlines)
  local pieces, count = M.split(inlines)
  if not pieces or count ~= 1 or not is_empty(pieces[1]) or not is_empty(pieces[3]) then
    return nil
  end
  return pieces[2]
end

return M
