--- The card of a block: question, answer, verdict and what it rests on; and the credits of what it read.

local format = require("famulus.format")
local guard = require("famulus.guard")
local labels = require("famulus.labels")
local locate = require("famulus.locate")
local markup = require("famulus.markup")
local page = require("famulus.page")
local printed = require("famulus.printed")
local problems = require("famulus.problems")
local prose = require("famulus.prose")
local store = require("famulus.store")
local tables = require("famulus.tables")
local target = require("famulus.target")
local text = require("famulus.text")
local widths = require("famulus.widths")

local M = {}

local MOST = 300
--- @type integer places that are named as evidence; a table shows them all
local EVIDENCE = 8

--- @param value any
--- @return boolean
local function is_text(value)
  return type(value) == "string" and value ~= ""
end

--- Return a value of verdict.json in words: lists joined, numbers by the language.
--- @param value any
--- @return string
local function words(value)
  if type(value) == "table" and (#value > 0 or next(value) == nil) then
    local items = {}
    for at, item in ipairs(value) do
      items[at] = words(item)
    end
    return table.concat(items, ", ")
  end
  return format.cell(value, page.lang)
end

--- @param s string
--- @return string
local function one_line(s)
  local line = text.visible(s):gsub("%s+", " "):match("^%s*(.-)%s*$")
  if (utf8.len(line) or 0) > MOST then
    return line:sub(1, utf8.offset(line, MOST) - 1):gsub("%s+$", "") .. "…"
  end
  return line
end

--- Return what an oracle expects of a key in words.
--- @param key string
--- @param wanted any
--- @return string
local function expected(key, wanted)
  if type(wanted) == "table" and #wanted == 0 and next(wanted) ~= nil then
    local said, names = {}, {}
    for name, value in pairs(wanted) do
      said[name] = words(value)
      names[#names + 1] = name
    end
    table.sort(names)
    local form = table.concat(names, " ")
    local forms = { ["max min"] = "oracle.between", ["tolerance value"] = "oracle.tolerance", min = "oracle.from",
      max = "oracle.to" }
    if forms[form] then
      return labels.label(forms[form], page.lang, said)
    elseif form == "all" then
      return labels.label("oracle.all", page.lang, { values = said.all })
    elseif form == "min_share of" then
      local share = type(wanted.min_share) == "number" and format.number(wanted.min_share, page.lang, ".0%")
      return labels.label("oracle.share_of", page.lang, { share = share or said.min_share, values = said.of })
    end
  elseif type(wanted) == "string" and key:match("_contains$") then
    return labels.label("oracle.contains", page.lang, { text = wanted })
  end
  return words(wanted)
end

--- @param holds boolean
--- @return pandoc.Inlines
local function agrees(holds)
  local inlines = markup.glyph(holds and "pass" or "fail")
  inlines:extend(text.inlines(labels.label(holds and "value.yes" or "value.no", page.lang)))
  return markup.span("famulus-agrees", inlines, { { "data-ok", tostring(holds) } })
end

--- Draw what the oracle expected and what was found, and what it says of itself.
--- @param verdict table
--- @param order string[] the oracle's keys as the block has them
--- @param block string
--- @return pandoc.Blocks
local function draw_oracle(verdict, order, block)
  local oracle = type(verdict.oracle) == "table" and verdict.oracle or {}
  local observed = type(verdict.observed) == "table" and verdict.observed or {}
  local keys = {}
  for _, key in ipairs(order) do
    local found = observed[key]
    if oracle[key] ~= nil and key ~= "note" and key ~= "status" and type(found) == "table" and type(found.ok) == "boolean" then
      keys[#keys + 1] = key
    end
  end
  local note = is_text(oracle.note) and labels.label("oracle.note", page.lang, { note = one_line(oracle.note) }) or ""
  note = markup.line("famulus-note", text.inlines(note))
  if #keys == 0 then
    return note
  end
  local function plain(inlines)
    return { pandoc.Plain(inlines) }
  end
  local rows, heads, extents = {}, {}, {}
  local function cell(at, words)
    widths.extend(extents, at, words, false)
    return plain(text.inlines(words))
  end
  for at, name in ipairs({ "key", "expected", "observed", "ok" }) do
    heads[at] = cell(at, labels.label("oracle." .. name, page.lang))
  end
  for at, key in ipairs(keys) do
    local found = observed[key]
    local value = words(found.value)
    if type(found.share) == "number" then
      local share = format.number(found.share, page.lang, ".0%")
      value = value .. " (" .. labels.label("oracle.share", page.lang, { share = share }) .. ")"
    end
    rows[at] = { cell(1, one_line(key)), cell(2, one_line(expected(key, oracle[key]))), cell(3, one_line(value)),
      plain(agrees(found.ok)) }
  end
  -- Only HTML has a caption that no writer numbers among the tables of the text.
  local caption = labels.label("oracle", page.lang)
  local above = target.html() and pandoc.Blocks({}) or markup.line("famulus-part-title", text.inlines(caption), true)
  local left = target.html() and pandoc.AlignDefault or pandoc.AlignLeft
  local relative, size = widths.relative(extents)
  local made = tables.make({ left, left, left, left }, relative, heads, rows,
    target.html() and text.inlines(caption) or pandoc.Inlines({}))
  -- In typst how a table looks holds to the end of what it stands in.
  local dressed = markup.div("famulus-oracle-table", printed.table(pandoc.Blocks({ made }), size))
  return markup.div("famulus-oracle", above .. (target.html() and pandoc.Blocks({ made }) or dressed),
    target.html() and { { "tabindex", "0" }, { "role", "region" },
      { "aria-label", text.attribute(labels.label("oracle.of", page.lang, { block = block }), caption) } } or {}) .. note
end

--- Draw the documents and pages that the answer rests on, each once, with a link where it has an address.
--- @param data table of the report
--- @return pandoc.Blocks
local function draw_evidence(data)
  local pieces, seen, more = {}, {}, 0
  for _, finding in ipairs(type(data.findings) == "table" and data.findings or {}) do
    local document = type(finding) == "table" and finding.doc_id
    if is_text(document) then
      local number = finding.page
      local paged = type(number) == "number" or is_text(number)
      local words = one_line(paged and labels.label("card.evidence-page", page.lang,
        { document = document, page = type(number) == "number" and string.format("%.0f", number) or number }) or document)
      if not seen[words] and #pieces < EVIDENCE then
        local inlines, url = text.inlines(words), text.url(finding.url)
        pieces[#pieces + 1] = url and { pandoc.Link(inlines, url, "", target.html()
          and pandoc.Attr("", {}, { { "rel", "noopener noreferrer" } }) or pandoc.Attr()) } or inlines
      elseif not seen[words] then
        more = more + 1
      end
      seen[words] = true
    end
  end
  if #pieces == 0 then
    return pandoc.Blocks({})
  elseif more > 0 then
    pieces[#pieces + 1] = text.inlines(labels.label("card.evidence-more", page.lang,
      { count = format.number(more, page.lang) }))
  end
  pieces[1] = text.inlines(labels.label("findings", page.lang) .. ": ") .. pieces[1]
  return markup.line("famulus-evidence", markup.dotted(pieces))
end

--- Return the day of the newest file that a version read: how old its data are.
--- @param manifest table
--- @return string|nil iso
local function data_day(manifest)
  local newest
  local files = type(manifest.inputs) == "table" and manifest.inputs.files
  for _, file in ipairs(type(files) == "table" and files or {}) do
    if type(file.mtime_ns) == "number" and (not newest or file.mtime_ns > newest) then
      newest = file.mtime_ns
    end
  end
  -- A file may be dated beyond what the system's calendar knows.
  local ok, day = pcall(os.date, "!%Y-%m-%d", math.floor((newest or 0) / 1e9))
  return newest and ok and day --[[@as string]] or nil
end

--- @param found famulus.Found
--- @return pandoc.Blocks
local function draw_meta(found)
  local created = tostring(found.manifest.created or "")
  local pieces = { text.inlines(found.version), markup.date(labels.date(created, page.lang), created:sub(1, 10)) }
  local day = data_day(found.manifest)
  if day then
    local said = labels.label("card.data", page.lang, { date = labels.date(day, page.lang) })
    pieces[#pieces + 1] = markup.date(said, day)
  end
  local state = not found.pinned and locate.states(found.block.root)[found.block.id]
  local accepted = type(state) == "table" and state.accepted
  if type(accepted) == "table" then
    local on = tostring(accepted.when)
    local said = labels.label("card.accepted", page.lang,
      { who = tostring(accepted.who), date = labels.date(on, page.lang), why = tostring(accepted.why) })
    pieces[#pieces + 1] = markup.date(said, on:sub(1, 10))
  end
  return markup.line("famulus-meta", markup.dotted(pieces))
end

--- Draw the card of a version.
--- @param found famulus.Found
--- @param report table envelope of report.json
--- @param call famulus.Call
--- @param id string|nil
--- @return pandoc.Blocks
function M.draw(found, report, call, id)
  local data = type(report.data) == "table" and report.data or {}
  local verdict = store.verdict(found)
  local status = store.status(found)
  local marks = { { status = status } }
  for _, mark in ipairs(store.marks(found)) do
    if mark.status ~= status and not (status == "error" and mark.status == "unverified") then
      marks[#marks + 1] = mark
    end
  end
  local head = pandoc.Blocks({})
  if is_text(data.question) then
    -- A question is prose: its lines are those of the source, only its paragraphs are meant.
    local question = data.question:match("^%s*(.-)%s*$"):gsub("([^\n])\r?\n([^\r\n])", "%1 %2")
    head:extend(markup.line("famulus-question", text.inlines(question), true))
  end
  head:extend(markup.marks(marks))
  local blocks = markup.div("famulus-card-head", head)
  if is_text(data.answer) then
    blocks:extend(markup.div({ "famulus-answer", "famulus-prose" }, prose.blocks(data.answer)))
  end
  if status == "error" or (status == "gap" and store.error_of(found).facts.why ~= "") then
    blocks:extend(problems.box(store.error_of(found), call))
  end
  blocks:extend(draw_oracle(verdict, store.oracle_keys(found), found.block.id))
  blocks:extend(guard.draw(type(verdict.observed) == "table" and verdict.observed.guard, data.answer))
  blocks:extend(draw_evidence(data))
  blocks:extend(draw_meta(found))
  local name = labels.label("card.label", page.lang, { block = found.block.id })
  return markup.div({ "famulus-card", "mathjax_ignore", target.typst() and printed.UNNUMBERED or nil },
    printed.unnumbered(blocks), target.html() and { { "role", "region" }, { "aria-label", text.attribute(name, "famulus") } } or {}, id)
end

--- @type string[] what a collection says of itself, in the order in which it is printed
local CREDIT_KEYS = { "source", "credit", "cite", "licence" }

--- Draw the credits of collections.
--- @param credits table[] each with some of source, credit, cite, licence, url
--- @return pandoc.Blocks empty where there are none
function M.credits(credits)
  local items, seen = {}, {}
  for _, credit in ipairs(credits) do
    local pieces, key = {}, {}
    for _, name in ipairs(CREDIT_KEYS) do
      local value = type(credit) == "table" and credit[name]
      if is_text(value) then
        local inlines = text.inlines(value)
        local url = name == "source" and text.url(credit.url)
        pieces[#pieces + 1] = url and { pandoc.Link(inlines, url) } or inlines
        key[#key + 1] = value
      end
    end
    local whole = table.concat(key, "\0")
    if #pieces > 0 and not seen[whole] then
      seen[whole] = true
      items[#items + 1] = { pandoc.Plain(markup.dotted(pieces)) }
    end
  end
  if #items == 0 then
    return pandoc.Blocks({})
  end
  local title = text.inlines(labels.label("credit", page.lang))
  return markup.div({ "famulus-credit", "mathjax_ignore" },
    markup.line("famulus-credit-title", title, true) .. pandoc.Blocks({ pandoc.BulletList(items) }),
    target.html() and { { "role", "note" } } or {})
end

--- Return the credits that a version's report names.
--- @param report table
--- @return table[]
function M.credits_of(report)
  local provenance = type(report.data) == "table" and report.data.provenance
  local credits = type(provenance) == "table" and provenance.credits
  return type(credits) == "table" and credits or {}
end

return M
