from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from famulus_kernel.errors import FamulusError, PreambleError, YamlError
from famulus_kernel.language.block import guess_id, parse_block

BODY = "#| echo: false\n#| label: no\n\n---\nid: a\nyears: {from: 1}\n---\n\nHow many?\n---\nreally\n\n"


def test_a_block_is_options_preamble_and_instruction() -> None:
    source = parse_block(BODY, line=10, file="a.fam")
    assert source.options == {"echo": False, "label": "no"}
    assert source.data == {"id": "a", "years": {"from": 1}}
    assert (source.preamble_text, source.preamble_line) == ("id: a\nyears: {from: 1}\n", 14)
    assert (source.instruction, source.instruction_line) == ("How many?\n---\nreally", 18)
    assert source.key_lines == {"id": 14, "years": 15, "years.from": 15}


@pytest.mark.parametrize(
    "body",
    [
        "---\nid: a\n---\nx",
        "\ufeff---\nid: a\n---\nx\n",
        "---  \nid: a\n---\t \nx\n",
        "---\r\nid: a\r\n---\r\nx\r\n",
        "---\rid: a\r---\rx\r",
        "\n\n---\n\nid: a\n\n---\n\n\nx\n\n",
        "---\n# c\nid: a # c\n---\nx",
    ],
)
def test_bom_line_breaks_blank_lines_and_trailing_blanks_do_not_matter(body: str) -> None:
    source = parse_block(body)
    assert (source.data, source.instruction) == ({"id": "a"}, "x")


def test_line_breaks_in_the_instruction_are_the_same_on_every_system() -> None:
    assert parse_block("---\r\nid: a\r\n---\r\nx\r\n\r\n  y\r\n").instruction == "x\n\n  y"


def test_an_instruction_may_be_missing() -> None:
    source = parse_block("---\nid: a\n---")
    assert (source.instruction, source.instruction_line) == ("", 4)


def test_an_empty_preamble_is_a_mapping_without_keys() -> None:
    assert parse_block("---\n---\nx").data == {}
    assert parse_block("---\n# nothing\n---\nx").data == {}


def test_indented_dashes_do_not_end_the_preamble() -> None:
    assert parse_block("---\nid: a\ninput:\n  text: |\n    ---\n    b\n---\nx").data["input"] == {"text": "---\nb\n"}


def test_options_may_be_written_with_a_blank_and_need_a_mapping() -> None:
    assert parse_block("# | a: 1\n#|b: 2\n---\nid: a\n---\n").options == {"a": 1, "b": 2}
    assert parse_block("#|\n---\nid: a\n---\n").options == {}
    with pytest.raises(PreambleError, match="cell options"):
        parse_block("#| a\n---\nid: a\n---\n")


@pytest.mark.parametrize(
    ("body", "error", "line", "block", "words"),
    [
        ("", PreambleError, 10, None, "no preamble"),
        ("\n \n", PreambleError, 11, None, "no preamble"),
        ("just text\n", PreambleError, 10, None, "no preamble"),
        ("#| a: b\ntext\n---\n", PreambleError, 11, None, "no preamble"),
        (" ---\nid: a\n ---\n", PreambleError, 10, None, "no preamble"),
        ("---\nid: a\nx\n", PreambleError, 10, None, "no end"),
        ("---\n- a\n---\n", PreambleError, 11, None, "must be a mapping"),
        ("---\nid: b-1\nx: [\n---\n", YamlError, 13, "b-1", "flow node"),
        ("---\nid: 'c d'\nid: e\n---\n", YamlError, 12, "c d", "stands twice"),
        ("\n#| a: 1\n#| a: 2\n---\nid: f\n---\n", YamlError, 12, "f", "stands twice"),
    ],
)
def test_a_block_that_cannot_be_read_names_its_place(body, error, line, block, words) -> None:
    with pytest.raises(error, match=words) as caught:
        parse_block(body, line=10, file="a.fam")
    where = caught.value.where
    assert (where.file, where.line, where.block) == ("a.fam", line, block)


@pytest.mark.parametrize(
    ("text", "guess"),
    [("id: a", "a"), ("x: 1\nid:   a-b  # c", "a-b"), ('id: "a b"', "a b"), ("id: 'é'", "é"), ("  id: a", None),
     ("id:", None), ("id: [a]", None), ("ids: a", None), ("id: a\r\nb: c", "a"), ("id: |\n  a", None)],
)  # fmt: skip
def test_the_id_is_seen_without_loading(text: str, guess: str | None) -> None:
    assert guess_id(text) == guess


LINES = st.sampled_from(["---", "id: a", "#| a: b", "", "x", "a: [", " ---", "---  ", "\ufeff---", "\x00", "- b"])


@settings(deadline=None, max_examples=200)
@given(st.lists(LINES, max_size=8), st.sampled_from(["\n", "\r\n", "\r"]), st.text(max_size=8))
def test_any_body_is_read_or_gives_one_of_our_errors(lines: list[str], newline: str, rest: str) -> None:
    body = newline.join(lines) + rest
    try:
        source = parse_block(body)
    except FamulusError as raised:
        line = raised.where.line
        texts = [""]
    else:
        line = source.preamble_line
        texts = [source.preamble_text]
    assert line is not None
    assert all(text in body for text in texts)
