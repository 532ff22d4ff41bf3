"""What `_quarto.yml` says of a site, as far as pages are made from it without Quarto (spec 7.4).

Read leniently: Quarto knows hundreds of keys, and one that means nothing here is Quarto's. What is read: `project`
(type, title, output-dir, render, resources), `website` and `book` (title, navbar, sidebar, chapters, appendices,
page-navigation, page-footer, favicon, description), `lang`, `execute`, `format.html`, the options of documents.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from famulus_kernel.errors import PreambleError, ProjectError, Where
from famulus_kernel.language.yaml import load_strict

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CONFIG = "_quarto.yml"
OUTPUT = "_site"
BOOK_OUTPUT = "_book"
_NOT_DOCUMENT = frozenset({"project", "website", "book", "format", "filters", "execute", "engines", "shortcodes"})
_FOREIGN_HTML = frozenset({"theme", "css", "template", "template-partials", "include-in-header", "grid"})
"""Options of Quarto's HTML that say how Quarto's own page looks."""
_DARK_THEMES = frozenset({"darkly", "cyborg", "slate", "solar", "superhero", "vapor"})


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of a navigation as it is written: a page or address, words, entries below it.

    `auto` is a glob (or "" for everything) where the entry stands for the pages found there.
    """

    href: str | None = None
    text: str | None = None
    children: tuple[Entry, ...] = ()
    auto: str | None = None


@dataclass(frozen=True, slots=True)
class Footer:
    """The three places of a page's foot, in markdown."""

    left: str = ""
    center: str = ""
    right: str = ""


@dataclass(frozen=True)
class Site:
    """A project as a site.

    Attributes
    ----------
    root
        The folder of `_quarto.yml`.
    kind
        website, book, or default (no site at all: single pages).
    title, subtitle, description
        The site's own; empty where it names none.
    output_dir
        Where pages go, absolute.
    render
        Patterns of pages, `!` before one that takes pages away; empty for all.
    navbar_left, navbar_right
        Entries of the bar above the page.
    sidebars
        Each a list of entries; a book has one, its chapters.
    page_navigation
        Whether pages lead to the previous and next one; None where nothing says.
    options
        Options of documents: pandoc's metadata, below what a page says itself.
    execute
        The execute options of documents.
    themes
        light, dark or both.
    """

    root: Path
    kind: Literal["website", "book", "default"] = "default"
    title: str = ""
    subtitle: str = ""
    description: str = ""
    output_dir: Path = field(default_factory=Path)
    render: tuple[str, ...] = ()
    resources: tuple[str, ...] = ()
    navbar_left: tuple[Entry, ...] = ()
    navbar_right: tuple[Entry, ...] = ()
    sidebars: tuple[tuple[Entry, ...], ...] = ()
    page_navigation: bool | None = None
    footer: Footer = field(default_factory=Footer)
    favicon: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    execute: Mapping[str, Any] = field(default_factory=dict)
    themes: tuple[str, ...] = ("light", "dark")


def read_site(root: Path, *, output_dir: Path | None = None) -> Site:
    """Read the site of a project; without `_quarto.yml` it is a website of all its pages.

    Raises
    ------
    ProjectError
        `_quarto.yml` is not UTF-8.
    YamlError, PreambleError
        It is not YAML, or no mapping.
    """
    file = root / CONFIG
    if not file.is_file():
        everything = (Entry(auto=""),)
        return Site(root, "website", output_dir=output_dir or root / OUTPUT, sidebars=(everything,))
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ProjectError.not_utf8(CONFIG, error.start) from error
    value = load_strict(text, file=CONFIG, foreign_tags=True).value
    if not isinstance(value, dict | None):
        raise PreambleError.not_a_mapping(CONFIG, Where(CONFIG, 1))
    return _site(root, value or {}, output_dir)


def _site(root: Path, config: Mapping[str, Any], output_dir: Path | None) -> Site:
    project = _mapping(config.get("project"))
    kind: Literal["website", "book", "default"] = (
        "book"
        if project.get("type") == "book" or "book" in config
        else "website"
        if project.get("type") in ("website", "site") or "website" in config
        else "default"
    )
    about = _mapping(config.get(kind))
    bar = _mapping(about.get("navbar"))
    named = project.get("output-dir") or (BOOK_OUTPUT if kind == "book" else OUTPUT)
    html = _mapping(_mapping(config.get("format")).get("html"))
    options = {key: value for key, value in config.items() if key not in _NOT_DOCUMENT}
    options |= {key: value for key, value in html.items() if key not in _FOREIGN_HTML}
    if kind == "book":
        options |= {key: about[key] for key in ("author", "date", "bibliography", "csl") if key in about}
    navigation = about.get("page-navigation")
    return Site(
        root=root,
        kind=kind,
        title=_text(about.get("title") or project.get("title")),
        subtitle=_text(about.get("subtitle")),
        description=_text(about.get("description")),
        output_dir=output_dir or root / str(named),
        render=tuple(_strings(project.get("render"))),
        resources=tuple(_strings(project.get("resources"))),
        navbar_left=_entries(bar.get("left")),
        navbar_right=_entries(bar.get("right")),
        sidebars=_chapters(about) if kind == "book" else _sidebars(about.get("sidebar"), has_bar=bool(bar)),
        page_navigation=navigation if isinstance(navigation, bool) else None,
        footer=_footer(about.get("page-footer")),
        favicon=about["favicon"] if isinstance(about.get("favicon"), str) else None,
        options=options,
        execute=_mapping(config.get("execute")),
        themes=_themes(html.get("theme")),
    )


def _sidebars(value: Any, *, has_bar: bool) -> tuple[tuple[Entry, ...], ...]:
    if value is None or value is False:
        return () if has_bar or value is False else ((Entry(auto=""),),)
    if isinstance(value, str):
        return (_entries(value),)
    each = value if isinstance(value, list) else [value]
    found = [_entries(one.get("contents", "auto")) for one in each if isinstance(one, dict)]
    return tuple(entries for entries in found if entries)


def _chapters(about: Mapping[str, Any]) -> tuple[tuple[Entry, ...], ...]:
    entries = _entries(about.get("chapters"))
    appendices = _entries(about.get("appendices"))
    return ((*entries, *appendices),) if entries or appendices else ()


def _entries(value: Any) -> tuple[Entry, ...]:
    if value is None:
        return ()
    items = value if isinstance(value, list) else [value]
    return tuple(entry for item in items if (entry := _entry(item)) is not None)


def _entry(item: Any) -> Entry | None:
    if isinstance(item, str):
        if item == "auto":
            return Entry(auto="")
        return Entry(auto=item) if any(mark in item for mark in "*?[") else Entry(href=item.removeprefix("./"))
    if not isinstance(item, dict):
        return None
    if "auto" in item:
        return Entry(auto="" if item["auto"] is True else str(item["auto"]))
    below = next((item[key] for key in ("contents", "menu", "chapters") if item.get(key) is not None), None)
    head = item.get("section") or item.get("part")
    href = item.get("href") or item.get("file") or (head if _is_page(head) else None)
    text = item.get("text") or (None if _is_page(head) else head)
    if href is None and text is None and below is None:
        return None
    address = None if href is None else str(href).removeprefix("./")
    return Entry(address, None if text is None else _text(text), _entries(below))


def _is_page(value: Any) -> bool:
    return isinstance(value, str) and value.endswith((".fam", ".qmd", ".md", ".html"))


def _footer(value: Any) -> Footer:
    if isinstance(value, str):
        return Footer(center=value)
    places = _mapping(value)
    return Footer(*(places[key] if isinstance(places.get(key), str) else "" for key in ("left", "center", "right")))


def _themes(theme: Any) -> tuple[str, ...]:
    if isinstance(theme, dict):
        return tuple(name for name in ("light", "dark") if name in theme) or ("light",)
    if theme is None:
        return ("light", "dark")
    names = {str(name) for name in (theme if isinstance(theme, list) else [theme])}
    return ("dark",) if names & _DARK_THEMES else ("light",)


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _strings(value: Any) -> Iterable[str]:
    return (str(item) for item in (value if isinstance(value, list) else [value]) if isinstance(item, str))


def _text(value: Any) -> str:
    return "" if value is None or isinstance(value, dict | list | bool) else str(value)
