"""What is read of `_quarto.yml`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from famulus_kernel.errors import YamlError
from famulus_kernel.render.site import Entry, Footer, read_site

if TYPE_CHECKING:
    from pathlib import Path

    from famulus_kernel.render.site import Site


def site_of(tmp_path: Path, text: str) -> Site:
    """Return the site of a `_quarto.yml`."""
    (tmp_path / "_quarto.yml").write_text(text, encoding="utf-8")
    return read_site(tmp_path)


def test_without_a_file_every_page_is_on_the_side(tmp_path: Path) -> None:
    site = read_site(tmp_path)
    assert (site.kind, site.output_dir, site.sidebars) == ("website", tmp_path / "_site", ((Entry(auto=""),),))


def test_an_output_folder_that_is_named_goes_before_the_one_in_the_file(tmp_path: Path) -> None:
    assert site_of(tmp_path, "project: {output-dir: docs}").output_dir == tmp_path / "docs"
    assert read_site(tmp_path, output_dir=tmp_path / "x").output_dir == tmp_path / "x"


def test_navbar_sidebar_and_footer_of_a_website(tmp_path: Path) -> None:
    site = site_of(
        tmp_path,
        """
project: {type: website, render: ["*.fam", "!alt.fam"], resources: data/*.csv}
website:
  title: Briefe
  favicon: f.svg
  page-navigation: true
  navbar:
    left: [index.fam, {text: Mehr, menu: [a.fam, {href: "https://x.example", text: X}]}]
    right: {href: b.fam, text: B}
  sidebar:
    contents: [index.fam, {section: Teil, contents: "teil/*.fam"}, {section: kap.qmd, contents: auto}, {text: "---"}]
  page-footer: {left: L, right: "[R](r.html)"}
lang: de
toc: false
format: {html: {theme: {light: cosmo, dark: darkly}, toc-depth: 2, css: x.css}}
execute: {echo: true}
""",
    )
    assert (site.title, site.kind, site.render, site.resources) == (
        "Briefe",
        "website",
        ("*.fam", "!alt.fam"),
        ("data/*.csv",),
    )
    assert site.navbar_left[1] == Entry(None, "Mehr", (Entry("a.fam"), Entry("https://x.example", "X")))
    assert site.navbar_right == (Entry("b.fam", "B"),)
    index, part, chapter, rule = site.sidebars[0]
    assert part == Entry(None, "Teil", (Entry(auto="teil/*.fam"),))
    assert chapter == Entry("kap.qmd", None, (Entry(auto=""),))
    assert (index.href, rule.text) == ("index.fam", "---")
    assert site.footer == Footer("L", "", "[R](r.html)")
    assert site.options == {"lang": "de", "toc": False, "toc-depth": 2}
    assert site.execute == {"echo": True}
    assert (site.page_navigation, site.favicon, site.themes) == (True, "f.svg", ("light", "dark"))


def test_a_book_has_its_chapters_on_the_side(tmp_path: Path) -> None:
    site = site_of(
        tmp_path,
        """
project: {type: book}
book:
  title: Werk
  author: [A, B]
  chapters: [index.qmd, {part: Teil I, chapters: [eins.fam, {file: zwei.fam, text: Zwei}]}]
  appendices: [anhang.fam]
""",
    )
    assert (site.kind, site.output_dir.name, site.options["author"]) == ("book", "_book", ["A", "B"])
    index, part, appendix = site.sidebars[0]
    assert part == Entry(None, "Teil I", (Entry("eins.fam"), Entry("zwei.fam", "Zwei")))
    assert (index.href, appendix.href) == ("index.qmd", "anhang.fam")


@pytest.mark.parametrize(
    ("theme", "expected"),
    [
        ("theme: cosmo", ("light",)),
        ("theme: [darkly, own.scss]", ("dark",)),
        ("toc: true", ("light", "dark")),
        ("theme: {light: cosmo}", ("light",)),
        ("theme: {dark: darkly, light: cosmo}", ("light", "dark")),
    ],
)
def test_the_theme_says_whether_there_is_light_and_dark(tmp_path: Path, theme: str, expected: tuple[str, ...]) -> None:
    assert site_of(tmp_path, f"format: {{html: {{{theme}}}}}").themes == expected


@pytest.mark.parametrize(
    "text", ["", "# nothing\n", "website:\n", "website: {sidebar: false}", "book: 3", "project: [a]"]
)
def test_a_file_that_says_little_or_odd_things_is_read(tmp_path: Path, text: str) -> None:
    assert site_of(tmp_path, text).output_dir.parent == tmp_path


def test_a_file_that_is_no_yaml_is_an_error_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(YamlError) as caught:
        site_of(tmp_path, "project: a\nwebsite: [b\n")
    assert caught.value.where.file == "_quarto.yml"
