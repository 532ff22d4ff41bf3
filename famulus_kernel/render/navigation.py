"""Navigation of a site: the entries of `_quarto.yml` as links between pages, and the order in which pages are read."""

from __future__ import annotations

import os.path
import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

from famulus_kernel.artefacts.urls import safe_url
from famulus_kernel.render.pages import SUFFIXES, matches

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from famulus_kernel.render.pages import Page
    from famulus_kernel.render.site import Entry, Site

SUFFIX = ".html"


@dataclass(frozen=True, slots=True)
class Link:
    """An entry of a navigation as a page shows it; `href` is None for a heading without a page of its own."""

    text: str
    href: str | None
    current: bool = False
    children: tuple[Link, ...] = ()

    @property
    def holds_current(self) -> bool:
        """Whether this entry or one below it is the page itself."""
        return self.current or any(child.holds_current for child in self.children)


@dataclass(frozen=True)
class Navigation:
    """Everything that leads from one page to another.

    Attributes
    ----------
    navbar_left, navbar_right, sidebar
        Entries of the bar and of the side.
    previous, following
        The neighbours in reading order.
    home
        Address of the site's first page.
    """

    navbar_left: tuple[Link, ...]
    navbar_right: tuple[Link, ...]
    sidebar: tuple[Link, ...]
    previous: Link | None
    following: Link | None
    home: str


def relative(source: str, target: str) -> str:
    """Return the address of a file of the site (posix, from its root) as seen from the page `source`."""
    return os.path.relpath(target, PurePosixPath(source).parent).replace(os.sep, "/")


def quoted(path: str) -> str:
    """Return a file's path as an address has it: letters of any script stay, signs that an address reads are coded."""
    return re.sub(r"[^\w/.~!$'()*+,;=@-]", lambda sign: quote(sign[0], safe=""), path)


def page_named(href: str, pages: Container[str]) -> tuple[str | None, str]:
    """Return the page that an entry of a navigation means, None where there is none, and what follows its name.

    An entry is written as a path or as an address, `a b.fam` or `a%20b.fam#part`.
    """
    whole = href.removeprefix("./").removeprefix("/")
    if whole in pages:
        return whole, ""
    path = re.split("[#?]", whole, maxsplit=1)[0]
    name = next((one for one in (path, unquote(path)) if one in pages), None)
    return name, whole[len(path) :]


def dead_entries(site: Site, pages: Container[str]) -> list[str]:
    """Return the pages that a navigation names and that are not there."""
    names = (href.partition("#")[0].removeprefix("./").removeprefix("/") for href in _no_pages(site, pages))
    return list(dict.fromkeys(name for name in names if name.endswith(SUFFIXES)))


def named_files(site: Site, pages: Container[str]) -> list[str]:
    """Return the addresses of files that `_quarto.yml` names for all pages: its icon, what its navigation leads to."""
    hrefs = [site.favicon or "", *_no_pages(site, pages)]
    files = (re.split("[#?]", href, maxsplit=1)[0] for href in hrefs if not href.startswith("/"))
    return [name for name in files if name and not name.endswith(SUFFIXES)]


def _no_pages(site: Site, pages: Container[str]) -> Iterator[str]:
    """Yield what a navigation leads to on this site and is no page of it."""
    waiting = [*site.navbar_left, *site.navbar_right, *(entry for entries in site.sidebars for entry in entries)]
    while waiting:
        entry = waiting.pop(0)
        waiting += entry.children
        if entry.href and ":" not in entry.href and page_named(entry.href, pages)[0] is None:
            yield entry.href


class Navigator:
    """Gives each page its navigation.

    Parameters
    ----------
    site
        What `_quarto.yml` says.
    pages
        All pages of the site by their source, those too that are not written now.
    """

    def __init__(self, site: Site, pages: Mapping[str, Page]) -> None:
        self._site = site
        self._pages = pages
        self._chapters = self._work()
        self._order = self._reading_order()
        indexes = (name for name in pages if PurePosixPath(name).with_suffix("") == PurePosixPath("index"))
        self._home = next(indexes, None) or next(iter([*self._order, *pages]), None)

    def of(self, source: str) -> Navigation:
        """Return the navigation of a page."""
        has_bar = bool(self._site.navbar_left or self._site.navbar_right)
        before, after = self._neighbours(source)
        return Navigation(
            navbar_left=self._links(source, self._site.navbar_left),
            navbar_right=self._links(source, self._site.navbar_right),
            sidebar=self._sidebar(source, has_bar=has_bar),
            previous=before,
            following=after,
            home=self._address(source, self._home)[0] or "",
        )

    def _work(self) -> tuple[str, ...]:
        """Return the notebooks that a page lists as the chapters of a work, with that page first."""
        by_id = {
            page.document.front_matter.famulus.id or _notebook_id(page.source): name
            for name, page in self._pages.items()
        }
        for name, page in self._pages.items():
            chapters = page.document.front_matter.famulus.chapters
            folder = PurePosixPath(name).parent
            if chapters:
                listed = [self._chapter(chapter, folder, by_id) for chapter in chapters]
                return tuple(dict.fromkeys([name, *(one for one in listed if one is not None)]))
        return ()

    def _chapter(self, chapter: str, folder: PurePosixPath, by_id: Mapping[str, str]) -> str | None:
        candidates = (chapter, f"{chapter}.fam", f"{chapter}.qmd", by_id.get(chapter, ""))
        for candidate in candidates:
            for path in (str(folder / candidate), candidate):
                if path in self._pages:
                    return path
        return None

    def _reading_order(self) -> list[str]:
        written = [name for entries in self._site.sidebars for name in self._sources(entries)]
        if self._chapters and not any(entry.auto is None for entries in self._site.sidebars for entry in entries):
            written = list(self._chapters)
        if not written:
            written = list(self._sources((*self._site.navbar_left, *self._site.navbar_right)))
        return list(dict.fromkeys(written))

    def _neighbours(self, source: str) -> tuple[Link | None, Link | None]:
        if self._site.page_navigation is False or source not in self._order:
            return None, None
        at = self._order.index(source)
        before = self._page_link(source, self._order[at - 1]) if at else None
        after = self._page_link(source, self._order[at + 1]) if at + 1 < len(self._order) else None
        return before, after

    def _sidebar(self, source: str, *, has_bar: bool) -> tuple[Link, ...]:
        if not self._site.sidebars or len(self._pages) < 2:  # noqa: PLR2004 - a list of one page leads nowhere
            return ()
        chosen = next((entries for entries in self._site.sidebars if source in self._sources(entries)), None)
        if chosen is None:
            return () if has_bar else self._links(source, self._site.sidebars[0])
        if self._chapters and all(entry.auto == "" for entry in chosen):
            rest = [name for name in self._auto("") if name not in self._chapters]
            return tuple(self._page_link(source, name) for name in (*self._chapters, *rest))
        return self._links(source, chosen)

    def _links(self, source: str, entries: Sequence[Entry]) -> tuple[Link, ...]:
        links: list[Link] = []
        for entry in entries:
            if entry.auto is not None:
                links += self._folders(source, self._auto(entry.auto))
                continue
            children = self._links(source, entry.children)
            href, current = self._address(source, entry.href)
            text = entry.text or self._title(entry.href) or (entry.href or "")
            if text.strip("-") or children:
                links.append(Link(text, href, current, children))
        return tuple(links)

    def _folders(self, source: str, names: Sequence[str], depth: int = 0) -> list[Link]:
        """Return links to pages, those of a folder below an entry that its index page names, or its own name."""
        links: list[Link] = []
        below: dict[str, list[str]] = {}
        for name in names:
            parts = PurePosixPath(name).parts
            if len(parts) - depth > 1:
                below.setdefault(parts[depth], []).append(name)
            else:
                links.append(self._page_link(source, name))
        for folder, inside in below.items():
            home = PurePosixPath(*PurePosixPath(inside[0]).parts[: depth + 1])
            index = next((name for name in inside if PurePosixPath(name).with_suffix("") == home / "index"), None)
            children = self._folders(source, [name for name in inside if name != index], depth + 1)
            href, current = self._address(source, index)
            text = self._pages[index].title if index else folder.replace("-", " ").replace("_", " ").capitalize()
            links.append(Link(text, href, current, tuple(children)))
        return links

    def _auto(self, pattern: str) -> list[str]:
        names = [name for name in self._pages if not pattern or matches(name, pattern)]

        def place(name: str) -> tuple[bool, float, str]:
            order = self._pages[name].order
            return PurePosixPath(name).stem != "index", float("inf") if order is None else order, name

        return sorted(names, key=place)

    def _sources(self, entries: Iterable[Entry]) -> list[str]:
        found: list[str] = []
        for entry in entries:
            if entry.auto is not None:
                found += self._auto(entry.auto)
            elif entry.href is not None and (name := self._named(entry.href)):
                found.append(name)
            found += self._sources(entry.children)
        return found

    def _named(self, href: str) -> str | None:
        return page_named(href, self._pages)[0]

    def _title(self, href: str | None) -> str | None:
        name = self._named(href) if href else None
        return self._pages[name].title if name else None

    def _page_link(self, source: str, name: str) -> Link:
        return Link(self._pages[name].title, self._made(source, name), name == source)

    def _made(self, source: str, name: str) -> str:
        return quoted(relative(source, self._pages[name].target(SUFFIX)))

    def _address(self, source: str, href: str | None) -> tuple[str | None, bool]:
        if href is None:
            return None, False
        name, rest = page_named(href, self._pages)
        if name is None and ":" not in href and href.partition("#")[0].endswith(SUFFIXES):
            return None, False  # a page that is not there, which is told
        if name is None:
            external = safe_url(href if ":" in href else href.replace(" ", "%20"))
            is_file = external is not None and ":" not in external and not external.startswith(("#", "/"))
            return (relative(source, external) if is_file and external else external), False
        return self._made(source, name) + rest, name == source and not rest.strip("#")


def _notebook_id(source: str) -> str:
    return ".".join(PurePosixPath(source).with_suffix("").parts)
