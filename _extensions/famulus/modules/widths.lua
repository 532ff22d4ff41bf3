--- How wide the columns of a printed table are: HTML and markdown leave that to their readers, paper cannot be widened.

local target = require("famulus.target")

local M = {}

--- @type integer how many characters a line of a printed table holds, in letters a little smaller than those of the text
local LINE = 88
--- @type integer the same where letters are not made smaller
local SHORT_LINE = 72
--- @type integer what lies between two columns, in characters
local BETWEEN = 3
local LONGEST_COLUMN = 60
--- @type integer longer words of a text may be broken where there is no room for them
local LONGEST_WORD = 12

--- @class famulus.Extent how much room the texts of a column take, in characters
--- @field length integer of the longest text
--- @field word integer of the longest word
--- @field lines boolean has a text several lines?
--- @field numeric boolean numbers are never broken

--- Is the table printed, where nobody can widen it?
--- @return boolean
local function is_printed()
  return not target.html() and not target.markdown()
end

--- Widen the extent of a column by a text in it.
--- @param extents famulus.Extent[]
--- @param at integer
--- @param words string
--- @param numeric boolean
function M.extend(extents, at, words, numeric)
  local extent = extents[at] or { length = 0, word = 0, lines = false, numeric = numeric }
  extents[at] = extent
  extent.length = math.max(extent.length, utf8.len(words) or #words)
  -- HTML and markdown leave widths to their readers; elsewhere a text of 100 kB says enough by its beginning.
  if is_printed() then
    for word in words:sub(1, 2000):gmatch("%S+") do
      extent.word = math.max(extent.word, utf8.len(word) or #word)
    end
    extent.lines = extent.lines or words:find("\n", 1, true) ~= nil
  end
end

--- Return relative widths for a table whose text would run off a printed page: a column of numbers has room for its
--- longest, one of texts for its longest word as far as there is room, and more where its texts are longer.
--- @param extents famulus.Extent[]
--- @return number[] 0 where the writer may choose
function M.relative(extents)
  local whole, fixed, least, wishes, lines = 0, 0, 0, 0, false
  local shares, wanted = {}, {}
  for at, extent in ipairs(extents) do
    local word = extent.numeric and extent.word or math.min(extent.word, LONGEST_WORD)
    shares[at] = math.max(3, word) + BETWEEN
    wanted[at] = extent.numeric and 0 or math.max(0, math.min(extent.length, LONGEST_COLUMN) - word)
    whole, wishes, lines = whole + extent.length + BETWEEN, wishes + wanted[at], lines or extent.lines
    fixed = fixed + (extent.numeric and shares[at] or 0)
    least = least + (extent.numeric and 0 or shares[at])
  end
  -- LaTeX and docx do not see where a line of a cell ends, and make all columns alike.
  local line = (target.typst() or target.latex() or tostring(FORMAT) == "docx") and LINE or SHORT_LINE
  local fits = not is_printed() or (whole <= line and not lines)
  local room = math.max(line - fixed, line / 3)
  for at, extent in ipairs(extents) do
    if fits then
      shares[at] = 0
    elseif not extent.numeric then
      local more = wishes > 0 and math.max(0, room - least) * wanted[at] / wishes or 0
      shares[at] = shares[at] * math.min(1, room / least) + math.min(more, wanted[at])
    end
  end
  local total = 0
  for _, share in ipairs(shares) do
    total = total + share
  end
  for at, share in ipairs(shares) do
    shares[at] = share / math.max(total, line)
  end
  return shares
end

return M
