"""The names and lemmata that collections hold, for completion: read in the background and kept while the files stay."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.collection import ENTITIES, LEMMA_INDEX, VARIANTS, Collection, quoted
from famulus_kernel.corpus.columns import columns_of
from famulus_kernel.corpus.sql import quoted as text_literal
from famulus_kernel.errors import FamulusError
from famulus_kernel.store.stamps import stamp_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from duckdb import DuckDBPyConnection

    from famulus_kernel.store.stamps import Stamp

WAIT_S: Final = 0.08
"""How long an editor is kept waiting for words that are not read yet; it asks again with the next key."""

MOST_WORDS: Final = 200_000
"""What is kept of one file: of lemmata the most frequent ones."""


@dataclass(frozen=True, slots=True)
class _Key:
    """One file in one state, read for one purpose."""

    path: str
    stamp: Stamp
    what: str


@dataclass
class Vocabulary:
    """What collections hold to be named in a preamble.

    Attributes
    ----------
    names
        `schema:` of famulus.yml: table to {our column: the collection's column}.
    """

    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    _read: dict[_Key, Future[tuple[str, ...]]] = field(default_factory=dict)

    def persons(self, root: Path, collections: Iterable[str]) -> list[str]:
        """Return canonical names and variants, each once; what is not read in time is missing."""
        return self._words(root, collections, "persons", lambda one: one.letters_path, _persons)

    def lemmata(self, root: Path, collections: Iterable[str]) -> list[str]:
        """Return the lemmata of the indexes, most frequent first; what is not read in time is missing."""
        return self._words(root, collections, "lemmata", lambda one: one.lemmata_path, _lemmata)

    def _words(
        self,
        root: Path,
        collections: Iterable[str],
        what: str,
        path_of: Callable[[Collection], Path],
        read: Callable[[DuckDBPyConnection, Path, Mapping[str, Mapping[str, str]]], tuple[str, ...]],
    ) -> list[str]:
        found: dict[str, None] = {}
        for name in collections:
            path = path_of(Collection(root, name))
            key = _key(path, what)
            if key is None:
                continue
            if key not in self._read:
                self._read[key] = _in_background(lambda path=path: _opened(path, read, self.names))  # type: ignore[misc]
            found |= dict.fromkeys(_in_time(self._read[key]))
        return list(found)


def _key(path: Path, what: str) -> _Key | None:
    stamp = stamp_of(path)
    return None if stamp is None else _Key(str(path), stamp, what)


def _in_background(work: Callable[[], tuple[str, ...]]) -> Future[tuple[str, ...]]:
    future: Future[tuple[str, ...]] = Future()

    def run() -> None:
        try:
            future.set_result(work())
        except Exception as error:  # an editor's question goes unanswered; the block itself will say what is wrong
            future.set_exception(error)

    # Not a daemon: a process that ends in the middle of DuckDB's work would be aborted.
    threading.Thread(target=run, name="Vocabulary").start()
    return future


def _in_time(future: Future[tuple[str, ...]]) -> tuple[str, ...]:
    try:
        return future.result(timeout=WAIT_S)
    except Exception:  # not ready, or not readable
        return ()


def _opened(
    path: Path,
    read: Callable[[DuckDBPyConnection, Path, Mapping[str, Mapping[str, str]]], tuple[str, ...]],
    names: Mapping[str, Mapping[str, str]],
) -> tuple[str, ...]:
    import duckdb  # noqa: PLC0415 - a kernel is ready before its libraries are

    with duckdb.connect(config={"threads": 1}) as connection:
        return read(connection, path, names)


def _persons(connection: DuckDBPyConnection, path: Path, names: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    connection.execute(f"ATTACH {text_literal(str(path))} AS c (READ_ONLY)")
    parts = []
    for table, column in ((ENTITIES, "canonical"), (VARIANTS, "variant")):
        present = columns_of(connection, table.name, "c")
        try:
            select = table.select(f"c.{quoted(table.name)}", present, names.get(table.name)) if present else ""
        except FamulusError:
            continue
        parts += [f"SELECT {column} AS name FROM ({select})"] if select else []  # noqa: S608 - identifiers are quoted
    if not parts:
        return ()
    union = " UNION ALL ".join(parts)
    rows = connection.execute(
        f"SELECT DISTINCT name FROM ({union}) WHERE name <> '' ORDER BY name LIMIT {MOST_WORDS}"  # noqa: S608
    ).fetchall()
    return tuple(str(name) for (name,) in rows)


def _lemmata(connection: DuckDBPyConnection, path: Path, names: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    lemma = quoted(names.get(LEMMA_INDEX.name, {}).get("lemma", "lemma"))
    rows = connection.execute(
        f"SELECT {lemma} FROM read_parquet({text_literal(str(path))}) WHERE regexp_matches({lemma}, '\\pL')"  # noqa: S608
        f" GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT {MOST_WORDS}"
    ).fetchall()
    return tuple(str(word) for (word,) in rows)
