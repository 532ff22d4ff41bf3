"""What pandoc is told of a page: its command line and its environment."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from famulus_kernel.render.composing import ASSETS
from famulus_kernel.render.navigation import relative
from famulus_kernel.render.styling import style_arguments
from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.project.project import Project
    from famulus_kernel.render.formats import Format
    from famulus_kernel.render.ingredients import Ingredients
    from famulus_kernel.render.navigation import Navigator
    from famulus_kernel.render.pages import Page
    from famulus_kernel.render.site import Site

DIALECT = "markdown+autolink_bare_uris+lists_without_preceding_blankline-example_lists"
"""Quarto's, as far as pandoc has it; a line that begins with `@tbl-years.` is a cross-reference and no list."""
STORE = f"{ASSETS}/store"
"""Folder of the site that holds figures and full tables of the block store."""
PICTURES = f"{ASSETS}/pictures"
"""Folder of the site that holds pictures in another form than the project has them."""
PAPER: Mapping[str, Any] = {
    "papersize": "a4",
    "geometry": ["margin=2.5cm"],
    "margin": {"x": "2.5cm", "y": "2.5cm"},
    "colorlinks": True,
}
"""What printed pages are unless their author says it: LaTeX has `geometry`, typst `margin`."""
FALLBACK_LANGUAGE = "en"
_LAST: Mapping[str, tuple[str, ...]] = {"docx": ("contents.lua",), "latex": ("letters.lua",)}
"""Filters beside this module that a format needs when all is drawn."""
_TODAY = ("today", "now", "last-modified")


@dataclass
class Work:
    """What all pages of one render share."""

    site: Site
    project: Project
    to: Format
    command: Path
    folder: Path
    navigator: Navigator
    chapters: dict[str, int]
    searchable: bool
    ingredients: Ingredients
    alone: bool = False
    """Whether each page is one file that holds all it needs."""
    footer: dict[str, str] = field(default_factory=dict)


def arguments(work: Work, page: Page, number: int, form: Format) -> list[str]:
    """Return the command line of a page, but for what becomes of pandoc's output."""
    options = {**work.site.options, "lang": language(work, page)}
    metadata = work.folder / f"{number}.json"
    told = {**(PAPER if form.writer in ("typst", "latex") else {}), **_absolute(work.site.root, options)}
    metadata.write_text(json.dumps(told, ensure_ascii=False), encoding="utf-8")
    data = {**options, **page.data}
    words = ["--from", DIALECT, "--to", form.writer, "--metadata-file", str(metadata), "--wrap", "none"]
    words += style_arguments(form, data, relative(page.source, ASSETS) + "/", work.folder)
    beside = (work.site.output_dir / page.target(form.suffix)).parent
    words += ["--resource-path", os.pathsep.join([".", str(work.site.root), str(beside)])]
    words += ["--metadata", f"pagetitle={page.title}"] if form.name != "gfm" else []
    if data.get("date") in _TODAY:
        words += ["--metadata", f"date={_today(work.site.root / page.source, str(data['date']))}"]
    if data.get("toc", form.is_site) not in (False, None):
        depth = str(data.get("toc-depth") or 3)
        words += ["--metadata", f"famulus-contents={depth}"] if form.name == "docx" else ["--toc", "--toc-depth", depth]
    chapter = work.chapters.get(page.source)
    if data.get("number-sections") is True or chapter:
        words += ["--number-sections"]
        titled = bool(page.data.get("title"))
        words += ["--number-offset", str(chapter if titled else chapter - 1)] if chapter else []
    here = Path(__file__).resolve().parent
    for script in (here / "authoring.lua", extension_dir() / "famulus-filter.lua", here / "linking.lua"):
        words += ["--lua-filter", str(script)]
    if data.get("bibliography") or data.get("references"):
        words += ["--citeproc"]
    for name in (*_LAST.get(form.writer, ()), "pictures.lua"):
        words += ["--lua-filter", str(here / name)]
    return words


def environment(work: Work, page: Page, log: Path, form: Format) -> dict[str, str]:
    """Return what the filters are told: where the page is, where its files go, where problems are written (`log`)."""
    return {
        **_pictures(work, page, form),
        "FAMULUS_DOCUMENT": str(work.site.root / page.source),
        "FAMULUS_PROBLEMS": str(log),
        "FAMULUS_RESOURCES": str(work.site.output_dir / STORE),
        "FAMULUS_RESOURCES_URL": relative(page.source, STORE) + "/",
        "FAMULUS_EXTENSION": str(extension_dir()),
        "FAMULUS_PAGES": str(work.folder / "site.json"),
        "FAMULUS_PAGE": page.source,
        "FAMULUS_PDF_ENGINE": form.engine,
    }


def _pictures(work: Work, page: Page, form: Format) -> dict[str, str]:
    """Return where pictures go that a page cannot name as they are: beside it where it is a source itself."""
    if not form.pictures and not form.by_typst:
        return {}
    kept = form.name == "latex"
    folder = work.site.output_dir / PICTURES if kept else work.folder / "pictures"
    address = relative(page.source, PICTURES) if kept else "pictures" if form.by_typst else folder.as_posix()
    return {
        "FAMULUS_PICTURES": str(folder),
        "FAMULUS_PICTURES_URL": f"{address}/",
        "FAMULUS_PICTURES_FORM": form.pictures,
        "FAMULUS_PICTURES_ALL": "1" if form.by_typst else "",
        "FAMULUS_PYTHON": sys.executable,
    }


def language(work: Work, page: Page) -> str:
    """Return the language of a page, BCP 47."""
    return str(page.data.get("lang") or work.site.options.get("lang") or FALLBACK_LANGUAGE)


def _absolute(root: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return options with the files they name made absolute: pandoc runs in the folder of each page."""
    result = dict(options)
    for key in ("bibliography", "csl", "citation-abbreviations"):
        value = result.get(key)
        if isinstance(value, str):
            result[key] = str(root / value)
        elif isinstance(value, list):
            result[key] = [str(root / one) for one in value]
    return result


def _today(path: Path, word: str) -> str:
    moment = datetime.fromtimestamp(path.stat().st_mtime, UTC) if word == "last-modified" else datetime.now(UTC)
    return moment.date().isoformat()
