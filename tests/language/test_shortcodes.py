from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from famulus_kernel.language.document import parse_document
from famulus_kernel.language.shortcodes import find_shortcodes


def found(text: str) -> list[tuple[tuple[str, ...], dict[str, str]]]:
    return [(code.args, code.kwargs) for code in find_shortcodes(text)]


@pytest.mark.parametrize(
    ("text", "args", "kwargs"),
    [
        ("{{< famulus a b >}}", ("a", "b"), {}),
        ("{{<famulus a b>}}", ("a", "b"), {}),
        ("<<< famulus a b >>>", ("a", "b"), {}),
        ("<<< famulus\na\nb >>>", ("a", "b"), {}),
        ("x {{< famulus a b value=counts.n >}} y", ("a", "b"), {"value": "counts.n"}),
        ("{{< famulus a b caption=\"two words\" sort='-count' max-rows=20 >}}", ("a", "b"),
         {"caption": "two words", "sort": "-count", "max-rows": "20"}),
        ('{{< famulus a b caption="x >}} y" >}}', ("a", "b"), {"caption": "x >}} y"}),
        ("{{< famulus fam:p/n/a.b version=v3 >}}", ("fam:p/n/a.b",), {"version": "v3"}),
        ("{{< famulus >}}", (), {}),
        ("# head {{< famulus a b >}}", ("a", "b"), {}),
        ("| {{< famulus a b >}} | x |\n|---|---|\n", ("a", "b"), {}),
        ("> - {{< famulus a b >}}", ("a", "b"), {}),
        ("::: {.callout}\n{{< famulus a b >}}\n:::", ("a", "b"), {}),
        ("---\ntitle: '{{< famulus a b >}}'\n---\n", ("a", "b"), {}),
        ("a ` b {{< famulus a b >}}", ("a", "b"), {}),
        ("{{< famulus a b caption=Kepler's >}}", ("a", "b"), {"caption": "Kepler's"}),
    ],
)  # fmt: skip
def test_a_shortcode_is_read(text: str, args: tuple[str, ...], kwargs: dict[str, str]) -> None:
    assert found(text) == [(args, kwargs)]


@pytest.mark.parametrize(
    "text",
    ["`{{< famulus a b >}}`", "```\n{{< famulus a b >}}\n```", "    {{< famulus a b >}}",
     "<!-- {{< famulus a b >}} -->", "x <!-- {{< famulus a b >}} --> y", "x <!-- y\n\n{{< famulus a b >}}\n\n-->",
     "{{< meta famulus >}}",
     "{{< famulusx a >}}", "<<<famulus a b>>>", "{{< famulus a b", "{{< famulus a b >>>", "<<< famulus a b >}}",
     "``` {{< famulus a b >}}\n```", "{{< famulus a\n\nb >}}", "<script>\n{{< famulus a b >}}\n</script>"],
)  # fmt: skip
def test_in_code_and_comments_and_other_words_there_is_none(text: str) -> None:
    assert found(text) == []


def test_a_shown_shortcode_is_literal() -> None:
    (code,) = find_shortcodes("{{{< famulus a b >}}}")
    assert code.literal
    assert not find_shortcodes("{{< famulus a b >}}")[0].literal


def test_places_are_those_of_the_file() -> None:
    text = "\ufeff---\ntitle: x\n---\n\n> a\n> {{< famulus a b >}} and\r\n> <<< famulus c\n> d >>>.\n"
    first, second = find_shortcodes(text, parse_document(text).scan)
    assert text[first.start : first.end] == "{{< famulus a b >}}"
    assert text[second.start : second.end] == "<<< famulus c\n> d >>>"
    assert (first.line, second.line) == (6, 7)
    assert second.args == ("c", "d")


def test_one_that_is_not_closed_does_not_swallow_the_next() -> None:
    assert found("{{< famulus a {{< famulus b c >}}") == [(("b", "c"), {})]


@settings(deadline=None, max_examples=200)
@given(st.text(alphabet="{}<> famuls\n`\"'=!-", max_size=60))
def test_what_is_found_lies_in_order_and_reads_as_itself(text: str) -> None:
    codes = find_shortcodes(text + " {{< famulus a b >}}")
    places = [place for code in codes for place in (code.start, code.end)]
    assert places == sorted(places)


@pytest.mark.timeout(60)
def test_many_openings_take_linear_time() -> None:
    assert find_shortcodes("{{< famulus " * 80_000) == []
    assert find_shortcodes('{{< famulus "' * 40_000) == []
    assert len(find_shortcodes("{{< famulus a b >}} " * 20_000)) == 20_000
