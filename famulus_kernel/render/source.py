"""A page's text as pandoc reads it: cells in the places of blocks, included files put in, every shortcode numbered.

Pandoc's tree has no positions. So each shortcode is given the number of its line before pandoc sees it (`at=17`), and
the filter hands that number back with what went wrong there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import DuplicateId, FamulusError, ProjectError, RenderError, Where
from famulus_kernel.language.document import Document, parse_document
from famulus_kernel.language.includes import find_includes
from famulus_kernel.language.parameters import Parameters, parameters_of
from famulus_kernel.language.shortcodes import find_shortcodes
from famulus_kernel.project.blocks import Block, read_block, read_text
from famulus_kernel.render.cells import Cell, CellOptions, cell_of, with_cells

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from famulus_kernel.language.includes import Include

STRIDE = 1_000_000
"""A place is a line of one of the page's files: the file's number times this, plus the line."""
_DEEPEST = 20
_MOST = 1000
"""Files of a page: twenty that include the next one twice would be a million."""
_MARK = 3
"""Length of `{{<`, `<<<`, `>}}` and `>>>`."""
_PRIVATE = {"{{<": ("\ue0fa", "\ue0fb"), "<<<": ("\ue0fc", "\ue0fd")}
"""Pandoc's reader looks through the rest of the page at every `<`: 1,000 shortcodes would take it a minute. The filter
knows these marks too, and shows the author's."""
_MARKER = re.compile(r"@([\w-]+)(?=[.)](?:\s|\Z))")
"""A cross-reference at the start of a line: pandoc takes it for an item `(@label)` of a list and breaks the paragraph,
though it was told to read no such lists. In braces it does not."""
_CELL = re.compile(r"\{\{< (famulus \S+ \S+ at=[0-9]+ cell=true) >\}\}")


@dataclass
class Source:
    """A page's text for pandoc, and what its places mean.

    Attributes
    ----------
    text
        Markdown.
    files
        The page and what it includes or would, in the order of their numbers; relative to the site, posix.
    problems
        Blocks that cannot be read, files that cannot be included.
    """

    text: str
    files: list[str]
    problems: list[FamulusError]

    def where(self, place: int | str | None) -> Where:
        """Return the file and line of a place."""
        number, line = divmod(int(place or 0), STRIDE)
        return Where(self.files[number] if number < len(self.files) else self.files[0], line or None)


@dataclass
class _Making:
    root: Path
    page: str
    defaults: Mapping[str, Any]
    given: Mapping[str, Any]
    known: Callable[[str], object]
    options: CellOptions
    files: list[str] = field(default_factory=list)
    problems: list[FamulusError] = field(default_factory=list)


def prepare(
    document: Document,
    root: Path,
    *,
    defaults: Mapping[str, Any],
    execute: Mapping[str, Any],
    given: Mapping[str, Any] | None = None,
    known: Callable[[str], object] = str,
) -> Source:
    """Return a page's text as pandoc reads it.

    Parameters
    ----------
    document
        The page; its `path` is relative to `root`.
    root
        The site's folder; what lies outside is not included.
    defaults
        What famulus.yml says for every block.
    execute
        The site's execute options; those of the page go before them.
    given
        Values that go before those of the page's own `params`.
    known
        Asked for each block by its id; raises a ProjectError where the project has no such block, or two.
    """
    own = document.front_matter.data.get("execute")
    options = CellOptions().of_block({**execute, **(own if isinstance(own, dict) else {})})
    making = _Making(root, document.path or "-", defaults, given or {}, known, options)
    text = _prepared(making, document, (), parameters_of(document.front_matter, making.given))
    text = text.replace("\r\n", "\n").replace("\r", "\n")  # pandoc drops every `\r`, and joins the lines it parts
    return Source(text, making.files, making.problems)


def _prepared(making: _Making, document: Document, above: tuple[str, ...], parameters: Parameters) -> str:
    name = document.path or "-"
    first = len(making.files) * STRIDE
    making.files.append(name)
    numbered, included = _numbered(document, first, len(making.files))
    page = parse_document(numbered, document.path)
    cells = []
    for fence in page.fences:
        block = read_block(
            fence.body,
            notebook="",
            file=making.root / name,
            name=name,
            line=fence.body_line,
            fence=fence,
            defaults=making.defaults,
            parameters=parameters,
        )
        cell = cell_of(block, fence, making.options)
        if isinstance(block, Block):
            cell = _known(making, block, cell)
        if cell.error is not None:
            making.problems.append(cell.error)
        cells.append(cell)
    opening, closing = _PRIVATE["{{<"]
    text = _CELL.sub(rf"{opening} \1 {closing}", with_cells(page, cells, first_place=first))
    for token, include in included:
        text = text.replace(token, _included(making, include, Where(name, include.line), (*above, name)))
    return text


def _known(making: _Making, block: Block, cell: Cell) -> Cell:
    """Return the cell, or one that says why the project has no such block: its id is used twice, or by no notebook."""
    try:
        making.known(block.id)
    except DuplicateId as error:
        return Cell(block.id, error=error)
    except ProjectError:
        return Cell(block.id, error=ProjectError.no_notebook(str(block.where.file), block.where))
    return cell


def _numbered(document: Document, first: int, number: int) -> tuple[str, list[tuple[str, Include]]]:
    """Return the text with the place in every shortcode, and tokens for what it includes."""
    text = document.text
    changes: list[tuple[int, int, str]] = []
    for code in find_shortcodes(text, document.scan):
        if not code.literal:
            opening, closing = _PRIVATE[text[code.start : code.start + _MARK]]
            words = text[code.start + _MARK : code.end - _MARK].strip()
            changes.append((code.start, code.end, f"{opening} {words} at={first + code.line} {closing}"))
    for start, end in (line for segments in document.scan.texts for line in segments[1:]):
        if marker := _MARKER.match(text[start:end]):
            changes.append((start, start + marker.end(), f"@{{{marker[1]}}}"))
    included = [(f"famulusinclude{number}x{at}x", one) for at, one in enumerate(find_includes(document))]
    changes += [(one.start, one.end, token) for token, one in included]
    for start, end, new in sorted(changes, reverse=True):
        text = text[:start] + new + text[end:]
    return text, included


def _included(making: _Making, include: Include, where: Where, above: tuple[str, ...]) -> str:
    """Return the text of an included file; a problem leaves nothing but its record and a note for the reader."""
    written = include.path
    path = making.root / include.name(making.page)
    try:
        name = path.resolve().relative_to(making.root.resolve()).as_posix()
    except ValueError:
        return _missing(making, written, "it lies outside of the project", where)
    if name in above or len(above) > _DEEPEST:
        return _missing(making, written, "it includes itself", where)
    if len(making.files) > _MOST:
        return _missing(making, written, f"the page includes more than {_MOST} files", where)
    if not path.is_file():
        making.files.append(name)  # the page is another one as soon as it is there
        return _missing(making, written, "there is no such file", where)
    try:
        document = parse_document(read_text(path, name), name)
    except (FamulusError, OSError) as error:
        making.files.append(name)
        because = error if isinstance(error, FamulusError) else RenderError.of(name, error.strerror or str(error))
        return _missing(making, written, "it cannot be read", where, because=because.at(Where(name)))
    parameters = parameters_of(document.front_matter, making.given)
    if document.front_matter.raw:
        text = document.text[document.scan.starts[_last_line(document) + 1] :]
        document = parse_document("\n" * (_last_line(document) + 1) + text, name)
    return _prepared(making, document, above, parameters)


def _last_line(document: Document) -> int:
    return document.scan.front_matter[1] if document.scan.front_matter else -1


def _missing(making: _Making, written: str, why: str, where: Where, *, because: FamulusError | None = None) -> str:
    making.problems.append(because or RenderError.of(f"include {written}", why, where=where))
    return f'::: {{.famulus-box role="note"}}\n`{{{{{{< include {written} >}}}}}}`: {why}\n:::\n'
