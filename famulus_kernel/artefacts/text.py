"""Views and cards for the terminal, by rich (spec 5.1, 7.5).

Data never reaches rich as markup, and no control character, escape sequence or direction override reaches the
terminal.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, assert_never

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.markdown import Markdown
from rich.rule import Rule
from rich.style import Style
from rich.table import Table as Grid
from rich.text import Text

from famulus_kernel.artefacts import prose
from famulus_kernel.artefacts.card import Card, Mark, OracleRow, Problem, meta_parts
from famulus_kernel.artefacts.cells import (
    GLYPHS,
    MAX_ROWS,
    DrawnCell,
    Status,
    byte_size,
    drawn_columns,
    drawn_rows,
    fact_text,
    heading,
    more_text,
)
from famulus_kernel.artefacts.characters import cut, one_line, visible
from famulus_kernel.artefacts.labels import label, resolve
from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.artefacts.view import Facts, Figure, FullTable, Graph, Part, Prose, Table, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.artefacts.guard import GuardResult
    from famulus_kernel.artefacts.html import Files

WIDTH: Final = 100
_CELL_CHARACTERS: Final = 500
_LEGIBLE: Final = 12
"""The least columns of the terminal that a column of a table gets, unless its text is shorter."""
_GAP: Final = 3
"""What stands between two columns of a table."""
_STYLES: Final[dict[Status, str]] = {
    "pass": "green",
    "fail": "red",
    "gap": "yellow",
    "error": "bold red",
    "unchecked": "dim",
    "stale": "yellow",
    "unverified": "yellow",
}


def render(
    view: View, lang: str, *, files: Files | None = None, marks: Sequence[Mark] = (), max_rows: int = MAX_ROWS
) -> RenderableType:
    """Return a view as something that a rich console prints; the parameters are those of `html.render`.

    `files` gives what is printed as the place of a file; without it, its name in the version's folder is.
    """
    place = files or _name
    parts: list[RenderableType] = [_marks(marks, lang)] if marks else []
    parts += [Text(visible(resolve(view.title, lang)), style="bold")] if view.title else []
    listed = not any(isinstance(part, Table) for part in view.parts)
    for part in view.parts:
        parts += [Text(visible(resolve(part.title, lang)), style="bold")] if part.title else []
        parts += _part(part, lang, place, max_rows)
        # A kind that shows its edges as a table of its own needs no second list of them.
        parts += [_edges(part, lang, max_rows)] if isinstance(part, Graph) and listed else []
        parts += [Text("")]
    parts += [Text(visible(view.caption), style="italic")] if view.caption else []
    return Group(*parts)


def render_card(card: Card, lang: str) -> RenderableType:
    """Return a card as something that a rich console prints."""
    parts: list[RenderableType] = [
        Constrain(Rule(style="dim"), WIDTH),
        Text(visible(card.question), style="italic"),
        _marks(card.marks, lang),
    ]
    parts += [_prose(card.answer)] if card.answer else []
    parts += [_problem(card.problem, lang)] if card.problem else []
    parts += [_oracle(card.oracle, lang)] if card.oracle else []
    parts += [Text(card.note_text(lang))] if card.note else []
    parts += [_guard(card.guard, lang)] if card.guard is not None else []
    parts.append(Text(" · ".join(text for text, _ in meta_parts(card, lang)), style="dim"))
    return Group(*parts)


def plain(drawn: RenderableType, width: int = WIDTH) -> str:
    """Return what `render` gave as plain text of at most `width` columns, without trailing blanks."""
    sink = io.StringIO()
    Console(
        file=sink,
        width=width,
        color_system=None,
        force_terminal=False,
        legacy_windows=False,
        emoji=False,
        markup=False,
        highlight=False,
        _environ={},
    ).print(drawn)
    return "\n".join(line.rstrip() for line in sink.getvalue().split("\n")).strip("\n") + "\n"


def _name(name: str) -> str:
    return name


def _part(part: Part, lang: str, place: Files, max_rows: int) -> list[RenderableType]:
    match part:
        case Facts():
            return [_facts(part, lang)]
        case Table():
            return [_table(part, lang, max_rows), _more(part, lang, place, max_rows)]
        case Prose():
            return [_prose(part.markdown)]
        case Figure():
            caption = [Text(visible(part.caption), style="italic")] if part.caption else []
            return [Text(visible(part.alt)), *caption, _place(part.file, place)]
        case Graph():
            numbers = {
                "nodes": format_number(len(part.nodes), lang),
                "edges": format_number(len(part.edges), lang),
            }
            return [Text(label("graph.alt", lang, **numbers)), _place(part.svg, place)]
        case _:
            assert_never(part)


def _edges(graph: Graph, lang: str, most: int) -> RenderableType:
    """List the strongest edges of a graph: in a terminal they are what can be read of it."""
    names = {node.id: one_line(node.label) for node in graph.nodes}
    grid = Grid.grid(padding=(0, 2, 0, 0))
    for edge in sorted(graph.edges, key=lambda edge: -edge.weight)[:most]:
        ends = f"{names.get(edge.source, '?')} → {names.get(edge.target, '?')}"
        grid.add_row(Text(ends), Text(one_line(edge.label or "")), Text(format_number(edge.weight, lang)))
    return grid


def _facts(facts: Facts, lang: str) -> RenderableType:
    grid = Grid.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=False)
    grid.add_column()
    for fact in facts.items:
        value = visible(fact_text(fact, lang))
        drawn = Text(value) if fact.badge is None else Text(f"{GLYPHS[fact.badge]} {value}", style=_STYLES[fact.badge])
        grid.add_row(Text(visible(resolve(fact.label, lang))), drawn)
    return grid


def _table(table: Table, lang: str, max_rows: int) -> RenderableType:
    grid = Grid(box=box.SIMPLE_HEAD, header_style="bold", show_edge=False, pad_edge=False)
    headings = [one_line(heading(column, lang)) for _, column in drawn_columns(table)]
    for name, (_, column) in zip(headings, drawn_columns(table), strict=True):
        grid.add_column(Text(name), justify=column.align, overflow="fold")
    rows = [[_cell(cell) for cell in row] for row in drawn_rows(table, lang, max_rows)]
    for row in rows:
        grid.add_row(*row)
    return _AsWideAsThereIsRoom(grid, headings, rows)


@dataclass(frozen=True)
class _AsWideAsThereIsRoom:
    """A table side by side; where its columns would be too narrow to be read, its rows one below the other."""

    grid: Grid
    headings: Sequence[str]
    rows: Sequence[Sequence[Text]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.rows:
            yield self.grid
            return
        widths = [
            max(cell_len(name), *(row[at].cell_len for row in self.rows)) for at, name in enumerate(self.headings)
        ]
        needed = sum(min(width, _LEGIBLE) for width in widths) + _GAP * (len(widths) - 1)
        if needed <= options.max_width:
            yield self.grid
            return
        for row in self.rows:
            below = Grid.grid(padding=(0, 2, 0, 0))
            below.add_column(style="bold")
            below.add_column(overflow="fold")
            for name, cell in zip(self.headings, row, strict=True):
                if cell.plain:
                    below.add_row(Text(name), cell)
            yield below
            yield Text("")


def _cell(cell: DrawnCell) -> Text:
    words = cut(visible(cell.text).expandtabs(4), _CELL_CHARACTERS)
    return Text(words, style=Style(link=cell.url) if cell.url else "")


def _more(table: Table, lang: str, place: Files, max_rows: int) -> RenderableType:
    files = " · ".join(_file(full, place, lang) for full in (table.full, table.csv) if full)
    return Text(f"{more_text(table, lang, max_rows)}{f' · {files}' if files else ''}", style="dim")


def _file(full: FullTable, place: Files, lang: str) -> str:
    return f"{one_line(place(full.file) or full.file)} ({byte_size(full.bytes, lang)})"


def _place(file: str, place: Files) -> Text:
    return Text(one_line(place(file) or file), style="dim")


def _prose(markdown: str) -> RenderableType:
    drawn = Markdown("", hyperlinks=False)
    # Our own tokens: rich's parser would take raw HTML out of the text without a word.
    drawn.parsed = prose.parse(markdown)
    return Constrain(drawn, WIDTH)


def _oracle(rows: Sequence[OracleRow], lang: str) -> RenderableType:
    grid = Grid(box=box.SIMPLE_HEAD, header_style="dim", show_edge=False, pad_edge=False)
    headings = [label(f"oracle.{key}", lang) for key in ("key", "expected", "observed", "ok")]
    for name in headings:
        grid.add_column(Text(name), overflow="fold")
    drawn = [_oracle_row(row, lang) for row in rows]
    for cells in drawn:
        grid.add_row(*cells)
    return _AsWideAsThereIsRoom(grid, headings, drawn)


def _oracle_row(row: OracleRow, lang: str) -> list[Text]:
    status: Status = "pass" if row.ok else "fail"
    agrees = Text(f"{GLYPHS[status]} {label('value.yes' if row.ok else 'value.no', lang)}", style=_STYLES[status])
    return [Text(one_line(row.key)), Text(row.expected_text(lang)), Text(row.observed_text(lang)), agrees]


def _guard(guard: GuardResult, lang: str) -> RenderableType:
    head, *claims = guard.lines(lang)
    bar = guard.bar()
    lines = [Text(head, style=_STYLES[guard.badge])]
    lines += [Text(f"  {bar}")] if bar else []
    return Group(*lines, *(Text(f"  {line}") for line in claims))


def _problem(problem: Problem, lang: str) -> RenderableType:
    # Blanks, not rich's padding: on a console without a width of its own padded lines are cut.
    said = f"  {GLYPHS[problem.status]} {visible(problem.message.replace('**', ''))}"
    lines = [Text(said, style=_STYLES[problem.status])]
    lines += [Text(f"  {label('hint', lang)}: {visible(problem.hint)}")] if problem.hint else []
    lines += [Text(f"  {visible(problem.where)}", style="dim")] if problem.where else []
    return Group(*lines)


def _marks(marks: Sequence[Mark], lang: str) -> Text:
    return Text("  ").join(Text(f"{mark.glyph} {mark.text(lang)}", style=_STYLES[mark.status]) for mark in marks)
