--- Pictures where a format cannot place what the page names: SVG becomes PNG or PDF, and a page that typst makes a PDF of
--- gets all its images beside it, since typst reads nothing else. Runs last.
---
--- The renderer says in the environment: FAMULUS_PICTURES, the folder for them, and FAMULUS_PICTURES_URL, its address from
--- the page; FAMULUS_PICTURES_FORM, png, pdf or nothing; FAMULUS_PICTURES_ALL, 1 where every image is gathered;
--- FAMULUS_PYTHON, what converts; FAMULUS_PAGE and FAMULUS_PROBLEMS, where problems are written down.

local folder = os.getenv("FAMULUS_PICTURES")
local address = os.getenv("FAMULUS_PICTURES_URL") or ""
local form = os.getenv("FAMULUS_PICTURES_FORM") or ""
local gathers_all = os.getenv("FAMULUS_PICTURES_ALL") == "1"

--- @type table<string, string> MIME type → suffix of a file
local SUFFIX = { ["image/svg+xml"] = "svg", ["image/png"] = "png", ["image/jpeg"] = "jpg", ["image/gif"] = "gif",
  ["image/webp"] = "webp", ["application/pdf"] = "pdf" }

--- @param message string
local function warn(message)
  local file = io.open(os.getenv("FAMULUS_PROBLEMS") or "", "ab")
  if file then
    file:write(pandoc.json.encode({ document = os.getenv("FAMULUS_PAGE") or "", message = message, shortcode = "",
      code = "picture", hint = "", severity = "warning" }), "\n")
    file:close()
  end
end

--- @class famulus.Picture
--- @field name string of the file that the page will name
--- @field svg string|nil path of the SVG that it is made of

--- Has a file a name that LaTeX cannot say?
--- @param src string
--- @return boolean
local function is_unspeakable(src)
  local name = src:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)
  return form == "pdf" and not src:match("^%a+:") and name:find('["\\{}%%#~$^&]') ~= nil
end

--- Write an image into the folder, under a name that its content gives it.
--- @param src string
--- @return famulus.Picture|false
local function gather(src)
  local ok, mime, content = pcall(pandoc.mediabag.fetch, src)
  local suffix = ok and mime and SUFFIX[mime:match("^[^;]*")]
  if not ok or not content then
    warn("the image " .. src .. " cannot be read")
    return false
  elseif not suffix or (suffix ~= "svg" and not gathers_all and not is_unspeakable(src)) then
    return false
  end
  local stem = pandoc.utils.sha1(content)
  local name = stem .. "." .. suffix
  local path = pandoc.path.join({ folder, name })
  local file = io.open(path, "wb")
  if not file then
    return false
  end
  file:write(content)
  file:close()
  if suffix == "svg" and form ~= "" then
    return { name = stem .. "." .. form, svg = path }
  end
  return { name = name }
end

--- @param src string
--- @return boolean
local function concerns(src)
  return gathers_all or is_unspeakable(src) or (form ~= "" and (src:lower():match("%.svgz?$") or src:match("^data:image/svg")) ~= nil)
end

--- @param doc pandoc.Pandoc
--- @return pandoc.Pandoc|nil
local function place_pictures(doc)
  if not folder or folder == "" then
    return nil
  end
  local found, files = {}, {}
  doc:walk({ Image = function(image)
    if concerns(image.src) and found[image.src] == nil then
      pandoc.system.make_directory(folder, true)
      local picture = gather(image.src)
      found[image.src] = picture
      files[#files + 1] = picture and picture.svg or nil
    end
  end })
  if #files > 0 then
    local said = pandoc.pipe(os.getenv("FAMULUS_PYTHON") or "python3",
      { "-m", "famulus_kernel.render.pictures", form, table.unpack(files) }, "")
    for line in said:gmatch("[^\r\n]+") do
      warn(line)
    end
  end
  return doc:walk({ Image = function(image)
    local picture = found[image.src]
    if picture then
      local file = io.open(pandoc.path.join({ folder, picture.name }), "rb")
      if file then
        file:close()
        image.src = address .. picture.name
        return image
      end
    end
    -- Typst would refuse the whole page for an image that is not there.
    return gathers_all and image.caption or nil
  end })
end

return { { Pandoc = place_pictures } }
