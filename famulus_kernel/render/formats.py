"""The formats that pages are written in, and what each needs of us besides pandoc."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, Literal

from famulus_kernel.errors import MissingExtra, RenderError, UnknownFormat
from famulus_kernel.render.typesetting import typst_at_hand

if TYPE_CHECKING:
    from collections.abc import Mapping

_SUFFIXES: Final = {
    "html": ".html",
    "pdf": ".pdf",
    "docx": ".docx",
    "typst": ".typ",
    "latex": ".tex",
    "gfm": ".md",
    "revealjs": ".html",
    "epub": ".epub",
    "odt": ".odt",
    "plain": ".txt",
    "commonmark": ".md",
    "markdown": ".md",
    "rtf": ".rtf",
    "jats": ".xml",
    "json": ".json",
    "native": ".native",
}
TYPST: Final = "typst"
LATEX_ENGINES: Final = ("lualatex", "xelatex", "tectonic", "pdflatex")
ENGINES: Final = (TYPST, *LATEX_ENGINES)
"""What makes a PDF, the first that is at hand where nobody chooses."""

_PICTURES: Final[Mapping[str, Literal["png", "pdf"]]] = {"docx": "png", "odt": "png", "rtf": "png", "latex": "pdf"}


@dataclass(frozen=True, slots=True)
class Format:
    """A format of pages.

    Attributes
    ----------
    name : str
        What people call it.
    writer : str
        Pandoc's name for it; of a PDF that of its source.
    suffix : str
        Of the files.
    engine : str
        What makes a PDF of its source; empty for other formats, and until a page is known.
    """

    name: str
    writer: str
    suffix: str
    engine: str = ""

    @property
    def is_site(self) -> bool:
        """Whether pages get the frame of a site."""
        return self.name == "html"

    @property
    def by_typst(self) -> bool:
        """Whether pages are typst first and a PDF then, which we make of it ourselves."""
        return self.engine == TYPST

    @property
    def pictures(self) -> Literal["png", "pdf", ""]:
        """What pictures drawn in SVG become, for writers that cannot place them."""
        return _PICTURES.get(self.writer, "")

    @property
    def options(self) -> tuple[str, ...]:
        """What pandoc is told besides: GitHub's markdown is no document with a head, LaTeX has its engine."""
        if self.name == "gfm":
            return ()
        return ("--standalone", *(("--pdf-engine", self.engine) if self.engine in LATEX_ENGINES else ()))

    def for_page(self, data: Mapping[str, Any]) -> Format:
        """Return the format of one page: a PDF by the engine its front matter or `_quarto.yml` names.

        Raises
        ------
        RenderError
            The engine is none that we know, or not at hand.
        MissingExtra
            No engine is named, and none is at hand.
        """
        if self.name != "pdf" or self.engine:
            return self
        return _with_engine(self, str(data.get("pdf-engine") or ""))


def format_of(name: str, *, engine: str = "") -> Format:
    """Return a format by its name, a PDF by the engine that is asked for.

    Raises
    ------
    UnknownFormat
        We do not write that format, or no PDF is made by that engine.
    RenderError
        The engine is not at hand.
    """
    if name not in _SUFFIXES:
        raise UnknownFormat.of(name, "pages are not written in this format", f"there are {', '.join(_SUFFIXES)}")
    form = Format(name, {"html": "html5"}.get(name, name), _SUFFIXES[name])
    if engine and name != "pdf":
        raise UnknownFormat.of(name, "this format is not made by an engine", "write --to pdf")
    return _with_engine(form, engine) if engine else form


def _with_engine(form: Format, named: str) -> Format:
    engine = named or next((one for one in ENGINES if _at_hand(one)), "")
    if not engine:
        raise MissingExtra.of(TYPST, "render")
    if engine not in ENGINES:
        raise UnknownFormat.of(engine, "no PDF is made by it", f"pdf-engine: is one of {', '.join(ENGINES)}")
    if not _at_hand(engine):
        by_us = "pip install 'famulus-kernel[render]'"
        remedy = by_us if engine == TYPST else f"install it, or write --pdf-engine typst ({by_us})"
        raise RenderError.of(engine, "it is not installed", remedy)
    return replace(form, writer=TYPST if engine == TYPST else "latex", engine=engine)


def _at_hand(engine: str) -> bool:
    return typst_at_hand() if engine == TYPST else shutil.which(engine) is not None
