"""The result of a query: all rows in a Parquet file, the first ones at hand (spec 3.7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from famulus_kernel.artefacts.view import Cell


@dataclass(frozen=True)
class ResultColumn:
    """A column of a result: its name as the query gave it (not always unique) and DuckDB's name of its type."""

    name: str
    type: str


@dataclass(frozen=True)
class TableResult:
    """What a query returned.

    Attributes
    ----------
    columns : tuple of ResultColumn
    rows : tuple of tuples
        The first rows, as JSON-safe cells.
    n_rows : int
        How many rows there are in all.
    parquet : Path
        The file that holds all of them.
    """

    columns: tuple[ResultColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_rows: int
    parquet: Path

    def single_row(self) -> dict[str, object] | None:
        """Return the only row by column names, None when there is not exactly one row."""
        if self.n_rows != 1 or not self.rows:
            return None
        return dict(zip((column.name for column in self.columns), self.rows[0], strict=True))

    def column_values(self, name: str) -> Iterator[object]:
        """Yield the values of a column in order, streamed from the Parquet file."""
        return iter(self.column(name))

    def column(self, name: str) -> ColumnValues:
        """Return a column as a list that is read when it is asked for (`verdict.LongList`)."""
        return ColumnValues(self.parquet, name)


@dataclass(frozen=True)
class ColumnValues:
    """A column that lies on disk."""

    parquet: Path
    name: str

    def __iter__(self) -> Iterator[object]:
        """Yield the values in order."""
        quoted = '"' + self.name.replace('"', '""') + '"'
        with duckdb.connect(":memory:") as connection:
            cursor = connection.execute(f"SELECT {quoted} FROM read_parquet(?)", [str(self.parquet)])
            while rows := cursor.fetchmany(10_000):
                yield from (row[0] for row in rows)

    def matching(self, wanted: Sequence[object]) -> Iterable[object]:
        """Return the distinct values of the column that may equal one of `wanted`."""
        return self
