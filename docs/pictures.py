"""Draw the pictures of docs/page-formats.md anew: `python docs/pictures.py`.

Every kind of docs/kinds in every format that can be seen: each on a page of its own, cut to what is on it. It needs the
extras `render`, `test` and `docs`, Chromium, LibreOffice, LuaLaTeX and pdftoppm.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TARGET = HERE / "images" / "kinds"
FORMATS = {"html": [], "pdf": [], "latex": ["--pdf-engine", "lualatex"], "docx": [], "revealjs": []}
WIDTH, HEIGHT = 420, 520
_COLOURS = 48
_DOTS = 90
_DRAWN = 24
"""How much a dot differs from the paper where something is drawn."""
_MARGIN = 12
_TEXT = 0.91
"""How much of a page is above its foot."""


def main() -> None:
    """Play the blocks, render each kind in each format and keep a picture of it."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "kinds"
        shutil.copytree(HERE / "kinds", root, ignore=shutil.ignore_patterns("_*"))
        kinds = _apart(root)
        _famulus("run", root)
        drawn = Path(name) / "drawn"
        drawn.mkdir()
        for form, more in FORMATS.items():
            output = Path(name) / form
            to = "pdf" if form == "latex" else form
            _famulus("render", root, "--embedded", "--to", to, "--output", output, *more)
            for kind in kinds:
                picture = _screenshot if form in ("html", "revealjs") else _printed
                _keep(picture(output, kind), drawn / f"{kind}-{form}.png")
        shutil.rmtree(TARGET, ignore_errors=True)
        shutil.copytree(drawn, TARGET)


def _apart(root: Path) -> list[str]:
    """Make a page of each section of the one page, and return their names."""
    page = root / "kinds.fam"
    _, *sections = page.read_text(encoding="utf-8").split("\n# ")
    page.unlink()
    names = []
    for section in sections:
        title, _, text = section.partition("\n")
        name = title.lower().replace(" ", "-")
        names.append(name)
        (root / f"{name}.fam").write_text(f"---\nlang: en\nsearch: false\n---\n\n# {title}\n{text}\n", encoding="utf-8")
    return names


def _famulus(command: str, root: Path, *more: object) -> None:
    arguments = [sys.executable, "-m", "famulus_kernel.cli", command, str(root), *map(str, more)]
    subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)


def _screenshot(output: Path, kind: str) -> Path:
    from playwright.sync_api import sync_playwright

    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    picture = output / f"{kind}.png"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 760, "height": 760})
        page.goto((output / f"{kind}.html").as_uri())
        page.wait_for_timeout(900)
        whole = page.locator("main, .reveal").first
        whole.screenshot(path=picture)
        browser.close()
    return picture


def _printed(output: Path, kind: str) -> Path:
    if (output / f"{kind}.docx").is_file():
        command = ["soffice", "--headless", "--convert-to", "pdf", "--outdir", output, output / f"{kind}.docx"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    command = ["pdftoppm", "-r", str(_DOTS), "-f", "1", "-l", "1", "-png", "-singlefile"]
    subprocess.run([*command, output / f"{kind}.pdf", output / kind], check=True)
    _without_number(output / f"{kind}.png")
    return output / f"{kind}.png"


def _without_number(picture: Path) -> None:
    """Cut the foot off a page, where its number stands: all above it may be empty."""
    from PIL import Image

    image: Any = Image.open(picture)
    image.load()
    image.crop((0, 0, image.width, round(image.height * _TEXT))).save(picture)


def _keep(picture: Path, target: Path) -> None:
    """Cut a picture to what is drawn on it, make it small and write it with few colours."""
    from PIL import Image, ImageChops

    image: Any = Image.open(picture).convert("RGB")
    paper = Image.new("RGB", image.size, image.getpixel((2, 2)))
    drawn = ImageChops.difference(image, paper).convert("L").point(lambda value: 255 if value > _DRAWN else 0)
    left, upper, right, lower = drawn.getbbox() or (0, 0, *image.size)
    right, lower = min(image.width, right + _MARGIN), min(image.height, lower + _MARGIN)
    image = image.crop((max(0, left - _MARGIN), max(0, upper - _MARGIN), right, lower))
    width = min(WIDTH, image.width)
    image = image.resize((width, round(image.height * width / image.width)), Image.Resampling.LANCZOS)
    image = image.crop((0, 0, image.width, min(image.height, HEIGHT)))
    image.quantize(_COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)


if __name__ == "__main__":
    main()
