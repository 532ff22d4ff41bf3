"""The pages of a site: which files they are, what each becomes, what it is called."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import RenderError
from famulus_kernel.language.document import Document, parse_document
from famulus_kernel.project.blocks import read_text
from famulus_kernel.project.locate import made_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from famulus_kernel.render.site import Entry, Site

SUFFIXES = (".fam", ".qmd", ".md")
_NO_PAGES = frozenset({"readme", "license", "changelog", "contributing"})
_FOREIGN_FOLDERS = frozenset({"node_modules", "__pycache__", "site_libs"})
_GLOB = re.compile(r"(\*\*/|\*\*|\*|\?)")
_PIECES = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
_HEADING = re.compile(r"^#[ \t]+(.+?)[ \t]*#*[ \t]*$", re.MULTILINE)
_ATTRIBUTES = re.compile(r"[ \t]*\{[^{}<>]*\}\s*\Z")
_SHORTCODE = re.compile(r"\{\{<.*?>\}\}|<<<\s.*?\s>>>")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_NO_TEXT = frozenset({"Cc", "Cs"})
"""Control characters and halves of signs, which no command line and no page can carry."""
_MARKUP = re.compile(r"(?<![\w\\])[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}(?!\w)")


@dataclass(frozen=True)
class Page:
    """A page before it is made.

    Attributes
    ----------
    source
        Its file, relative to the site, posix.
    document
        What the file holds.
    title
        What navigation calls it: its title, else its first heading, else its name; plain text.
    order
        Its place among its neighbours where its front matter gives one.
    """

    source: str
    document: Document
    title: str
    order: float | None

    @property
    def data(self) -> Mapping[str, Any]:
        """The front matter."""
        return self.document.front_matter.data

    @property
    def is_unnumbered(self) -> bool:
        """Whether its first heading says that it is no numbered chapter (`{.unnumbered}` or `{-}`)."""
        heading = _HEADING.search(_body(self.document))
        marks = _ATTRIBUTES.search(heading[1]) if heading else None
        return marks is not None and bool({".unnumbered", "-"}.intersection(marks[0].strip(" \t{}").split()))

    def target(self, suffix: str) -> str:
        """Return the page's file below the output folder."""
        return PurePosixPath(self.source).with_suffix(suffix).as_posix()


def find_pages(site: Site) -> list[str]:
    """Return the pages of a site, relative to it: what `project.render` says, else every page there is.

    Folders and files that begin with `_` or `.` hold no pages (as in Quarto), nor does the output folder; a `.qmd` that
    was made of a `.fam` for an old Quarto is no page of its own.
    """
    chapters = list(_chapters(site)) if site.kind == "book" else []
    found = [path for path in sorted(_walk(site.root, site.output_dir)) if path.stem.lower() not in _NO_PAGES]
    names = [path.relative_to(site.root).as_posix() for path in found]
    if chapters:
        return [name for name in names if any(_means(entry, name) for entry in chapters)]
    if not site.render:
        return names
    wanted = [rule for rule in site.render if not rule.startswith("!")] or ["**"]
    unwanted = [rule.removeprefix("!") for rule in site.render if rule.startswith("!")]
    return [
        name
        for name in names
        if any(matches(name, rule) for rule in wanted) and not any(matches(name, rule) for rule in unwanted)
    ]


def _means(entry: Entry, name: str) -> bool:
    return entry.href == name or (entry.auto is not None and matches(name, entry.auto or "**"))


def _chapters(site: Site) -> Iterable[Entry]:
    waiting = [entry for entries in site.sidebars for entry in entries]
    while waiting:
        entry = waiting.pop()
        waiting += entry.children
        yield entry


def _walk(folder: Path, output: Path) -> Iterable[Path]:
    for path in folder.iterdir():
        if path.name.startswith(("_", ".")) or path.name in _FOREIGN_FOLDERS or path == output:
            continue
        if path.is_dir() and not path.is_symlink():
            if not (path / "famulus.yml").is_file():
                yield from _walk(path, output)
        elif path.suffix in SUFFIXES and path.is_file() and made_of(path) is None:
            yield path


def matches(name: str, pattern: str) -> bool:
    """Say whether a file of the site fits a glob as Quarto reads it: in any folder, `/` at its start means the root.

    `**` stands for any folders, `*` and `?` stay within one name; a folder means everything in it.
    """
    rooted = pattern.startswith("/")
    pieces = _GLOB.split(pattern.removeprefix("./").strip("/"))
    regex = "".join(_PIECES.get(piece) or re.escape(piece) for piece in pieces)
    return re.search(rf"{'^' if rooted else '(?:^|/)'}{regex}(?:$|/)", name) is not None


def read_page(root: Path, source: str) -> Page:
    """Read a page.

    Raises
    ------
    RenderError
        The file is not there, or may not be read.
    ProjectError
        It is not UTF-8, or its front matter cannot be read.
    """
    path = root / source
    if not path.is_file():
        raise RenderError.of(source, "there is no such page")
    try:
        text = read_text(path, source)
    except OSError as error:  # it went while we looked, or is not ours to read
        raise RenderError.of(source, error.strerror or str(error)) from error
    document = parse_document(text, source)
    order = document.front_matter.data.get("order")
    return Page(source, document, _title(document, source), float(order) if isinstance(order, int | float) else None)


def check_targets(pages: Sequence[Page], suffix: str) -> None:
    """Make sure that no two pages would be written to one file.

    Raises
    ------
    RenderError
        Two pages have one stem.
    """
    taken: dict[str, str] = {}
    for page in pages:
        target = page.target(suffix)
        if target.lower() in taken:
            both = f"{taken[target.lower()]} and {page.source} would both become {target}"
            raise RenderError.of(page.source, both, "rename one of the two")
        taken[target.lower()] = page.source


def plain_title(markdown: str) -> str:
    """Return a title without the marks of its markup and without shortcodes, for navigation and windows."""
    text = _LINK.sub(r"\1", _SHORTCODE.sub("", markdown))
    shown = "".join(" " if unicodedata.category(sign) in _NO_TEXT else sign for sign in text)
    return " ".join(_MARKUP.sub("", shown).replace("\\", "").split())


def _body(document: Document) -> str:
    """Return the text without its front matter."""
    matter = document.scan.front_matter
    text = document.text[document.scan.starts[matter[1] + 1] :] if matter else document.text
    return text.removeprefix("\ufeff")


def _title(document: Document, source: str) -> str:
    given = document.front_matter.data.get("title")
    if isinstance(given, str | int | float) and not isinstance(given, bool) and str(given).strip():
        return plain_title(str(given))
    heading = _HEADING.search(_body(document))
    if heading:
        return plain_title(_ATTRIBUTES.sub("", heading[1]))
    return PurePosixPath(source).stem
