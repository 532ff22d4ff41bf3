local text = require("famulus.text")

local HOSTILE = { "<script>alert(1)</script>", "{{< env HOME >}}", "<<< famulus a b >>>", "$x$ \\(y\\) $$z$$", "a | b",
  "@fig-1 [@key]", "[^1]", "[x](javascript:1)", "&amp; &#60;", "1. x", "- x", "+ x", "# x", "> x", "---", "===",
  ":smile:", "`{=html}`", "\\begin{x}", "#set text(red)", "{#id .c}", "~~a~~", "^a^", "==a==", "'\"", "| a | b |" }

local cases = {}

cases["no piece of data ends in an opening word"] = function()
  for _, data in ipairs(HOSTILE) do
    for _, el in ipairs(text.inlines(data .. "\n" .. data)) do
      check.truthy(el.t == "LineBreak" or el.text == data, data)
    end
  end
end

cases["data survives the way through markdown as it is"] = function()
  FORMAT = "gfm"
  for _, writer in ipairs({ "gfm", "commonmark", "markdown" }) do
    for _, data in ipairs(HOSTILE) do
      local doc = pandoc.Pandoc({ pandoc.Para(text.inlines(data)) })
      local written = pandoc.write(doc, writer, pandoc.WriterOptions({ wrap_text = "none" }))
      local read = pandoc.read(written, writer .. (writer == "markdown" and "-smart" or ""))
      check.equal(#read.blocks, 1, writer .. ": " .. written)
      check.equal(read.blocks[1].t, "Para", writer .. ": " .. written)
      check.equal(pandoc.utils.stringify(read.blocks[1]), data, writer .. ": " .. written)
    end
  end
  FORMAT = nil
end

cases["control characters and direction overrides are seen"] = function()
  check.equal(text.visible("a\0b\27c\u{202e}d\u{2066}e\u{80}f"), "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}e\u{fffd}f")
  check.equal(text.visible("a\r\nb\rc\u{2028}d\fe"), "a\nb\nc\nd\ne")
  check.equal(text.visible("שָׁלוֹם é €"), "שָׁלוֹם é €")
end

cases["only web, mail and relative addresses are links"] = function()
  for _, url in ipairs({ "https://a.b/c?d=e&f#g", "HTTP://a", "mailto:a@b.c", "a/b.html", "../x", "#y", "/z", "?q=1" }) do
    check.equal(text.url(" " .. url .. "\n"), url)
  end
  for _, url in ipairs({ "javascript:alert(1)", "java\nscript:1", "data:text/html,x", "//evil.org", "vbscript:x",
    "file:///etc/passwd", "https://a b", "x:y", "https:///x", "http://a/{{<x>}}", "a\"b", "", "https://a\u{202e}b",
    "\1javascript:1", "a\\b" }) do
    check.equal(text.url(url), nil, url)
  end
  check.equal(text.url(nil), nil)
  check.equal(text.url(5), nil)
end

cases["text that could be a shortcode does not stand in an attribute"] = function()
  check.equal(text.attribute("a\n b", "x"), "a b")
  check.equal(text.attribute("{{< env HOME >}}", "x"), "x")
  check.equal(text.attribute("", "x"), "x")
end

return cases
