local format = require("famulus.format")

local cases = {}

cases["German groups with a point, every other language with a comma"] = function()
  check.equal(format.number(1234567, "de-AT"), "1.234.567")
  check.equal(format.number(1234567, "en"), "1,234,567")
  check.equal(format.number(1234567, "fr"), "1,234,567")
  check.equal(format.number(-1234.5, "de"), "-1.234,5")
end

cases["small and huge numbers have an exponent"] = function()
  check.equal(format.number(1.5e-7, "de"), "1,5e-7")
  check.equal(format.number(1e20, "en"), "1e20")
  check.equal(format.number(0.1234567, "en"), "0.1235")
end

cases["an integer up to 2^53 is written out where the column holds integers"] = function()
  check.equal(format.cell(9007199254740992, "en", "BIGINT"), "9,007,199,254,740,992")
  check.equal(format.cell(9007199254740992, "en", "DOUBLE"), "9.007e15")
end

cases["patterns"] = function()
  check.equal(format.number(0.256, "de", ".1%"), "25,6\u{a0}%")
  check.equal(format.number(0.256, "en", ".1%"), "25.6%")
  check.equal(format.number(1520, "en", "d"), "1520")
  check.equal(format.number(1520.5, "en", ",.2f"), "1,520.50")
  check.equal(format.number(-0.0001, "en", ".2f"), "0.00")
  for _, good in ipairs({ ",", "d", ",d", "f", ".2f", ",.12f", "%", ".0%" }) do
    check.truthy(format.is_pattern(good), good)
  end
  for _, bad in ipairs({ "", "%.2f", ".2d", "x", ",,f", ".123f", "2f", ".2" }) do
    check.truthy(not format.is_pattern(bad), bad)
  end
end

cases["digits that came as text are all kept"] = function()
  check.equal(format.cell("12345678901234567890", "de", "HUGEINT"), "12.345.678.901.234.567.890")
  check.equal(format.cell("1234.50000", "de", "DECIMAL(18,5)"), "1.234,50000")
  check.equal(format.cell("NaN", "de", "DOUBLE"), "NaN")
  check.equal(format.cell("1234", "de", "VARCHAR"), "1234")
end

cases["yes, no and nothing are words"] = function()
  check.equal(format.cell(true, "de"), "ja")
  check.equal(format.cell(false, "en"), "no")
  check.equal(format.cell(pandoc.json.null, "en"), "")
  check.equal(format.cell(nil, "en"), "")
end

cases["a path leads through groups and lists"] = function()
  local data = { counts = { n = 75 }, rows = { { text = "a" }, { text = "b" } } }
  check.equal(format.at_path(data, "counts.n"), 75)
  check.equal(format.at_path(data, "rows.1.text"), "b")
  local value, known = format.at_path(data, "counts.m")
  check.equal(value, nil)
  check.list(known, { "n" })
  value, known = format.at_path(data, "rows.2")
  check.equal(value, nil)
  check.list(known, { "0", "1" })
  check.equal((format.at_path(data, "counts.n.x")), nil)
end

cases["a value that is false is a value"] = function()
  check.equal(format.at_path({ a = { ok = false } }, "a.ok"), false)
end

cases["sizes are for readers"] = function()
  check.equal(format.bytes(999, "en"), "999\u{a0}B")
  check.equal(format.bytes(820000, "en"), "820\u{a0}kB")
  check.equal(format.bytes(1234567, "de"), "1,2\u{a0}MB")
end

return cases
