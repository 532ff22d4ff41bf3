"""The collections of a question, open for reading: their tables as one, in a locked session (spec 3.7, 4.1)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, Self, get_args

from famulus_kernel.corpus.collection import TABLES, Collection, Status, collection_names, quoted
from famulus_kernel.corpus.sandbox import Attachment
from famulus_kernel.corpus.session import DataSession
from famulus_kernel.corpus.sql import quoted as text_literal
from famulus_kernel.errors import CollectionError, MissingFile

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from types import TracebackType

    from famulus_kernel.corpus.collection import ColumnMap, File, Table
    from famulus_kernel.corpus.progress import Progress
    from famulus_kernel.corpus.result import TableResult
    from famulus_kernel.corpus.scope import Evidence

MEMORY_BYTES: Final = 6 * 1000**3
"""What a question may hold in memory at most; DuckDB lays the rest on the disk."""

FIRST_ROWS: Final = 1_000
MOST_ROWS: Final = 100_000
MOST_BYTES: Final = 2**26

ResultName = Literal["asked", "findings", "entries", "labels", "events", "nodes", "edges", "sums", "days"]
"""The results of a question. Their files are named before the session is locked, so that queries can build on them."""


@dataclass(frozen=True, slots=True)
class Member:
    """One collection of a question: its place, what it is evidence of, and its number in SQL (column `m`)."""

    number: int
    collection: Collection
    evidence: Literal["grounding", "secondary"]

    def alias(self, file: File) -> str:
        """Return the name under which one of its files is attached."""
        return f"{file} {self.number}"


def members(root: Path, names: Sequence[str], evidence: Evidence) -> tuple[Member, ...]:
    """Return the collections that the names and the kind of evidence mean, primary ones first.

    Raises
    ------
    MissingFile
        The collections' root is not there.
    CollectionError
        A named collection is not there, or none of them has a sibling of secondary literature.
    """
    if not root.is_dir():
        raise MissingFile.of("$PDAI_COLLECTIONS", root)
    for name in names:
        if not name or name in (".", "..") or {"/", "\\", "\0"} & set(name):  # a place, not the name of a collection
            raise CollectionError.missing(name, root, collection_names(root))
    named = [Collection(root, name).require() for name in dict.fromkeys(names)]
    siblings = [sibling for one in named if (sibling := one.secondary) is not None]
    if evidence != "grounding" and not siblings:
        for one in named:
            Collection(root, one.name.removesuffix("-prim") + "-sec").require()
    chosen: list[tuple[Collection, Literal["grounding", "secondary"]]] = []
    chosen += [(one, "grounding") for one in named] if evidence != "secondary" else []
    chosen += [(one, "secondary") for one in dict.fromkeys(siblings)] if evidence != "grounding" else []
    return tuple(Member(number, one, kind) for number, (one, kind) in enumerate(chosen))


def files_of(root: Path, names: Sequence[str], evidence: Evidence, needs: Iterable[File]) -> tuple[Path, ...]:
    """Return the files that a question reads: those of the needed kinds that are there, and every status.json."""
    wanted = tuple(needs)
    found = []
    for member in members(root, names, evidence):
        paths = [member.collection.path_of(file) for file in wanted]
        found += [path for path in (*paths, member.collection.status_path) if path.is_file()]
    return tuple(found)


class Holdings:
    """What the collections of a question hold, behind one locked session at a time.

    Parameters
    ----------
    members : tuple of Member
    folder : Path
        Where results are written; it must exist, and its results are gone with it.
    names : ColumnMap, optional
        `schema:` of famulus.yml.
    viewer : str, optional
        Base of finding URLs, where a collection's status.json names none.
    progress : callable, optional
        Called while a query runs for longer than a second.
    alive : callable, optional
        Called before each query and four times a second while it runs; what it raises ends the question.
    """

    def __init__(
        self,
        members: tuple[Member, ...],
        folder: Path,
        *,
        names: ColumnMap | None = None,
        viewer: str | None = None,
        progress: Callable[[Progress], None] | None = None,
        alive: Callable[[], None] | None = None,
    ) -> None:
        self.members = members
        self._folder = folder.resolve()
        self._names = names or {}
        self._viewer = viewer
        self._progress = progress
        self._alive = alive
        self._session: DataSession | None = None
        self.queries: list[dict[str, object]] = []
        """What was asked so far, for the trace: name, SQL and number of rows of each result that was kept."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the session; the results stay."""
        session, self._session = self._session, None
        if session is not None:
            session.close()

    @cached_property
    def statuses(self) -> Mapping[int, Status]:
        """What each collection's status.json says, by the member's number."""
        return {member.number: member.collection.open_status() for member in self.members}

    def run(self, sql: str, name: ResultName) -> TableResult:
        """Run one query and keep its result; later queries read it as :meth:`result`."""
        table = self._opened().run(sql, self._path(name), view_rows=FIRST_ROWS, progress=self._progress)
        self.queries.append({"result": name, "sql": sql.replace(f"{self._folder}/", "").strip(), "rows": table.n_rows})
        return table

    def result(self, name: ResultName) -> str:
        """Return the SQL that reads a result that was kept."""
        return f"read_parquet({text_literal(str(self._path(name)))})"

    def ask(self, sql: str) -> tuple[tuple[object, ...], ...]:
        """Return the rows of a query whose result is small."""
        return self._opened().rows(sql, self._folder, view_rows=MOST_ROWS, view_bytes=MOST_BYTES)

    def column(self, sql: str) -> list[object]:
        """Return all values of a query's only column, however many there are."""
        table = self._opened().run(sql, self._path("asked"), view_rows=1)
        return list(table.column_values(table.columns[0].name))

    def lay(self, columns: Mapping[str, Sequence[str | None]], name: ResultName) -> str:
        """Lay a table of texts where queries can read it, and return the SQL that does."""
        import pyarrow as pa  # noqa: PLC0415 - loaded where it is used
        from pyarrow import parquet  # noqa: PLC0415

        arrays = {key: pa.array(values, pa.string()) for key, values in columns.items()}
        parquet.write_table(pa.table(arrays), self._path(name))
        return self.result(name)

    def holds(self, table: Table, member: Member | None = None) -> bool:
        """Return whether a member (default: any of them) has a table."""
        asked = self.members if member is None else (member,)
        return any((one.alias(table.file), table.name) in self._columns for one in asked)

    def source(self, table: Table, *, optional: bool = False) -> str:
        """Return a subquery with the rows of a table in all collections: `m` (the member's number) and our columns.

        Parameters
        ----------
        table : Table
        optional : bool
            Where no collection has it, the rows are none; else that is an error. Secondary literature may always
            lack a table that the primary collections have.

        Raises
        ------
        CollectionError
            A collection lacks the table or one of its columns.
        """
        parts = []
        for member in self.members:
            if self.holds(table, member):
                parts.append(self._select(table, member))
            elif not optional and (member.evidence == "grounding" or not self.holds(table)):
                raise self.missing(table, member)
        nothing = ", ".join(f"NULL::{column.type} AS {column.name}" for column in table.columns)
        return f"({' UNION ALL '.join(parts) or f'SELECT 0::UTINYINT AS m, {nothing} WHERE false'})"

    def missing(self, table: Table, member: Member) -> CollectionError:
        """Return the error that a collection has no such table."""
        path = member.collection.path_of(table.file)
        return CollectionError.missing_table(table.name, member.collection.name, path)

    def demand_rows(self, table: Table) -> None:
        """Raise CollectionError where a collection lacks a table, or has nothing in it."""
        self.source(table)
        for member in self.members:
            if self.holds(table, member) and not self.ask(f"FROM {self._select(table, member, inner=True)} LIMIT 1"):
                raise CollectionError.empty(member.collection.name, table.name)

    def place(self) -> str:
        """Return the CTE `place(m, collection, evidence, viewer)`: what a finding says of where it stands."""
        rows = ", ".join(
            f"({member.number}::UTINYINT, {text_literal(member.collection.name)}, {text_literal(member.evidence)}, "
            f"{text_literal(viewer) if (viewer := self.viewer(member)) else 'NULL::VARCHAR'})"
            for member in self.members
        )
        return f"place(m, collection, evidence, viewer) AS (VALUES {rows})"

    @property
    def order(self) -> str:
        """The first columns that findings are ordered by, a comma behind each: none where all are of one collection."""
        return "evidence, collection, " if len(self.members) > 1 else ""

    def viewer(self, member: Member) -> str | None:
        """Return the base of a collection's finding URLs, without a slash at its end; None where nobody names one."""
        base = self.statuses[member.number].viewer or self._viewer
        return base.rstrip("/") if base else None

    def table_names(self, member: Member, file: File) -> frozenset[str]:
        """Return the tables of one of a collection's files."""
        return frozenset(name for alias, name in self._columns if alias == member.alias(file))

    def columns_of(self, member: Member, file: File, table: str) -> tuple[str, ...]:
        """Return the columns of a table; none where it is not there."""
        return self._columns.get((member.alias(file), table), ())

    def column_names(self, table: str) -> Mapping[str, str]:
        """Return what `schema:` says of a table: our column to the collection's."""
        return self._names.get(table, {})

    def _select(self, table: Table, member: Member, *, inner: bool = False) -> str:
        alias = member.alias(table.file)
        relation = quoted(alias) if table.file == "lemmata" else f"{quoted(alias)}.{quoted(table.name)}"
        select = table.select(
            relation,
            self._columns[alias, table.name],
            self._names.get(table.name),
            collection=member.collection.name,
        )
        return f"({select})" if inner else f"SELECT {member.number}::UTINYINT AS m, * FROM ({select})"

    @cached_property
    def _columns(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """The columns of every table by (alias, table)."""
        rows = self.ask(
            "SELECT database_name, table_name, column_name FROM duckdb_columns() WHERE NOT internal "
            "ORDER BY database_name, table_name, column_index"
        )
        found: dict[tuple[str, str], tuple[str, ...]] = {}
        lemmata = {member.alias("lemmata") for member in self.members}
        for database, table, column in rows:
            # The view of a Parquet file is called like its alias; its table is the lemma index.
            key = (str(table), TABLES["lemma_index"].name) if table in lemmata else (str(database), str(table))
            found[key] = (*found.get(key, ()), str(column))
        return found

    def _opened(self) -> DataSession:
        if self._alive is not None:
            self._alive()
        if self._session is None:
            self._session = DataSession(
                tuple(self._attachments()),
                allowed_paths=[self._path(name) for name in get_args(ResultName)],
                folder=self._folder,
                memory_limit=_memory_limit(),
                alive=self._alive,
            )
        return self._session

    def _path(self, name: ResultName) -> Path:
        return self._folder / f"{name}.parquet"

    def _attachments(self) -> Iterable[Attachment]:
        files: tuple[tuple[File, Literal["duckdb", "parquet"]], ...] = (
            ("letters", "duckdb"),
            ("texts", "duckdb"),
            ("lemmata", "parquet"),
        )
        for member in self.members:
            for file, kind in files:
                path = member.collection.path_of(file)
                if path.is_file():
                    yield Attachment(member.alias(file), path, kind)


def _memory_limit() -> str | None:
    """Return the bound of a question's memory; None, which is DuckDB's own, on a machine that has less."""
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
    return f"{MEMORY_BYTES // 1000**2}MB" if there > MEMORY_BYTES / 0.8 else None
