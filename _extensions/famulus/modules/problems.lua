--- What cannot be shown: a box at that place that says what and why, and a record for whoever renders.
---
--- A problem never stops the page (a Lua error would leave none at all). It is written as a line of JSON to the file that
--- the environment variable FAMULUS_PROBLEMS names, or to stderr where there is none.

local labels = require("famulus.labels")
local markup = require("famulus.markup")
local page = require("famulus.page")
local target = require("famulus.target")
local text = require("famulus.text")

local M = {}

--- @class famulus.Problem
--- @field code string key of the messages `box.<code>`, `box.<code>.why` and `box.<code>.hint`
--- @field facts table<string, any> what stands in their braces; lists are joined

local MOST = 12
--- @type table<string, string> problems that have the shape of another status than error
local GLYPH = { ["block-gap"] = "gap" }
--- @type table<string, true> problems that leave the page as its author wrote it: they never fail a render
local WARNINGS = { ["block-unplayed"] = true }

--- @type table<string, true> what was recorded of this page already (an image's text stands twice in the AST)
local recorded = {}

--- @param code string
--- @param facts table<string, any>|nil
--- @return famulus.Problem
function M.new(code, facts)
  return { code = code, facts = facts or {} }
end

--- Make a problem of a Lua error: the first line, without the folders of this machine.
--- @param message any
--- @return famulus.Problem
function M.defect(message)
  return M.new("internal", { why = tostring(message):match("^[^\n]*"):gsub("^%S*[/\\]", "") })
end

--- @param names string[]
--- @return string
local function listed(names)
  local sorted = { table.unpack(names) }
  table.sort(sorted)
  local shown = table.concat(sorted, ", ", 1, math.min(#sorted, MOST))
  return #sorted > MOST and shown .. " …" or shown
end

--- How many letters must change to make one word of the other (Levenshtein).
--- @param a string
--- @param b string
--- @return integer
local function distance(a, b)
  local row = {}
  for j = 0, #b do
    row[j] = j
  end
  for i = 1, #a do
    local diagonal = row[0]
    row[0] = i
    for j = 1, #b do
      local cost = a:byte(i) == b:byte(j) and 0 or 1
      diagonal, row[j] = row[j], math.min(row[j] + 1, row[j - 1] + 1, diagonal + cost)
    end
  end
  return row[#b]
end

--- Return the name that looks most like `name`, or nil when none does.
--- @param name string
--- @param known string[]
--- @return string|nil
function M.nearest(name, known)
  local best, best_distance = nil, math.max(1, #name // 3) + 1
  for _, candidate in ipairs(known) do
    local found = distance(name:lower(), candidate:lower())
    if found < best_distance or (found == best_distance and best and candidate < best) then
      best, best_distance = candidate, found
    end
  end
  return best
end

--- Return one of the three sentences of a problem, "" where the code has no such sentence.
--- @param problem famulus.Problem
--- @param part string "", ".why" or ".hint"
--- @param lang string
--- @return string
local function sentence(problem, part, lang)
  local key = "box." .. problem.code .. part
  if not labels.has(key) then
    return ""
  end
  local facts = {}
  for name, value in pairs(problem.facts) do
    facts[name] = type(value) == "table" and listed(value) or value
  end
  if facts.known == "" then
    facts.known = "–"
  end
  return labels.label(key, lang, facts)
end

--- @param problem famulus.Problem
--- @param lang string
--- @return string title, string why, string hint
function M.sentences(problem, lang)
  local hint = sentence(problem, ".hint", lang)
  local known = problem.facts.known
  local close = problem.facts.wanted and type(known) == "table" and M.nearest(problem.facts.wanted, known) or nil
  if close then
    hint = labels.label("box.nearest", lang, { name = close })
  end
  return sentence(problem, "", lang), sentence(problem, ".why", lang), problem.facts.hint or hint
end

--- Tell whoever renders. Messages are English whatever the page speaks.
--- @param problem famulus.Problem
--- @param call famulus.Call|nil
function M.record(problem, call)
  local title, why, hint = M.sentences(problem, "en")
  local message = why == "" and title or title .. (title:match("[.?!]$") and " " or ". ") .. why
  local shortcode = call and not call.cell and call.raw or ""
  local key = table.concat({ problem.code, shortcode, call and call.at or "", message }, "\0")
  if recorded[key] then
    return
  end
  recorded[key] = true
  local severity = (page.lenient or WARNINGS[problem.code]) and "warning" or "error"
  local path = os.getenv("FAMULUS_PROBLEMS")
  local file = path and path ~= "" and io.open(path, "ab")
  if file then
    file:write(pandoc.json.encode({ document = page.document, at = call and call.at, shortcode = shortcode,
      code = problem.code, block = problem.facts.block, message = message, hint = hint, severity = severity }), "\n")
    file:close()
  end
  if not file then
    local words = { "[famulus] " .. severity:upper() .. " " .. page.document, shortcode, message }
    if shortcode == "" then
      table.remove(words, 2)
    end
    io.stderr:write(table.concat(words, ": "), hint ~= "" and " " .. hint or "", "\n")
  end
end

--- Draw the box that stands where an artefact should.
--- @param problem famulus.Problem
--- @param call famulus.Call
--- @return pandoc.Blocks
function M.box(problem, call)
  local title, why, hint = M.sentences(problem, page.lang)
  local blocks = markup.line("famulus-box-title", markup.glyph(GLYPH[problem.code] or "error") .. text.inlines(title), true)
  blocks:extend(markup.line("famulus-why", text.inlines(why)))
  blocks:extend(markup.line("famulus-hint", text.inlines(hint)))
  blocks:extend(markup.line("famulus-where", text.inlines(call.cell and (problem.facts.block or "") or call.raw)))
  if target.markdown() then
    return pandoc.Blocks({ pandoc.BlockQuote(blocks) })
  end
  return markup.div("famulus-box", blocks, { { "data-code", problem.code }, { "role", "note" } })
end

--- Draw the box of a problem inside a line.
--- @param problem famulus.Problem
--- @return pandoc.Inlines
function M.inline_box(problem)
  local title, why = M.sentences(problem, page.lang)
  local inlines = markup.glyph("error") .. text.inlines(why ~= "" and title .. ": " .. why or title)
  if target.markdown() then
    return pandoc.Inlines({ pandoc.Strong(inlines) })
  end
  return pandoc.Inlines({ pandoc.Span(inlines, pandoc.Attr("", { "famulus-box", "famulus-inline" },
    { { "data-code", problem.code }, { "role", "note" } })) })
end

return M
