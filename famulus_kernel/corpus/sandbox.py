"""A locked DuckDB connection: it reads the files it was given and can do nothing else (spec 3.7).

Two walls stand here. The query was checked node by node before (`syntax`), and it runs as a part of a larger
statement, where DuckDB's binder takes no COPY and no INSERT. And the connection itself is locked: no external
access but to the files named, no setting that could be changed, no extension that could be loaded, no variable of
Python seen.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from famulus_kernel.corpus.failures import translated
from famulus_kernel.corpus.files import expand
from famulus_kernel.corpus.sql import identifier, quoted
from famulus_kernel.errors import MissingFile, PreambleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import duckdb

UNUSABLE = frozenset({"temp", "system"})
"""Names of catalogs that DuckDB never gives away."""

CLOSED_DOORS: dict[str, str | bool] = {
    "allow_community_extensions": False,
    "allow_persistent_secrets": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
    "show_behavior": "table",  # SHOW x is about a table, never about a setting
}
"""Settings with which an instance begins."""

SAME_EVERYWHERE = (
    "SET TimeZone = 'UTC'; SET Calendar = 'gregorian'; "
    "SET parquet_metadata_cache = true; "  # the foot of a large file is read once, not for every look at it
    "SET enable_progress_bar = true; SET enable_progress_bar_print = false"  # what query_progress() needs
)
"""Settings that a query's result, or what we see of it, depends on."""


@dataclass(frozen=True)
class Attachment:
    """A database or table that the SQL may use under `alias`.

    Attributes
    ----------
    alias : str
    path : Path
        The absolute path of the file.
    kind : {"duckdb", "parquet"}
    glob : str, optional
        The absolute pattern of a Parquet table that lies in several files; `path` is then not looked at.
    """

    alias: str
    path: Path
    kind: Literal["duckdb", "parquet"]
    glob: str | None = None

    def files(self) -> tuple[Path, ...]:
        """Return the files of the attachment; MissingFile when there are none."""
        written = self.glob or str(self.path)
        found = expand(written, self.path.parent)
        if not found:
            raise MissingFile.of(written, written)
        return found


class Sandbox:
    """An open, locked connection. Everything it writes lies in `folder`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, folder: Path, files: frozenset[Path]) -> None:
        self.connection = connection
        self.folder = folder
        self.files = files

    @classmethod
    def open(
        cls,
        attachments: Sequence[Attachment],
        files: Iterable[Path],
        folder: Path,
        *,
        threads: int | None = None,
        memory_limit: str | None = None,
    ) -> Sandbox:
        """Open a connection in memory, attach, and lock.

        Parameters
        ----------
        attachments : sequence of Attachment
        files : iterable of Path
            Further files that may be read.
        folder : Path
            A private folder: the only place where DuckDB writes (results, and what does not fit into memory).
        threads : int, optional
        memory_limit : str, optional
            As DuckDB writes it: `4GB`. Default: 80 % of the memory.

        Raises
        ------
        MissingFile, DatabaseBusy, QueryFailed, PreambleError
            An attachment is not there, is held by another process, is no database, or has a name that cannot be.
        """
        import duckdb  # noqa: PLC0415 - loaded where it is used

        limits = {"threads": threads, "memory_limit": memory_limit}
        given = {name: value for name, value in limits.items() if value is not None}
        with translated():
            connection = duckdb.connect(":memory:", config={**CLOSED_DOORS, **given})
        try:
            with translated():
                connection.execute(SAME_EVERYWHERE)
            readable = frozenset(files) | _attach(connection, attachments)
            with translated():
                _lock(connection, readable, folder)
        except BaseException:
            connection.close()
            raise
        return cls(connection, folder, readable)

    def fraction(self, *, at_least: float | None = None) -> float | None:
        """Return how much of the running query is done, 0 to 1, never less than `at_least`; None when unknown."""
        percent = self.connection.query_progress()
        known = [value for value in (at_least, percent / 100 if percent >= 0 else None) if value is not None]
        return min(max(known), 1.0) if known else None

    def close(self) -> None:
        """Close the connection and remove the folder."""
        self.connection.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def _attach(connection: duckdb.DuckDBPyConnection, attachments: Sequence[Attachment]) -> frozenset[Path]:
    """Attach the databases read-only, make views of the Parquet tables; return the files of the latter."""
    databases = [attachment for attachment in attachments if attachment.kind == "duckdb"]
    for attachment in sorted(databases, key=lambda attachment: attachment.alias.lower() == "main"):
        _attach_database(connection, attachment)
    tables = [attachment for attachment in attachments if attachment.kind == "parquet"]
    return frozenset(file for attachment in tables for file in _make_view(connection, attachment))


def _attach_database(connection: duckdb.DuckDBPyConnection, attachment: Attachment) -> None:
    alias = attachment.alias.lower()
    if alias in UNUSABLE:
        raise PreambleError.bad_value(
            "duckdb.alias", attachment.alias, "another name: DuckDB keeps this one for itself"
        )
    (file,) = attachment.files()
    if alias == "memory":
        # The database in memory has this name, and may go when it is not the one in use.
        connection.execute("ATTACH ':memory:' AS \"famulus memory\"")
        connection.execute('USE "famulus memory"')
        connection.execute("DETACH memory")
    name = identifier("famulus main" if alias == "main" else attachment.alias)
    with translated(file=file):
        connection.execute(f"ATTACH {quoted(str(file))} AS {name} (READ_ONLY, TYPE duckdb)")
    if alias == "main":
        # `main` is a schema of every database: main.t is looked for in the one in use, which is the last one used.
        connection.execute(f"USE {name}")


def _make_view(connection: duckdb.DuckDBPyConnection, attachment: Attachment) -> tuple[Path, ...]:
    files = attachment.files()
    names = ", ".join(quoted(str(file)) for file in files)
    with translated(file=files[0]):
        connection.execute(f"CREATE TEMP VIEW {identifier(attachment.alias)} AS FROM read_parquet([{names}])")
    return files


def _lock(connection: duckdb.DuckDBPyConnection, files: Iterable[Path], folder: Path) -> None:
    names = ", ".join(quoted(str(file)) for file in files)
    connection.execute(
        f"SET temp_directory = {quoted(str(folder))}; SET allowed_paths = [{names}]; "
        "SET enable_external_access = false; SET lock_configuration = true"
    )
