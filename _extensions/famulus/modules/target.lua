--- What the page is written in: the few differences between writers that the drawing has to know.

local M = {}

--- @type table<string, true>
local HTML = { html = true, html4 = true, html5 = true, revealjs = true, slidy = true, s5 = true, dzslides = true,
  slideous = true, chunkedhtml = true, epub = true, epub2 = true, epub3 = true }
--- @type table<string, true>
local MARKDOWN = { gfm = true, commonmark = true, commonmark_x = true, markdown_strict = true, markdown_mmd = true,
  markdown_phpextra = true, markdown_github = true, markdown = true }

--- Return the writer's name without extensions (`html+smart` → `html`).
--- @return string
local function name()
  return (tostring(FORMAT or "html"):match("^[%w_]+"))
end

--- Is the page HTML, where classes and attributes carry the look?
--- @return boolean
function M.html()
  return HTML[name()] == true
end

--- Is the page a kind of markdown, where divs and spans would become raw HTML?
--- @return boolean
function M.markdown()
  return MARKDOWN[name()] == true
end

--- Is the page an e-book, which can hold no links to files beside it?
--- @return boolean
function M.epub()
  return name():match("^epub") ~= nil
end

--- Is the page LaTeX, whose fonts lack the glyphs of the badges?
--- @return boolean
function M.latex()
  local it = name()
  return it == "latex" or it == "beamer" or it == "context"
end

--- Is the page typst?
--- @return boolean
function M.typst()
  return name() == "typst"
end

--- Does Quarto run us?
--- @return boolean
function M.quarto()
  return type(quarto) == "table" and quarto.doc ~= nil
end

--- Is it a Quarto before this version?
--- @param version string `1.6`
--- @return boolean
function M.quarto_before(version)
  return M.quarto() and type(quarto.version) == "userdata" and quarto.version < pandoc.types.Version(version)
end

return M
