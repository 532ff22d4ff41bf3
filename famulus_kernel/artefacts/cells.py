"""What all surfaces do alike with the parts of a view before they draw them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

from famulus_kernel.artefacts.characters import visible
from famulus_kernel.artefacts.labels import has_label, label, resolve
from famulus_kernel.artefacts.numbers import format_number, is_number_text
from famulus_kernel.artefacts.urls import safe_url
from famulus_kernel.artefacts.view import Cell, Column, Fact, Label, Table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_ROWS: Final = 50
"""How many rows a surface draws unless it is told otherwise (spec 5.3)."""

Status = Literal["pass", "fail", "gap", "error", "unchecked", "stale", "unverified"]

GLYPHS: Final[dict[Status, str]] = {
    "pass": "✓",
    "fail": "✗",
    "gap": "◇",
    "error": "▲",
    "unchecked": "○",
    "stale": "◔",
    "unverified": "◐",
}
"""The shape of each verdict and mark: they are told apart without colour."""

_NUMERIC: Final = re.compile(
    r"U?(?:TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT)|FLOAT|REAL|DOUBLE|BIGNUM|VARINT|DECIMAL(?:\([0-9, ]+\))?"
)
_KILO: Final = 1000
_WIDER: Final = 12
_SHORT: Final = 7
_LONG: Final = 30
_TEXT: Final = 160


@dataclass(frozen=True)
class DrawnCell:
    """One cell as a surface draws it: text of a reader's language, and an address where it links."""

    text: str
    url: str | None = None


def is_numeric(kind: str) -> bool:
    """Return whether DuckDB's type of that name holds numbers."""
    return _NUMERIC.fullmatch(kind.upper()) is not None


def cell_text(value: Cell, lang: str, *, numeric: bool = False, fmt: str | None = None) -> str:
    """Return a cell in words; `numeric` says that text in it may be a number that JSON could not carry."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return label("value.yes" if value else "value.no", lang)
    if isinstance(value, int | float) or (numeric and is_number_text(value)):
        return format_number(value, lang, fmt)
    return visible(value)


def fact_text(fact: Fact, lang: str) -> str:
    """Return the value of a fact in words."""
    if isinstance(fact.value, Label):
        return visible(resolve(fact.value, lang))
    return cell_text(fact.value, lang)


def heading(column: Column, lang: str) -> str:
    """Return the heading of a column."""
    return visible(resolve(column.label, lang))


def drawn_columns(table: Table) -> list[tuple[int, Column]]:
    """Return the columns that are drawn and their places in a row: not hidden ones, nor links of another."""
    links = {column.link for column in table.columns if column.link != column.key}
    return [(at, column) for at, column in enumerate(table.columns) if column.key not in links and not column.hidden]


def drawn_rows(table: Table, lang: str, max_rows: int = MAX_ROWS) -> Iterable[list[DrawnCell]]:
    """Yield the first rows as they are drawn, a cell for each of the drawn columns."""
    place = {column.key: at for at, column in reversed(list(enumerate(table.columns)))}
    drawn = [(at, column, is_numeric(column.type), place.get(column.link or "")) for at, column in drawn_columns(table)]
    for row in table.rows[:max_rows]:
        yield [
            DrawnCell(
                cell_text(_worded(row[at], column, lang), lang, numeric=numeric, fmt=column.format), _url(row, link)
            )
            for at, column, numeric, link in drawn
        ]


def keyword_column(columns: Sequence[Column]) -> int | None:
    """Return which of the drawn columns holds a keyword between its contexts: the centred one after a right one."""
    pairs = enumerate(pairwise(columns), start=1)
    return next((at for at, (left, one) in pairs if (left.align, one.align) == ("right", "center")), None)


def width_classes(longest: int) -> tuple[str, ...]:
    """Return the classes of a heading that keep its column as wide as its texts can be read (famulus.css).

    Parameters
    ----------
    longest
        How many characters the longest text of the column has.
    """
    if longest > _LONG:
        return ("famulus-long", "famulus-text") if longest > _TEXT else ("famulus-long",)
    if longest > _WIDER:
        return ("famulus-wider",)
    return ("famulus-short",) if longest > _SHORT else ()


def more_text(table: Table, lang: str, max_rows: int = MAX_ROWS) -> str:
    """Return how many rows are drawn: "50 of 12,345 rows", or "12 rows" where those are all."""
    shown = min(len(table.rows), max_rows)
    if shown < table.total:
        numbers = {"shown": format_number(shown, lang), "total": format_number(table.total, lang)}
        return label("table.more", lang, **numbers)
    few = {0: "table.empty", 1: "table.row"}
    return label(few.get(table.total, "table.all"), lang, total=format_number(table.total, lang))


def byte_size(size: int, lang: str) -> str:
    """Return a size in bytes for readers: `1.2 MB`."""
    value, units = float(size), ["B", "kB", "MB", "GB", "TB"]
    while value >= _KILO and len(units) > 1:
        value, units = value / _KILO, units[1:]
    return f"{format_number(value, lang, ',d' if units[0] in ('B', 'kB') else ',.1f')}\u00a0{units[0]}"


def _worded(value: Cell, column: Column, lang: str) -> Cell:
    """Return the word of ours that a value stands for; any other value as it is."""
    key = f"{column.words}.{value}"
    return label(key, lang) if column.words and isinstance(value, str) and has_label(key) else value


def _url(row: Sequence[Cell], link: int | None) -> str | None:
    address = row[link] if link is not None else None
    return safe_url(address) if isinstance(address, str) else None
