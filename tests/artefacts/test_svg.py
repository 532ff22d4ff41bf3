from __future__ import annotations

import time
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.artefacts.svg import LARGEST, SvgError, sanitised

NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
DRAWING = f"""<svg {NAMES} viewBox="0 0 10 10" width="10"><title>Letters &lt; 1520</title><defs>
<style type="text/css">*{{stroke-linejoin: round}} .a {{ fill: #123 }} /* grey */</style>
<clipPath id="p"><rect width="1" height="2"></rect></clipPath></defs>
<g clip-path="url(#p)" style="fill: none; stroke: #000" transform="translate(1)"><use xlink:href="#m1" x="1"></use>
<text x="1" font-family="'DejaVu Sans'" aria-label="a @ b">Größe</text>
<image xlink:href="data:image/png;base64,iVBORw0KGgo=" width="1"></image></g></svg>
"""


def svg(inside: str, attributes: str = "") -> bytes:
    return f"<svg {NAMES} {attributes}>{inside}</svg>".encode()


def test_a_drawing_stays_as_it_is() -> None:
    assert sanitised(DRAWING.encode()).decode() == DRAWING


def test_declaration_doctype_comment_and_metadata_go() -> None:
    doctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    rdf = '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/></metadata>'
    source = f'<?xml version="1.0"?>{doctype}<!-- c --><svg {NAMES}>{rdf}<?x y?><path d="M0"/></svg>'
    assert sanitised(source.encode()) == f'<svg {NAMES}><path d="M0"></path></svg>\n'.encode()


@pytest.mark.parametrize(
    "inside",
    [
        "<script>alert(1)</script>",
        "<script xlink:href='https://example.org/x.js'/>",
        "<foreignObject><p xmlns='http://www.w3.org/1999/xhtml' onclick='alert(1)'>alert(1)</p></foreignObject>",
        "<path onload='alert(1)' onclick='alert(1)'/>",
        "<use href='https://example.org/a.svg#alert(1)'/>",
        "<use xlink:href='javascript:alert(1)'/>",
        "<use href='&#106;avascript:alert(1)'/>",
        "<image href='https://example.org/alert(1).png'/>",
        "<image href='data:image/svg+xml;base64,alert(1)'/>",
        "<image href='data:text/html,alert(1)'/>",
        "<animate attributeName='href' values='javascript:alert(1)'/>",
        "<set attributeName='onload' to='alert(1)'/>",
        "<style>@import 'https://example.org/alert(1).css'</style>",
        "<style>path{fill:url(https://example.org/alert(1))}</style>",
        "<style>path{background:url( 'https://example.org/alert(1)')}</style>",
        "<style>path{fill:u\\72l(https://example.org/alert(1))}</style>",
        "<style><style></style>@import 'https://example.org/alert(1).css'</style>",
        "<style><![CDATA[@import 'alert(1)';]]></style>",
        "<path style='fill:url(https://example.org/alert(1))'/>",
        "<path fill='url(//example.org/alert(1))'/>",
        "<path style='behavior:url(#alert(1))'/>",
        "<path xml:base='https://example.org/alert(1)'/>",
        "<iframe src='javascript:alert(1)'/>",
        "<x:script xmlns:x='http://www.w3.org/1999/xhtml'>alert(1)</x:script>",
        "<handler type='application/ecmascript'>alert(1)</handler>",
    ],
)
def test_what_acts_is_left_out(inside: str) -> None:
    clean = sanitised(svg(inside, "onload='alert(1)'")).decode()
    assert "alert(1)" not in clean
    assert "example.org" not in clean
    assert "script" not in clean


def test_a_style_may_have_other_colours_for_a_dark_page_and_no_other_rule() -> None:
    dark = "<style>@media (prefers-color-scheme: dark) { path { fill: #fff } }</style>"
    assert dark in sanitised(svg(dark)).decode()
    for rule in ("@media print { }", "@media (prefers-color-scheme: dark) { } @import 'x'"):
        assert "@" not in sanitised(svg(f"<style>{rule}</style>")).decode()


def test_a_link_goes_and_what_it_holds_stays() -> None:
    clean = sanitised(svg("<a xlink:href='javascript:alert(1)'><text>here</text></a>"))
    assert clean == f"<svg {NAMES}><text>here</text></svg>\n".encode()


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (b"no xml", "no XML"),
        (b"", "no XML"),
        (b"<html/>", "root"),
        (b"<svg/>", "root"),
        (svg("<g>"), "no XML"),
        (b'<!DOCTYPE svg [<!ENTITY a "b">]>' + svg("&a;"), "declares the entity a"),
        (b'<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + svg("&a;"), "declares the entity a"),
        (b'<!DOCTYPE svg [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>' + svg(""), "declares the entity p"),
        (b'<!DOCTYPE svg SYSTEM "x.dtd">' + svg("&a;"), "unknown entity a"),
        (svg("<g>" * 300 + "</g>" * 300), "nested"),
        (b" " * (LARGEST + 1), "larger than 16 MiB"),
    ],
)
def test_a_file_that_is_no_plain_svg_is_refused_with_the_reason(source: bytes, why: str) -> None:
    with pytest.raises(SvgError, match=why):
        sanitised(source)


def test_an_entity_bomb_is_refused_at_once() -> None:
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    started = time.monotonic()
    with pytest.raises(SvgError):
        sanitised(f'<!DOCTYPE svg [<!ENTITY a0 "lol">{levels}]>'.encode() + svg("&a11;"))
    assert time.monotonic() - started < 1


PIECES = st.sampled_from(
    [
        "<g>",
        "</g>",
        "<style>",
        "</style>",
        "<a href='javascript:x'>",
        "</a>",
        "<path d='M0' onload='x'/>",
        "text",
        "&lt;",
        "<script>",
        "</script>",
        "<use href='#a' xlink:href='#b'/>",
        "<![CDATA[<script>]]>",
        "@import",
        "<x/>",
        "<!--c-->",
    ]
)


@given(st.lists(PIECES, max_size=12))
def test_what_comes_out_is_svg_and_stays_the_same_when_cleaned_again(pieces: list[str]) -> None:
    try:
        clean = sanitised(svg("".join(pieces)))
    except SvgError:
        return
    assert sanitised(clean) == clean
    names = {element.tag.rpartition("}")[2] for element in ET.fromstring(clean).iter()}
    assert names <= {"svg", "g", "style", "path", "use"}
