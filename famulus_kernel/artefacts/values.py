"""Values of a result as JSON can hold them, and plain rows as a table (spec 5.1)."""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.artefacts.characters import storable

if TYPE_CHECKING:
    from famulus_kernel.artefacts.view import Cell

EXACT_INTEGER: Final = 2**53
_DEEPEST: Final = 100
_INT64: Final = range(-(2**63), 2**63)

TEXT, WHOLE, FLOAT, TRUTH = "VARCHAR", "BIGINT", "DOUBLE", "BOOLEAN"


def json_safe(value: object, depth: int = 0) -> Any:  # noqa: PLR0911 - one return for each kind of value
    """Return `value` as JSON holds it.

    Mappings and lists stay, sets become sorted lists, dates their ISO text, decimals and what else there is
    their text, NaN and the infinities `NaN`, `Infinity`, `-Infinity`; a lone surrogate becomes U+FFFD.

    Raises
    ------
    ValueError
        The value is nested more than 100 deep.
    """
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else not_finite(value)
    if depth > _DEEPEST:
        raise ValueError(f"it is nested more than {_DEEPEST} deep")
    if isinstance(value, Mapping):
        return {storable(str(key)): json_safe(item, depth + 1) for key, item in value.items()}
    if isinstance(value, AbstractSet):
        return sorted((json_safe(item, depth + 1) for item in value), key=json.dumps)
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [json_safe(item, depth + 1) for item in value]
    return _text(value)


def cell(value: object) -> Cell:
    """Return `value` as a cell: a scalar as it is, an integer beyond 2**53 as text, anything nested as JSON."""
    safe = json_safe(value)
    if isinstance(safe, int) and not isinstance(safe, bool) and abs(safe) > EXACT_INTEGER:
        return str(safe)
    if isinstance(safe, list | dict):
        return json.dumps(safe, ensure_ascii=False)
    return safe  # type: ignore[no-any-return] # json_safe leaves a scalar here


def not_finite(value: float) -> str:
    """Return the name of NaN or of an infinity."""
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def columns_of(rows: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return the keys of mappings in the order in which they first occur."""
    return tuple(dict.fromkeys(storable(str(key)) for row in rows for key in row))


def column_type(values: Iterable[object]) -> str:
    """Return DuckDB's name of the type that holds all of `values`: text for mixed ones and for none."""
    kinds = {_kind(value) for value in values if value is not None}
    if len(kinds) == 1:
        return kinds.pop()
    return FLOAT if kinds == {WHOLE, FLOAT} else TEXT


def as_type(value: object, kind: str) -> Cell:
    """Return a plain value as a cell of a column of `kind`, one of those that :func:`column_type` returns."""
    if value is None or (kind == TRUTH and isinstance(value, bool)):
        return value
    if kind in (WHOLE, FLOAT) and isinstance(value, int | float):
        return float(value) if kind == FLOAT else value
    if isinstance(value, bool):
        return "true" if value else "false"
    text = cell(value)
    return text if isinstance(text, str) else json.dumps(text)


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return TRUTH
    if isinstance(value, int):
        return WHOLE if value in _INT64 else TEXT
    return FLOAT if isinstance(value, float) else TEXT


def _text(value: object) -> str:
    if isinstance(value, dt.datetime | dt.date | dt.time):
        return value.isoformat()
    if isinstance(value, bytes | bytearray):
        return value.hex()
    if isinstance(value, Decimal):
        return format(value, "f")
    if isinstance(value, PurePath):
        return storable(value.as_posix())
    return storable(str(value))
