"""The formats that pages are written in."""

from __future__ import annotations

import shutil
from dataclasses import dataclass

from famulus_kernel.errors import RenderError

_SUFFIXES = {
    "html": ".html",
    "docx": ".docx",
    "typst": ".typ",
    "gfm": ".md",
    "latex": ".tex",
    "odt": ".odt",
    "epub": ".epub",
    "revealjs": ".html",
    "plain": ".txt",
    "commonmark": ".md",
    "markdown": ".md",
    "rtf": ".rtf",
    "jats": ".xml",
    "json": ".json",
    "native": ".native",
    "pdf": ".pdf",
}


@dataclass(frozen=True, slots=True)
class Format:
    """A format: pandoc's name for it, the files' suffix, and whether its pages are a site with navigation."""

    name: str
    writer: str
    suffix: str

    @property
    def is_site(self) -> bool:
        """Whether pages get the frame of a site."""
        return self.name == "html"

    @property
    def options(self) -> tuple[str, ...]:
        """What pandoc is told besides: GitHub's markdown is no document with a head, a PDF is made by typst."""
        return {"gfm": (), "pdf": ("--standalone", "--pdf-engine", "typst")}.get(self.name, ("--standalone",))


def format_of(name: str) -> Format:
    """Return a format by its name.

    Raises
    ------
    RenderError
        We do not write that format, or typst is not there for a PDF.
    """
    if name not in _SUFFIXES:
        raise RenderError.of(name, "pages are not written in this format", f"there are {', '.join(_SUFFIXES)}")
    if name == "pdf" and shutil.which("typst") is None:
        raise RenderError.of("pdf", "there is no typst on PATH", "install typst, or write --to typst or --to docx")
    return Format(name, {"html": "html5", "pdf": "typst"}.get(name, name), _SUFFIXES[name])
