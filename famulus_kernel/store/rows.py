"""Which rows a table gained and lost between two versions; the order of rows does not count."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from duckdb import DuckDBPyConnection

_SCALARS = frozenset({"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "VARCHAR"})
"""Types whose values are JSON scalars; the others are shown as DuckDB writes them."""
_MEMORY = "1GB"
# Columns are numbered inside, so that no name of somebody's query meets one of ours.
_CHANGES = """CREATE TEMP TABLE changes AS FROM (
SELECT {columns}, 1 AS side FROM read_parquet(?) UNION ALL SELECT {columns}, -1 FROM read_parquet(?)
) SELECT {numbered}, sum(side)::BIGINT AS times GROUP BY ALL HAVING sum(side) <> 0"""
_COUNTS = """SELECT coalesce(sum(times) FILTER (times > 0), 0)::BIGINT,
coalesce(-sum(times) FILTER (times < 0), 0)::BIGINT FROM changes"""
_FIRST = "SELECT {shown} FROM changes WHERE times {side} 0 ORDER BY ALL LIMIT ?"

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class RowsDiff:
    """How many rows came and went, and the first of each as JSON scalars in the order of `columns`.

    `columns` are those that both tables have, and rows are compared by them. A row that stands several times
    counts that often.
    """

    columns: tuple[str, ...]
    columns_added: tuple[str, ...] = ()
    columns_removed: tuple[str, ...] = ()
    added: int = 0
    removed: int = 0
    added_rows: tuple[Row, ...] = ()
    removed_rows: tuple[Row, ...] = ()

    @property
    def is_empty(self) -> bool:
        """True where both hold the same rows and columns."""
        return not (self.added or self.removed or self.columns_added or self.columns_removed)


def compare_parquet(old: Path, new: Path, most: int) -> RowsDiff:
    """Compare two Parquet files in DuckDB, so that neither needs to fit into memory.

    Parameters
    ----------
    old, new
        The files.
    most
        How many of the rows that came, and of those that went, are given.
    """
    import duckdb  # noqa: PLC0415 - 0.2 s that most commands need not pay

    with TemporaryDirectory(prefix="famulus-diff-") as spill, closing(duckdb.connect()) as database:
        database.execute("SET temp_directory = ?", [spill])
        database.execute("SET memory_limit = ?", [_MEMORY])
        before, after = _types(database, old), _types(database, new)
        shared = tuple(column for column in after if column in before)
        added = tuple(column for column in after if column not in before)
        removed = tuple(column for column in before if column not in after)
        if not shared:
            return RowsDiff((), added, removed)
        alike = [before[name] == after[name] for name in shared]
        columns = [
            f"{_quoted(name) if same else f'CAST({_quoted(name)} AS VARCHAR)'} AS c{number}"
            for number, (name, same) in enumerate(zip(shared, alike, strict=True))
        ]
        numbered = [f"c{number}" for number in range(len(shared))]
        # One pass over both: a row that stands equally often on both sides sums up to nothing.
        query = _CHANGES.format(columns=", ".join(columns), numbered=", ".join(numbered))
        database.execute(query, [str(new), str(old)])
        shown = [
            column if after[name] in _SCALARS else f"CAST({column} AS VARCHAR)"
            for name, column in zip(shared, numbered, strict=True)
        ]
        came, went = database.execute(_COUNTS).fetchone() or (0, 0)
        first = [
            tuple(database.execute(_FIRST.format(shown=", ".join(shown), side=side), [most]).fetchall())
            for side in (">", "<")
        ]
        return RowsDiff(shared, added, removed, came, went, *first)


def compare_lists(old: Iterable[Any], new: Iterable[Any], most: int) -> RowsDiff:
    """Compare two lists of JSON values as tables: keys of mappings are columns, other values one column.

    Cells that are lists or mappings are given as JSON text.
    """
    before, after = [_record(value) for value in old], [_record(value) for value in new]
    had = dict.fromkeys(key for record in before for key in record)
    has = dict.fromkeys(key for record in after for key in record)
    shared = tuple(key for key in has if key in had) if before and after else tuple({**has, **had})
    before_rows = Counter(_row(record, shared) for record in before)
    after_rows = Counter(_row(record, shared) for record in after)
    came, went = after_rows - before_rows, before_rows - after_rows
    both = bool(before and after)
    return RowsDiff(
        shared,
        tuple(key for key in has if key not in had) if both else (),
        tuple(key for key in had if key not in has) if both else (),
        came.total(),
        went.total(),
        tuple(_cells(row) for row in list(came.elements())[:most]),
        tuple(_cells(row) for row in list(went.elements())[:most]),
    )


def _types(database: DuckDBPyConnection, path: Path) -> dict[str, str]:
    rows = database.execute("DESCRIBE SELECT * FROM read_parquet(?)", [str(path)]).fetchall()
    return {row[0]: row[1] for row in rows}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _record(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {"value": value}


def _row(record: Mapping[str, Any], columns: Iterable[str]) -> tuple[str, ...]:
    # JSON text tells 1 from "1" and true, and is hashable where lists are not.
    return tuple(json.dumps(record.get(column), ensure_ascii=False, sort_keys=True) for column in columns)


def _cells(row: tuple[str, ...]) -> Row:
    return tuple(text if text.startswith(("[", "{")) else json.loads(text) for text in row)
