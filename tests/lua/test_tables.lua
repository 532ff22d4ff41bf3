local tables = require("famulus.tables")

local cases = {}

cases["rows are ordered by the first column that is named, and equal ones by the next"] = function()
  local part = { type = "table", total = 5, columns = { { key = "a", label = "a" }, { key = "n", label = "n", type = "BIGINT" } },
    rows = { { "x", 1 }, { "y", 2 }, { "a", 2 }, { "b", 1 }, { "c", nil } } }
  local found = { block = { id = "a", root = "/nowhere" }, name = "tab", folder = "/nowhere", version = "v0001" }
  local sort = { { key = "n", descending = true }, { key = "a", descending = false } }
  local drawn = tables.draw(found, part, { sort = sort }, pandoc.Inlines({}), nil)
  local letters = {}
  pandoc.Pandoc(drawn):walk({ Table = function(el)
    for _, row in ipairs(el.bodies[1].body) do
      letters[#letters + 1] = pandoc.utils.stringify(row.cells[1].contents)
    end
  end })
  check.list(letters, { "a", "y", "b", "x", "c" })
  check.equal(tables.check(part, { sort = { sort[1], { key = "m" } } }).code, "column-unknown")
end

return cases
