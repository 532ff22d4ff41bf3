"""Counts by name, primary sources and secondary literature apart (spec 4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from famulus_kernel.corpus.holdings import Holdings


def by_evidence(rows: Mapping[str, Sequence[Any]], names: Sequence[str], holdings: Holdings) -> dict[str, int]:
    """Return counts by name from a row for each kind of evidence; what has no row is 0.

    The plain names are those of the only kind, or of the primary collections where both were asked.
    """
    kinds = list(dict.fromkeys(member.evidence for member in holdings.members))
    counts: dict[str, int] = {}
    for place, kind in enumerate(kinds):
        numbers = rows.get(kind, (0,) * len(names))
        counts |= {
            name + ("_secondary" if place else ""): int(number or 0)
            for name, number in zip(names, numbers, strict=True)
        }
    return counts
