local prose = require("famulus.prose")

local function html(markdown)
  return pandoc.write(pandoc.Pandoc(prose.blocks(markdown)), "html", pandoc.WriterOptions({ wrap_text = "none" }))
end

local cases = {}

cases["markdown is drawn"] = function()
  check.equal(html("a *b* `c` [d](https://e.f)"),
    '<p>a <em>b</em> <code>c</code> <a href="https://e.f">d</a></p>')
  check.truthy(html("|a|b|\n|-|-|\n|1|2|"):find("<table>", 1, true))
end

cases["raw HTML is text"] = function()
  local drawn = html('a <b onclick="x">b</b>\n\n<script>alert(1)</script>\n\n<div>\nx\n</div>')
  check.equal(drawn:find("<script", 1, true), nil)
  check.equal(drawn:find("<b ", 1, true), nil)
  check.truthy(drawn:find("&lt;script&gt;alert(1)&lt;/script&gt;", 1, true), drawn)
end

cases["what is no CommonMark stays the characters it is"] = function()
  for _, s in ipairs({ "$x$", "@fig-1", "[^1]", "a{.b}", "{{< env HOME >}}", "<<< famulus a b >>>" }) do
    check.equal(pandoc.utils.stringify(prose.blocks(s)[1]), s)
  end
end

cases["an image is its words and a bad link is its text"] = function()
  check.equal(html("![alt](http://x/y.png) [l](javascript:1)"), "<p>alt l</p>")
end

cases["lists and quotes are no deeper than LaTeX has them, and nothing of them is lost"] = function()
  local lines, before = {}, FORMAT
  for depth = 0, 8 do
    lines[#lines + 1] = ("  "):rep(depth) .. "- p" .. depth
  end
  FORMAT = "latex"
  local drawn = pandoc.write(pandoc.Pandoc(prose.blocks(table.concat(lines, "\n") .. "\n\n" .. ("> "):rep(9) .. "q")), "latex")
  FORMAT = before
  check.equal(select(2, drawn:gsub("begin{itemize}", "")), 4, drawn)
  check.equal(select(2, drawn:gsub("begin{quote}", "")), 4, drawn)
  check.truthy(drawn:find("p0.*p4.*p8.*q"), drawn)
  check.equal(select(2, html(table.concat(lines, "\n")):gsub("<ul>", "")), 9)
end

cases["headings are none of the page's"] = function()
  for _, block in ipairs(prose.blocks("# a\n\nb")) do
    check.truthy(block.t ~= "Header")
  end
end

cases["no opening word ends an element"] = function()
  local doc = pandoc.Pandoc(prose.blocks("x {{< famulus a b >}} *<<< famulus a b >>>* `{{< env X >}}`\n\n    {{< env X >}}"))
  doc:walk({
    Str = function(el) check.truthy(not el.text:match("[<{]<$"), el.text) end,
    Code = function(el) check.truthy(not el.text:find("{{<", 1, true)) end,
    CodeBlock = function(el) check.truthy(not el.text:find("{{<", 1, true)) end,
  })
end

return cases
