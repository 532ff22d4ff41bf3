from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.language.inline import inline_spans


@pytest.mark.parametrize(
    ("text", "spans", "open_comment"),
    [
        ("a `b` c", ["`b`"], None),
        ("``a ` b``", ["``a ` b``"], None),
        ("`a ``b", [], None),
        ("`a <!-- b` c", ["`a <!-- b`"], None),
        ("a <!-- ` --> `b`", ["<!-- ` -->", "`b`"], None),
        ("a <!-- b", [], 2),
        ("a \\<!-- b", [], None),
        ("\\`a <!-- b`", [], 4),
        ("\\\\`a <!-- b`", ["`a <!-- b`"], None),
        ("a <!--> b <!---> c", ["<!-->", "<!--->"], None),
        ("`<!--` <!-- x", ["`<!--`"], 7),
    ],
)
def test_code_and_comments_are_told_apart_by_what_begins_first(text, spans, open_comment) -> None:
    found = inline_spans(text)
    assert [text[start:end] for start, end in found.spans] == spans
    assert found.open_comment == open_comment


@given(st.text(alphabet="`<!->\\a\n ", max_size=60))
def test_spans_are_in_order_and_do_not_overlap(text: str) -> None:
    found = inline_spans(text)
    ends = [0, *(place for span in found.spans for place in span)]
    assert ends == sorted(ends)
    assert found.open_comment is None or found.open_comment >= ends[-1]
