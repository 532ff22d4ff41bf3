--- Makes `require("famulus.<module>")` find the files of this folder, in Quarto and in plain pandoc alike.
---
--- Names of our own, because all extensions of a page share one Lua state: another one's `store` must not be ours.

local modules = pandoc.path.directory(debug.getinfo(1, "S").source:sub(2))

if not package.loaded["famulus.home"] then
  package.loaded["famulus.home"] = { folder = pandoc.path.directory(modules) }
  table.insert(package.searchers, 2, function(name)
    local module = name:match("^famulus%.([%w_]+)$")
    return module and loadfile(pandoc.path.join({ modules, module .. ".lua" })) or nil
  end)
end
