local calls = require("famulus.calls")

--- Read markdown as a page is read and return the inlines of its first block.
local function inlines(markdown)
  return pandoc.read(markdown, "markdown").blocks[1].content
end

--- Split a paragraph and return its single call.
local function one(markdown)
  local pieces, count = calls.split(inlines(markdown))
  check.equal(count, 1, markdown)
  return pieces[2], pieces
end

local function text(inlines_)
  return pandoc.utils.stringify(pandoc.Plain(inlines_))
end

local cases = {}

cases["both spellings are the same call"] = function()
  for _, markdown in ipairs({ "{{< famulus a b >}}", "<<< famulus a b >>>" }) do
    check.list(one(markdown).args, { "a", "b" })
  end
end

cases["the spelling without angle brackets is the same call, and is shown as it was written"] = function()
  local call = one("x (\u{e0fa} famulus a b value=x at=3 \u{e0fb}). y")
  check.list(call.args, { "a", "b" })
  check.equal(call.raw, "{{< famulus a b value=x >}}")
  check.equal(one("\u{e0fc} famulus a b \u{e0fd}").raw, "<<< famulus a b >>>")
end

cases["a text that is nothing but a call is read"] = function()
  check.list(calls.whole("{{< famulus a b >}}").args, { "a", "b" })
  check.equal(calls.whole("<<< famulus a b value=x >>>").options.value, "x")
  check.equal(calls.whole("{{< meta title >}}"), nil)
  check.equal(calls.whole("a/b.html"), nil)
  check.equal(calls.whole("{{< famulus a b >>>"), nil)
end

cases["text around a call stays"] = function()
  local _, pieces = one("vor ({{< famulus a b >}}). nach")
  check.equal(text(pieces[1]), "vor (")
  check.equal(text(pieces[3]), "). nach")
end

cases["quotes that became typographic are quotes again"] = function()
  local call = one([[<<< famulus a b caption="Die 'große' Liste" x='y z' >>>]])
  check.equal(call.options.caption, "Die 'große' Liste")
  check.equal(call.options.x, "y z")
end

cases["dashes and ellipses are written back"] = function()
  local call = one([[<<< famulus my--block b caption="1520--1530 --- und ... mehr" >>>]])
  check.equal(call.args[1], "my--block")
  check.equal(call.options.caption, "1520--1530 --- und ... mehr")
end

cases["underscores that became emphasis are underscores again"] = function()
  check.equal(one("<<< famulus a b columns=_id_,__x__,y_z >>>").options.columns, "_id_,__x__,y_z")
end

cases["maths, citations and tildes in an option are text"] = function()
  check.equal(one([[<<< famulus a b caption="$x$ @fig-1 a~1~ x^2^" >>>]]).options.caption, "$x$ @fig-1 a~1~ x^2^")
end

cases["a call may run over lines"] = function()
  check.equal(one("<<< famulus a b\ncaption=\"x\ny\" >>>").options.caption, "x y")
end

cases["a reference is one argument"] = function()
  check.list(one("{{< famulus fam:p/n.b/id.name@v3 >}}").args, { "fam:p/n.b/id.name@v3" })
end

cases["a version is no address of mail"] = function()
  local blocks = pandoc.read("{{< famulus my-block.name@v3 >}}", "markdown+autolink_bare_uris").blocks
  local pieces = calls.split(blocks[1].content)
  check.list(pieces[2].args, { "my-block.name@v3" })
end

cases["an apostrophe inside double quotes ends nothing"] = function()
  check.equal(one([[{{< famulus a b caption="Dürer's Briefe" >}}]]).options.caption, "Dürer's Briefe")
end

cases["an equals sign may have blanks around it"] = function()
  check.equal(one("{{< famulus a b value = counts.n >}}").options.value, "counts.n")
end

cases["a call without blanks is read although pandoc takes it for HTML"] = function()
  check.list(one("x {{<famulus a b>}} y").args, { "a", "b" })
  check.list(one("x <<<famulus a b>>> y").args, { "a", "b" })
end

cases["two calls in a line are two"] = function()
  local pieces, count = calls.split(inlines("{{< famulus a b >}}, <<< famulus c d >>>"))
  check.equal(count, 2)
  check.list(pieces[4].args, { "c", "d" })
  check.equal(text(pieces[3]), ", ")
end

cases["another shortcode is left alone"] = function()
  check.equal(calls.split(inlines("{{< meta title >}} <<< nothing here >>>")), nil)
end

cases["an escaped shortcode loses one pair of braces and is not run"] = function()
  local pieces, count = calls.split(inlines("{{{< famulus a b >}}} und {{{< meta title >}}}"))
  check.equal(count, 0)
  check.equal(text(pieces[1]), "{{< famulus a b >}} und {{< meta title >}}")
end

cases["a call that never ends is reported and stays text"] = function()
  local pieces, count, unclosed = calls.split(inlines("<<< famulus a b und weiter"))
  check.equal(pieces, nil)
  check.equal(count, 0)
  check.equal(#unclosed, 1)
end

cases["an unended call does not swallow the next one"] = function()
  local pieces, count, unclosed = calls.split(inlines("<<< famulus a b, dann <<< famulus c d >>>"))
  check.equal(count, 1)
  check.equal(#unclosed, 1)
  check.list(pieces[2].args, { "c", "d" })
end

cases["only a paragraph that holds nothing else is a call of its own"] = function()
  check.truthy(calls.only(inlines("{{< famulus a b >}}")))
  check.equal(calls.only(inlines("{{< famulus a b >}}.")), nil)
  check.equal(calls.only(inlines("{{< famulus a b >}} {{< famulus a b >}}")), nil)
  check.equal(calls.only(inlines("x {{< famulus a b >}}")), nil)
end

cases["an option without a value takes no other option for one"] = function()
  local words, options = calls.words("a t columns= sort=n caption = x")
  check.list(words, { "a", "t" })
  check.equal(options.columns, "")
  check.equal(options.sort, "n")
  check.equal(options.caption, "x")
end

cases["the words of the machinery are no options and not in the spelling"] = function()
  local call = one("{{< famulus a b cell=true at=17 >}}")
  check.equal(call.at, "17")
  check.equal(call.cell, true)
  check.equal(next(call.options), nil)
  check.equal(call.raw, "{{< famulus a b >}}")
end

cases["a spelled call reads back as the same call"] = function()
  math.randomseed(7)
  local letters = { "a", "B", "ß", "-", "_", "1", ".", ",", "é" }
  local function word(most)
    local parts = { "x" }
    for at = 1, math.random(0, most) do
      parts[at + 1] = letters[math.random(#letters)]
    end
    return table.concat(parts)
  end
  for _ = 1, 200 do
    local args, options = { word(5), word(5) }, {}
    for _ = 1, math.random(0, 3) do
      options["k" .. math.random(9)] = word(6) .. (math.random(2) == 1 and " " .. word(3) or "")
    end
    local spelled = calls.spell(args, options)
    local words, read = calls.words(spelled:match("^{{< famulus (.*) >}}$"))
    check.list(words, args)
    for key, value in pairs(options) do
      check.equal(read[key], value, spelled)
    end
  end
end

cases["words that smart typography changed read back as they were typed"] = function()
  math.randomseed(11)
  local pieces = { "a", "b c", "--", "...", "'", "x_y", "*", "1520", "~", "ü", "@k", "$1", ":" }
  for _ = 1, 200 do
    local parts = {}
    for at = 1, math.random(1, 6) do
      parts[at] = pieces[math.random(#pieces)]
    end
    local caption = ("w" .. table.concat(parts, " ") .. "w"):gsub("%s+", " ")
    local found = calls.only(inlines('<<< famulus a b caption="' .. caption .. '" >>>'))
    check.truthy(found, caption)
    check.equal(found.options.caption:gsub("[*_]", ""), (caption:gsub("[*_]", "")), caption)
  end
end

return cases
