local choices = require("famulus.choices")

local cases = {}

--- @param options table<string, string>
--- @return any
local function read(options)
  return choices.of_view(options, function(markdown)
    return pandoc.Inlines({ pandoc.Str(markdown) })
  end)
end

cases["columns and orders are lists, whose first entry goes first"] = function()
  local found = read({ columns = "a, b,", sort = "-count,name , +year" })
  check.list(found.columns, { "a", "b" })
  local orders = {}
  for at, order in ipairs(found.sort) do
    orders[at] = (order.descending and "-" or "") .. order.key
  end
  check.list(orders, { "-count", "name", "year" })
end

cases["a title and a caption are the author's words, none where he says false, and else the view's own"] = function()
  for _, name in ipairs({ "title", "caption" }) do
    check.equal(pandoc.utils.stringify(read({ [name] = "Mine" })[name]), "Mine")
    check.equal(read({ [name] = "false" })[name], false)
    check.equal(read({})[name], nil)
  end
end

cases["a value that an option cannot have is a problem that says which it can"] = function()
  for option, values in pairs({ ["max-rows"] = { "0", "-1", "many", "" }, label = { "x", "tbl-", "tbl-a b", "sec-x" } }) do
    for _, value in ipairs(values) do
      local found, problem = read({ [option] = value })
      check.equal(found, nil, value)
      check.equal(problem.code, "option-value", value)
    end
  end
  check.equal(choices.check({ ["max-row"] = "1" }).code, "option-unknown")
  check.equal(choices.check({ ["max-rows"] = "1" }), nil)
end

return cases
