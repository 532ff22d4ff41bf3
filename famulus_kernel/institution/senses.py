"""Where a lemma is attested, by year and by document, and where a specimen sentence stands (spec 3.9)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.collection import LEMMA_INDEX, SENTENCES, Collection, collection_names
from famulus_kernel.corpus.holdings import Holdings, members
from famulus_kernel.corpus.lemmata import counted_lemmata, demand_lemma
from famulus_kernel.corpus.scope import literals
from famulus_kernel.corpus.sql import quoted
from famulus_kernel.corpus.texts import letter_texts, text_dates
from famulus_kernel.errors import CollectionError, UnboundInput

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from famulus_kernel.corpus.collection import ColumnMap

MOST_PLACES: Final = 20
"""Places of one specimen that are named."""

NEAR: Final = 0.9
"""How alike (Jaro-Winkler) a sentence must be to be named where none has the specimen word for word."""

_FOLDED: Final = (
    "trim(regexp_replace(translate(lower(nfc_normalize({text})), 'vj', 'ui'), '[^\\p{{L}}\\p{{N}}]+', ' ', 'g'))"
)


@contextmanager
def opened(root: Path, names: Sequence[str], columns: ColumnMap | None) -> Iterator[Holdings]:
    """Open collections for a question; none named: all below the root that have texts or a lemma index.

    Raises
    ------
    MissingFile, CollectionError
        The root or a named collection is not there, or none has what can be asked.
    """
    chosen = list(names) or [name for name in collection_names(root) if _has_texts(Collection(root, name))]
    if not chosen:
        raise CollectionError.missing("with a lemma index", root, collection_names(root))
    with (
        tempfile.TemporaryDirectory(prefix="famulus-institution-") as folder,
        Holdings(members(root, chosen, "grounding"), Path(folder), names=columns) as holdings,
    ):
        yield holdings


def _has_texts(one: Collection) -> bool:
    return one.lemmata_path.is_file() or one.texts_path.is_file()


def sense_history(holdings: Holdings, lemma: str, *, family: bool) -> dict[str, Any]:
    """Return the attestations of a lemma by year and by document.

    A document whose date spans several years counts with the first of them; one without a date counts as undated.

    Raises
    ------
    UnknownLemma
        The index does not have it.
    CollectionError
        A collection has no lemma index.
    """
    holdings.demand_rows(LEMMA_INDEX)
    counted = counted_lemmata(holdings, [lemma], "family" if family else "canonical")
    known = tuple(dict.fromkeys(one for several in counted.values() for one in several))
    demand_lemma(holdings, lemma, known)
    rows = holdings.ask(f"""
WITH {holdings.place()},
hits AS (SELECT m, doc_id, pidx FROM {holdings.source(LEMMA_INDEX)} WHERE lemma IN ({literals(known)})),
documents AS (SELECT DISTINCT m, doc_id FROM hits), {letter_texts(holdings, of="documents")}, {text_dates(holdings)}
SELECT collection, doc_id, year(coalesce(p.date_from, d.date_from)) AS year, count(*) AS n
FROM hits JOIN place USING (m) LEFT JOIN page_dates p USING (m, doc_id, pidx) LEFT JOIN doc_dates d USING (m, doc_id)
GROUP BY ALL ORDER BY collection, doc_id, year""")
    years: dict[int, int] = {}
    documents: dict[tuple[str, str], dict[str, Any]] = {}
    for collection, doc_id, year, n in rows:
        count = _whole(n)
        one = documents.setdefault(
            (str(collection), str(doc_id)), {"collection": collection, "doc_id": doc_id, "count": 0, "year": year}
        )
        one["count"] += count
        if year is not None:
            years[_whole(year)] = years.get(_whole(year), 0) + count
    total = sum(one["count"] for one in documents.values())
    return {
        "lemma": lemma,
        "counted": list(known),
        "attestations": total,
        "undated": total - sum(years.values()),
        "first_year": min(years, default=None),
        "last_year": max(years, default=None),
        "by_year": [{"year": year, "count": years[year]} for year in sorted(years)],
        "by_document": sorted(documents.values(), key=lambda one: (-one["count"], one["collection"], one["doc_id"])),
    }


def situate_specimen(holdings: Holdings, text: str) -> dict[str, Any]:
    """Return where each line of a text stands in the collections' sentences, and the lemmata of what was found.

    Compared after case, punctuation and blanks are taken away, with u for v and i for j. A specimen may be part of a
    sentence; where no sentence has it, those that are most alike are named.

    Raises
    ------
    UnboundInput
        The text is empty.
    CollectionError
        A collection has no sentences.
    """
    specimens = [line.strip() for line in text.splitlines() if line.strip()]
    if not specimens:
        raise UnboundInput.bad_value("text", "lw_situate_specimen", "a sentence, or one a line")
    places: list[dict[str, Any]] = []
    for specimen in specimens:
        places += _places(holdings, specimen)
    found = {one["specimen"] for one in places if one["verbatim"]}
    return {
        "specimens": len(specimens),
        "found": len(found),
        "places": places,
        "missing": [one for one in specimens if one not in found],
        "lemmata": _lemmata(holdings, [one for one in places if one["verbatim"]]),
    }


def _places(holdings: Holdings, specimen: str) -> list[dict[str, Any]]:
    wanted = _FOLDED.format(text=quoted(specimen))
    sentences = f"""WITH {holdings.place()}, wanted AS (SELECT {wanted} AS w), s AS (
  SELECT collection, m, doc_id, pidx, sent_idx, text, {_FOLDED.format(text="text")} AS folded
  FROM {holdings.source(SENTENCES)} JOIN place USING (m))"""
    columns = "collection, doc_id, pidx, sent_idx, text"
    rows = holdings.ask(
        f"{sentences} SELECT {columns}, 1.0 FROM s, wanted WHERE w <> ''"
        f" AND contains(' ' || folded || ' ', ' ' || w || ' ') ORDER BY {columns} LIMIT {MOST_PLACES}"
    )
    verbatim = bool(rows)
    if not verbatim:
        rows = holdings.ask(
            f"{sentences}, near AS (SELECT {columns}, jaro_winkler_similarity(folded, w) AS alike FROM s, wanted)"
            f" SELECT * FROM near WHERE alike >= {NEAR} ORDER BY alike DESC, {columns} LIMIT 3"
        )
    return [
        {
            "specimen": specimen, "verbatim": verbatim, "collection": collection, "doc_id": doc_id,
            "page": _whole(pidx) + 1, "sent_idx": sent_idx, "text": sentence, "alike": round(float(str(alike)), 3),
        }
        for collection, doc_id, pidx, sent_idx, sentence, alike in rows
    ]  # fmt: skip


def _lemmata(holdings: Holdings, places: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the lemmata of sentences with how often each is attested in all; none without a lemma index."""
    if not places or not holdings.holds(LEMMA_INDEX):
        return []
    numbers = {member.collection.name: member.number for member in holdings.members}
    values = ", ".join(
        f"({numbers[one['collection']]}, {quoted(one['doc_id'])}, {one['page'] - 1}, {one['sent_idx']})"
        for one in places
    )
    rows = holdings.ask(f"""
WITH place(m, doc_id, pidx, sent_idx) AS (SELECT DISTINCT * FROM (VALUES {values})),
all_of AS (FROM {holdings.source(LEMMA_INDEX, optional=True)} WHERE upos IS DISTINCT FROM 'PUNCT'),
here AS (SELECT DISTINCT lemma, upos FROM all_of SEMI JOIN place USING (m, doc_id, pidx, sent_idx))
SELECT lemma, upos, count(*) AS n FROM all_of SEMI JOIN here USING (lemma, upos)
GROUP BY ALL ORDER BY n DESC, lemma, upos""")
    return [{"lemma": lemma, "upos": upos, "attestations": _whole(n)} for lemma, upos, n in rows]


def _whole(value: object) -> int:
    return int(str(value))
