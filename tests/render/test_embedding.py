"""One file that holds all of its page: what is put into it, and what stays where it is."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import pytest

from famulus_kernel.render.embedding import LARGEST_TABLE, embed_resources

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def site(tmp_path: Path) -> Path:
    root = tmp_path / "site"
    (root / "kap").mkdir(parents=True)
    (root / "a b.png").write_bytes(b"PNG")
    (root / "look.css").write_text("p { background: url('a%20b.png') } q { background: url(https://a.example/x.png) }")
    (root / "run.js").write_text("1")
    (root / "rows.csv").write_text("a\n")
    (root / "large.csv").write_bytes(b"x" * (LARGEST_TABLE + 1))
    (tmp_path / "secret.png").write_bytes(b"secret")
    return root


def embedded(site: Path, html: str, name: str = "index.html") -> str:
    page = site / name
    page.write_text(html, encoding="utf-8")
    embed_resources(page, site)
    return page.read_text(encoding="utf-8")


def data(kind: str, content: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def test_pictures_and_scripts_become_data(site: Path) -> None:
    assert embedded(site, '<img alt="x > y" src="a%20b.png">') == f'<img alt="x > y" src="{data("image/png", b"PNG")}">'
    assert embedded(site, "<script src='run.js' defer></script>") == (
        f'<script src="{data("text/javascript", b"1")}" defer></script>'
    )
    slide = embedded(site, '<img data-src="a%20b.png">')
    assert slide == f'<img data-src="{data("image/png", b"PNG")}">'
    assert data("image/png", b"PNG") in embedded(site, '<img src="../a%20b.png">', "kap/eins.html")


def test_a_style_sheet_brings_its_pictures(site: Path) -> None:
    page = embedded(site, '<link rel="stylesheet" href="look.css">')
    sheet = base64.b64decode(page.partition("base64,")[2].partition('"')[0]).decode()
    assert data("image/png", b"PNG") in sheet
    assert "url(https://a.example/x.png)" in sheet


def test_a_table_is_offered_under_its_name_and_a_large_one_stays_a_file(site: Path) -> None:
    page = embedded(site, '<a href="rows.csv" download="">CSV</a> <a href="large.csv" download="">CSV</a>')
    assert f'<a href="{data("text/csv", b"a" + bytes([10]))}" download="rows.csv"' in page
    assert '<a href="large.csv" download="">' in page


@pytest.mark.parametrize(
    "html",
    [
        '<a href="kap/eins.html">Eins</a>',
        '<link rel="next" href="kap/eins.html">',
        '<img src="https://a.example/a.png">',
        '<img src="//a.example/a.png">',
        '<img src="../secret.png">',
        '<img src="/etc/passwd">',
        '<img src="nowhere.png">',
        '<script>const words = "<img src=\\"run.js\\">"</script>',
        '<!-- <img src="run.js"> -->',
        '<style>p::before { content: "<img src=run.js>" }</style>',
    ],
)
def test_what_lies_elsewhere_or_is_no_tag_stays_as_it_is(site: Path, html: str) -> None:
    assert embedded(site, html) == html
