"""Which pages there are, what they are called, and how they lead to one another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from famulus_kernel.errors import RenderError
from famulus_kernel.project.locate import MADE_BY
from famulus_kernel.render.navigation import Link, Navigator, dead_entries, relative
from famulus_kernel.render.pages import check_targets, find_pages, plain_title, read_page
from famulus_kernel.render.site import read_site

if TYPE_CHECKING:
    from pathlib import Path

    from famulus_kernel.render.pages import Page


def write(root: Path, **files: str) -> None:
    """Write files; `__` in a name is a slash, `_dot_` the point before a suffix."""
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def pages_of(root: Path) -> dict[str, Page]:
    """Return the pages of a site."""
    return {name: read_page(root, name) for name in find_pages(read_site(root))}


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with pages and with files that are none."""
    write(
        tmp_path,
        index_dot_fam="---\ntitle: Anfang\n---\n",
        README_dot_md="x",
        _teil_dot_fam="x",
        kap__eins_dot_qmd="# Die *erste* [Seite](x) {#sec-a}\n",
        kap__zwei_dot_md="ohne Titel\n",
        kap__index_dot_fam="---\ntitle: Kapitel\norder: 1\n---\n",
        daten_dot_csv="x",
    )
    for folder in ("_site", ".git", "node_modules", "anderes"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.fam").write_text("x")
    (tmp_path / "anderes" / "famulus.yml").write_text("id: anderes")
    return tmp_path


def test_pages_are_the_sources_that_are_no_output_and_no_part_of_another_project(site: Path) -> None:
    assert find_pages(read_site(site)) == ["index.fam", "kap/eins.qmd", "kap/index.fam", "kap/zwei.md"]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ('["*.fam"]', ["index.fam", "kap/index.fam"]),
        ('["*.fam", "!kap/"]', ["index.fam"]),
        ('["!*.md"]', ["index.fam", "kap/eins.qmd", "kap/index.fam"]),
        ("[kap]", ["kap/eins.qmd", "kap/index.fam", "kap/zwei.md"]),
        ('["/index.fam", "kap/**/*.md"]', ["index.fam", "kap/zwei.md"]),
    ],
)
def test_what_is_rendered_can_be_said(site: Path, rules: str, expected: list[str]) -> None:
    write(site, _quarto_dot_yml=f"project: {{render: {rules}}}")
    assert find_pages(read_site(site)) == expected


def test_a_title_is_plain_and_falls_back_to_heading_and_name(site: Path) -> None:
    pages = pages_of(site)
    assert [pages[name].title for name in pages] == ["Anfang", "Die erste Seite", "Kapitel", "zwei"]
    assert (
        plain_title("Es sind {{< famulus a b value=x >}} *Briefe* an <<< famulus a b >>> `x_y`")
        == "Es sind Briefe an x_y"
    )
    assert plain_title("snake_case_name 2*3*4") == "snake_case_name 2*3*4"


def test_two_pages_of_one_stem_are_an_error_that_names_both(tmp_path: Path) -> None:
    write(tmp_path, a_dot_fam="x", a_dot_qmd="x")
    with pytest.raises(RenderError) as caught:
        check_targets(list(pages_of(tmp_path).values()), ".html")
    assert "a.fam and a.qmd would both become a.html" in str(caught.value)


def test_a_qmd_that_was_made_of_a_notebook_is_no_second_page(tmp_path: Path) -> None:
    write(tmp_path, a_dot_fam="x", a_dot_qmd=f"---\n{MADE_BY.format(name='a.fam')}\n---\nx")
    assert list(pages_of(tmp_path)) == ["a.fam"]


def test_an_entry_that_names_no_page_is_found(site: Path) -> None:
    write(site, _quarto_dot_yml="website: {navbar: {left: [index.fam, weg.fam, 'https://a.example/x.md', daten.csv]}}")
    assert dead_entries(read_site(site), pages_of(site)) == ["weg.fam"]


def test_a_page_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match=r"weg\.fam.*no such page"):
        read_page(tmp_path, "weg.fam")


def links(found: tuple[Link, ...]) -> list[tuple[str, str | None]]:
    """Return texts and addresses, those of entries below after their head."""
    flat: list[tuple[str, str | None]] = []
    for link in found:
        flat += [(link.text, link.href), *links(link.children)]
    return flat


def test_the_side_lists_pages_by_folder_and_marks_this_one(site: Path) -> None:
    navigation = Navigator(read_site(site), pages_of(site)).of("kap/eins.qmd")
    assert links(navigation.sidebar) == [
        ("Anfang", "../index.html"),
        ("Kapitel", "index.html"),
        ("Die erste Seite", "eins.html"),
        ("zwei", "zwei.html"),
    ]
    assert navigation.sidebar[1].holds_current
    assert not navigation.sidebar[0].holds_current
    assert navigation.home == "../index.html"


def test_home_is_the_index_or_else_the_first_page(site: Path) -> None:
    (site / "index.fam").unlink()
    write(site, _quarto_dot_yml="website: {navbar: {left: [kap/zwei.md]}}")
    assert Navigator(read_site(site), pages_of(site)).of("kap/eins.qmd").home == "zwei.html"


def test_entries_lead_to_pages_files_and_the_web_and_to_nothing_bad(site: Path) -> None:
    write(
        site,
        _quarto_dot_yml="""
website:
  navbar:
    left: [index.fam, {href: kap/eins.qmd#sec-a, text: Stelle}, {href: daten.csv, text: Daten}, "https://a.example",
           {text: Menü, menu: [kap/zwei.md]}, {href: "javascript:alert(1)", text: Böse}]
""",
    )
    navigation = Navigator(read_site(site), pages_of(site)).of("kap/zwei.md")
    assert links(navigation.navbar_left) == [
        ("Anfang", "../index.html"),
        ("Stelle", "eins.html#sec-a"),
        ("Daten", "../daten.csv"),
        ("https://a.example", "https://a.example"),
        ("Menü", None),
        ("zwei", "zwei.html"),
        ("Böse", None),
    ]
    assert navigation.sidebar == ()


def test_neighbours_follow_the_written_order(site: Path) -> None:
    contents = "[kap/zwei.md, {section: S, contents: [index.fam]}, kap/eins.qmd]"
    write(site, _quarto_dot_yml=f"website: {{sidebar: {{contents: {contents}}}}}")
    navigator = Navigator(read_site(site), pages_of(site))
    middle = navigator.of("index.fam")
    assert (middle.previous, middle.following) == (
        Link("zwei", "kap/zwei.html"),
        Link("Die erste Seite", "kap/eins.html"),
    )
    assert navigator.of("kap/zwei.md").previous is None
    assert navigator.of("kap/index.fam").following is None
    quiet = Navigator(replace(read_site(site), page_navigation=False), pages_of(site)).of("index.fam")
    assert (quiet.previous, quiet.following) == (None, None)


def test_the_chapters_of_a_work_are_its_order(site: Path) -> None:
    write(site, index_dot_fam="---\ntitle: Werk\nfamulus: {chapters: [kap.zwei, kap/eins.qmd]}\n---\n")
    navigator = Navigator(read_site(site), pages_of(site))
    navigation = navigator.of("kap/zwei.md")
    assert [text for text, _ in links(navigation.sidebar)] == ["Werk", "zwei", "Die erste Seite", "Kapitel"]
    assert navigation.previous == Link("Werk", "../index.html")
    assert navigation.following == Link("Die erste Seite", "eins.html")


def test_addresses_are_relative_to_the_page() -> None:
    assert relative("index.fam", "famulus") == "famulus"
    assert relative("a/b/c.fam", "famulus") == "../../famulus"
    assert relative("a/b.fam", "a/x.html") == "x.html"
