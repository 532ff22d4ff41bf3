"""Styles of elements as classes, so that a page may forbid inline styles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.render.renderer import render_project
from famulus_kernel.render.styles import without_styles, write_styles

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def test_a_style_becomes_a_class_beside_those_that_are_there() -> None:
    html, rules = without_styles(
        '<td style="text-align: right;">1</td><img src="a" style="width:40.0%" /><p class="x y" style="width:40.0%">'
    )
    right, wide = rules
    assert rules == {right: "text-align: right;", wide: "width:40.0%"}
    assert html == f'<td class="{right}">1</td><img src="a" class="{wide}" /><p class="{wide} x y">'


@pytest.mark.parametrize(
    "html",
    [
        '<script>x = \'<p style="color:red">\'</script>',
        '<!-- <p style="color:red"> -->',
        '<p style="background:url(x.png)">',
        '<p style="color:red}body{color:red">',
        "<p data-x='a style=\"color:red\"'>",
        '&lt;p style="color:red"&gt;',
        '<p title="a > b">style="x"</p>',
    ],
)  # fmt: skip
def test_what_is_no_plain_style_of_an_element_stays_as_it_is(html: str) -> None:
    assert without_styles(html) == (html, {})


@given(st.text(alphabet="<>\"'= abpstyle:;/!-\n"))
def test_nothing_but_styles_is_taken_away(html: str) -> None:
    changed, rules = without_styles(html)
    assert rules or changed == html
    assert re.sub(r"\s|class|famulus-s-\w+|style", "", changed).count("<") == html.count("<")


def test_pages_that_were_not_made_now_keep_their_rules(tmp_path: Path) -> None:
    sheet = tmp_path / "styles.css"
    write_styles(sheet, {"famulus-s-a": "width: 1em"}, keep=False)
    write_styles(sheet, {"famulus-s-b": "width: 2em"}, keep=True)
    assert re.findall(r"width: \d", sheet.read_text(encoding="utf-8")) == ["width: 1", "width: 2"]
    write_styles(sheet, {}, keep=False)
    assert "width" not in sheet.read_text(encoding="utf-8")


def test_no_element_of_a_page_carries_a_style(roster: Any, table: Callable[..., Any], png: bytes) -> None:
    roster.block("zahl", {"t": ({}, table([["a", 1]], [("a", "VARCHAR"), ("n", "BIGINT")]))})
    roster.page(
        "---\ntitle: Eins\n---\n\n{{< famulus zahl t >}}\n\n"
        "| a | b |\n|--:|:-:|\n| 1 | 2 |\n\n![Bild](x.png){width=50%}\n\n"
        "$$\\begin{aligned} a &= b \\end{aligned}$$\n\n```{.python}\nx = 1\n```\n\n"
        ":::: {.columns}\n::: {.column width=30%}\n"
        "links\n:::\n::::\n\n{{< famulus partner card >}}\n"
    )
    (roster.root / "x.png").write_bytes(png)
    site = render_project(roster.root).output_dir
    assert "style=" not in (site / "index.html").read_text(encoding="utf-8")
    sheet = (site / "famulus" / "styles.css").read_text(encoding="utf-8")
    for style in ("text-align: right;", "text-align: center;", "width:50.0%", "width:30%"):
        assert style in sheet
