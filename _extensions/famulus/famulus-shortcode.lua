--- The shortcode: Quarto hands us `{{< famulus … >}}` as words, and asks for blocks, inlines or text (spec 5.4).

dofile(pandoc.path.join({ pandoc.path.directory(PANDOC_SCRIPT_FILE), "modules", "load.lua" }))

local calls = require("famulus.calls")
local draw = require("famulus.draw")
local markup = require("famulus.markup")
local page = require("famulus.page")

--- Draw one shortcode.
--- @param args (string|pandoc.Inlines)[]
--- @param kwargs table<string, string|pandoc.Inlines> missing keys read as empty Inlines
--- @param meta table reads a key of the document's metadata
--- @param _ any
--- @param context string|nil "block", "inline" or "text"; Quarto 1.4 does not say
--- @return pandoc.Blocks|pandoc.Inlines|string
local function famulus(args, kwargs, meta, _, context)
  page.configure(function(key) return meta[key] end)
  markup.style()
  local words, options = {}, {}
  for _, word in ipairs(args) do
    -- In titles and other metadata Quarto leaves `key=value` one word, quotes included.
    local text = pandoc.utils.stringify(word)
    local key, value = text:match("^(%a[%w_-]*)=[\"']?(.-)[\"']?$")
    if key then
      options[key] = value
    else
      words[#words + 1] = text
    end
  end
  for key, value in pairs(kwargs) do
    options[key] = pandoc.utils.stringify(value)
  end
  if context == nil and options["="] then -- in raw HTML and in addresses Quarto 1.4 loses the names of options
    options.value, options["="], context = options["="], nil, "text"
  end
  local call = calls.make(words, options, calls.spell(words, options))
  if context == "text" then
    return draw.text(call)
  elseif call.in_line or context == "inline" or (context == nil and (call.beside or call.options.value)) then
    return draw.inline(call)
  end
  return draw.block(call)
end

return { famulus = famulus }
