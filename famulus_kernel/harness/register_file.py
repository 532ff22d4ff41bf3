"""A register on the disk: `partitur_register.duckdb` (spec 3.3).

Format 1: a table `partituren(id, version, goal_path, document, sha256, created)`, one row a version that never changes,
and a table `register_format(format)`. A register of another program, which has no such table, is read as format 1.
Others may fill it, so it is opened without access to anything beside it.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.columns import columns_of
from famulus_kernel.corpus.failures import translated
from famulus_kernel.errors import MissingFile, RegisterError
from famulus_kernel.harness.register import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import duckdb

    from famulus_kernel.harness.partitur import Document

FORMAT: Final = 1
FILE: Final = "partitur_register.duckdb"
_COLUMNS: Final = ("id", "version", "goal_path", "document", "sha256", "created")
_TABLES: Final = """
CREATE TABLE IF NOT EXISTS register_format (format INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS partituren (
    id VARCHAR NOT NULL,
    version VARCHAR NOT NULL,
    goal_path VARCHAR NOT NULL,
    document VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    created TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (id, version)
);
"""


class RegisterFile:
    """The register at a path; it is opened when it is asked, and closed at once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.place = path.name

    def entries(self) -> tuple[Entry, ...]:
        """Return every row without its document.

        Raises
        ------
        MissingFile, DatabaseBusy, RegisterError
            The register cannot be read.
        """
        with self._open() as connection:
            rows = connection.execute(
                "SELECT id::VARCHAR, version::VARCHAR, goal_path::VARCHAR, sha256::VARCHAR,"
                " strftime(created::TIMESTAMPTZ AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%SZ')"
                " FROM partituren ORDER BY id, version"
            ).fetchall()
        bad = next((row for row in rows if not all(part.isdigit() for part in str(row[1]).split("."))), None)
        if bad is not None:
            raise RegisterError.of(self.place, f"the version of {bad[0]} is {bad[1]!r}, and not numbers with points")
        return tuple(Entry(*row) for row in rows)

    def text(self, entry: Entry) -> bytes:
        """Return the document of an entry.

        Raises
        ------
        MissingFile, DatabaseBusy, RegisterError
            The register cannot be read, or the row is gone.
        """
        with self._open() as connection:
            row = connection.execute(
                "SELECT document::VARCHAR FROM partituren WHERE id = ? AND version = ?", [entry.id, entry.version]
            ).fetchone()
        if row is None or row[0] is None:
            raise RegisterError.of(self.place, f"it no longer holds {entry.name}")
        return str(row[0]).encode()

    def add(self, documents: Iterable[Document]) -> list[str]:
        """Put documents in, all or none, and return the names of those that were not there.

        Raises
        ------
        RegisterError
            A document has the id and version of another one that is there, or the format is a newer one.
        DatabaseBusy
            The register cannot be written.
        """
        added = []
        with self._open(write=True) as connection:
            connection.begin()
            for document in documents:
                partitur = document.partitur
                there = connection.execute(
                    "SELECT sha256 FROM partituren WHERE id = ? AND version = ?", [partitur.id, partitur.version]
                ).fetchone()
                if there is None:
                    connection.execute(
                        "INSERT INTO partituren (id, version, goal_path, document, sha256) VALUES (?, ?, ?, ?, ?)",
                        [partitur.id, partitur.version, partitur.goal_path, document.text.decode(), document.sha256],
                    )
                    added.append(document.name)
                elif there[0] != document.sha256:
                    raise RegisterError.other_document(document.name, self.place)
            connection.commit()
        return added

    @contextmanager
    def _open(self, *, write: bool = False) -> Iterator[duckdb.DuckDBPyConnection]:
        import duckdb  # noqa: PLC0415 - loaded where it is used

        if not write and not self.path.is_file():
            raise MissingFile.of(str(self.path), self.path)
        shut_in = {"enable_external_access": False, "autoinstall_known_extensions": False}
        with (
            translated(file=self.path, keep_place=False),
            duckdb.connect(str(self.path), read_only=not write, config={**shut_in}) as connection,
        ):
            self._check_format(connection)
            if write:
                connection.execute(_TABLES)
                if not connection.execute("FROM register_format").fetchall():
                    connection.execute("INSERT INTO register_format VALUES (?)", [FORMAT])
            self._check_columns(connection)
            yield connection

    def _check_format(self, connection: duckdb.DuckDBPyConnection) -> None:
        if not columns_of(connection, "register_format"):
            return
        row = connection.execute("SELECT max(format) FROM register_format").fetchone()
        found = row[0] if row is not None else None
        if found is not None and found != FORMAT:
            raise RegisterError.newer_format(self.place, found)

    def _check_columns(self, connection: duckdb.DuckDBPyConnection) -> None:
        has = columns_of(connection, "partituren")
        lacking = [column for column in _COLUMNS if column not in has]
        if lacking:
            what = f"the table partituren has no column {lacking[0]}" if has else "it has no table partituren"
            raise RegisterError.of(self.place, what)
