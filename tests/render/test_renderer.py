"""The embedded renderer: a project's pages made with real pandoc (spec 7.4)."""

from __future__ import annotations

import re
import subprocess
import zipfile
from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.errors import MissingExtra, ProjectError, RenderError, RenderWarning
from famulus_kernel.render import pandoc as pandoc_module
from famulus_kernel.render.pandoc import check_version, pandoc_command, pandoc_version, run_pandoc
from famulus_kernel.render.renderer import RenderResult, render_project

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = (
    "```{famulus}\n---\nid: partner\nsubtask: correspondence-roster\nartefacts: [{name: roster, kind: table}]\n---\n"
    "Wer?\n```\n"
)


@pytest.fixture
def site(roster: Any, png: bytes) -> Any:
    """A project with navigation, two folders of pages, images and data."""
    roster.page(
        "---\ntitle: Die *Briefe*\nsubtitle: Probe\nauthor: [Anna Schmidt, {name: Bernd Müller}]\n"
        "date: 2026-09-22\n---\n\n"
        "Siehe [eins](kap/eins.qmd#mitte), @sec-mehr und @tbl-r.\n\n" + BLOCK + "\n## Mehr {#sec-mehr}\n\n"
        "{{< famulus partner roster label=tbl-r >}}\n\n![Ein Bild](bilder/ein%20bild.png)\n\n[Daten](daten.csv)\n"
    )
    roster.page(
        "---\ntitle: Eins\n---\n\n## Mitte\n\n[zurück](../index.fam), [Wurzel](/index.fam)\n\n"
        "![](../bilder/ein%20bild.png)\n",
        "kap/eins.qmd",
    )
    roster.page("# Zwei\n\n{{< famulus partner card >}}\n", "kap/zwei.md")
    (roster.root / "bilder").mkdir()
    (roster.root / "bilder" / "ein bild.png").write_bytes(png)
    (roster.root / "daten.csv").write_text("a\n")
    (roster.root / "extra").mkdir()
    (roster.root / "extra" / "x.txt").write_text("x")
    (roster.root / "_quarto.yml").write_text(
        "project: {type: website, resources: [extra]}\nlang: de\n"
        "website:\n  title: Briefe & Co\n  sidebar: {contents: [index.fam, kap/eins.qmd, kap/zwei.md]}\n"
        "  page-footer: {right: '[CC BY](https://a.example)'}\n"
    )
    return roster


def read(result: RenderResult, name: str) -> str:
    """Return a page that was written."""
    return (result.output_dir / name).read_text(encoding="utf-8")


def test_a_site_is_written_with_everything_that_its_pages_need(site: Any) -> None:
    done: list[tuple[int, int, str]] = []
    result = render_project(site.root, on_progress=lambda *what: done.append(what))
    assert result.problems == ()
    assert [path.relative_to(result.output_dir).as_posix() for path in result.pages] == [
        "index.html",
        "kap/eins.html",
        "kap/zwei.html",
    ]
    assert done[-1] == (3, 3, "kap/zwei.md")
    written = {
        path.relative_to(result.output_dir).as_posix() for path in result.output_dir.rglob("*") if path.is_file()
    }
    assert written >= {
        "bilder/ein bild.png",
        "daten.csv",
        "extra/x.txt",
        "famulus/page.css",
        "famulus/famulus.css",
        "famulus/theme.js",
        "famulus/page.js",
        "famulus/store/partner/v0001/roster.parquet",
    }
    index = read(result, "index.html")
    assert '<html lang="de">' in index
    assert "<title>Die Briefe · Briefe &amp; Co</title>" in index
    assert "<h1>Die <em>Briefe</em></h1>" in index
    assert '<p class="subtitle">Probe</p>' in index
    assert "Anna Schmidt, Bernd Müller · 22. September 2026" in index
    assert '<a href="kap/eins.html#mitte">eins</a>' in index
    assert '<a href="#sec-mehr">Mehr</a>' in index
    assert '<a href="#tbl-r">Tabelle\xa01</a>' in index
    assert 'id="famulus-partner" class="famulus-cell"' in index
    assert 'href="famulus/store/partner/v0001/roster.parquet"' in index
    assert '<a href="https://a.example">CC BY</a>' in index
    assert "subtask" not in index


def test_every_address_of_a_page_leads_to_a_file(site: Any) -> None:
    result = render_project(site.root)
    for page in result.pages:
        for address in re.findall(r'(?:href|src)="([^"]+)"', page.read_text(encoding="utf-8")):
            path = address.partition("#")[0].replace("%20", " ")
            if path and ":" not in path:
                assert (page.parent / path).is_file(), f"{page.name}: {address}"


def test_navigation_neighbours_and_contents(site: Any) -> None:
    eins = read(render_project(site.root), "kap/eins.html")
    assert '<a href="eins.html" aria-current="page">Eins</a>' in eins
    assert '<a class="previous" rel="prev" href="../index.html"><span>Zurück</span> Die Briefe</a>' in eins
    assert '<a class="next" rel="next" href="zwei.html">' in eins
    assert "Auf dieser Seite" in eins
    assert '<a href="#mitte"' in eins
    assert eins.count('href="../index.html"') >= 4
    assert '<link rel="stylesheet" href="../famulus/page.css">' in eins


def test_a_page_carries_no_script_or_style_of_its_own_and_nothing_from_elsewhere(site: Any) -> None:
    index = read(render_project(site.root), "index.html")
    # What scripts read is data, which no policy takes for a script.
    assert set(re.findall(r"<script(?! src=\"famulus/)[^>]*>", index)) == {
        '<script type="application/json" class="famulus-table-words">'
    }
    assert "<style" not in index
    assert " style=" not in index
    assert re.findall(r'(?:src|<link[^>]* href)="https?:', index) == []


def test_a_problem_names_file_and_line_wherever_it_stands(site: Any) -> None:
    site.page(
        "---\ntitle: T {{< famulus weg a value=x >}}\n---\n\n# K {{< famulus weg b >}}\n\n"
        + BLOCK.replace("id: partner", "id: nie")
        + "\n| a |\n|---|\n| {{< famulus weg c >}} |\n\n{{< include _i.md >}}\n\n"
        + "@tbl-nix {{< kbd X >}}\n\n![](nix.png)\n",
        "p.fam",
    )
    site.page("x\n\n<<< famulus weg d >>>\n", "_i.md")
    result = render_project(site.root, pages=[site.root / "p.fam"])
    found = [(problem.where.file, problem.where.line, problem.exit_status) for problem in result.problems]
    assert found == [
        ("_i.md", 3, 1),
        ("p.fam", 2, 1),
        ("p.fam", 5, 1),
        ("p.fam", 7, 1),
        ("p.fam", 18, 1),
        ("p.fam", 22, 1),
        ("p.fam", 22, 0),
        ("p.fam", None, 0),
    ]
    assert str(result.problems[2]).startswith("p.fam:5, block weg: {{< famulus weg b >}}: No block weg in the store.")
    assert isinstance(result.problems[-1], RenderWarning)
    assert "nix.png" in str(result.problems[-1])
    assert [path.name for path in result.pages] == ["p.html"]
    assert read(result, "p.html").count("famulus-box") >= 5


def test_on_error_warn_lets_a_page_pass(site: Any) -> None:
    site.page("---\nfamulus: {on-error: warn}\n---\n\n{{< famulus weg a >}}\n", "p.fam")
    result = render_project(site.root, pages=[site.root / "p.fam"])
    assert [problem.exit_status for problem in result.problems] == [0]


def test_a_page_that_cannot_be_read_is_a_problem_and_the_others_are_written(site: Any) -> None:
    site.page("---\ntitle: [\n---\n", "kap/zwei.md")
    result = render_project(site.root)
    assert [path.name for path in result.pages] == ["index.html", "eins.html"]
    assert [problem.where.file for problem in result.problems] == ["kap/zwei.md"]
    assert result.problems[0].exit_status == 2


def test_what_lies_outside_of_the_project_is_not_published(site: Any) -> None:
    (site.root.parent / "geheim.txt").write_text("geheim")
    site.page("[x](../geheim.txt) [y](/etc/passwd) <img src='../geheim.txt'>\n", "p.fam")
    result = render_project(site.root, pages=[site.root / "p.fam"])
    assert not list(result.output_dir.rglob("geheim*"))
    assert "outside of the project" in str(result.problems[0])
    with pytest.raises(RenderError, match="outside"):
        render_project(site.root, pages=[site.root.parent / "geheim.txt"])


def test_two_pages_of_one_stem_stop_the_render(site: Any) -> None:
    site.page("x", "index.qmd")
    with pytest.raises(RenderError, match=r"index\.fam and index\.qmd"):
        render_project(site.root)


def test_what_authors_use_of_quarto_is_drawn(site: Any) -> None:
    site.page(
        "---\ntitle: T\nwert: 5\ntoc: false\n---\n\n"
        "::: {.callout-warning title='Achtung'}\nText {{< meta wert >}} {{< meta fehlt >}}\n:::\n\n"
        "::: {.callout-note collapse=true}\n## Merke\nzu\n:::\n\n"
        "::: {.panel-tabset}\n## A\neins\n\n## B\nzwei\n:::\n\n"
        "::: {.content-visible when-format=docx}\nnur docx\n:::\n\n"
        "::: {.content-hidden when-format=html}\nnicht html\n:::\n\n"
        "```{.python code-fold=true}\nx = 1\n```\n\n{{< pagebreak >}}\n\n$a^2$ und Fuß[^1].\n\n[^1]: Note.\n",
        "p.fam",
    )
    result = render_project(site.root, pages=[site.root / "p.fam"])
    page = read(result, "p.html")
    assert re.search(r'class="callout callout-warning" role="note">\s*<p class="callout-title">\s*Achtung', page)
    assert "Text <span>5</span>" in page
    assert '<details><summary class="callout-title">\nMerke' in page
    assert page.count('<div class="tab">') == 2
    assert "nur docx" not in page
    assert "nicht html" not in page
    assert '<details class="code-fold">' in page
    assert '<div class="page-break">' in page
    assert "<math" in page
    assert 'class="footnotes' in page
    assert '<nav class="toc"' not in page
    assert [str(problem) for problem in result.problems] == [
        "p.fam:8: {{< meta fehlt >}}: the page has no metadata fehlt"
    ]
    gfm = render_project(site.root, pages=[site.root / "p.fam"], to="gfm")
    text = (gfm.output_dir / "p.md").read_text(encoding="utf-8")
    assert text.startswith("# T\n")
    assert "> **Achtung**" in text
    assert "nicht html" in text


def test_a_book_numbers_its_chapters(project: Any) -> None:
    project.page("---\ntitle: Vorwort\n---\n", "index.qmd")
    project.page("---\ntitle: Eins\n---\n\n## Teil\n", "eins.fam")
    project.page("# Zwei\n\n## Teil\n", "zwei.fam")
    (project.root / "_quarto.yml").write_text(
        "project: {type: book}\nbook: {title: Werk, chapters: [index.qmd, eins.fam, zwei.fam, drei.fam]}\n"
    )
    result = render_project(project.root)
    assert '<h1><span class="number">1</span> Eins</h1>' in read(result, "eins.html")
    assert '<span class="header-section-number">1.1</span> Teil' in read(result, "eins.html")
    assert '<span class="header-section-number">2</span> Zwei' in read(result, "zwei.html")
    assert result.output_dir.name == "_book"
    assert ["drei.fam" in str(problem) and problem.exit_status for problem in result.problems] == [1]


def test_without_any_configuration_pages_are_listed_on_the_side(project: Any) -> None:
    project.page("eins", "index.fam")
    project.page("---\ntitle: Zwei\n---\n", "b.fam")
    page = read(render_project(project.root), "index.html")
    assert '<a href="b.html">Zwei</a>' in page
    assert '<p class="site-title"><a href="index.html">briefe</a></p>' in page
    assert '<html lang="en">' in page


@pytest.mark.parametrize("to", ["docx", "typst", "gfm"])
def test_other_formats_hold_the_same_text_and_images(site: Any, to: str) -> None:
    result = render_project(site.root, to=to)
    assert result.problems == ()
    suffix = {"docx": ".docx", "typst": ".typ", "gfm": ".md"}[to]
    assert [path.suffix for path in result.pages] == [suffix] * 3
    reader = {"docx": "docx", "typst": "typst", "gfm": "gfm"}[to]
    source = result.pages[0].read_bytes()
    if to == "typst":  # pandoc looks a rule's function up when it is used, and finds another one by then
        source = source.replace(b"#let align(_, body) = body", b"")
    command = [str(pandoc_command()), "--from", reader, "--to", "plain", "--wrap", "none"]
    text = subprocess.run(command, input=source, capture_output=True, check=True).stdout.decode()
    for words in ("Es sind 75 Partner.", "3 von 12.345 Zeilen", "1.234", "Tabelle"):
        assert words in text
    if to == "docx":
        with zipfile.ZipFile(result.pages[0]) as archive:
            assert [name for name in archive.namelist() if name.endswith(".png")]
    else:
        assert (result.output_dir / "bilder" / "ein bild.png").is_file()
        assert f"kap/eins{suffix}" in result.pages[0].read_text(encoding="utf-8")


def test_citations_are_resolved_where_a_bibliography_is_named(site: Any) -> None:
    (site.root / "lit.bib").write_text("@book{reicke, author={Reicke, Emil}, title={Briefwechsel}, year={1940}}\n")
    config = site.root / "_quarto.yml"
    config.write_text(config.read_text() + "bibliography: lit.bib\n")
    site.page("---\ntitle: T\n---\n\nSiehe [@reicke] und @tbl-nix.\n", "kap/eins.qmd")
    result = render_project(site.root, pages=[site.root / "kap" / "eins.qmd"])
    page = read(result, "kap/eins.html")
    assert "(Reicke 1940)" in page
    assert 'class="references' in page
    assert len(result.problems) == 1


def test_a_format_that_nobody_writes_is_named(site: Any) -> None:
    with pytest.raises(RenderError, match="powerpoint") as caught:
        render_project(site.root, to="powerpoint")
    assert "docx" in caught.value.hint


def test_a_configuration_that_is_no_yaml_stops_the_render(site: Any) -> None:
    (site.root / "_quarto.yml").write_text("website: [\n")
    with pytest.raises(ProjectError):
        render_project(site.root)


def test_a_pandoc_that_is_too_old_is_refused(site: Any, tmp_path: Path) -> None:
    broken = tmp_path / "pandoc"
    broken.write_text("#!/bin/sh\necho 'pandoc 2.19.2'\n")
    broken.chmod(0o755)
    with pytest.raises(RenderError, match="too old"):
        render_project(site.root, pandoc=broken)


def test_pandoc_is_the_named_one_the_packaged_one_or_the_one_on_path(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert pandoc_version(pandoc_command()).startswith("3.")
    check_version(pandoc_command())
    monkeypatch.setenv("FAMULUS_PANDOC", str(tmp_path / "weg"))
    assert pandoc_command() == tmp_path / "weg"
    with pytest.raises(RenderError, match="weg"):
        run_pandoc(pandoc_command(), ["--version"], cwd=tmp_path)
    monkeypatch.delenv("FAMULUS_PANDOC")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(pandoc_module, "_packaged", lambda: None)
    with pytest.raises(MissingExtra):
        pandoc_command()


def test_pandoc_says_in_its_own_words_what_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(RenderError, match="nosuchformat"):
        run_pandoc(pandoc_command(), ["--to", "nosuchformat"], cwd=tmp_path, text="x")


def test_a_line_that_begins_with_a_cross_reference_is_no_list(tmp_path: Path) -> None:
    (tmp_path / "famulus.yml").write_text("id: probe\n")
    (tmp_path / "a.qmd").write_text("Numbers stand in\n@tbl-years.\n\n| n |\n|---|\n| 1 |\n\n: Years {#tbl-years}\n")
    result = render_project(tmp_path)
    page = result.pages[0].read_text(encoding="utf-8")
    assert "<ol" not in page
    assert "tbl-years" in page
