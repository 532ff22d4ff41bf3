"""What a collection holds, in numbers: letters and years, persons, languages, texts, gaps (spec 4.1)."""

from __future__ import annotations

import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.collection import (
    ENTITIES,
    LEMMA_INDEX,
    LETTERS,
    MANUSCRIPTS,
    SENTENCES,
    TOKENS,
    Collection,
    Status,
)
from famulus_kernel.corpus.holdings import Holdings, Member

if TYPE_CHECKING:
    from famulus_kernel.corpus.collection import ColumnMap, Table

_MOST_PERSONS: Final = 10


@dataclass(frozen=True, slots=True)
class Overview:
    """The numbers of a collection.

    Attributes
    ----------
    name
        The collection's.
    letters
        `n_letters`, `n_undated`, `n_persons`, `n_unnamed`; empty without letters.
    years
        Letters that certainly lie in one year, by year (astronomical: 0 is 1 BCE).
    n_wider
        Letters that are dated, but not to one year.
    persons
        Those with most letters: name, ent_id, letters sent, letters received.
    texts
        `n_documents`, `n_pages`, `n_sentences`, `n_words`, `n_lemmata`; empty without texts.
    languages
        Sentences by language; None: unsaid.
    manuscripts
        `n_manuscripts`, `n_undated`, `n_pages`; empty without manuscripts.
    status
        What status.json says.
    """

    name: str
    letters: dict[str, int]
    years: dict[int, int]
    n_wider: int
    persons: tuple[tuple[str, str, int, int], ...]
    texts: dict[str, int]
    languages: dict[str | None, int]
    manuscripts: dict[str, int]
    status: Status

    def as_dict(self) -> dict[str, Any]:
        """Return it as `--json` prints it."""
        plain = {key: value for key, value in asdict(self).items() if key != "status"}
        people = [dict(zip(("name", "ent_id", "n_sent", "n_received"), one, strict=True)) for one in self.persons]
        return plain | {"persons": people, "status": self.status.model_dump(exclude_defaults=True)}


def overview(collection: Collection, names: ColumnMap | None = None) -> Overview:
    """Count what a collection holds.

    Parameters
    ----------
    collection
        The collection.
    names
        `schema:` of famulus.yml.

    Raises
    ------
    CollectionError
        It is not there, or lacks a table or column that its files should have.
    DatabaseBusy, QueryFailed
        A file is held by another process, or is no database.
    """
    member = Member(0, collection.require(), "grounding")
    with tempfile.TemporaryDirectory() as folder, Holdings((member,), Path(folder), names=names) as holdings:
        letters = _counts(holdings, LETTERS)
        letters |= _counts(holdings, ENTITIES) if letters else {}
        texts = _counts(holdings, SENTENCES) | _counts(holdings, TOKENS) | _counts(holdings, LEMMA_INDEX)
        years = _years(holdings) if letters else {}
        return Overview(
            collection.name,
            letters,
            years,
            letters["n_letters"] - letters["n_undated"] - sum(years.values()) if letters else 0,
            _persons(holdings) if letters and holdings.holds(ENTITIES) else (),
            texts,
            _languages(holdings) if holdings.holds(SENTENCES) else {},
            _counts(holdings, MANUSCRIPTS),
            holdings.statuses[member.number],
        )


_COUNTS: Final = {
    LETTERS: {
        "n_letters": "count(DISTINCT letter_id)",
        "n_undated": "count(DISTINCT letter_id) FILTER (date_from IS NULL AND date_to IS NULL)",
    },
    ENTITIES: {
        "n_persons": "count(*) FILTER (kind <> 'unknown')",
        "n_unnamed": "count(*) FILTER (kind = 'unknown')",
    },
    SENTENCES: {
        "n_documents": "count(DISTINCT doc_id)",
        "n_pages": "count(DISTINCT (doc_id, pidx))",
        "n_sentences": "count(*)",
    },
    TOKENS: {"n_words": "count(*)"},
    MANUSCRIPTS: {
        "n_manuscripts": "count(*)",
        "n_undated": "count(*) FILTER (date_when IS NULL)",
        "n_pages": "coalesce(sum(n_pages), 0)::BIGINT",
    },
    LEMMA_INDEX: {"n_lemmata": "count(DISTINCT (lemma, upos))"},
}
"""What is counted in each table, as SQL."""


def _counts(holdings: Holdings, table: Table) -> dict[str, int]:
    """Return the counts of a table; none where it is not there."""
    if not holdings.holds(table):
        return {}
    counts = _COUNTS[table]
    asked = ", ".join(counts.values())
    (row,) = holdings.ask(f"SELECT {asked} FROM {holdings.source(table)}")  # noqa: S608 - the source is ours
    return {name: _number(value) for name, value in zip(counts, row, strict=True)}


def _years(holdings: Holdings) -> dict[int, int]:
    rows = holdings.ask(
        f"SELECT year(date_from) AS y, count(DISTINCT letter_id) FROM {holdings.source(LETTERS)} "  # noqa: S608
        "WHERE year(date_from) = year(date_to) GROUP BY y ORDER BY y"
    )
    return {_number(year): _number(number) for year, number in rows}


def _persons(holdings: Holdings) -> tuple[tuple[str, str, int, int], ...]:
    rows = holdings.ask(
        f"WITH l AS (FROM {holdings.source(LETTERS)}), "  # noqa: S608 - the sources are ours
        "p AS (SELECT sender_id AS ent_id, letter_id, true AS sent FROM l "
        "UNION SELECT recipient_id, letter_id, false FROM l) "
        "SELECT canonical, ent_id, count(*) FILTER (sent) AS n_sent, count(*) FILTER (NOT sent) AS n_received "
        f"FROM p JOIN {holdings.source(ENTITIES)} USING (ent_id) WHERE kind <> 'unknown' "
        f"GROUP BY ALL ORDER BY count(*) DESC, canonical, ent_id LIMIT {_MOST_PERSONS}"
    )
    return tuple((str(name), str(ent_id), _number(sent), _number(got)) for name, ent_id, sent, got in rows)


def _languages(holdings: Holdings) -> dict[str | None, int]:
    rows = holdings.ask(
        f"SELECT lang, count(*) FROM {holdings.source(SENTENCES)} "  # noqa: S608 - the source is ours
        "GROUP BY lang ORDER BY count(*) DESC, lang"
    )
    return {None if lang is None else str(lang): _number(number) for lang, number in rows}


def _number(value: object) -> int:
    return int(str(value))
