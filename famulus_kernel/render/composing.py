"""From pandoc's pieces of a page to the HTML that readers get: head, navigation, title, text, foot."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
from markupsafe import Markup

from famulus_kernel.artefacts.labels import format_date, label
from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.render.navigation import Navigation
    from famulus_kernel.render.pages import Page
    from famulus_kernel.render.site import Site

TEMPLATES = Path(__file__).resolve().parent / "templates"
FRAGMENT = TEMPLATES / "fragment.html"
ASSETS = "famulus"
"""Folder of the site that holds what pages share."""
_OWN = ("page.css", "page.js", "theme.js", "search.js")


@dataclass(frozen=True, slots=True)
class Fragment:
    """What pandoc made of a page, piece by piece: HTML, empty where the page has none."""

    title: Markup
    subtitle: Markup
    date: Markup
    abstract: Markup
    head: Markup
    before: Markup
    toc: Markup
    body: Markup
    after: Markup


def read_fragment(written: str, boundary: str) -> Fragment:
    """Take pandoc's output apart; `boundary` begins the line in front of each piece."""
    pieces: dict[str, Markup] = {}
    for piece in written.split(f"{boundary} ")[1:]:
        name, _, content = piece.partition("\n")
        # Pandoc wrote it, from a page whose author may write HTML; data in it was escaped by the filter.
        pieces[name.strip()] = Markup(content.strip())  # noqa: S704
    return Fragment(**pieces)


def compose(
    site: Site,
    page: Page,
    fragment: Fragment,
    navigation: Navigation,
    *,
    lang: str,
    assets: str,
    number: str = "",
    footer: Mapping[str, str] | None = None,
    search: bool = False,
) -> str:
    """Return a page as HTML.

    Parameters
    ----------
    site, page, fragment, navigation
        What is put together.
    lang
        Language of the page, BCP 47.
    assets
        Address of the shared folder from this page, with a slash at its end.
    number
        The chapter's number in a book.
    footer
        HTML of the page's foot by place.
    search
        Whether there is more than this page to search.
    """
    own = page.title if page.title != site.title else ""
    window = [text for text in (own, site.title) if text] or [page.title]
    return (
        _environment()
        .get_template("page.html.jinja")
        .render(
            lang=lang,
            themes=site.themes,
            window_title=" · ".join(window),
            description=_plain(page.data.get("description")) or site.description,
            authors=authors(page.data.get("author") or page.data.get("authors") or _book_author(site)),
            date=format_date(str(fragment.date.striptags()), lang),
            site_title=site.title,
            favicon=site.favicon and _relative_to(page, site.favicon),
            page=fragment,
            number=number,
            navigation=navigation,
            footer={place: Markup((footer or {}).get(place, "")) for place in ("left", "center", "right")},  # noqa: S704
            assets=assets,
            search=search,
            word=partial(_word, lang),
        )
    )


def copy_assets(output: Path) -> None:
    """Put what all pages share beside them: the two style sheets and the scripts."""
    folder = output / ASSETS
    folder.mkdir(parents=True, exist_ok=True)
    for name in _OWN:
        shutil.copyfile(TEMPLATES / name, folder / name)
    shutil.copyfile(extension_dir() / "famulus.css", folder / "famulus.css")


def authors(value: Any) -> list[str]:
    """Return the names of authors, however a front matter writes them: text, a list, mappings with `name`."""
    if value is None:
        return []
    names = []
    for one in value if isinstance(value, list) else [value]:
        name = one.get("name") if isinstance(one, dict) else one
        if isinstance(name, dict):
            name = name.get("literal") or " ".join(str(name[key]) for key in ("given", "family") if key in name)
        names += [str(name)] if name else []
    return names


def _book_author(site: Site) -> Any:
    return site.options.get("author")


def _word(lang: str, key: str) -> str:
    return label(key, lang)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _relative_to(page: Page, file: str) -> str:
    return "../" * page.source.count("/") + file


@lru_cache(maxsize=1)
def _environment() -> jinja2.Environment:
    loader = jinja2.FileSystemLoader(TEMPLATES)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True)
