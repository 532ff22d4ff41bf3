--- How wide the columns of a printed table are: HTML and markdown leave that to their readers, paper cannot be widened.

local target = require("famulus.target")

local M = {}

--- @type integer how many characters a line of a printed table holds, in letters a little smaller than those of the text
local LINE = 88
--- @type integer the same where letters are not made smaller
local SHORT_LINE = 72
--- @type number[] sizes of letters, as parts of those: a crowded table gets smaller ones where a writer has them
local SIZES = { 1, 0.9, 0.8 }
--- @type integer from how many columns on a table is crowded, and not a text in columns
local CROWDED = 4
--- @type integer what lies between two columns, in characters
local BETWEEN = 3
--- @type integer what a column of an office program has more than its text needs
local SLACK = 2
local LONGEST_COLUMN = 72
--- @type integer longer words of a text may be broken where there is no room for them
local LONGEST_WORD = 12
--- @type integer what a text of many lines has at least
local LEAST = 20
--- @type integer texts up to here stay in one line, as long as that leaves others this part of theirs
local SHORT, OTHERS = 20, 0.4

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

--- @class famulus.Room
--- @field least number what a column cannot do without, in characters
--- @field most number what it has use for
--- @field weight number how strongly it asks for what lies between

--- Say what room each column needs, what it would like, and whether the columns of short texts can have all they like.
--- @param extents famulus.Extent[]
--- @param line number
--- @return famulus.Room[]
--- @return number others what the short ones leave, in characters
local function rooms(extents, line)
  local result, others, long = {}, line, false
  for at, extent in ipairs(extents) do
    local word = extent.numeric and extent.word or math.min(extent.word, LONGEST_WORD)
    local least = math.max(3, word, not extent.numeric and extent.length > LONGEST_COLUMN and LEAST or 0) + BETWEEN
    local most = extent.numeric and least or math.max(least, math.min(extent.length, LONGEST_COLUMN) + BETWEEN)
    result[at] = { least = least, most = most, weight = math.sqrt(extent.length) }
    long = long or extent.length > SHORT
    others = others - (extent.length > SHORT and 0 or most)
  end
  for at, extent in ipairs(extents) do
    if extent.length <= SHORT and long and others >= OTHERS * line then
      result[at].least = result[at].most
    end
  end
  return result, others
end

--- Share a line among columns: a longer text gets more, though not by as much as it is longer, none more than it has use
--- for; where there is too little for all, numbers keep what they need.
--- @param extents famulus.Extent[]
--- @param columns famulus.Room[]
--- @param line number
--- @return number[] characters
local function share(extents, columns, line)
  local function at_level(level)
    local shares, total = {}, 0
    for at, room in ipairs(columns) do
      shares[at] = math.max(room.least, math.min(room.most, level * room.weight))
      total = total + shares[at]
    end
    return shares, total
  end
  local shares, total = at_level(0)
  if total > line then
    local fixed = 0
    for at, extent in ipairs(extents) do
      fixed = fixed + (extent.numeric and shares[at] or 0)
    end
    local part = math.max(line - fixed, line / 3) / (total - fixed)
    for at, extent in ipairs(extents) do
      shares[at] = shares[at] * (extent.numeric and 1 or part)
    end
    return shares
  end
  local low, high = 0, line
  for _ = 1, 30 do
    local level = (low + high) / 2
    shares, total = at_level(level)
    if total > line then
      high = level
    else
      low = level
    end
  end
  return (at_level(low))
end

--- Choose the size of a table's letters: the largest in which long texts have room; of keywords in context the largest in
--- which each row is one line.
--- @param extents famulus.Extent[]
--- @param whole number characters of a row that is one line
--- @param usual number characters of a line in letters of size 1
--- @param in_context boolean does a keyword stand between its contexts? They are read along one line
--- @return number
local function size_for(extents, whole, usual, in_context)
  local sizes = (target.typst() or target.latex()) and #extents >= CROWDED and SIZES or { 1 }
  for _, size in ipairs(in_context and sizes or { 1 }) do
    if whole <= usual / size then
      return size
    end
  end
  for _, size in ipairs(sizes) do
    local _, others = rooms(extents, usual / size)
    if others >= OTHERS * usual / size and not in_context then
      return size
    end
  end
  return sizes[#sizes]
end

--- Return relative widths for a table whose text would run off a printed page: a column of numbers has room for its
--- longest, one of short texts for those, one of longer texts for its longest word as far as there is room.
--- @param extents famulus.Extent[]
--- @param in_context boolean|nil does a keyword stand between its contexts?
--- @return number[] widths 0 where the writer may choose
--- @return number size of the letters, as a part of what printed tables have
function M.relative(extents, in_context)
  local whole, lines, shares = 0, false, {}
  for at, extent in ipairs(extents) do
    whole, lines, shares[at] = whole + extent.length + BETWEEN, lines or extent.lines, 0
  end
  if not is_printed() then
    return shares, 1
  end
  -- LaTeX and docx do not see where a line of a cell ends, and make all columns alike.
  local usual = (target.typst() or target.latex() or tostring(FORMAT) == "docx") and LINE or SHORT_LINE
  local size = size_for(extents, whole, usual, in_context == true)
  local line, total = usual / size, 0
  if whole <= line and not lines then
    for at, extent in ipairs(extents) do
      -- Office programs make columns of no width alike, and break the words of the narrow ones.
      shares[at] = (target.typst() or target.latex()) and 0 or (extent.length + BETWEEN + SLACK) / math.max(line, whole)
    end
    return shares, size
  end
  shares = share(extents, (rooms(extents, line)), line)
  for _, one in ipairs(shares) do
    total = total + one
  end
  for at, one in ipairs(shares) do
    shares[at] = one / math.max(total, line)
  end
  return shares, size
end

return M
