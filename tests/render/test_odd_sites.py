"""A site as no handbook has it: names that addresses read otherwise, files that are missing, broken or yet to come."""

from __future__ import annotations

import html
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from famulus_kernel.errors import RenderError
from famulus_kernel.render.files import copy_matching, copy_needed
from famulus_kernel.render.navigation import Navigator, named_files, page_named, quoted
from famulus_kernel.render.pages import find_pages, read_page
from famulus_kernel.render.renderer import RenderResult, render_project
from famulus_kernel.render.site import read_site

FILES = {
    "famulus.yml": "\ufeffid: odd\r\n",
    "_quarto.yml": """\ufeffproject: {type: website}
website:
  title: Seltsam
  favicon: zeichen.ico
  sidebar: {contents: auto}
  navbar: {left: ["Teil 1/Über & über.fam", "a#b.fam", "50%25.fam", {text: Daten, href: daten.csv}, weg.fam]}
  page-footer: "![Siegel](siegel.png) [Teil](<Teil 1/Über & über.fam>) [Fern](https://a.example)"
""",
    "index.fam": """\ufeff---\r
title: Anfang\r
---\r
\r
[1](<Teil 1/Über & über.fam>) [2](Teil%201/%C3%9Cber%20%26%20%C3%BCber.fam#x) [3](a%23b.fam?y=1#z) [4](50%25.fam)\r
[5](//elsewhere/a.fam) <a href="50%25.fam">6</a> [7](fehlt.fam)\r
\r
{{< include _später.md >}}\r
""",
    "Teil 1/Über & über.fam": "# Über\n\n[1](/a%23b.fam) [2](../index.fam)\n\nBild: ![b](/siegel.png)\n",
    "a#b.fam": "\ufeff# Nummer {#z}\n\nErste\rzweite Zeile.\n",
    "50%.fam": '---\ntitle: "Hälf\\0te"\n---\n',
    "tief.fam": "---\ntitle: Tief\ntoc-depth: 99\n---\n\n# Eins\n",
    "zitat.fam": "---\ntitle: Zitat\nbibliography: weg.bib\n---\n\nSiehe [@a].\n",
    "mild.fam": "---\ntitle: Mild\nfamulus: {on-error: warn}\n---\n\n{{< include _weg.md >}}\n",
    "kette.fam": "# Kette\n\n{{< include _latein.md >}}\n\n{{< include _yaml.md >}}\n\n{{< include kette.fam >}}\n",
    "_latein.md": "ä".encode("latin-1"),
    "_yaml.md": "---\n[\n---\n",
    "doppelt.fam": "---\ntitle: a\ntitle: b\n---\n",
    "zeichen.ico": "x",
    "siegel.png": "x",
    "daten.csv": "a\n",
}
NOT_MADE = {"tief.fam", "doppelt.fam"}


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> RenderResult:
    """The site, rendered once."""
    root = tmp_path_factory.mktemp("odd") / "werk"
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return render_project(root)


def page(rendered: RenderResult, name: str) -> str:
    """Return a page."""
    return (rendered.output_dir / name).read_text(encoding="utf-8")


def test_a_page_that_cannot_be_made_stops_no_other(rendered: RenderResult) -> None:
    made = {path.relative_to(rendered.output_dir).with_suffix(".fam").as_posix() for path in rendered.pages}
    assert made == {name for name in FILES if name.endswith(".fam")} - NOT_MADE


def test_every_problem_names_its_file_and_its_way(rendered: RenderResult) -> None:
    found = sorted(
        (problem.where.file or "", problem.where.line or 0, problem.exit_status) for problem in rendered.problems
    )
    assert found == [
        ("_latein.md", 0, 2),
        ("_quarto.yml", 0, 0),  # the navigation's weg.fam
        ("_yaml.md", 3, 2),
        ("doppelt.fam", 3, 2),
        ("index.fam", 0, 0),  # fehlt.fam
        ("index.fam", 8, 1),
        ("kette.fam", 7, 1),
        ("mild.fam", 6, 0),
        ("tief.fam", 0, 1),
        ("zitat.fam", 0, 1),
    ]


def test_every_link_leads_to_a_file_whatever_its_name(rendered: RenderResult) -> None:
    for made in rendered.pages:
        for address in re.findall(r'\s(?:href|src)="([^"]*)"', made.read_text(encoding="utf-8")):
            path = unquote(re.split("[#?]", html.unescape(address), maxsplit=1)[0])
            written = path.endswith("fehlt.fam") or path.startswith(("//", "https:"))
            unmade = path.endswith("tief.html")  # it is in the navigation, and will be there when it is mended
            assert not path or written or unmade or (made.parent / path).exists(), f"{made.name}: {address}"


def test_links_of_every_spelling_lead_to_pages(rendered: RenderResult) -> None:
    index, part = page(rendered, "index.html"), page(rendered, "Teil 1/Über & über.html")
    found = [html.unescape(one) for one in re.findall(r'<a\s+href="([^"]*)">\d</a>', index)]
    assert found == [
        "Teil%201/Über%20&%20über.html",
        "Teil%201/%C3%9Cber%20%26%20%C3%BCber.html#x",
        "a%23b.html?y=1#z",
        "50%25.html",
        "//elsewhere/a.fam",
        "50%25.html",
        "fehlt.fam",
    ]
    assert '<a href="../a%23b.html">1</a>' in part
    assert 'src="../siegel.png"' in part


def test_the_foot_leads_from_every_page_to_the_same_places(rendered: RenderResult) -> None:
    foot = page(rendered, "Teil 1/Über & über.html").partition("<footer")[2]
    assert re.findall(r'(?:href|src)="([^"]*)"', foot) == [
        "../siegel.png",
        "../Teil%201/Über%20&amp;%20über.html",
        "https://a.example",
    ]
    assert [(rendered.output_dir / name).read_text() for name in ("siegel.png", "zeichen.ico")] == ["x", "x"]


def test_marks_of_order_and_ends_of_line_are_no_text(rendered: RenderResult) -> None:
    assert "<title>Anfang · Seltsam</title>" in page(rendered, "index.html")
    assert "<title>Nummer · Seltsam</title>" in page(rendered, "a#b.html")
    assert "<title>Hälf te · Seltsam</title>" in page(rendered, "50%.html")
    assert re.search(r"Erste\s+zweite Zeile", page(rendered, "a#b.html"))
    assert "\ufeff" not in page(rendered, "index.html")


def test_the_search_leads_to_odd_names_too(rendered: RenderResult) -> None:
    index = (rendered.output_dir / "famulus" / "search-index.js").read_text(encoding="utf-8")
    assert '["a%23b.html","Nummer"' in index


def test_a_project_without_any_page_is_no_mistake(tmp_path: Path) -> None:
    result = render_project(tmp_path)
    assert (result.pages, result.problems) == ((), ())


@pytest.mark.parametrize("name", ["index.fam", "a\\0b"])
def test_a_place_that_can_hold_no_pages_is_told(tmp_path: Path, name: str) -> None:
    (tmp_path / "index.fam").write_text("# Text\n")
    (tmp_path / "_quarto.yml").write_text(f'project: {{output-dir: "{name}"}}\n')
    with pytest.raises(RenderError, match="no folder for pages"):
        render_project(tmp_path)


@pytest.mark.parametrize(
    ("href", "found"),
    [
        ("a#b.fam", ("a#b.fam", "")),
        ("./c d.fam#x", ("c d.fam", "#x")),
        ("/c%20d.fam?q", ("c d.fam", "?q")),
        ("weg.fam#x", (None, "#x")),
    ],
)
def test_an_entry_may_be_a_path_or_an_address(href: str, found: tuple[str | None, str]) -> None:
    assert page_named(href, {"a#b.fam", "c d.fam"}) == found


def test_an_address_keeps_letters_and_codes_what_it_would_read() -> None:
    assert quoted('Ü/a b#c?d%e:f&g".html') == "Ü/a%20b%23c%3Fd%25e%3Af%26g%22.html"


def test_a_file_with_blanks_may_be_in_the_navigation_and_a_missing_page_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "index.fam").write_text("# Text\n")
    (tmp_path / "_quarto.yml").write_text(
        "website: {navbar: {left: [{text: A, href: a b.pdf}, {text: B, href: b.fam}]}}\n"
    )
    site = read_site(tmp_path)
    pages = {name: read_page(tmp_path, name) for name in find_pages(site)}
    bar = Navigator(site, pages).of("index.fam").navbar_left
    assert [(link.text, link.href) for link in bar] == [("A", "a%20b.pdf"), ("B", None)]
    assert named_files(site, pages) == ["a b.pdf"]


def test_resources_of_the_project_only_are_copied_each_to_its_place(tmp_path: Path) -> None:
    root, output = tmp_path / "p", tmp_path / "p" / "_site"
    (root / "daten").mkdir(parents=True)
    (root / "daten" / "a.csv").write_text("a")
    (tmp_path / "b.csv").write_text("b")
    copy_matching(root, output, ["", "/", "//etc/hosts", "../*", "../p/daten/*", "/daten/", "!daten"])
    assert [path.relative_to(output).as_posix() for path in output.rglob("*") if path.is_file()] == ["daten/a.csv"]


def test_a_name_that_no_file_can_have_is_told_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "c.csv").write_text("c")
    problems = copy_needed(tmp_path, tmp_path / "_site", dict.fromkeys(["a" * 300, "b%00", "c.csv"], "index.fam"))
    assert [problem.where.file for problem in problems] == ["index.fam", "index.fam"]
    assert (tmp_path / "_site" / "c.csv").is_file()


def test_a_book_numbers_its_chapters_and_neither_parts_nor_what_is_unnumbered(tmp_path: Path) -> None:
    texts = {
        "index.fam": "# Vorwort\n",
        "wort.fam": "# Ein Wort {.unnumbered}\n",
        "teil.fam": "# Der Teil\n",
        "eins.fam": "# Eins\n",
        "zwei.fam": "---\ntitle: Zwei\n---\n\n## Punkt\n",
        "anhang/a.fam": "# Anhang\n",
        "fremd.fam": "# Kein Kapitel\n",
    }
    for name, text in texts.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    chapters = "[./index.fam, wort.fam, {part: teil.fam, chapters: [./eins.fam, zwei.fam]}, 'anhang/*.fam']"
    (tmp_path / "_quarto.yml").write_text(f"project: {{type: book}}\nbook: {{title: Buch, chapters: {chapters}}}\n")
    result = render_project(tmp_path)
    numbers = {}
    for path in result.pages:
        heading = re.search(r"<h1.*?</h1>", path.read_text(encoding="utf-8"), re.DOTALL)
        number = re.search(r'number">(\d)<', heading[0]) if heading else None
        numbers[path.stem] = number and number[1]
    assert numbers == {"index": None, "wort": None, "teil": None, "eins": "1", "zwei": "2", "a": None}
