"""How far a query is, and that in words of a document's language (spec 7.1).

DuckDB tells a share only. The rows beside it are that share of what its plan expects to read, so both are said to be
about right, and rounded.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.artefacts.labels import label
from famulus_kernel.artefacts.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Iterator

_FEWEST_ROWS: Final = 1_000
"""A long query that reads fewer rows is long for another reason: they would mislead."""

_MEGABYTE: Final = 1000**2
_MINUTE_S: Final = 60
_SCALES: Final = ((1_000_000_000, "progress.billion"), (1_000_000, "progress.million"))


@dataclass(frozen=True)
class Progress:
    """How far a query is.

    Attributes
    ----------
    fraction : float or None
        0 to 1; None when unknown.
    written : int
        Bytes written so far.
    elapsed : float
        Seconds since it began.
    rows : int or None
        How many rows DuckDB expects to read in all; None when unknown.
    """

    fraction: float | None
    written: int
    elapsed: float
    rows: int | None = None


def rows_planned(plan: str) -> int | None:
    """Return how many rows a plan expects to read: what the cardinalities of its sources add up to.

    Parameters
    ----------
    plan : str
        The answer to `EXPLAIN (FORMAT json)`.
    """
    try:
        expected = [int(source["extra_info"]["Estimated Cardinality"]) for source in _sources(json.loads(plan))]
    except (ValueError, TypeError, KeyError):  # a plan of another DuckDB: progress goes without rows
        return None
    return sum(expected) or None


def _sources(plan: Any) -> Iterator[dict[str, Any]]:
    """Yield the nodes without children that say how much comes from them; without recursion, plans may be deep."""
    waiting = list(plan)
    while waiting:
        node = waiting.pop()
        waiting += node["children"]
        if not node["children"] and "Estimated Cardinality" in node["extra_info"]:
            yield node


def in_words(progress: Progress, lang: str, *, short: bool = False) -> str:
    """Return `42% · about 2.1 of 5.0 million rows · 3 s` in a language (a BCP 47 tag); what is unknown is left out.

    The short form has share and time alone.
    """
    known = []
    if progress.fraction is not None:
        known.append(format_number(progress.fraction, lang, ".0%"))
        if not short and progress.rows is not None and progress.rows >= _FEWEST_ROWS:
            known.append(_rows(progress.fraction, progress.rows, lang))
    if not short and progress.written >= _MEGABYTE:
        known.append(label("progress.written", lang, size=format_number(progress.written / _MEGABYTE, lang, ",.1f")))
    return " · ".join([*known, duration(progress.elapsed)])


def duration(seconds: float) -> str:
    """Return a time that somebody waited: `3 s`, `2 min 5 s`."""
    minutes, rest = divmod(int(seconds), _MINUTE_S)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def _rows(fraction: float, rows: int, lang: str) -> str:
    for scale, unit in _SCALES:
        if rows >= scale:
            done, total = (format_number(number / scale, lang, ",.1f") for number in (fraction * rows, rows))
            return label("progress.rows", lang, done=done, total=label(unit, lang, number=total))
    step = 10 ** (len(str(rows)) - 2)
    done, total = (format_number(round(number / step) * step, lang) for number in (fraction * rows, rows))
    return label("progress.rows", lang, done=done, total=total)
