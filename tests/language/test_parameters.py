from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.errors import PreambleError
from famulus_kernel.language.block import BlockSource, parse_block
from famulus_kernel.language.document import parse_document
from famulus_kernel.language.parameters import Parameters, parameters_of, with_parameters
from famulus_kernel.language.preamble import parse_preamble


def block(preamble: str) -> BlockSource:
    return parse_block(f"---\n{preamble}\n---\nWie viele?\n", line=7, file="a.fam")


def parameters(params: str, **values: object) -> Parameters:
    return parameters_of(parse_document(f"---\nparams: {params}\n---\n").front_matter, values)


def test_a_value_stands_where_its_name_stood() -> None:
    source = block("id: a\nsubtask: x\nyears: {from: {param: first}, to: 1530}\noracle: {n: {min: {param: least}}}")
    preamble = parse_preamble(with_parameters(source, parameters("{first: 1520, least: 3}")))
    assert preamble.set_items()["years"] == {"from": 1520, "to": 1530}
    assert preamble.oracle == {"n": {"min": 3}}


def test_a_parameter_may_be_a_list_or_a_mapping_and_stand_in_a_list() -> None:
    source = block("id: a\nsubtask: x\nyears: {param: span}\ncollections: [{param: one}, b]")
    preamble = parse_preamble(with_parameters(source, parameters("{span: {from: 1520}, one: a}")))
    assert preamble.set_items()["years"] == {"from": 1520}
    assert preamble.set_items()["collections"] == ["a", "b"]


def test_what_was_given_goes_before_the_front_matter() -> None:
    source = block("id: a\nsubtask: x\nyears: {from: {param: first}}")
    preamble = parse_preamble(with_parameters(source, parameters("{first: 1520}", first=1525, other=1)))
    assert preamble.set_items()["years"] == {"from": 1525}


def test_a_parameter_that_nobody_declares_is_an_error_with_its_line_and_the_known_ones() -> None:
    with pytest.raises(PreambleError) as caught:
        with_parameters(block("id: a\nyears:\n  from: {param: frist}"), parameters("{first: 1520, last: 1530}"))
    assert (caught.value.where.file, caught.value.where.line, caught.value.where.key) == ("a.fam", 10, "years.from")
    assert "frist" in str(caught.value)
    assert "first, last" in caught.value.hint


def test_a_number_for_text_counts_by_its_source_text_in_the_front_matter_too() -> None:
    source = block("id: a\nsubtask: x\nlog: {param: folder}")
    assert parse_preamble(with_parameters(source, parameters("{folder: 1.10}"))).log == "1.10"
    assert parse_preamble(with_parameters(source, parameters("{folder: 1.10}", folder="b"))).log == "b"


def test_an_id_is_no_place_for_a_parameter() -> None:
    with pytest.raises(PreambleError, match="id"):
        parse_preamble(with_parameters(block("id: {param: name}"), parameters("{name: a}")))


@given(st.dictionaries(st.text("abc", min_size=1), st.recursive(st.integers() | st.text(), st.lists), max_size=4))
def test_a_block_without_parameters_stays_as_it_is(values: dict[str, object]) -> None:
    source = block("id: a\noracle: {n: 1, param: {min: 2}}")
    assert with_parameters(source, Parameters(values)) is source
