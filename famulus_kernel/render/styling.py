"""What slides and e-books look like: their style sheets, and reveal.js beside the slides, so that nothing is fetched."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import RenderError
from famulus_kernel.render.composing import ASSETS, TEMPLATES
from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.render.formats import Format

REVEAL: Final = Path(__file__).resolve().parent / "reveal"
"""reveal.js as its authors publish it, and a theme of our own."""
THEME: Final = "famulus"


def style_arguments(form: Format, data: Mapping[str, Any], beside: str) -> list[str]:
    """Return what pandoc is told about the look of a page.

    Parameters
    ----------
    form
        Its format.
    data
        What page and site say of it: `theme` and `revealjs-url` are an author's own.
    beside
        Address of the shared folder from the page, with a slash at its end.

    Raises
    ------
    RenderError
        The page wants a theme that we do not bring, and does not say where reveal.js lies.
    """
    if form.name == "epub":
        return [f"--css={TEMPLATES / 'epub.css'}", f"--css={extension_dir() / 'famulus.css'}"]
    if form.name != "revealjs":
        return []
    arguments = [f"--css={beside}famulus.css"]
    if data.get("revealjs-url"):
        return arguments
    theme = data.get("theme") if isinstance(data.get("theme"), str) else THEME
    if theme != THEME and not (REVEAL / "dist" / "theme" / f"{theme}.css").is_file():
        raise RenderError.of(
            f"theme: {theme}",
            "slides have one theme here, famulus",
            "take theme: away, or name a folder with reveal.js in revealjs-url:",
        )
    return [*arguments, f"--variable=revealjs-url={beside}reveal", f"--variable=theme={theme}"]


def copy_styles(form: Format, output: Path) -> None:
    """Put what slides need beside them."""
    if form.name == "revealjs":
        shutil.copytree(REVEAL, output / ASSETS / "reveal", dirs_exist_ok=True)
        shutil.copyfile(extension_dir() / "famulus.css", output / ASSETS / "famulus.css")
