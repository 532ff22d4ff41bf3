"""Views and cards as markdown that pandoc, Quarto and GitHub read alike (spec 5.1, 5.2).

Only pipe tables, lists, emphasis, links, images and fences are written, and data in them is text (`markup`).
"""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final, assert_never
from urllib.parse import quote

from famulus_kernel.artefacts.card import Card, Mark, OracleRow, Problem, meta_parts
from famulus_kernel.artefacts.cells import (
    GLYPHS,
    MAX_ROWS,
    DrawnCell,
    byte_size,
    drawn_columns,
    drawn_rows,
    fact_text,
    heading,
    more_text,
)
from famulus_kernel.artefacts.labels import label, resolve
from famulus_kernel.artefacts.markup import prose, text
from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.artefacts.view import Fact, Facts, Figure, Graph, Part, Prose, Table, View

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from famulus_kernel.artefacts.html import Files

_ALIGN: Final = {"left": "---", "right": "---:", "center": ":---:"}


def render(view: View, lang: str, *, files: Files | None = None, max_rows: int = MAX_ROWS) -> str:
    """Return a view as markdown; the parameters are those of `html.render`."""
    blocks = [_strong(resolve(view.title, lang))] if view.title else []
    for part in view.parts:
        blocks += [_strong(resolve(part.title, lang))] if part.title else []
        blocks += _part(part, lang, files or _no_files, max_rows)
    blocks += [_emphasis(view.caption)] if view.caption else []
    return _document(blocks)


def render_card(card: Card, lang: str) -> str:
    """Return a card as markdown."""
    marks = " · ".join(_mark(mark, lang) for mark in card.marks)
    blocks = [_strong(card.question), marks, prose(card.answer)]
    blocks += [_problem(card.problem, lang)] if card.problem else []
    blocks += [_oracle(card.oracle, lang)] if card.oracle else []
    blocks += [text(card.note_text(lang))]
    head, *claims = card.guard_texts(lang) or [""]
    blocks += [text(head), "\n".join(f"- {text(line)}" for line in claims)]
    blocks.append(_emphasis(" · ".join(text for text, _ in meta_parts(card, lang))))
    return _document(blocks)


def _no_files(_name: str) -> None:
    return None


def _document(blocks: Iterable[str]) -> str:
    return "\n\n".join(block for block in blocks if block) + "\n"


def _part(part: Part, lang: str, files: Files, max_rows: int) -> list[str]:
    match part:
        case Facts():
            return ["\n".join(f"- **{text(resolve(fact.label, lang))}:** {_fact(fact, lang)}" for fact in part.items)]
        case Table():
            return [_table(part, lang, max_rows), _more(part, lang, files, max_rows)]
        case Prose():
            return [prose(part.markdown)]
        case Figure():
            return [_image(part.file, part.alt, files), _emphasis(part.caption or "")]
        case Graph():
            numbers = {
                "nodes": format_number(len(part.nodes), lang),
                "edges": format_number(len(part.edges), lang),
            }
            return [_image(part.svg, label("graph.alt", lang, **numbers), files)]
        case _:
            assert_never(part)


def _fact(fact: Fact, lang: str) -> str:
    words = text(fact_text(fact, lang))
    return f"{GLYPHS[fact.badge]} {words}" if fact.badge else words


def _table(table: Table, lang: str, max_rows: int) -> str:
    columns = [column for _, column in drawn_columns(table)]
    if not columns:
        return ""
    rows = [[_cell(cell) for cell in row] for row in drawn_rows(table, lang, max_rows)]
    return _pipes(
        [text(heading(column, lang)) for column in columns],
        [_ALIGN[column.align] for column in columns],
        rows,
    )


def _pipes(heads: Sequence[str], aligns: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, aligns, *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _cell(cell: DrawnCell) -> str:
    words = text(cell.text)
    return f"[{words}](<{cell.url}>)" if cell.url is not None and words else words


def _more(table: Table, lang: str, files: Files, max_rows: int) -> str:
    names = {"parquet": "Parquet", "csv": "CSV"}
    links = " · ".join(
        f"[{names[full.format]} ({text(byte_size(full.bytes, lang))})](<{_address(address)}>)"
        for full in (table.full, table.csv)
        if full and (address := files(full.file)) is not None
    )
    return text(more_text(table, lang, max_rows)) + (f" · {text(label('table.full', lang))}: {links}" if links else "")


def _image(file: str, alt: str, files: Files) -> str:
    address = files(file)
    if address is None:
        return text(alt)
    drawable = PurePosixPath(file).suffix != ".pdf"
    return f"{'!' if drawable else ''}[{text(alt)}](<{_address(address)}>)"


def _address(url: str) -> str:
    return quote(url, safe="/:?#@!$&()*+,;=%~-._")


def _oracle(rows: Sequence[OracleRow], lang: str) -> str:
    heads = [text(label(f"oracle.{key}", lang)) for key in ("key", "expected", "observed", "ok")]
    lines = [
        [
            text(row.key),
            text(row.expected_text(lang)),
            text(row.observed_text(lang)),
            f"{GLYPHS['pass' if row.ok else 'fail']} {label('value.yes' if row.ok else 'value.no', lang)}",
        ]
        for row in rows
    ]
    return _pipes(heads, ["---"] * len(heads), lines)


def _problem(problem: Problem, lang: str) -> str:
    parts = [f"{GLYPHS[problem.status]} {text(problem.message.replace('**', ''))}"]
    parts += [f"{label('hint', lang)}: {text(problem.hint)}"] if problem.hint else []
    parts += [text(problem.where)] if problem.where else []
    return "\n\n".join(parts)


def _mark(mark: Mark, lang: str) -> str:
    return f"{mark.glyph} **{text(mark.text(lang))}**"


def _strong(words: str) -> str:
    return f"**{text(words)}**" if words.strip() else ""


def _emphasis(words: str) -> str:
    return f"*{text(words)}*" if words.strip() else ""
