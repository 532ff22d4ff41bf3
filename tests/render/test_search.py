"""The index that readers search the pages by."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.render.renderer import render_project
from famulus_kernel.render.search import Section, sections_of, write_index

if TYPE_CHECKING:
    from pathlib import Path


def read(path: Path) -> list[list[Any]]:
    """Return what a browser would read of the index."""
    text = path.read_text(encoding="utf-8")
    return json.loads(text.removeprefix("window.famulusSearchIndex = ").removesuffix(";\n"))


def test_a_page_is_searched_by_section_without_scripts_and_formulas() -> None:
    html = (
        '<p>Vor&shy;wort</p><h2 id="a">Eins <span class="number">1</span></h2><p>Ein <b>W</b>ort.</p>'
        '<script type="application/json">{"no": 1}</script><table><tr><td>12</td><td>34</td></tr></table>'
        '<h4>Tiefer</h4><math><mi>x</mi></math><h2 id="b">Leer</h2><h3>Ohne Anker</h3><p>z&lt;b&gt;<br>y</p>'
    )
    assert sections_of(html) == [
        Section("", "", "Vor\u00adwort"),
        Section("a", "Eins 1", "Ein Wort. 12 34 Tiefer"),
        Section("b", "Leer", ""),
        Section("", "Ohne Anker", "z<b> y"),
    ]


@given(st.text())
def test_any_text_is_read_without_complaint(html: str) -> None:
    for section in sections_of(html):
        assert section.heading or section.text


def test_a_long_section_is_cut() -> None:
    (section,) = sections_of(f"<p>{'Wort ' * 20_000}</p>")
    assert len(section.text) == 50_000


def test_pages_that_were_not_made_now_keep_their_place_and_others_go(tmp_path: Path) -> None:
    path = tmp_path / "index.js"
    write_index(path, [["a.html", "A", []], ["b.html", "B", []], ["weg.html", "W", []]])
    write_index(path, [["b.html", "Neu\u2028", [["", "", "\u2029"]]]], keep=["a.html", "b.html", "c.html"])
    assert read(path) == [["a.html", "A", []], ["b.html", "Neu ", [["", "", " "]]]]
    path.write_text("broken", encoding="utf-8")
    write_index(path, [], keep=["a.html"])
    assert read(path) == []


def test_a_site_is_found_by_its_titles_headings_and_values(roster: Any) -> None:
    roster.page(
        "---\ntitle: Eins\n---\n\n## Ein *Netz*\n\n{{< famulus partner report value=counts.n_letters >}} Briefe."
    )
    zwei = roster.page("---\ntitle: Zwei\n---\n\nText.\n", "teil/zwei.fam")
    site = render_project(roster.root).output_dir
    index = site / "famulus" / "search-index.js"
    pages = {page[0]: page for page in read(index)}
    assert list(pages) == ["index.html", "teil/zwei.html"]
    assert pages["index.html"][1] == "Eins"
    anchor, heading, text = pages["index.html"][2][0]
    assert (anchor, heading) == ("ein-netz", "Ein Netz")
    assert text.startswith("1,234 Briefe.")
    zwei.write_text("---\ntitle: Drei\n---\n", encoding="utf-8")
    render_project(roster.root, pages=[zwei])
    assert [page[1] for page in read(index)] == ["Eins", "Drei"]


def test_one_page_alone_has_nothing_to_search(roster: Any) -> None:
    roster.page("---\ntitle: Eins\n---\n\nText.\n")
    site = render_project(roster.root).output_dir
    assert "<dialog" not in (site / "index.html").read_text(encoding="utf-8")


def test_a_page_that_is_one_file_leaves_the_search_to_the_browser(roster: Any) -> None:
    roster.page("---\ntitle: Eins\nembed-resources: true\n---\n\nText.\n")
    roster.page("---\ntitle: Zwei\n---\n\nText.\n", "zwei.fam")
    site = render_project(roster.root).output_dir
    dialogs = ["<dialog" in (site / name).read_text(encoding="utf-8") for name in ("index.html", "zwei.html")]
    assert dialogs == [False, True]
