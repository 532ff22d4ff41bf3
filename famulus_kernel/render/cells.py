"""In each block's place what a page shows of it: a div with our shortcodes, which the filter draws (spec 5.4).

Both renderers go this way: the embedded one with the notebooks as they lie on the disk, Quarto's engine with the text
that Quarto hands over. Everything else of the document stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from famulus_kernel.artefacts.markup import text as escaped
from famulus_kernel.errors import plain
from famulus_kernel.project.blocks import BrokenBlock

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.errors import FamulusError
    from famulus_kernel.language.document import Document, Fence
    from famulus_kernel.project.blocks import Block

CARD = "card"
_TICKS = re.compile("`+")
_SHORTEST_FENCE = 3


@dataclass(frozen=True, slots=True)
class CellOptions:
    """Quarto's execute options as a document has them; a block's `#|` lines go before them.

    Attributes
    ----------
    run
        Whether stale blocks are played (`eval`).
    echo
        Whether the block's text is shown. A page of claims is for readers: only when it is asked for.
    output
        Whether anything of the result is shown; what it is, the preamble's `output` says.
    include
        Whether the block leaves anything on the page at all.
    """

    run: bool = True
    echo: bool = False
    output: bool = True
    include: bool = True

    def of_block(self, options: dict[str, Any]) -> CellOptions:
        """Return the options that hold for a block with these `#|` lines."""
        own = {name: _is_on(options[key]) for key, name in _NAMES.items() if key in options}
        return replace(self, **own)


_NAMES = {"eval": "run", "echo": "echo", "output": "output", "include": "include"}


def _is_on(value: object) -> bool:
    # `asis`, `fenced` and line numbers switch on; YAML 1.2 leaves only true and false as booleans
    return value not in (False, None, "false", "none", "no")


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in one block's place.

    Attributes
    ----------
    block
        The block's id; None where it has none.
    names
        What is drawn of it, in this order: `card`, names of artefacts.
    source
        The block's text, where it is shown.
    fold
        How it is folded (`code-fold`, `code-summary`), as far as the block says it.
    error
        Why nothing can be drawn.
    """

    block: str | None
    names: tuple[str, ...] = ()
    source: str | None = None
    fold: tuple[tuple[str, str], ...] = ()
    error: FamulusError | None = None


def cell_of(block: Block | BrokenBlock, fence: Fence, options: CellOptions | None = None) -> Cell:
    """Return what the page shows of a block, before anything is known of the store."""
    if isinstance(block, BrokenBlock):
        return Cell(block.id, error=block.error)
    options = (options or CellOptions()).of_block(block.source.options)
    if not options.include:
        return Cell(block.id)
    output = block.preamble.output if options.output else "none"
    names = [CARD] if output in {CARD, "both"} else []
    names += [spec.name for spec in block.preamble.artefacts] if output in {"artefacts", "both"} else []
    return Cell(block.id, tuple(names), fence.body if options.echo else None, _fold(block.source.options))


def _fold(options: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    given = ((key, options[key]) for key in ("code-fold", "code-summary") if options.get(key) is not None)
    # YAML's true and false, and `show`; Quarto reads the same words from an attribute.
    return tuple((key, str(value).lower() if isinstance(value, bool) else str(value)) for key, value in given)


def with_cells(document: Document, cells: Sequence[Cell], *, first_place: int = 0) -> str:
    """Return the document's text with a cell for each block.

    Parameters
    ----------
    document
        The page's text, parsed.
    cells
        One for each of the document's fences.
    first_place
        The filter tells a problem of a cell with the number `at`: this plus the line (1-based) where the block begins.
    """
    lines = [
        _lines(cell, f" at={first_place + fence.start + 1}") for fence, cell in zip(document.fences, cells, strict=True)
    ]
    return _with_lines(document, lines)


def with_cells_around(document: Document, cells: Sequence[Cell]) -> str:
    """Return the document's text with each block inside its cell: for an engine that plays the block itself.

    The filter takes away what the engine shows of it, and draws the cell from the store.
    """
    lines = []
    for fence, cell in zip(document.fences, cells, strict=True):
        opening = document.text[fence.offset_start : fence.offset_end].partition("\n")[0].strip()
        marks = opening[: len(opening) - len(opening.lstrip(opening[0]))]
        head, *rest = _lines(cell, "")
        head = head.replace(".famulus-cell", ".famulus-cell .famulus-played", 1)
        lines.append([head, "", opening, *fence.body.splitlines(), marks, *rest])
    return _with_lines(document, lines)


def _with_lines(document: Document, cells: Sequence[list[str]]) -> str:
    parts, done = [], 0
    for fence, lines in zip(document.fences, cells, strict=True):
        start, first, others = _place(document, fence)
        newline = "\r\n" if document.text[: fence.offset_end].endswith("\r\n") else "\n"
        # a div does not interrupt a paragraph, as the fence did that stood here
        written = [others.rstrip(), first + lines[0], *((others + line).rstrip() for line in lines[1:])]
        parts += [document.text[done:start], newline.join(written), newline]
        done = fence.offset_end
    return "".join([*parts, document.text[done:]])


def _place(document: Document, fence: Fence) -> tuple[int, str, str]:
    """Return where the fence's first line begins, and what goes before a first and a later line in its containers.

    The fence's own indentation is left out: pandoc reads an indented div as text.
    """
    raw = next(one for one in document.scan.fences if one.offset == fence.offset_start)
    start = document.scan.starts[fence.start]
    first = document.text[start : fence.offset_start]
    if not fence.nested:
        return start, "", ""
    return start, first[: len(first) - raw.indent], fence.prefix[: len(fence.prefix) - raw.indent]


def _lines(cell: Cell, at: str) -> list[str]:
    anchor = f" #famulus-{cell.block}" if cell.block else ""
    lines = [f"::: {{.famulus-cell{anchor}}}"]
    if cell.source is not None:
        lines += ["", *_source(cell.source, cell.fold)]
    if cell.error is not None:
        lines += ["", *_box(cell.error)]
    for name in cell.names:
        lines += ["", f"{{{{< famulus {cell.block} {name}{at} cell=true >}}}}"]
    return [*lines, "", ":::"]


def _source(body: str, fold: Sequence[tuple[str, str]]) -> list[str]:
    longest = max((len(run) for run in _TICKS.findall(body)), default=0)
    fence = "`" * max(longest + 1, _SHORTEST_FENCE)
    # Quarto runs no shortcodes in what carries the class cell-code
    attributes = "".join(f' {key}="{_attribute(value)}"' for key, value in fold)
    return [f"{fence}{{.famulus .cell-code{attributes}}}", *body.splitlines(), fence]


def _attribute(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace('"', '\\"')


def _box(error: FamulusError) -> list[str]:
    """Write the box that the filter draws for its own problems, for a block that has nothing in the store."""
    said = {
        "famulus-box-title": f"**{escaped(plain(error.message))}**",
        "famulus-hint": escaped(error.hint),
        "famulus-where": escaped(str(error.where)),
    }
    lines = [f'::: {{.famulus-box data-code="{error.code}" role="note"}}']
    for name, words in said.items():
        lines += ["", f"::: {{.{name}}}", words, ":::"] if words else []
    return [*lines, "", ":::"]
