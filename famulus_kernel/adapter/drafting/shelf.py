"""A collection as a question that is being drafted sees it: what it has, whom it knows, which lemmata."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Self

from famulus_kernel.adapter.drafting.persons import KnownName
from famulus_kernel.corpus.collection import ENTITIES, LEMMA_INDEX, LETTERS, TABLES, VARIANTS
from famulus_kernel.corpus.holdings import Holdings, members
from famulus_kernel.corpus.scope import literals

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from types import TracebackType

    from famulus_kernel.project.project import Project


class Shelf:
    """One collection, open for reading; leaves nothing behind.

    Raises
    ------
    CollectionError, MissingFile
        There is no such collection.
    """

    def __init__(self, project: Project, name: str) -> None:
        self.name = name
        self._folder = tempfile.TemporaryDirectory(prefix="famulus-draft-")
        found = members(project.places.collections, [name], "grounding")
        self._holdings = Holdings(found, Path(self._folder.name), names=project.config.column_map)
        self.status = found[0].collection.open_status()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._holdings.close()
        self._folder.cleanup()

    def has(self, tables: Iterable[str]) -> bool:
        """Say whether the collection has all of some tables, with rows."""
        return all(
            self._holdings.holds(TABLES[name]) and self._holdings.ask(f"SELECT 1 FROM {self._source(name)} LIMIT 1")
            for name in tables
        )

    @cached_property
    def names(self) -> list[KnownName]:
        """Every name of every person and body; those of somebody unnamed are left out."""
        if not self._holdings.holds(ENTITIES):
            return []
        rows = self._holdings.ask(
            f"WITH persons AS (FROM {self._holdings.source(ENTITIES)} WHERE kind IS DISTINCT FROM 'unknown')"
            " SELECT ent_id, canonical, canonical AS name FROM persons UNION ALL SELECT ent_id, canonical, variant"
            f" FROM {self._holdings.source(VARIANTS, optional=True)} AS v JOIN persons USING (m, ent_id) ORDER BY ALL"
        )
        return [KnownName(str(person), str(canonical), str(name)) for person, canonical, name in rows if canonical]

    def letters_of(self, persons: Sequence[str]) -> dict[str, int]:
        """Return the number of letters from or to each of some persons."""
        if not self._holdings.holds(LETTERS):
            return {}
        rows = self._holdings.ask(
            "SELECT person, count(DISTINCT letter_id) FROM (SELECT letter_id, unnest([sender_id, recipient_id])"
            f" AS person FROM {self._holdings.source(LETTERS)}) WHERE person IN ({literals(persons)}) GROUP BY person"
        )
        return {str(person): int(str(number)) for person, number in rows}

    def lemmata(self, words: Sequence[str]) -> dict[str, str]:
        """Return those of some words that the lemma index has, in any case, with the lemma as it stands there."""
        if not words or not self._holdings.holds(LEMMA_INDEX):
            return {}
        rows = self._holdings.ask(
            f"SELECT lower(lemma), min(lemma) FROM {self._holdings.source(LEMMA_INDEX)}"
            f" WHERE lower(lemma) IN ({literals(word.lower() for word in words)}) GROUP BY ALL"
        )
        known = {str(lower): str(lemma) for lower, lemma in rows}
        return {word: known[word.lower()] for word in words if word.lower() in known}

    def _source(self, name: str) -> str:
        return self._holdings.source(TABLES[name])
