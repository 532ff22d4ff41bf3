--- What the guard found in the text that a block generated (spec 6.4): what was checked, what has no support, and where
--- that stands in the text.

local format = require("famulus.format")
local labels = require("famulus.labels")
local markup = require("famulus.markup")
local page = require("famulus.page")
local target = require("famulus.target")
local text = require("famulus.text")

local M = {}

--- @type table<string, string> the badge of each status
local BADGES = { passed = "pass", failed = "fail", unreachable = "unverified" }
--- @type integer findings that are told one by one
local MOST = 20
--- @type integer characters that are shown on each side of a finding
local AROUND = 40
--- @type integer width of the bar in its own units; it is drawn as wide as the card
local WIDTH = 1000
--- @type integer least width of a mark on the bar, in its units
local LEAST = 4

--- @class famulus.Finding
--- @field kind any
--- @field text any
--- @field start any place of its first character in the text, from 0
--- @field ["end"] any place after its last character
--- @field supported any

--- @param value any
--- @return boolean
local function is_text(value)
  return type(value) == "string" and value ~= ""
end

--- @param s string
--- @return string
local function one_line(s)
  return (text.visible(s):gsub("%s+", " "))
end

--- @param key string
--- @param values table<string, any>|nil
--- @return string
local function word(key, values)
  return labels.label("guard" .. key, page.lang, values)
end

--- Return what was checked in words: a number of things, or their names.
--- @param guard table
--- @param findings famulus.Finding[]
--- @return string|nil nil where nothing was
local function checked(guard, findings)
  local said = guard.checked
  if type(said) == "table" then
    local names = {}
    for at, name in ipairs(said) do
      names[at] = one_line(format.cell(name, page.lang))
    end
    return #names > 0 and table.concat(names, ", ") or nil
  elseif is_text(said) then
    return one_line(said)
  elseif type(said) == "number" and said > 0 then
    return format.number(said, page.lang)
  end
  return said ~= false and said ~= 0 and #findings > 0 and format.number(#findings, page.lang) or nil
end

--- Return the places of a finding in a text, where it really stands there.
--- @param finding famulus.Finding
--- @param length integer of the text in characters
--- @return integer|nil from, integer|nil to
local function place(finding, length)
  local from, to = math.tointeger(tonumber(finding.start)), math.tointeger(tonumber(finding["end"]))
  if from and to and from >= 0 and from < to and to <= length then
    return from, to
  end
end

--- Draw where in the text things have support and where not: the marks differ in height, not in colour alone.
--- @param findings famulus.Finding[]
--- @param length integer
--- @param words string
--- @return pandoc.Blocks
local function bar(findings, length, words)
  local marks, unsupported = {}, {}
  for _, finding in ipairs(findings) do
    local from, to = place(finding, length)
    if from then
      local x = math.floor(from * WIDTH / length)
      local width = math.max(LEAST, math.floor((to - from) * WIDTH / length))
      local held = finding.supported == true
      local list = held and marks or unsupported
      list[#list + 1] = string.format('<rect class="famulus-guard-%s" x="%d" y="%d" width="%d" height="%d"></rect>',
        held and "held" or "open", math.min(x, WIDTH - width), held and 3 or 0, width, held and 4 or 10)
    end
  end
  if #marks + #unsupported == 0 then
    return pandoc.Blocks({})
  end
  local open = string.format('<svg class="famulus-guard-bar" viewBox="0 0 %d 10" preserveAspectRatio="none" role="img" '
    .. 'aria-label="%s"><rect class="famulus-guard-ground" x="0" y="4" width="%d" height="2"></rect>', WIDTH,
    words:gsub("[<>&\"]", ""), WIDTH)
  return pandoc.Blocks({ pandoc.RawBlock("html", open .. table.concat(marks) .. table.concat(unsupported) .. "</svg>") })
end

--- @param whole string
--- @param from integer
--- @param to integer
--- @return string
local function part(whole, from, to)
  return one_line(whole:sub(utf8.offset(whole, from + 1), utf8.offset(whole, to + 1) - 1))
end

--- Draw a finding without support, in its context where the text has it.
--- @param finding famulus.Finding
--- @param whole string
--- @param length integer
--- @return pandoc.Inlines
local function in_context(finding, whole, length)
  local inlines = pandoc.Inlines({})
  local kind = is_text(finding.kind) and one_line(finding.kind) or ""
  if kind ~= "" then
    local known = labels.has("guard.kind." .. kind)
    inlines:extend(text.inlines((known and word(".kind." .. kind) or kind) .. ": "))
  end
  local from, to = place(finding, length)
  local shown = from and part(whole, from, to --[[@as integer]]) or one_line(tostring(finding.text or ""))
  local before, after = "", ""
  if from and to then
    before = part(whole, math.max(0, from - AROUND), from)
    after = part(whole, to, math.min(length, to + AROUND))
    -- Whole words only, where there are any.
    before = from > AROUND and "… " .. before:gsub("^[^ ]* ", "") or before
    after = to + AROUND < length and after:gsub(" [^ ]*$", "") .. " …" or after
  end
  inlines:extend(text.inlines(before))
  if target.html() then
    inlines:insert(pandoc.RawInline("html", '<mark class="famulus-unsupported">'))
    inlines:extend(text.inlines(shown))
    inlines:insert(pandoc.RawInline("html", "</mark>"))
  else
    inlines:insert(pandoc.Strong(text.inlines(shown)))
  end
  inlines:extend(text.inlines(after))
  if from and to then
    local said = word(".place", { from = format.number(from + 1, page.lang), to = format.number(to, page.lang) })
    inlines:extend(text.inlines(" (" .. said .. ")"))
  end
  return inlines
end

--- Draw what the guard found.
--- @param guard any `observed.guard` of verdict.json: task, status, checked, findings
--- @param answer any the text that was checked, unless the guard says another
--- @return pandoc.Blocks empty where no guard looked
function M.draw(guard, answer)
  if type(guard) ~= "table" then
    return pandoc.Blocks({})
  end
  local findings, open = {}, {}
  for _, finding in ipairs(type(guard.findings) == "table" and guard.findings or {}) do
    if type(finding) == "table" then
      findings[#findings + 1] = finding
      open[#open + 1] = finding.supported ~= true and finding or nil
    end
  end
  local whole = is_text(guard.text) and guard.text or is_text(answer) and answer or ""
  local length = utf8.len(whole) or 0
  local count = checked(guard, findings)
  local badge = BADGES[guard.status]
  if not count and badge ~= "unverified" and #findings == 0 then
    badge = nil
  end
  local head = text.inlines(word("") .. ": ")
  head:extend(badge and markup.badge(badge, word("." .. guard.status)) or markup.badge("unchecked", word(".none")))
  local pieces = { head }
  if badge then
    pieces[#pieces + 1] = count and text.inlines(word(".checked", { count = count })) or nil
    if #open > 0 then
      pieces[#pieces + 1] = text.inlines(word(".unsupported", { count = format.number(#open, page.lang) }))
    end
  end
  pieces[#pieces + 1] = is_text(guard.task) and text.inlines(one_line(guard.task)) or nil
  local blocks = markup.line("famulus-guard-line", markup.dotted(pieces))
  if target.html() then
    blocks:extend(bar(findings, length, word(".bar",
      { count = format.number(#open, page.lang), checked = format.number(#findings, page.lang) })))
  end
  local items = {}
  for at = 1, math.min(#open, MOST) do
    items[at] = { pandoc.Plain(in_context(open[at], whole, length)) }
  end
  if #open > MOST then
    local more = labels.label("card.evidence-more", page.lang, { count = format.number(#open - MOST, page.lang) })
    items[#items + 1] = { pandoc.Plain(text.inlines("… " .. more)) }
  end
  if #items > 0 then
    blocks:insert(pandoc.BulletList(items))
  end
  return markup.div("famulus-guard", blocks, target.html() and badge and { { "data-status", badge } } or {})
end

return M
