--- Letters that the usual font of LaTeX lacks: LuaLaTeX takes those from other fonts of this machine, where a page has any.
--- Without it they are left out of the paper. Runs after all that draws.
---
--- The renderer says in the environment: FAMULUS_PDF_ENGINE, what makes the PDF.

--- @type integer what Latin Modern has: Latin letters with their marks, and some punctuation
local LATIN, MARKS, SIGNS = 0x24F, 0x2010, 0x2026
--- @type integer letters of one page of Unicode are asked for together
local PAGE = 256
--- @type string[] the usual font, by its files: a name would be looked up in a list that takes a minute to make
local USUAL = { "lmroman10-regular.otf", "BoldFont=lmroman10-bold.otf", "ItalicFont=lmroman10-italic.otf",
  "BoldItalicFont=lmroman10-bolditalic.otf" }

--- Return one letter of each page of Unicode that the text has letters of beyond the usual ones.
--- @param text string
--- @return integer[]
local function samples(text)
  local seen, found = {}, {}
  for _, letter in utf8.codes(text) do
    local page = letter // PAGE
    if letter > LATIN and not (letter >= MARKS and letter <= SIGNS) and not seen[page] then
      seen[page] = true
      found[#found + 1] = letter
    end
  end
  return found
end

--- Return the files of fonts that have these letters.
--- @param letters integer[]
--- @return string[]
local function fonts_with(letters)
  local seen, files = {}, {}
  for _, letter in ipairs(letters) do
    local ok, file = pcall(pandoc.pipe, "fc-match", { "-f", "%{file}", string.format("serif:charset=%x", letter) }, "")
    if ok and file:match("%.[ot]tf$") and not file:find('["\\%%#{}%c]') and not seen[file] then
      seen[file] = true
      files[#files + 1] = file
    end
  end
  return files
end

--- @param words string
--- @return pandoc.Inlines
local function raw(words)
  return pandoc.Inlines({ pandoc.RawInline("latex", words) })
end

--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc|nil
local function find_fonts(doc)
  if os.getenv("FAMULUS_PDF_ENGINE") ~= "lualatex" or doc.meta.mainfont then
    return nil
  end
  local head = {}
  for at, key in ipairs({ "title", "subtitle", "author", "date", "abstract" }) do
    head[at] = doc.meta[key] and pandoc.utils.stringify(doc.meta[key]) or ""
  end
  local text = pandoc.write(pandoc.Pandoc(doc.blocks), "plain") .. table.concat(head)
  local files = fonts_with(samples(text))
  if #files == 0 then
    return nil
  end
  local options, others = {}, {}
  for at = 2, #USUAL do
    options[#options + 1] = raw(USUAL[at])
  end
  for at, file in ipairs(files) do
    others[at] = raw("[" .. file .. "]:mode=harf")
  end
  doc.meta.mainfont, doc.meta.mainfontoptions, doc.meta.mainfontfallback = raw(USUAL[1]), options, others
  return doc
end

return { { Pandoc = find_fonts } }
