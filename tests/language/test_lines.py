from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.language.lines import line_starts, split_lines


@given(st.text(alphabet="a\r\n\x0b\u2028 ", max_size=30))
def test_lines_put_together_are_the_text(text: str) -> None:
    assert "".join(split_lines(text)) == text
    assert line_starts(text)[-1] == len(text)


def test_only_lf_crlf_and_cr_end_a_line() -> None:
    assert split_lines("a\nb\r\nc\rd\u2028e\x0bf") == ["a\n", "b\r\n", "c\r", "d\u2028e\x0bf"]
    assert split_lines("") == []
    assert line_starts("") == [0, 0]
    assert line_starts("a\n") == [0, 2]
