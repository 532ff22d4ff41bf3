"""The index that a reader searches all pages by: titles, headings and text, as a script beside the pages (spec 7.4).

A script and not JSON, because a page that is opened from a disk may load the one and not the other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

INDEX = "search-index.js"
_BEFORE, _AFTER = "window.famulusSearchIndex = ", ";\n"
_HEADINGS = frozenset({"h1", "h2", "h3"})
_UNREAD = frozenset({"script", "style", "svg", "math", "template", "button"})
_APART = frozenset(
    {"p", "li", "td", "th", "tr", "dt", "dd", "div", "pre", "br", "caption", "figcaption", "h4", "h5", "h6", "summary"}
)
"""Elements whose words are not those of their neighbours."""
_MOST = 50_000
"""Characters of a section that are searched: a page of tables would else outweigh the site."""


@dataclass
class Section:
    """A heading of a page, its anchor, and the text below it up to the next one."""

    anchor: str
    heading: str = ""
    text: str = ""


@dataclass
class _Reader(HTMLParser):
    sections: list[Section] = field(default_factory=lambda: [Section("")])

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._unread = 0
        self._in_heading = False
        self._pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNREAD:
            self._unread += 1
        elif tag in _HEADINGS:
            self.finish()
            self.sections.append(Section(dict(attrs).get("id") or ""))
            self._in_heading = True
        elif tag in _APART:
            self._pieces.append(" ")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _UNREAD | _HEADINGS:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNREAD:
            self._unread = max(0, self._unread - 1)
        elif tag in _HEADINGS and self._in_heading:
            self.sections[-1].heading = self._words()
            self._in_heading = False
        elif tag in _APART:
            self._pieces.append(" ")

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self._pieces.append(data)

    def finish(self) -> None:
        """End the section that is being read."""
        self.sections[-1].text = self._words()[:_MOST]

    def _words(self) -> str:
        words = " ".join("".join(self._pieces).split())
        self._pieces = []
        return words


def sections_of(html: str) -> list[Section]:
    """Return the sections of a page's text; the first one, without an anchor, is what stands before any heading."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    reader.finish()
    return [section for section in reader.sections if section.heading or section.text]


def entry(address: str, title: str, html: str) -> list[Any]:
    """Return what the index holds of a page: its address from the site's root, its title, its sections."""
    return [address, title, [[one.anchor, one.heading, one.text] for one in sections_of(html)]]


def write_index(path: Path, entries: Iterable[list[Any]], *, keep: Iterable[str] = ()) -> None:
    """Write the index.

    Parameters
    ----------
    path
        Where.
    entries
        The pages that were made.
    keep
        Addresses of pages that were not made now, and of which the index keeps what it has.
    """
    wanted = set(keep)
    new = {one[0]: one for one in entries}
    kept = {one[0]: one for one in _read(path) if one[0] in wanted}
    pages = sorted({**kept, **new}.values(), key=lambda one: str(one[0]))
    text = json.dumps(pages, ensure_ascii=False, separators=(",", ":"))
    # Two line ends of Unicode that older browsers take for the end of a line of the script.
    text = text.replace("\u2028", " ").replace("\u2029", " ")
    path.write_text(f"{_BEFORE}{text}{_AFTER}", encoding="utf-8")


def _read(path: Path) -> list[list[Any]]:
    if not path.is_file():
        return []
    try:
        found = json.loads(path.read_text(encoding="utf-8").removeprefix(_BEFORE).removesuffix(_AFTER))
    except ValueError:
        return []
    return [one for one in found if isinstance(one, list) and one] if isinstance(found, list) else []
