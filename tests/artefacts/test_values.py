from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.artefacts.values import as_type, cell, column_type, columns_of, json_safe


def test_json_holds_what_python_has_and_json_has_not() -> None:
    value = {
        "date": dt.date(1520, 3, 1),
        "decimal": Decimal("12.50"),
        "path": PurePosixPath("a/b"),
        "bytes": b"\x00\xff",
        "set": {"b", "a"},
        "tuple": (1, None, True),
        "nan": float("nan"),
        "endless": [float("inf"), float("-inf")],
        "surrogate\ud800": "a\ud800",
        3: 2**70,
    }
    assert json_safe(value) == {
        "date": "1520-03-01",
        "decimal": "12.50",
        "path": "a/b",
        "bytes": "00ff",
        "set": ["a", "b"],
        "tuple": [1, None, True],
        "nan": "NaN",
        "endless": ["Infinity", "-Infinity"],
        "surrogate\ufffd": "a\ufffd",
        "3": 2**70,
    }


def test_a_value_without_end_is_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(ValueError, match="nested more than 100 deep"):
        json_safe(value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_json_stays_what_it_is(value: object) -> None:
    assert json_safe(value) == value


@given(JSON | st.text(st.characters(exclude_categories=())) | st.floats())
def test_a_cell_is_a_scalar_that_json_carries(value: object) -> None:
    found = cell(value)
    assert found is None or isinstance(found, bool | int | float | str)
    json.dumps(found, allow_nan=False).encode()
    assert not isinstance(found, int) or abs(found) <= 2**53


@pytest.mark.parametrize(
    ("values", "kind", "cells"),
    [
        ([1, None, 2], "BIGINT", [1, None, 2]),
        ([1, 2.5], "DOUBLE", [1.0, 2.5]),
        ([True, False], "BOOLEAN", [True, False]),
        ([1, True], "VARCHAR", ["1", "true"]),
        (["a", 1, 2.5, None], "VARCHAR", ["a", "1", "2.5", None]),
        ([2**63], "VARCHAR", [str(2**63)]),
        ([[1, {"a": "ü"}]], "VARCHAR", ['[1, {"a": "ü"}]']),
        ([None], "VARCHAR", [None]),
        ([], "VARCHAR", []),
    ],
)
def test_a_column_takes_the_narrowest_type_of_its_values(values: list[object], kind: str, cells: list[object]) -> None:
    assert column_type(values) == kind
    found = [as_type(value, kind) for value in values]
    assert found == cells
    assert [type(one) for one in found] == [type(one) for one in cells]


def test_columns_come_in_the_order_of_their_first_row() -> None:
    assert columns_of([{"b": 1}, {"a": 1, "b": 2}]) == ("b", "a")
