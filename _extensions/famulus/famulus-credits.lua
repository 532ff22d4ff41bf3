--- In Quarto: ends the page with the credits of what it shows, when all shortcodes have been drawn.

dofile(pandoc.path.join({ pandoc.path.directory(PANDOC_SCRIPT_FILE), "modules", "load.lua" }))

local walk = require("famulus.walk")

return { { Pandoc = walk.credits } }
