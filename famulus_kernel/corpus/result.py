"""The result of a query: all rows in a Parquet file, the first ones at hand (spec 3.7)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import duckdb

from famulus_kernel.corpus.sql import identifier, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from famulus_kernel.artefacts.view import Cell

BATCH = 10_000


@dataclass(frozen=True)
class ResultColumn:
    """A column of a result.

    Attributes
    ----------
    name : str
        Its name, as in the Parquet file: where a query gives one twice, the second is called `name_1`.
    type : str
        DuckDB's name of its type in the query, also where the Parquet file holds it otherwise.
    """

    name: str
    type: str


@dataclass(frozen=True)
class ColumnValues:
    """A column that lies on disk, read when it is asked for."""

    parquet: Path
    name: str

    def __iter__(self) -> Iterator[object]:
        """Yield the values in order."""
        with duckdb.connect(":memory:") as connection:
            connection.execute("SET TimeZone = 'UTC'")
            cursor = connection.execute(f"SELECT {self._value()} FROM {self._table()}")
            while rows := cursor.fetchmany(BATCH):
                yield from (row[0] for row in rows)

    def matching(self, wanted: Sequence[object]) -> Iterable[object]:
        """Return the distinct values that equal one of `wanted`, as number or as text after NFC."""
        with duckdb.connect(":memory:") as connection:
            connection.execute("SET TimeZone = 'UTC'")
            texts = [str(value) for value in wanted]
            rows = connection.execute(
                f"SELECT DISTINCT {self._value()} AS value FROM {self._table()} "
                "WHERE nfc_normalize(value::VARCHAR) IN (SELECT nfc_normalize(unnest(?::VARCHAR[]))) "
                "OR TRY_CAST(value AS DOUBLE) IN (SELECT TRY_CAST(unnest(?::VARCHAR[]) AS DOUBLE))",
                [texts, texts],
            )
            return [value for (value,) in rows.fetchall()]

    def _table(self) -> str:
        return f"read_parquet({quoted(str(self.parquet))})"

    def _value(self) -> str:
        return identifier(self.name)


@dataclass(frozen=True)
class TableResult:
    """What a query returned.

    Attributes
    ----------
    columns : tuple of ResultColumn
    rows : tuple of tuples
        The first rows, as JSON-safe cells (`conversions`).
    n_rows : int
        How many rows there are in all.
    parquet : Path
        The file that holds all of them.
    """

    columns: tuple[ResultColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    n_rows: int
    parquet: Path
    first: tuple[object, ...] | None = field(default=None, repr=False)

    def at(self, parquet: Path) -> TableResult:
        """Return the same result after its file was moved to `parquet`."""
        return replace(self, parquet=parquet)

    def single_row(self) -> dict[str, object] | None:
        """Return the only row by column names, None when there is not exactly one.

        Numbers are Python's (`int` of any size, `Decimal`, `float`, `bool`), everything else DuckDB's text.
        """
        if self.n_rows != 1 or self.first is None:
            return None
        return dict(zip((column.name for column in self.columns), self.first, strict=True))

    def column(self, name: str) -> ColumnValues:
        """Return a column as a list that is read when it is asked for (`verdict.LongList`)."""
        return ColumnValues(self.parquet, name)

    def column_values(self, name: str) -> Iterator[object]:
        """Yield the values of a column in order, streamed from the Parquet file."""
        return iter(self.column(name))
