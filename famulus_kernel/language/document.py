"""A .fam file as text with blocks in it (spec 1.1): every byte is kept, only a block that is edited changes."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from famulus_kernel.errors import PreambleError, ProjectError, Where
from famulus_kernel.language.fields import Bool, Identifier, NotebookId, PathText
from famulus_kernel.language.lines import split_lines, without_break
from famulus_kernel.language.scan import scan
from famulus_kernel.language.validation import Part, validated
from famulus_kernel.language.yaml import load_strict

if TYPE_CHECKING:
    from collections.abc import Iterable

    from famulus_kernel.language.structure import RawFence, Scan

_BLOCK_INFO = re.compile(r"\{famulus(?P<attributes>[ \t,][^\r\n]*)?\}\Z")
_CODE_INDENT = 4


class FamulusMeta(Part):
    """What the key `famulus` of a front matter says."""

    id: NotebookId | None = Field(default=None, description="Id of the notebook; its path in the project when missing.")
    uses: dict[Identifier, PathText] = Field(
        default={}, description="Project id to path, added to those of famulus.yml."
    )
    chapters: tuple[PathText, ...] = Field(default=(), description="Notebooks of a work in reading order.")
    on_error: Literal["error", "warn"] = Field(
        default="error",
        alias="on-error",
        description="warn: a page with unresolved artefacts does not fail the render.",
    )
    mark_stale: Bool = Field(default=True, alias="mark-stale", description="Mark artefacts whose block is stale.")
    credits: Bool = Field(default=True, description="End a page that embeds artefacts with their sources.")


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The YAML at the document's beginning.

    Attributes
    ----------
    raw
        The YAML between the `---` lines; empty without a front matter.
    data
        The same, loaded.
    famulus
        Our key of it, validated.
    line
        Line of the file (1-based) that the first line of `raw` is.
    sources
        The source texts of numbers; see `StrictYaml`.
    """

    raw: str = ""
    data: dict[str, Any] = field(default_factory=dict)
    famulus: FamulusMeta = field(default_factory=lambda: FamulusMeta())  # noqa: PLW0108 - its generated signature misleads mypy
    line: int = 1
    sources: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fence:
    """A block's fence.

    Attributes
    ----------
    index
        Position among the document's blocks.
    start, end
        Lines (0-based) of the opening and closing fence; `end` is the fence's last line where it is not closed.
    offset_start, offset_end
        From the first character of the opening run (after the prefix of containers) to the end of the last line, its
        line break included.
    info, attributes
        The info string, and what it holds after the name.
    body, body_line
        The text between the fences without prefixes, with its last line break; line (1-based) of its first line.
    prefix
        What goes before each line of the body: `"> "` and indentation.
    nested
        Whether the fence stands in a list item or block quote.
    closed
        Whether there is a closing fence.
    """

    index: int
    start: int
    end: int
    offset_start: int
    offset_end: int
    info: str
    attributes: str
    body: str
    body_line: int
    prefix: str
    nested: bool
    closed: bool
    char: str
    length: int


@dataclass(frozen=True, slots=True)
class Document:
    """A document with its blocks. `text` is what was read, to the byte."""

    text: str
    path: str | None
    front_matter: FrontMatter
    fences: tuple[Fence, ...]
    scan: Scan = field(repr=False, compare=False)

    def print(self) -> str:
        """Return the text: parse, then print, is the identity."""
        return self.text

    def line_of(self, offset: int) -> int:
        """Return the line (1-based) that a character offset lies in."""
        return self.scan.line_of(offset) + 1

    def with_body(self, index: int, body: str) -> Document:
        """Return the document with another body in one block, and every other byte as it is.

        Parameters
        ----------
        index
            Which block (`Fence.index`).
        body
            The new text between its fences, without prefixes. Its line breaks are made those of the opening line.

        Raises
        ------
        ProjectError
            A line of `body` would close the fence.
        """
        fence = self.fences[index]
        if body == fence.body:
            return self
        starts = self.scan.starts
        opening = self.text[starts[fence.start] : starts[fence.start + 1]]
        newline = opening[len(opening.rstrip("\r\n")) :]
        before = self.text[: starts[fence.start + 1]]
        after = self.text[starts[fence.end] if fence.closed else starts[fence.end + 1] :]
        if not newline:
            newline, before = "\n", before + "\n"
        lines = [without_break(line) + newline if line.endswith("\n") else line for line in split_lines(body)]
        for number, line in enumerate(lines):
            if closes_fence(line, fence.char, fence.length):
                raise ProjectError.closing_line(line.strip(), Where(self.path, fence.body_line + number))
        if lines and not lines[-1].endswith(("\n", "\r")):
            lines[-1] += newline
        return parse_document(before + prefixed(lines, fence.prefix) + after, self.path)


def parse_document(text: str, path: str | None = None) -> Document:
    """Find a document's front matter and blocks.

    Parameters
    ----------
    text
        The file, with its line breaks and, if it has one, its byte order mark.
    path
        What errors name as the file.

    Raises
    ------
    YamlError, PreambleError
        The front matter is not YAML, or its key `famulus` is not in the language.
    """
    found = scan(text)
    return Document(text, path, _front_matter(text, found, path), fences_of(text, found), found)


def fences_of(text: str, found: Scan) -> tuple[Fence, ...]:
    """Return the fences that are blocks."""
    blocks = ((fence, match) for fence in found.fences if (match := _BLOCK_INFO.match(fence.info)))
    return tuple(
        _fence(index, fence, (match["attributes"] or "").strip(), text, found.starts)
        for index, (fence, match) in enumerate(blocks)
    )


def prefixed(lines: Iterable[str], prefix: str) -> str:
    """Return lines with the prefix of a fence's containers before each; a blank line gets no blanks at its end."""
    return "".join((prefix if without_break(line) else prefix.rstrip()) + line for line in lines)


def closes_fence(line: str, char: str, length: int) -> bool:
    """Say whether a line of a body would end a fence that was opened by `length` times `char`."""
    text = line.expandtabs(_CODE_INDENT).rstrip()
    run = text.lstrip(" ")
    return len(text) - len(run) < _CODE_INDENT and len(run) >= length and not run.strip(char)


def _fence(index: int, raw: RawFence, attributes: str, text: str, starts: list[int]) -> Fence:
    body = "".join(" " * pad + text[start:end] for pad, start, end in raw.body)
    prefix = "".join(" " * width if width else "> " for width in raw.containers) + " " * raw.indent
    return Fence(
        index=index,
        start=raw.start,
        end=raw.end,
        offset_start=raw.offset,
        offset_end=starts[raw.end + 1],
        info=raw.info,
        attributes=attributes,
        body=body,
        body_line=raw.start + 2,
        prefix=prefix,
        nested=bool(raw.containers),
        closed=raw.closed,
        char=raw.char,
        length=raw.length,
    )


def _front_matter(text: str, found: Scan, path: str | None) -> FrontMatter:
    if found.front_matter is None:
        return FrontMatter()
    first, last = found.front_matter
    raw = text[found.starts[first + 1] : found.starts[last]]
    # Quarto's own tags (!expr, !str) are Quarto's business
    yaml = load_strict(raw, line=first + 2, file=path, foreign_tags=True)
    where = Where(path, first + 2)
    data = {} if yaml.value is None else yaml.value
    if not isinstance(data, dict):
        raise PreambleError.not_a_mapping("the front matter", where)
    ours = data.get("famulus")
    if ours is None:
        return FrontMatter(raw, data, FamulusMeta(), first + 2, yaml.sources)
    if not isinstance(ours, dict):
        raise PreambleError.not_a_mapping("famulus", replace(where, line=yaml.line_of("famulus"), key="famulus"))
    meta = validated(FamulusMeta, ours, yaml=yaml, where=Where(path), prefix="famulus")
    return FrontMatter(raw, data, meta, first + 2, yaml.sources)
