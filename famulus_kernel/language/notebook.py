"""`.fam` and `.ipynb` (spec 1.1): the same text as cells, byte for byte.

A block at the margin is a code cell, everything between two of them one markdown cell; a block inside a list or quote
stays in its markdown cell. What a cell's text cannot carry stands in metadata under `famulus`: blank lines around a
cell, the lines of the fence, the line breaks of the file. A cell without that key was not made from a file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from famulus_kernel.language.block import guess_id
from famulus_kernel.language.document import Fence, closes_fence, fences_of, prefixed
from famulus_kernel.language.lines import split_lines
from famulus_kernel.language.scan import scan

if TYPE_CHECKING:
    from nbformat import NotebookNode

KEY = "famulus"
_KERNEL = {
    "kernelspec": {"name": "famulus", "display_name": "Famulus", "language": "famulus"},
    "language_info": {"name": "famulus", "file_extension": ".fam"},
}
_BLANKS = " \t\r\n"
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n|\n|\r))*")
_NOT_IN_ID = re.compile(r"[^A-Za-z0-9_-]")
_ID_LENGTH = 64
_PLAIN_OPENING = "```{famulus}\n"
_OPENING = re.compile(
    r"(?P<indent> {0,3})(?P<run>`{3,}|~{3,})(?P<rest>[ \t]*\{famulus(?:[ \t,][^\r\n]*)?\}[ \t]*(?:\r\n|\n|\r|\Z))\Z"
)
_CLOSING = re.compile(r"(?P<indent>[ \t]*)(?P<run>`+|~+)(?P<rest>[ \t]*(?:\r\n|\n|\r|\Z))\Z")


def fam_to_notebook(text: str) -> NotebookNode:
    """Return a document as a notebook (nbformat 4.5) without outputs.

    Parameters
    ----------
    text
        A .fam or .qmd file. Nothing in it is checked: a block that cannot be read is a cell as well.
    """
    from nbformat import from_dict  # noqa: PLC0415 - only those who want a notebook pay for it

    about: dict[str, Any] = {}
    if text.startswith("\ufeff"):
        about["bom"] = True
        text = text[1:]
    if "\r" in text and not re.search(r"\r(?!\n)|(?<!\r)\n", text):
        about["newline"] = "\r\n"
        text = text.replace("\r\n", "\n")
    ids = _Ids()
    cells: list[dict[str, Any]] = []
    scanned = scan(text)
    starts = scanned.starts
    done = 0
    for fence in fences_of(text, scanned):
        if fence.nested:
            continue
        before = _blank_or_cell(text[done : starts[fence.start]], cells, ids)
        done = fence.offset_end
        inner, close = starts[fence.start + 1], starts[fence.end] if fence.closed else done
        opening, raw, closing = text[starts[fence.start] : inner], text[inner:close], text[close:done]
        source, metadata = _code_cell(fence, raw, opening, closing, before)
        cells.append(_cell("code", ids.of_block(source), source, metadata) | {"execution_count": None, "outputs": []})
    if tail := _blank_or_cell(text[done:], cells, ids):
        about["tail"] = tail
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {**_KERNEL, KEY: about}, "cells": cells}
    return cast("NotebookNode", from_dict(notebook))


def notebook_to_fam(notebook: Mapping[str, Any]) -> str:
    """Return a notebook as the text of a .fam file; outputs stay behind.

    A cell that :func:`fam_to_notebook` did not make gets a plain fence and blank lines around it; two markdown cells in
    a row become one text. A block whose new source would end its fence gets a longer one.
    """
    about = _about(notebook)
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code" or _source(cell)]
    parts: list[str] = []
    end = ""
    previous: Mapping[str, Any] | None = None
    for number, cell in enumerate(cells):
        is_code = cell["cell_type"] == "code"
        piece = _code_text(cell, last=number == len(cells) - 1) if is_code else _markdown_text(cell)
        if previous is not None:
            parts.append(_gap(previous, cell, end, piece))
        parts.append(piece)
        end, previous = piece, cell
    if previous is not None and KEY not in previous["metadata"] and not end.endswith("\n"):
        parts.append("\n")
    text = "".join(parts) + str(about.get("tail", ""))
    if about.get("newline") == "\r\n":
        text = re.sub(r"\r\n|\n|\r", "\r\n", text)
    return "\ufeff" + text if about.get("bom") else text


# --- from text to cells ---


class _Ids:
    """Cell ids that stay when the text around them changes: that of a block, or of the block before a text."""

    def __init__(self) -> None:
        self.taken: dict[str, int] = {}
        """Each id, and the highest number that was put behind it."""
        self.blocks = 0
        self.previous = ""

    def of_block(self, source: str) -> str:
        self.blocks += 1
        block = guess_id(source)
        self.previous = self._free(_as_cell_id(block) if block else f"block-{self.blocks}")
        return self.previous

    def of_text(self) -> str:
        return self._free(_as_cell_id(f"text-{self.previous}" if self.previous else "text"))

    def _free(self, wanted: str) -> str:
        name = wanted
        while name in self.taken:
            self.taken[wanted] += 1
            name = f"{wanted[: _ID_LENGTH - 8]}-{self.taken[wanted]}"
        self.taken[name] = 1
        return name


def _as_cell_id(block: str) -> str:
    """Return a block's id in the alphabet of cell ids, told apart by a hash where that loses something."""
    slug = _NOT_IN_ID.sub("-", block)
    if slug == block and len(block) <= _ID_LENGTH:
        return block
    return f"{slug[: _ID_LENGTH - 9]}-{hashlib.sha256(block.encode('utf-8', 'replace')).hexdigest()[:8]}"


def _cell(kind: str, name: str, source: str, metadata: dict[str, str]) -> dict[str, Any]:
    return {"cell_type": kind, "id": name, "metadata": {KEY: metadata}, "source": source}


def _blank_or_cell(text: str, cells: list[dict[str, Any]], ids: _Ids) -> str:
    """Add a markdown cell for the text between two blocks; return it instead where it is blank."""
    if not text.strip(_BLANKS):
        return text
    match = _BLANK_LINES.match(text)
    start = match.end() if match else 0
    end = len(text.rstrip(_BLANKS))
    metadata = _without_empty(before=text[:start], after=text[end:])
    cells.append(_cell("markdown", ids.of_text(), text[start:end], metadata))
    return ""


def _code_cell(fence: Fence, raw: str, opening: str, closing: str, before: str) -> tuple[str, dict[str, str]]:
    """Return a block's cell source and what has to stand in its metadata."""
    end = re.search(r"(?:\r\n|\n|\r|)\Z", fence.body)
    source = fence.body[: end.start()] if end else fence.body
    metadata = _without_empty(before=before)
    if opening != _PLAIN_OPENING:
        metadata["open"] = opening
    if closing != "```\n":
        metadata["close"] = closing
    if end and end.group() != "\n":
        metadata["end"] = end.group()
    if raw != prefixed(split_lines(fence.body), fence.prefix):
        # lines that are indented less than their fence cannot be told from the body
        metadata["raw"] = raw
        metadata["raw_source"] = _digest(source)
    return source, metadata


def _without_empty(**values: str) -> dict[str, str]:
    return {key: value for key, value in values.items() if value}


# --- from cells to text ---


def _about(part: Mapping[str, Any]) -> Mapping[str, Any]:
    about = part.get("metadata", {}).get(KEY)
    return about if isinstance(about, Mapping) else {}


def _source(cell: Mapping[str, Any]) -> str:
    source = cell["source"]
    return source if isinstance(source, str) else "".join(source)


def _markdown_text(cell: Mapping[str, Any]) -> str:
    about = _about(cell)
    return f"{about.get('before', '')}{_source(cell)}{about.get('after', '')}"


def _gap(previous: Mapping[str, Any], cell: Mapping[str, Any], end: str, piece: str) -> str:
    """Return the line breaks that are missing between two cells' texts: none where both came from one file."""
    both_text = previous["cell_type"] != "code" and cell["cell_type"] != "code"
    known = KEY in previous["metadata"] and KEY in cell["metadata"] and not both_text
    if known and end.endswith(("\n", "\r")):
        return ""
    have = len(end) - len(end.rstrip("\n")) + len(piece) - len(piece.lstrip("\n"))
    return "\n" * max((1 if known else 2) - have, 0 if end.endswith(("\n", "\r")) else 1)


def _code_text(cell: Mapping[str, Any], *, last: bool) -> str:
    """Return a block with its fence, as it stood in the file where its source still allows that."""
    about = _about(cell)
    opening = _OPENING.match(str(about.get("open", _PLAIN_OPENING))) or _OPENING.match(_PLAIN_OPENING)
    assert opening  # noqa: S101 - the plain one matches
    indent, run = opening["indent"], opening["run"]
    body = _body(cell, indent)
    if last and about.get("close") == "":
        closing = ""
    else:
        match = _CLOSING.match(str(about.get("close", "")))
        fits = match and match["run"].startswith(run)
        closing = match.group() if match and fits else f"{indent}{run}\n"
        body += "" if body.endswith(("\n", "\r")) or not body else "\n"
    first = opening.group()
    if body + closing and not first.endswith(("\n", "\r")):
        first += "\n"
    longest = max((len(line.strip()) for line in split_lines(body) if closes_fence(line, run[0], len(run))), default=0)
    if longest:
        more = run[0] * (longest + 1 - len(run))
        first, closing = first.replace(run, run + more, 1), closing.replace(run, run + more, 1)
    return f"{about.get('before', '')}{first}{body}{closing}"


def _body(cell: Mapping[str, Any], indent: str) -> str:
    about, source = _about(cell), _source(cell)
    if "raw" in about and about.get("raw_source") == _digest(source):
        return str(about["raw"])
    return prefixed(split_lines(source + str(about.get("end", "\n"))), indent)


def _digest(source: str) -> str:
    return hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()
