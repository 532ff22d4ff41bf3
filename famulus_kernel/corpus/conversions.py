"""What a Parquet file cannot hold, and what a table on a page cannot show: one table each (spec 3.7).

=========================  ==================  ==========================================================
DuckDB's type              in the Parquet      why
=========================  ==================  ==========================================================
HUGEINT, UHUGEINT          DECIMAL(38,0)       DuckDB would write DOUBLE; VARCHAR where a value has 39 digits
INTERVAL                   VARCHAR             Parquet's loses microseconds, and few can read it
TIME WITH TIME ZONE        VARCHAR             Parquet keeps the instant, not the zone
UNION                      VARCHAR             the value; which member it was is lost
ENUM, BIT, BIGNUM, TYPE    VARCHAR             as DuckDB writes them, said here so that it stays so
VARIANT                    JSON                keeps numbers, lists and structs apart
GEOMETRY                   VARCHAR             well-known text; DuckDB would add a reference system
STRUCT without fields      VARCHAR             Parquet has none
everything else            the same            DATE and TIMESTAMP with BCE and infinity, DECIMAL, UUID, BLOB,
                                               TIMESTAMP WITH TIME ZONE, LIST, STRUCT, MAP
=========================  ==================  ==========================================================

Inside LIST, ARRAY, STRUCT, TUPLE and MAP the same holds for the parts. Two of them come back under another
name: ARRAY as LIST, TUPLE as STRUCT with fields element1, element2, … DuckDB's name of the type is kept beside
the column.

=========================  ==================================================================================
value                      cell of a view
=========================  ==================================================================================
NULL, BOOLEAN              null, true, false
integers                   number; text beyond 2**53
DECIMAL                    number where JSON's carries it without loss, else text
FLOAT, DOUBLE              number; `nan`, `inf`, `-inf` as text. A FLOAT is the shortest number that means it
everything else            DuckDB's text: `0044-03-15 (BC)`, `[1, 2]`, `{'a': 1}`, time zones as UTC
=========================  ==================================================================================
"""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING

from famulus_kernel.corpus.sql import identifier

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duckdb.sqltypes import DuckDBPyType

    from famulus_kernel.artefacts.view import Cell

EXACT_INTEGER = 2**53
WIDE_INTEGERS = frozenset({"hugeint", "uhugeint"})
AS_TEXT = frozenset({"interval", "time with time zone", "union", "enum", "bit", "bignum", "type", "geometry"})
NUMBERS = frozenset(
    {"tinyint", "smallint", "integer", "bigint", "utinyint", "usmallint", "uinteger", "ubigint", "double",
     "decimal", *WIDE_INTEGERS}
)  # fmt: skip


def type_name(kind: DuckDBPyType) -> str:
    """Return DuckDB's name of a type, as it is shown and stored beside a column."""
    return str(kind).strip('"') if kind.id == "null" else str(kind)


def stored_type(kind: DuckDBPyType, *, wide_integers: str = "DECIMAL(38,0)") -> str:
    """Return the SQL name of the type that stands for `kind` in a Parquet file."""
    name = kind.id
    if name in WIDE_INTEGERS:
        return wide_integers
    if name in AS_TEXT:
        return "VARCHAR"
    if name == "variant":
        return "JSON"
    parts = _parts(kind)
    if parts is None:
        return str(kind)
    stored = [(field, stored_type(part, wide_integers=wide_integers)) for field, part in parts]
    return _composed(kind, stored)


def _parts(kind: DuckDBPyType) -> Sequence[tuple[str, DuckDBPyType]] | None:
    """Return the parts of a nested type by name, None for a plain one."""
    if kind.id not in {"list", "array", "struct", "tuple", "map"}:
        return None
    return [(field, part) for field, part in kind.children if not isinstance(part, int | list)]


def _composed(kind: DuckDBPyType, parts: Sequence[tuple[str, str]]) -> str:
    types = [name for _, name in parts]
    if kind.id == "list":
        return f"{types[0]}[]"
    if kind.id == "array":
        return f"{types[0]}[{dict(kind.children)['size']}]"
    if kind.id == "map":
        return f"MAP({', '.join(types)})"
    if not parts:
        return "VARCHAR"
    if kind.id == "tuple":
        return f"TUPLE({', '.join(types)})"
    return f"STRUCT({', '.join(f'{identifier(field)} {name}' for field, name in parts)})"


def holds_wide_integers(kind: DuckDBPyType) -> bool:
    """Return whether a type is, or holds somewhere, an integer that may not fit into DECIMAL(38,0)."""
    return kind.id in WIDE_INTEGERS or any(holds_wide_integers(part) for _, part in _parts(kind) or ())


def shown(expression: str, kind: DuckDBPyType) -> str:
    """Return the SQL that brings a stored value of a type to Python: numbers and booleans as such, all else as text."""
    if kind.id in NUMBERS or kind.id == "boolean":
        return expression
    # The shortest number that means a 32-bit float is the one that DuckDB writes.
    text = f"CAST({expression} AS VARCHAR)"
    return f"CAST({text} AS DOUBLE)" if kind.id == "float" else text


def value_of(value: object, kind: DuckDBPyType) -> object:
    """Return a value that :func:`shown` brought to Python, HUGEINT as an integer again."""
    return int(value) if kind.id in WIDE_INTEGERS and isinstance(value, Decimal | str) else value


def cell(value: object) -> Cell:
    """Return a value (None, bool, int, float, Decimal or text) as a cell that JSON carries without loss."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= EXACT_INTEGER else str(value)
    if isinstance(value, Decimal):
        return _decimal(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    return str(value)


def _decimal(value: Decimal) -> Cell:
    if value == value.to_integral_value():
        return cell(int(value))
    number = float(value)
    return number if Decimal(repr(number)) == value else str(value)
