"""The result of a query: all rows in a Parquet file, the first ones at hand (spec 3.7)."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from famulus_kernel.corpus.conversions import shown
from famulus_kernel.corpus.sql import identifier, quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import duckdb

    from famulus_kernel.artefacts.view import Cell

BATCH = 10_000


def json_rows(parquet: Path, most: int) -> list[dict[str, Any]]:
    """Return the first rows of a Parquet file by column name, with values as JSON has them."""
    import duckdb  # noqa: PLC0415 - loaded where it is used

    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        rows = connection.execute(
            f"SELECT to_json(t)::VARCHAR FROM read_parquet({quoted(str(parquet))}) AS t LIMIT $most",  # noqa: S608
            {"most": most},
        ).fetchall()
    return [json.loads(row) for (row,) in rows]


@dataclass(frozen=True)
class ResultColumn:
    """A column of a result.

    Attributes
    ----------
    name : str
        Its name, as in the Parquet file: where a query has one twice, DuckDB calls the second `name_1`.
    type : str
        DuckDB's name of its type in the query, also where the Parquet file holds it otherwise.
    """

    name: str
    type: str


@dataclass(frozen=True)
class ColumnValues:
    """A column that lies on disk, read when it is asked for. Numbers and booleans are such, all else is DuckDB's text.

    This is a `verdict.LongList`.
    """

    parquet: Path
    name: str

    def __iter__(self) -> Iterator[object]:
        """Yield the values in order."""
        with self._read("FROM col") as cursor:
            while rows := cursor.fetchmany(BATCH):
                yield from (value for (value,) in rows)

    def matching(self, wanted: Sequence[object]) -> Iterable[object]:
        """Return the distinct values that may equal one of `wanted`: as text after NFC, as a number, or as NULL."""
        texts = [str(value).lower() if isinstance(value, bool) else str(value) for value in wanted]
        conditions = (
            "nfc_normalize(value::VARCHAR) IN (SELECT nfc_normalize(unnest($texts::VARCHAR[]))) "
            "OR TRY_CAST(value AS DOUBLE) IN (SELECT TRY_CAST(unnest($texts::VARCHAR[]) AS DOUBLE))"
        )
        if None in wanted:
            conditions += " OR value IS NULL"
        with self._read(f"FROM col SELECT DISTINCT value WHERE {conditions}", texts=texts) as cursor:
            return [value for (value,) in cursor.fetchall()]

    @contextmanager
    def _read(self, sql: str, **parameters: object) -> Iterator[duckdb.DuckDBPyConnection]:
        """Run a query of ours over the column, which it calls `value` of the table `col`."""
        import duckdb  # noqa: PLC0415 - loaded where it is used

        name, table = identifier(self.name), f"read_parquet({quoted(str(self.parquet))})"
        with duckdb.connect(":memory:") as connection:
            connection.execute("SET TimeZone = 'UTC'")
            kind = connection.sql(f"FROM {table} SELECT {name}").types[0]
            values = f"FROM {table} SELECT {shown(name, kind)} AS value"
            yield connection.execute(f"WITH col AS ({values}) {sql}", parameters)


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
    single: tuple[object, ...] | None = field(default=None, repr=False)

    def at(self, parquet: Path) -> TableResult:
        """Return the same result after its file was moved to `parquet`."""
        return replace(self, parquet=parquet)

    def single_row(self) -> dict[str, object] | None:
        """Return the only row by column names, None when there is not exactly one.

        Numbers are Python's (`int` of any size, `Decimal`, `float`, `bool`), everything else DuckDB's text.
        """
        if self.n_rows != 1 or self.single is None:
            return None
        return dict(zip((column.name for column in self.columns), self.single, strict=True))

    def column(self, name: str) -> ColumnValues:
        """Return a column as a list that is read when it is asked for (`verdict.LongList`)."""
        return ColumnValues(self.parquet, name)

    def column_values(self, name: str) -> Iterator[object]:
        """Yield the values of a column in order, streamed from the Parquet file."""
        return iter(self.column(name))
