"""Contracts: reached means that the result validates; what violates it is told clause by clause."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from famulus_kernel.errors import PartiturError
from famulus_kernel.harness.contract import _plainly_holds, check_contract, violations


def test_every_violated_clause_is_told_with_its_place() -> None:
    contract = {
        "type": "object",
        "required": ["answer", "n"],
        "properties": {"n": {"type": "integer", "minimum": 1}, "rows": {"items": {"type": "string"}}},
    }
    found = violations(contract, {"n": 0, "rows": ["a", 2]})
    assert [one.partition(":")[0] for one in found] == ["$", "$.n", "$.rows[1]"]
    assert "'answer' is a required property" in found[0]
    assert violations(contract, {"n": 1, "answer": "ja", "rows": ()}) == ()


def test_values_that_json_does_not_have_count_as_what_the_store_writes() -> None:
    assert violations({"properties": {"am": {"type": "string"}}}, {"am": date(1520, 1, 1)}) == ()
    assert violations({"properties": {"list": {"type": "array"}}}, {"list": (1, 2)}) == ()


@pytest.mark.parametrize(
    "contract",
    [{"type": "objekt"}, {"required": "a"}, {"$ref": "https://example.org/schema.json"}, {"$ref": "file:///etc/passwd"}],
)
def test_what_is_no_schema_or_leads_elsewhere_is_an_error(contract: dict[str, Any]) -> None:
    with pytest.raises(PartiturError, match="contract"):
        violations(contract, {})


def test_a_contract_is_checked_without_a_result() -> None:
    check_contract({"type": "object"})
    with pytest.raises(PartiturError):
        check_contract({"type": 3})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=6,
)
TYPE = st.fixed_dictionaries({}, optional={"type": st.sampled_from(["object", "array", "string", "integer"])})
CONTRACT = st.recursive(
    TYPE,
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "array", "string", "number"]),
            "required": st.lists(st.sampled_from("ab"), unique=True),
            "properties": st.dictionaries(st.sampled_from("ab"), inner),
            "minProperties": st.just(1),
        },
    ),
    max_leaves=4,
)


@settings(max_examples=150, deadline=None)
@given(CONTRACT, JSON)
def test_what_holds_plainly_holds_for_the_library_too(contract: dict[str, Any], value: Any) -> None:
    if _plainly_holds(contract, value):
        assert Draft202012Validator(contract).is_valid(value)
