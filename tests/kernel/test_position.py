"""Where a cursor stands in a cell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.kernel.position import only_options, preamble_lines, spot

HEAD = "---\nid: x\n"


@pytest.mark.parametrize(
    ("text", "path", "asks"),
    [
        ("", (), "entry"),
        ("subt", (), "entry"),
        ("subtask: let", ("subtask",), "value"),
        ("years:\n  fr", ("years",), "entry"),
        ("years: {from: 1, t", ("years",), "entry"),
        ("years: {from: 1", ("years", "from"), "value"),
        ("collections: [a, b", ("collections", 0), "entry"),
        ("collections:\n  - zo", ("collections", 0), "entry"),
        ("collections:\n- zo", ("collections", 0), "entry"),
        ("partiturs:\n  - id: duck", ("partiturs", 0, "id"), "value"),
        ("partiturs:\n  - id: duckdb-read\n    inp", ("partiturs", 0), "entry"),
        ("partiturs:\n- id: a\n- id: b\n  input:\n    sq", ("partiturs", 0, "input"), "entry"),
        ("partiturs:\n  - {id: a, input: {rows: {ref: n", ("partiturs", 0, "input", "rows", "ref"), "value"),
        ("artefacts: [{name: a, kind: b}, {na", ("artefacts", 0), "entry"),
        ("duckdb:\n  - alias: a\n# note\n\nart", (), "entry"),
        ('oracle:\n  terms:\n    all: ["a, {b", c', ("oracle", "terms", "all", 0), "entry"),
        ("partiturs:\n  - input:\n      sql: |\n        SELECT x:\n  ", ("partiturs",), "entry"),
        ("partiturs:\n  - input:\n      sql: |\n        a: 1\n         b", ("partiturs", 0, "input", "sql"), "text"),
    ],
)
def test_indentation_dashes_and_brackets_tell_the_keys_above(text: str, path: tuple[str | int, ...], asks: str) -> None:
    here = spot(HEAD + text, len(HEAD + text))
    assert (here.part, here.path, here.asks) == ("preamble", path, asks)


def test_a_line_to_the_left_of_a_text_ends_it() -> None:
    text = HEAD + "partiturs:\n  - input:\n      sql: |\n        SELECT 1\n"
    assert spot(text + "        FRO", len(text) + 11).asks == "text"
    assert spot(text + "    arte", len(text) + 8).path == ("partiturs", 0)
    assert spot(text + "orac", len(text) + 4).path == ()


def test_the_word_is_the_one_around_the_cursor() -> None:
    code = "---\nid: x\nyears: {from: 1500}\n"
    here = spot(code, code.index("rom"))
    assert (here.word, here.typed, code[here.start : here.end]) == ("from:", "f", "from:")


def test_the_parts_of_a_cell_are_told_apart() -> None:
    code = "#| label: x\n---\nid: x\n---\nWas steht in {{ref:a.b}}?\n"
    assert spot(code, 3).part == "options"
    assert spot(code, code.index("id:")).part == "preamble"
    assert spot(code, code.index("Was")).part == "instruction"
    assert spot("roster.table", 5).part == "other"
    assert preamble_lines(code.split("\n")) == (1, 3)
    assert preamble_lines(["\ufeff---", "id: x", "--- \r"]) == (0, 2)
    assert preamble_lines(["Text", "---"]) == (None, None)
    assert only_options(["#| a: b", ""])
    assert not only_options(["---"])


@given(st.text(alphabet="ab: -{}[],\"'|>#\n\r\t1\ufeff", max_size=80), st.integers(-5, 90))
def test_any_text_under_a_cursor_is_some_place(code: str, cursor: int) -> None:
    here = spot(code, cursor)
    assert 0 <= here.start <= here.end <= len(code)
    assert here.word.startswith(here.typed)
    assert spot("---\n" + code, cursor + 4).start >= 0
