--- From a call to what stands in its place: blocks for a paragraph of its own, inlines within a line, text in attributes.
---
--- Whatever goes wrong becomes a box and a record; nothing is raised out of here.

local calls = require("famulus.calls")
local card = require("famulus.card")
local choices = require("famulus.choices")
local format = require("famulus.format")
local labels = require("famulus.labels")
local locate = require("famulus.locate")
local markup = require("famulus.markup")
local page = require("famulus.page")
local problems = require("famulus.problems")
local prose = require("famulus.prose")
local resources = require("famulus.resources")
local store = require("famulus.store")
local target = require("famulus.target")
local text = require("famulus.text")
local view = require("famulus.view")

local M = {}

--- @type table<string, famulus.Found> blocks that the page shows something of, by folder of their version
local used = {}
--- @type table<string, true> anchors that are taken
local anchors = {}
--- @type table<string, true> anchors that the page will have, known before it is drawn
local expected = {}
--- @type table<string, true> blocks in whose place a card or a box says what is wrong with them
local told = {}

--- @param id string
--- @return string|nil the id where it is still free on this page
local function anchor(id)
  if anchors[id] then
    return nil
  end
  anchors[id] = true
  return id
end

--- Say which calls the page holds: the credits then need not wait until everything is drawn, and a link in a line knows
--- whether its artefact stands on the same page.
--- @param call famulus.Call
--- @param whole boolean will the artefact be drawn as a whole?
function M.expect(call, whole)
  -- A store that cannot be read is told of where the call is drawn.
  local ok, found = pcall(store.find, call)
  if ok and found then
    used[found.folder] = found
    if whole and not call.options.value then
      M.expect_id("famulus-" .. found.block.id .. "." .. found.name)
    end
  end
end

--- Say that the page holds an element of this id.
--- @param id string
function M.expect_id(id)
  expected[id] = true
end

--- Find what a call names.
--- @param call famulus.Call
--- @return famulus.Found|nil, famulus.Problem|nil
local function find(call)
  local problem = choices.check(call.options)
  if problem then
    return nil, problem
  end
  return store.find(call)
end

--- Return one value of an artefact's data as text.
--- @param call famulus.Call
--- @param found famulus.Found
--- @return string|nil, famulus.Problem|nil
local function value_text(call, found)
  local fmt = call.options.format
  if fmt and not format.is_pattern(fmt) then
    return nil, choices.bad_value("format", fmt, ",.2f / ,d / .1%")
  end
  local envelope, problem = store.envelope(found)
  if not envelope then
    return nil, problem
  end
  local path = call.options.value
  local value, known = format.at_path(envelope.data, path)
  local facts = { block = found.block.id, name = found.name, path = path, known = known,
    wanted = path:match("[^.]*$") }
  if value == nil then
    return nil, found.manifest.status == "error" and store.error_of(found) or problems.new("value-unknown", facts)
  elseif type(value) == "table" then
    local _, keys = format.at_path(value, "")
    facts.known, facts.wanted = keys, nil
    return nil, problems.new("value-many", facts)
  end
  return format.cell(value, page.lang, nil, fmt)
end

--- @param found famulus.Found
--- @return pandoc.Blocks, famulus.Problem|nil
local function credit_blocks(found)
  local report, problem = store.envelope(found)
  if not report then
    return pandoc.Blocks({}), problem
  end
  local blocks = card.credits(card.credits_of(report))
  if #blocks == 0 then
    problem = problems.new("credit-none", { block = found.block.id })
  end
  return blocks, problem
end

--- @param call famulus.Call
--- @param found famulus.Found
--- @return pandoc.Blocks|nil, famulus.Problem|nil
local function whole(call, found)
  if found.name == "verdict" then
    local marks = { { status = store.status(found) } }
    return markup.marks(marks)
  elseif found.name == "credit" then
    return credit_blocks(found)
  end
  local envelope, problem = store.envelope(found)
  if not envelope then
    return nil, problem
  end
  local id = "famulus-" .. found.block.id .. "." .. found.name
  if found.name == "card" then
    told[found.block.id] = call.cell or told[found.block.id]
    if found.manifest.status == "error" then
      problem = store.error_of(found)
    end
    return card.draw(found, envelope, call, anchor(id)), problem
  end
  local options
  options, problem = choices.of_view(call.options, M.caption)
  if not options then
    return nil, problem
  end
  local drawing = envelope.view
  if type(drawing) ~= "table" or type(drawing.parts) ~= "table" then
    return nil, problems.new("unreadable", { file = id, why = "view" })
  end
  problem = view.check(drawing, options)
  if problem then
    return nil, problem
  end
  -- In the place of a block the card has said already what the marks would say.
  local marks = call.cell and told[found.block.id] and {} or store.marks(found)
  return view.draw(found, drawing, options, marks, anchor(id))
end

--- Where the artefact of a found call is shown: on this page, on its notebook's, or nowhere.
--- @param found famulus.Found
--- @return string|nil
local function link_to(found)
  local id = "famulus-" .. found.block.id .. "." .. found.name
  local cell = "famulus-" .. found.block.id
  if target.markdown() then
    return nil
  elseif expected[id] or anchors[id] then
    return "#" .. id
  elseif expected[cell] then
    return "#" .. cell
  end
  local stem = tostring(found.block.notebook or ""):gsub("%.", "/")
  for _, suffix in ipairs({ ".fam", ".qmd" }) do
    local path = pandoc.path.join({ found.block.root, stem .. suffix })
    if found.block.root == page.root and locate.exists(path) then
      local relative = pandoc.path.make_relative(path, page.folder, true):gsub("\\", "/")
      return relative == page.document and "#" .. cell or relative .. "#" .. cell
    end
  end
end

--- The words of a link: the caption that the call gives, else the artefact's title or caption, else its reference.
--- @param call famulus.Call
--- @param found famulus.Found
--- @return pandoc.Inlines
local function link_words(call, found)
  if call.options.caption and call.options.caption ~= "false" then
    return M.caption(call.options.caption)
  end
  local envelope = store.envelope(found)
  local drawing = envelope and type(envelope.view) == "table" and envelope.view or {}
  local words = labels.resolve(drawing.title, page.lang)
  if words == "" and type(drawing.caption) == "string" then
    words = drawing.caption
  end
  return text.inlines(words ~= "" and words or found.block.id .. "." .. found.name)
end

--- @param call famulus.Call
--- @param found famulus.Found
--- @return pandoc.Inlines|nil, famulus.Problem|nil
local function within_line(call, found)
  local inlines
  if call.options.value then
    local words, problem = value_text(call, found)
    if not words then
      return nil, problem
    end
    inlines = text.inlines(words)
  elseif found.name == "verdict" then
    return markup.mark({ status = store.status(found) })
  elseif found.name == "credit" then
    local blocks, problem = credit_blocks(found)
    return pandoc.utils.blocks_to_inlines(blocks), problem
  else
    local url = link_to(found)
    local words = link_words(call, found)
    inlines = url and pandoc.Inlines({ pandoc.Link(words, url) }) or words
  end
  for _, mark in ipairs(store.marks(found)) do
    inlines:insert(pandoc.Space())
    inlines:extend(markup.mark({ status = mark.status }))
  end
  return markup.span("famulus-value", inlines)
end

--- Run a drawing so that whatever happens, something stands on the page.
--- @generic T
--- @param call famulus.Call
--- @param draw fun(found: famulus.Found): T|nil, famulus.Problem|nil
--- @param box fun(problem: famulus.Problem): T
--- @return T
local function guarded(call, draw, box)
  local ok, drawn, problem = pcall(function()
    local found, missing = find(call)
    if not found then
      return nil, missing
    end
    return draw(found)
  end)
  if not ok then
    drawn, problem = nil, problems.defect(drawn)
  end
  if problem then
    problems.record(problem, call)
  end
  if drawn then
    return drawn
  end
  return box(problem or problems.defect("nothing was drawn"))
end

--- Draw a call that is a paragraph of its own.
--- @param call famulus.Call
--- @return pandoc.Blocks
function M.block(call)
  if call.options.value then
    return pandoc.Blocks({ pandoc.Para(M.inline(call)) })
  end
  return guarded(call, function(found)
    return whole(call, found)
  end, function(problem)
    -- One box in the place of a block is enough, however many artefacts it should have had.
    local block = problem.facts.block
    if call.cell and block and told[block] then
      return pandoc.Blocks({})
    end
    if call.cell and block then
      told[block] = true
    end
    return problems.box(problem, call)
  end)
end

--- Draw a call within a line.
--- @param call famulus.Call
--- @return pandoc.Inlines
function M.inline(call)
  return guarded(call, function(found)
    return within_line(call, found)
  end, problems.inline_box)
end

--- Draw the caption of a call: calls in it are ones within a line.
--- @param markdown string
--- @return pandoc.Inlines
function M.caption(markdown)
  return prose.caption(markdown, function(inside)
    local words, options = calls.words(inside)
    table.remove(words, 1)
    local call = calls.make(words, options, calls.spell(words, options))
    M.expect(call, false)
    return M.inline(call)
  end)
end

--- Draw a call where only text can stand: the address of a link or an image, an attribute.
--- @param call famulus.Call
--- @return string
function M.text(call)
  return guarded(call, function(found)
    if call.options.value then
      local words, problem = value_text(call, found)
      return words and text.attribute(words, "?"), problem
    end
    local envelope, problem = store.envelope(found)
    if not envelope then
      return nil, problem
    end
    for _, part in ipairs(envelope.view.parts) do
      local file = part.type == "figure" and part.file or part.type == "graph" and part.svg
      if file then
        return resources.image(found, file)
      elseif part.type == "table" and type(part.full) == "table" then
        return resources.url(found, part.full.file)
      end
    end
    return link_to(found) or "#"
  end, function(problem)
    return "?famulus:" .. problem.code
  end)
end

--- Tell whoever renders of which versions the page is made.
function M.record()
  local path = os.getenv("FAMULUS_DRAWN")
  local file = path and path ~= "" and next(used) and io.open(path, "ab")
  if not file then
    return
  end
  local blocks = {}
  for _, found in pairs(used) do
    if not found.pinned and found.block.root == page.root then
      blocks[found.block.id] = found.version
    end
  end
  file:write(pandoc.json.encode({ document = page.document, root = page.root, blocks = blocks }), "\n")
  file:close()
end

--- Draw the credits of everything the page has shown.
--- @return pandoc.Blocks
function M.page_credits()
  local all, folders = {}, {}
  for folder in pairs(used) do
    folders[#folders + 1] = folder
  end
  table.sort(folders)
  for _, folder in ipairs(folders) do
    local found = used[folder]
    local report = store.envelope({ block = found.block, name = "report", folder = found.folder,
      version = found.version, pinned = found.pinned, manifest = found.manifest })
    for _, credit in ipairs(report and card.credits_of(report) or {}) do
      all[#all + 1] = credit
    end
  end
  return #all > 0 and card.credits(all) or pandoc.Blocks({})
end

return M
