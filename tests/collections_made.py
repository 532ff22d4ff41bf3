"""Small collections made by hand, and questions to them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from famulus_kernel.corpus.collection import LEMMA_FAMILY, MANUSCRIPTS, Collection, create_tables
from famulus_kernel.corpus.holdings import Holdings, members
from famulus_kernel.corpus.scope import Scope
from famulus_kernel.corpus.subtasks import Answer, Question, subtask

Word = tuple[str, str, str]
"""Form, lemma, part of speech."""


@dataclass(frozen=True)
class Letter:
    """A row of letters_resolved."""

    id: str
    sender: str | None
    recipient: str | None
    first: str | None = None
    last: str | None = None
    doc: str | None = None
    basis: tuple[str, str, str] = ("stated", "stated", "stated")
    url: str | None = None
    names: tuple[str | None, str | None] | None = None

    def row(self) -> tuple[Any, ...]:
        sender, recipient = self.names or (self.sender, self.recipient)
        last = self.last if self.last is not None else self.first
        date, of_sender, of_recipient = self.basis
        return (self.id, self.doc, self.sender, sender, self.recipient, recipient, self.first, self.first, last, None,
                date, of_sender, of_recipient, None, self.url)  # fmt: skip


def make_collection(
    root: Path,
    name: str,
    *,
    letters: Iterable[Letter] = (),
    persons: Iterable[tuple[str, str, str]] = (),
    variants: Iterable[tuple[str, str]] = (),
    pages: Iterable[tuple[str, str, int]] = (),
    sentences: Iterable[tuple[str, int, int, str, Sequence[Word]]] = (),
    mentions: Iterable[tuple[str, int, int, str, str]] = (),
    family: Iterable[tuple[str, str, str]] = (),
    manuscripts: Iterable[tuple[Any, ...]] = (),
    sql: str = "",
    status: dict[str, Any] | None = None,
) -> Collection:
    """Make a collection; `sql` runs at the end, in the database of letters."""
    made = Collection(root, name)
    made.folder.mkdir(parents=True)
    with duckdb.connect(str(made.letters_path)) as connection:
        create_tables(connection, "letters")
        _fill(connection, "letters_resolved", [letter.row() for letter in letters])
        _fill(connection, "ent_canonical", persons)
        _fill(connection, "ent_variants", variants)
        _fill(connection, "letter_pages", pages)
        if rows := list(manuscripts):
            connection.execute(MANUSCRIPTS.definition())
            _fill(connection, "manuscripts", rows)
        if sql:
            connection.execute(sql)
    spoken = list(sentences)
    words = [
        (doc, pidx, number, tid, *word) for doc, pidx, number, _, given in spoken for tid, word in enumerate(given, 1)
    ]
    with duckdb.connect(str(made.texts_path)) as connection:
        create_tables(connection, "texts")
        texts = [(*head, " ".join(form for form, _, _ in given)) for *head, given in spoken]
        _fill(connection, "stz_sentences", texts)
        _fill(connection, "stz_tokens", words)
        _fill(connection, "stz_entities", [(*one, "PER") for one in mentions])
        if rows := list(family):
            connection.execute(LEMMA_FAMILY.definition())
            _fill(connection, "lemma_family", rows)
        connection.execute(
            f"COPY (SELECT lemma, upos, doc_id, pidx, sent_idx, tid FROM stz_tokens ORDER BY ALL) "
            f"TO '{made.lemmata_path}' (FORMAT parquet)"
        )
    made.status_path.write_text(json.dumps(status or {}), encoding="utf-8")
    return made


def _fill(connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[tuple[Any, ...]]) -> None:
    given = list(rows)
    if given:
        connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' for _ in given[0])})", given)


@dataclass(frozen=True)
class Asking:
    """A root of collections that questions are put to."""

    root: Path
    folder: Path
    viewer: str | None = None

    def __call__(
        self,
        name: str,
        text: str = "",
        *,
        lang: str = "en",
        schema: dict[str, dict[str, str]] | None = None,
        arguments: dict[str, Any] | None = None,
        kinds: frozenset[str] | None = frozenset(),
        **inputs: Any,
    ) -> Answer:
        """Put one question; the words of the scope are those of a preamble."""
        inputs.setdefault("collections", ["haus"])
        scope = Scope.of({**inputs, **(arguments or {})})
        chosen = members(self.root, scope.collections, scope.evidence)
        with Holdings(chosen, self.folder, names=schema, viewer=self.viewer) as holdings:
            return subtask(name).answer(Question(text, scope, holdings, arguments or {}, lang, kinds))


def rows_of(table: Any, *columns: str) -> list[Any]:
    """Return columns of a result, from its Parquet file; one column as plain values."""
    listed = ", ".join(f'"{column}"' for column in columns)
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT {listed} FROM read_parquet('{table.parquet}')").fetchall()
    return [row[0] for row in rows] if len(columns) == 1 else rows
