"""From the lemmata of a question to those that are counted (seed 3, spec 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.collection import LEMMA_FAMILY, LEMMA_INDEX
from famulus_kernel.corpus.scope import literals
from famulus_kernel.corpus.sql import quoted
from famulus_kernel.errors import UnknownLemma

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.scope import CountingMode

ADJECTIVE: Final = "ADJ"
NEAREST: Final = 5


def counted_lemmata(holdings: Holdings, asked: Sequence[str], mode: CountingMode) -> Mapping[str, tuple[str, ...]]:
    """Return for each lemma (NFC) the lemmata that count as it: itself first, then by the mode its family.

    `canonical` takes the lemma alone. `family` adds its registered variants, `family+adj` the adjectives registered
    to it too: naturalis is a lemma of its own, and counts with natura there only.
    """
    values = ", ".join(f"({number}, nfc_normalize({quoted(lemma)}))" for number, lemma in enumerate(asked))
    own = "SELECT number, lemma AS asked, lemma AS counted, 0 AS place FROM asked"
    family = (
        f"SELECT number, asked.lemma, variant, 1 FROM asked JOIN {holdings.source(LEMMA_FAMILY, optional=True)} f"
        " ON nfc_normalize(f.lemma) = asked.lemma WHERE variant IS NOT NULL"
    )
    if mode == "family":
        family += f" AND upos IS DISTINCT FROM '{ADJECTIVE}'"
    both = own if mode == "canonical" else f"{own} UNION {family}"
    rows = holdings.ask(
        f"WITH asked(number, lemma) AS (VALUES {values}) SELECT asked, counted FROM ({both})"
        " GROUP BY number, asked, counted ORDER BY number, min(place), counted"
    )
    found: dict[str, tuple[str, ...]] = {}
    for lemma, counted in rows:
        found[str(lemma)] = (*found.get(str(lemma), ()), str(counted))
    return found


def demand_lemma(holdings: Holdings, asked: str, counted: Sequence[str]) -> None:
    """Raise UnknownLemma where the index has none of the lemmata that count as `asked`."""
    index = holdings.source(LEMMA_INDEX)
    if holdings.ask(f"SELECT 1 FROM {index} WHERE lemma IN ({literals(counted)}) LIMIT 1"):
        return
    close = holdings.ask(
        f"SELECT lemma FROM (SELECT DISTINCT lemma FROM {index} WHERE lemma IS NOT NULL)"
        f" WHERE jaro_winkler_similarity(lower(lemma), lower({quoted(asked)})) > 0.8"
        f" ORDER BY jaro_winkler_similarity(lower(lemma), lower({quoted(asked)})) DESC, lemma LIMIT {NEAREST}"
    )
    raise UnknownLemma.of(asked, [str(lemma) for (lemma,) in close])
