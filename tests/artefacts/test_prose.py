from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.artefacts.prose import to_html


def test_prose_is_commonmark_with_tables_below_the_headings_of_a_page() -> None:
    drawn = to_html("# A\n\n*b* **c** `d` ~~e~~ [f](https://example.org)\n\n1. x\n\n> q\n\n| a |\n|:-:|\n| 1 |\n")
    for piece in (
        "<h4>A</h4>",
        "<em>b</em>",
        "<strong>c</strong>",
        "<code>d</code>",
        "<s>e</s>",
        "<ol>",
        "<blockquote>",
        "<td>1</td>",
    ):
        assert piece in drawn
    assert '<a href="https://example.org" rel="noopener noreferrer">f</a>' in drawn


@pytest.mark.parametrize(
    "name", ["script", "image", "shortcode", "own shortcode", "maths", "citation", "footnote", "script link"]
)
def test_what_other_dialects_act_on_stands_as_it_is_written(name: str, hostile: dict[str, str], contract) -> None:
    read = contract(to_html(hostile[name]))
    assert "".join(read.text).strip() == hostile[name]
    assert read.links == []


def test_an_image_is_its_alternative_text_and_loads_nothing() -> None:
    assert to_html("![a *map* of Nuremberg](https://example.org/pixel.png)").strip() == "<p>a map of Nuremberg</p>"


def test_a_link_reference_cannot_smuggle_a_scheme() -> None:
    assert "<a" not in to_html("[x]\n\n[x]: javascript:alert(1)")
    assert "<a" not in to_html("<javascript:alert(1)>")
    assert "<a" not in to_html("[x](//example.org)")


MARKUP = st.lists(
    st.sampled_from(list("<>&\"'`*_[]()!#|\\\n\t -:~=ab1."))
    | st.sampled_from(["<script>", "](", "```", "![", "javascript:", "https://a.b", "<!--"]),
    max_size=40,
).map("".join)


@given(text=MARKUP | st.text(st.characters(exclude_categories=())))
def test_whatever_the_text_is_only_the_contract_comes_out(text: str, contract) -> None:
    contract(to_html(text))


def test_deep_nesting_ends(contract) -> None:
    contract(to_html(">" * 5000 + "a"))
    contract(to_html("*" * 5000 + "a" + "[" * 5000))
