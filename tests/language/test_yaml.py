from __future__ import annotations

import math
import time

import pytest
import yaml as pyyaml
from hypothesis import given, settings
from hypothesis import strategies as st

from famulus_kernel.errors import FamulusError, YamlError
from famulus_kernel.language.yaml import MAX_DEPTH, load_strict, plain_scalar


def value(text: str):
    return load_strict(text).value


@pytest.mark.parametrize(
    "text",
    ["no", "No", "on", "off", "y", "Y", "yes", "N", "1520-01-01", "2026-09-22T10:00:00Z", "010", "007", "00", "-01",
     "+07", "01.5", "1:20", "12:30:45", "1_000", "0b101", "1e", ".", "+", "--", "0x", "0o8", "1.2.3", "<<", "=", "tRue",
     "nUll", "١٢"],
)  # fmt: skip
def test_what_core_yaml_does_not_know_stays_text(text: str) -> None:
    assert value(f"a: {text}") == {"a": text}


@pytest.mark.parametrize(
    ("text", "expected"),
    [("true", True), ("False", False), ("TRUE", True), ("null", None), ("~", None), ("", None), ("0", 0), ("-0", 0),
     ("12", 12), ("-12", -12), ("+12", 12), ("0o17", 15), ("0xfF", 255), ("1.10", 1.1), ("1.", 1.0), (".5", 0.5),
     ("1e3", 1000.0), ("-1.5E-2", -0.015), (".inf", math.inf), ("-.INF", -math.inf), ("0.5", 0.5), ("0e0", 0.0)],
)  # fmt: skip
def test_core_scalars_have_their_types(text: str, expected) -> None:
    found = value(f"a: {text}")["a"]
    assert found == expected
    assert type(found) is type(expected)


def test_nan_is_a_number_and_quotes_make_text() -> None:
    assert math.isnan(value("a: .NaN")["a"])
    assert value("""a: ["12", 'true', "~", "no"]""") == {"a": ["12", "true", "~", "no"]}
    assert value("a: |\n  12\nb: >\n  x\n  y\n") == {"a": "12\n", "b": "x y\n"}


def test_the_source_text_of_a_number_is_kept_where_python_writes_another() -> None:
    loaded = load_strict("a: 1.10\nb: {c: [0x10, 7]}\nd: 1520\ne: '1.10'\nf: +5\n")
    assert loaded.sources == {"a": "1.10", "b.c.0": "0x10", "f": "+5"}


def test_keys_are_text_by_their_source() -> None:
    assert value("1520: a\n010: b\ntrue: c\n~: d\n1.10: e\n") == {
        "1520": "a",
        "010": "b",
        "true": "c",
        "~": "d",
        "1.10": "e",
    }


def test_lines_are_those_of_the_file() -> None:
    loaded = load_strict("id: a\n\nyears:\n  from: 1\nlist:\n  - x: 1\n    y: 2\n  - z\n", line=11)
    assert loaded.lines == {
        "id": 11, "years": 13, "years.from": 14, "list": 15, "list.0": 16, "list.0.x": 16, "list.0.y": 17, "list.1": 18,
    }  # fmt: skip
    assert loaded.line_of("list.0.x.deeper") == 16
    assert loaded.line_of("nowhere") is None


def test_a_duplicate_key_names_both_lines() -> None:
    with pytest.raises(YamlError, match=r"id.*stands twice \(first in line 10\)") as caught:
        load_strict("id: a\nx: 1\nid: b\n", line=10, file="a.fam", block="a")
    where = caught.value.where
    assert (where.file, where.line, where.block, where.key) == ("a.fam", 12, "a", "id")


@pytest.mark.parametrize(
    ("text", "key", "line"),
    [
        ("a: {b: 1, b: 2}", "a.b", 1),
        ("a:\n- b: 1\n  c: 2\n  b: 3\n", "a.0.b", 4),
        ("1: a\n'1': b", "1", 2),
        ("a: 1\na: 1", "a", 2),
        ("? a\n: 1\n? a\n: 2", "a", 3),
    ],
)
def test_duplicates_are_found_at_any_depth_and_by_text(text: str, key: str, line: int) -> None:
    with pytest.raises(YamlError, match="stands twice") as caught:
        load_strict(text)
    assert (caught.value.where.key, caught.value.where.line) == (key, line)


def test_the_same_key_in_two_mappings_is_fine() -> None:
    assert value("a: {x: 1}\nb: {x: 2}\na.x: 3") == {"a": {"x": 1}, "b": {"x": 2}, "a.x": 3}


def test_aliases_are_values_and_share_no_limit_when_small() -> None:
    assert value("a: &x [1, {b: c}]\nd: *x\ne: [*x, *x]\n") == {
        "a": [1, {"b": "c"}], "d": [1, {"b": "c"}], "e": [[1, {"b": "c"}], [1, {"b": "c"}]],
    }  # fmt: skip
    assert value("a: &x 5\nb: *x\n&y k: *x\nl: *y") == {"a": 5, "b": 5, "k": 5, "l": "k"}


def test_an_alias_bomb_is_refused_at_once() -> None:
    bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 30)
    )
    begun = time.process_time()
    with pytest.raises(YamlError, match="aliases stand for more than"):
        load_strict(bomb)
    assert time.process_time() - begun < 5


def test_many_aliases_of_a_big_value_are_refused() -> None:
    with pytest.raises(YamlError, match="aliases"):
        load_strict(f"a: &a [{','.join('x' * 1000)}]\nb: [{','.join(['*a'] * 1000)}]\n")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: &a [*a]", "stands inside what it names"),
        ("a: *b", "names nothing above it"),
        ("a: &a b\n*a : c", "cannot be a key"),
        ("[a]: b", "cannot be a key"),
        ("? {a: b}\n: c", "cannot be a key"),
        ("a: !x b", "the tag !x is not allowed"),
        ("a: !!python/name:os.system ''", "is not allowed"),
        ("a: !!timestamp 2001-01-01", "the tag !!timestamp"),
        ("a: !!set {b}", "the tag !!set"),
        ("a: !!binary aGk=", "the tag !!binary"),
        ("!x a: b", "the tag !x"),
        ("a: !!int b", "is not of the type int"),
        ("a: !!bool 1", "is not of the type bool"),
        ("a: b\n---\nc: d", "second YAML document"),
        ("a: b\n...\n---\n", "second YAML document"),
        ("a: b: c", "mapping values are not allowed"),
        ("a: [b", "did not find expected"),
        ("a: 'b", "unexpected end of stream"),
        ("a: b\n c: d", "mapping values"),
        ("a: @b", "cannot start any token"),
        ("a: %b", "cannot start any token"),
        ("a: \x01", "U\\+0001 may not stand in YAML"),
        ("a: \x00", "U\\+0000 may not stand in YAML"),
        ("a: \ud800", "surrogate"),
        ("a: " + "9" * 5000, "a number of 5000 digits"),
        ("%YAML 3.0\n---\na", "incompatible"),
    ],
)
def test_what_is_not_strict_yaml_is_an_error_of_ours(text: str, words: str) -> None:
    with pytest.raises(YamlError, match=words) as caught:
        load_strict(text, line=5, file="a.fam")
    assert caught.value.where.file == "a.fam"
    assert caught.value.where.line is not None
    assert caught.value.hint


@pytest.mark.parametrize("text", ["a:\n\tb: c\n", "\ta: b", "a:\n  b: 1\n\tc: 2\n", "- a\n-\tb:\n\t\tc"])
def test_a_tab_gets_the_parsers_words_and_our_hint(text: str) -> None:
    with pytest.raises(YamlError) as caught:
        load_strict(text)
    with pytest.raises(pyyaml.YAMLError) as theirs:
        pyyaml.load(text, pyyaml.CSafeLoader)
    assert theirs.value.problem in str(caught.value)
    assert "tabs" in caught.value.hint


def test_bad_indentation_is_named_by_the_line_of_the_file() -> None:
    with pytest.raises(YamlError) as caught:
        load_strict("a:\n  - b\n c: d\n", line=20)
    assert caught.value.where.line == 22


def test_line_separators_inside_a_text_are_no_lines_of_the_file() -> None:
    loaded = load_strict("a: 'x\u2028y'\nb: \"\x85\"\nc: 1\n", line=3)
    assert loaded.lines == {"a": 3, "b": 4, "c": 5}
    with pytest.raises(YamlError) as caught:
        load_strict("a: 'x\u2028y'\nb: [", line=3)
    assert caught.value.where.line == 4


def test_core_tags_are_allowed() -> None:
    text = "a: !!str 12\nb: !!int '5'\nc: !!float 1\nd: !!null ''\ne: !!seq [!!map {}]\nf: ! 12\ng: !!bool 'true'"
    assert value(text) == {"a": "12", "b": 5, "c": 1.0, "d": None, "e": [{}], "f": "12", "g": True}


def test_foreign_tags_pass_only_where_asked() -> None:
    assert load_strict("a: !expr 1+1\nb: !x [12]\nc: !y 12\nd: !z '12'\n!q e: 1", foreign_tags=True).value == {
        "a": "1+1", "b": [12], "c": 12, "d": "12", "e": 1,
    }  # fmt: skip


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "null"])
def test_nothing_is_none(text: str) -> None:
    assert value(text) is None


def test_merge_keys_are_just_keys() -> None:
    assert value("a: &a {x: 1}\nb:\n  <<: *a\n") == {"a": {"x": 1}, "b": {"<<": {"x": 1}}}


@pytest.mark.parametrize(
    "text",
    [
        "[" * 5000,
        "{a: " * 900,
        "- " * 5000,
        "a: " + "[" * 200,
        "\n".join(" " * n + "a:" for n in range(900)),
        "[" * 101 + "]" * 101,
    ],
)
def test_deep_nesting_is_an_error_and_no_crash(text: str) -> None:
    with pytest.raises(YamlError, match=r"nesting|levels"):
        load_strict(text)


def test_nesting_up_to_the_limit_is_fine() -> None:
    assert value("[" * MAX_DEPTH + "]" * MAX_DEPTH)


@settings(deadline=None, max_examples=250)
@given(st.text(alphabet="ab:-?[]{},&*!|>'\"%@#`\\ \n\t0.1~<\x00\u2028é\ufeff", max_size=40) | st.text(max_size=30))
def test_any_text_is_a_value_or_an_error_of_ours(text: str) -> None:
    line: int | None = 1
    try:
        load_strict(text)
    except FamulusError as raised:
        line = raised.where.line
    assert line is not None


SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=12)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None, max_examples=150)
@given(VALUES)
def test_what_pyyaml_writes_with_quotes_is_read_back(written) -> None:
    text = pyyaml.dump(written, default_style='"', allow_unicode=True, sort_keys=False)

    def plain(value):
        if isinstance(value, dict):
            return {key: plain(below) for key, below in value.items()}
        return [plain(below) for below in value] if isinstance(value, list) else value

    assert value(text) == plain(written)


@settings(max_examples=300)
@given(st.integers() | st.floats(allow_nan=False, allow_infinity=False))
def test_pythons_own_numbers_read_as_themselves(number) -> None:
    text = repr(number)
    found = plain_scalar(text)
    assert found == number
    assert type(found) is type(number)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[" + "a," * 100_000 + "]", id="flow"),
        pytest.param("- x\n" * 50_000, id="items"),
        pytest.param("".join(f"k{n}: v\n" for n in range(50_000)), id="keys"),
        pytest.param("a: " + "x" * 1_000_000, id="a long scalar"),
        pytest.param("a:\n" + "".join(f" b{n}: |\n  x\n" for n in range(20_000)), id="block scalars"),
    ],
)
def test_big_texts_take_linear_time(text: str) -> None:
    begun = time.process_time()
    load_strict(text)
    assert time.process_time() - begun < 15
