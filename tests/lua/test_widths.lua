local widths = require("famulus.widths")

local cases = {}

--- Return the widths of a table of columns, each a list of texts, in a format.
--- @param form string
--- @param columns {texts: string[], numeric: boolean|nil}[]
--- @return number[]
local function of(form, columns)
  local before = FORMAT
  FORMAT = form
  local extents = {}
  for at, column in ipairs(columns) do
    for _, words in ipairs(column.texts) do
      widths.extend(extents, at, words, column.numeric or false)
    end
  end
  local shares = widths.relative(extents)
  FORMAT = before
  return shares
end

--- @param shares number[]
--- @return number
local function sum(shares)
  local total = 0
  for _, share in ipairs(shares) do
    total = total + share
  end
  return total
end

local LONG = { texts = { string.rep("Wort ", 60) } }
local NUMBERS = { texts = { "1234567.25" }, numeric = true }

cases["a narrow table and one for a screen are left to the writer"] = function()
  check.equal(sum(of("latex", { { texts = { "a" } }, { texts = { "b" } } })), 0)
  local shares = of("docx", { { texts = { "unknown_partner" } }, { texts = { "b" } } })
  check.truthy(shares[1] > 3 * shares[2] and sum(shares) < 0.4)
  for _, form in ipairs({ "html5", "gfm", "epub" }) do
    check.equal(sum(of(form, { LONG, LONG })), 0, form)
  end
end

cases["a wide table fills its page and no more"] = function()
  for _, form in ipairs({ "latex", "typst", "docx", "odt" }) do
    local total = sum(of(form, { LONG, LONG, NUMBERS }))
    check.truthy(total <= 1.0001 and total > 0.9, form .. " " .. total)
  end
end

cases["numbers have room for all their digits, however long the texts beside them"] = function()
  local columns = { LONG, LONG, LONG, LONG, LONG, NUMBERS }
  check.truthy(of("latex", columns)[6] * 88 >= 10, "latex")
  check.truthy(of("odt", columns)[6] * 72 >= 10, "odt")
end

cases["a long text has more room than a long word"] = function()
  local shares = of("typst", { { texts = { string.rep("x", 40) } }, LONG })
  check.truthy(shares[2] > shares[1])
end

cases["cells of several lines have widths, for not every writer sees where a line ends"] = function()
  local shares = of("latex", { { texts = { "a\nb" } }, { texts = { "c" } } })
  check.truthy(sum(shares) > 0 and sum(shares) < 0.5)
end

cases["a crowded table gets smaller letters where the writer has them, and a text of two columns does not"] = function()
  local words = { texts = { "angegeben" } }
  local function size(form, columns, in_context)
    local before, extents = FORMAT, {}
    FORMAT = form
    for at, column in ipairs(columns) do
      widths.extend(extents, at, column.texts[1], false)
    end
    local _, result = widths.relative(extents, in_context)
    FORMAT = before
    return result
  end
  check.equal(size("typst", { words, words, words, words, words, words, words, LONG }), 0.8)
  check.equal(size("docx", { words, words, words, words, words, words, words, LONG }), 1)
  check.equal(size("typst", { words, LONG }), 1)
  check.equal(size("latex", { words, LONG, words, LONG }), 1)
  check.equal(size("latex", { words, LONG, words, LONG }, true), 0.8)
end

cases["a table without texts has widths that are numbers"] = function()
  for _, share in ipairs(of("latex", { { texts = { "" } }, { texts = { "\n" } } })) do
    check.truthy(share == share and share >= 0 and share <= 1)
  end
end

return cases
