"""Writing the result of a checked query, and reading its first rows back (spec 3.7).

DuckDB writes the Parquet file itself: in parallel, in bounded memory, in the order of the query. The query stands
inside the statement as a subquery, so that nothing but a query can stand there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from famulus_kernel.corpus.conversions import (
    cell,
    holds_wide_integers,
    shown,
    stored_type,
    type_name,
    value_of,
)
from famulus_kernel.corpus.failures import translated
from famulus_kernel.corpus.result import ResultColumn, TableResult
from famulus_kernel.corpus.sql import identifier, quoted
from famulus_kernel.corpus.syntax import check_plan

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import duckdb
    from duckdb.sqltypes import DuckDBPyType

    from famulus_kernel.artefacts.view import Cell

CELL_OVERHEAD = 4
"""What a cell costs in JSON beside its text: quotation marks, comma, blank."""

FEW = 64
"""How many rows are taken at a time while they are counted against the bound."""


@dataclass(frozen=True)
class _Shape:
    """The columns of a query: their names, of which DuckDB lets none occur twice, and types."""

    names: tuple[str, ...]
    types: tuple[DuckDBPyType, ...]

    @property
    def columns(self) -> tuple[ResultColumn, ...]:
        pairs = zip(self.names, self.types, strict=True)
        return tuple(ResultColumn(name, type_name(kind)) for name, kind in pairs)


def write_result(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    part: Path,
    view_rows: int,
    view_bytes: int,
    on_plan: Callable[[str], None] = lambda _plan: None,
) -> TableResult:
    """Write all rows of a checked query to `part` and return the result with its first rows.

    Parameters
    ----------
    connection : DuckDBPyConnection
        A locked one that may write `part`.
    sql : str
        A query that passed `syntax.parse`.
    part : Path
    view_rows, view_bytes : int
        The bounds of the first rows.
    on_plan : callable
        Told the plan, as `EXPLAIN (FORMAT json)` answers it, before the query runs.

    Raises
    ------
    NotOneQuery
        A view or macro of an attached database does more than ask.
    QueryFailed, ForbiddenPath, Interrupted
    """
    shape = _checked(connection, sql, on_plan)
    n_rows = _copied(connection, sql, shape, part)
    rows = _first_rows(connection, shape, f"read_parquet({quoted(str(part))})", view_rows, view_bytes)
    cells = [tuple(cell(value) for value in row) for row in rows]
    if cells:
        cells[0] = _cut(cells[0], view_bytes)
    return TableResult(shape.columns, tuple(cells), n_rows, part, rows[0] if n_rows == 1 else None)


def read_rows(
    connection: duckdb.DuckDBPyConnection, sql: str, view_rows: int, view_bytes: int
) -> tuple[tuple[Cell, ...], ...]:
    """Return the first rows of a checked query as cells, and write nothing; raises as :func:`write_result`."""
    rows = _first_rows(connection, _checked(connection, sql), f"({sql}\n)", view_rows, view_bytes)
    return tuple(tuple(cell(value) for value in row) for row in rows)


def _checked(
    connection: duckdb.DuckDBPyConnection, sql: str, on_plan: Callable[[str], None] = lambda _plan: None
) -> _Shape:
    """Return the columns of a query, once its plan is seen to do no more than ask."""
    with translated():
        # Nothing is computed for LIMIT 0; what is wrong with the query is told in its own lines.
        described = connection.execute(f"FROM ({sql}\n) LIMIT 0").description
    with translated(keep_place=False):
        plan = connection.execute(f"EXPLAIN (FORMAT json) FROM ({sql}\n)").fetchall()
    planned = "".join(text for _, text in plan)
    check_plan(planned)
    on_plan(planned)
    return _Shape(tuple(name for name, *_ in described), tuple(kind for _, kind, *_ in described))


def _copied(connection: duckdb.DuckDBPyConnection, sql: str, shape: _Shape, part: Path) -> int:
    """Write the Parquet file and return the number of rows."""
    import duckdb  # noqa: PLC0415 - loaded where it is used

    with translated(keep_place=False):
        try:
            return _copy(connection, sql, shape, part, wide_integers="DECIMAL(38,0)")
        except duckdb.ConversionException as error:
            if "to DECIMAL(38,0)" not in str(error) or not any(map(holds_wide_integers, shape.types)):
                raise
        return _copy(connection, sql, shape, part, wide_integers="VARCHAR")


def _copy(
    connection: duckdb.DuckDBPyConnection, sql: str, shape: _Shape, part: Path, *, wide_integers: str
) -> int:
    names = [f"c{number}" for number in range(len(shape.names))]
    stored = [
        f"{_converted(name, kind, wide_integers)} AS {identifier(shown)}"
        for name, kind, shown in zip(names, shape.types, shape.names, strict=True)
    ]
    statement = (
        f"COPY (FROM (\n{sql}\n) AS t({', '.join(names)}) SELECT {', '.join(stored)}) "
        f"TO {quoted(str(part))} (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)"
    )
    row = connection.execute(statement).fetchone()
    return int(row[0]) if row else 0


def _converted(name: str, kind: DuckDBPyType, wide_integers: str) -> str:
    stored = stored_type(kind, wide_integers=wide_integers)
    return name if stored == str(kind) else f"CAST({name} AS {stored})"


def _first_rows(
    connection: duckdb.DuckDBPyConnection, shape: _Shape, relation: str, view_rows: int, view_bytes: int
) -> list[tuple[object, ...]]:
    """Return the first rows, as many as fit into the bounds and at least one; text where a value is no number."""
    names = [f"c{number}" for number in range(len(shape.names))]
    values = [shown(name, kind) for name, kind in zip(names, shape.types, strict=True)]
    rows: list[tuple[object, ...]] = []
    room = view_bytes
    with translated(keep_place=False):
        cursor = connection.execute(
            f"FROM {relation} AS t({', '.join(names)}) SELECT {', '.join(values)} LIMIT {max(view_rows, 1)}"
        )
        while batch := cursor.fetchmany(FEW):
            for row in batch:
                room -= _size(row)
                if room < 0 and rows:
                    return rows
                rows.append(tuple(value_of(value, kind) for value, kind in zip(row, shape.types, strict=True)))
    return rows


def _size(row: Sequence[object]) -> int:
    return sum(len(str(value).encode()) + CELL_OVERHEAD for value in row)


def _cut(row: tuple[Cell, ...], view_bytes: int) -> tuple[Cell, ...]:
    """Shorten the long texts of a row that alone is larger than the bound, and say so in their place."""
    if _size(row) <= view_bytes:
        return row
    share = max(view_bytes // len(row) - CELL_OVERHEAD, 1)
    return tuple(_cut_text(value, share) if isinstance(value, str) else value for value in row)


def _cut_text(text: str, most: int) -> str:
    if len(text.encode()) <= most:
        return text
    return f"{text.encode()[:most].decode(errors='ignore')}… ({len(text)} characters)"
