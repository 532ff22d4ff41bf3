from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.artefacts.characters import cut, one_line, storable, visible

ANY_TEXT = st.text(st.characters(exclude_categories=()))


@given(ANY_TEXT)
def test_storable_text_is_utf_8_and_otherwise_the_same(text: str) -> None:
    stored = storable(text)
    stored.encode()
    assert len(stored) == len(text)
    assert all(new in (old, "�") for old, new in zip(text, stored, strict=True))


@given(ANY_TEXT)
def test_visible_text_holds_no_control_character_but_tab_and_newline(text: str) -> None:
    seen = visible(text)
    assert not {char for char in seen if unicodedata.category(char) in ("Cc", "Cs")} - {"\t", "\n"}
    assert not set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069") & set(seen)
    assert visible(seen) == seen


def test_every_kind_of_line_end_is_a_newline() -> None:
    assert visible("a\r\nb\rc\u2028d\x85e") == "a\nb\nc\nd\ne"


def test_marks_that_hebrew_and_persian_are_written_with_stay() -> None:
    assert visible("\u05d0\u200f\u200d\u200c") == "\u05d0\u200f\u200d\u200c"


def test_one_line_is_one_line() -> None:
    assert one_line("  a\n\tb  c\u2029d ") == "a b c d"


def test_a_cut_text_says_that_it_was_cut() -> None:
    assert cut("abcdef", 6) == "abcdef"
    assert cut("abc def", 5) == "abc…"
