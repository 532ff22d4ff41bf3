"""The same Lua in Quarto: what plain pandoc draws, Quarto draws too, and nothing in data runs."""

from __future__ import annotations

import re
import shutil
import subprocess
from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.artefacts.view import Column, Fact, Facts, Figure, Prose, Table, View, literal
from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from pathlib import Path

QUARTO = shutil.which("quarto")
HOSTILE = "{{< env HOME >}} <<< famulus partner roster >>> $x$ | @fig-1 [^1] <script>alert(1)</script> {.x onclick=y}"

pytestmark = [pytest.mark.quarto, pytest.mark.skipif(QUARTO is None, reason="needs a quarto command on PATH")]


def quarto(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Quarto in a project."""
    return subprocess.run([str(QUARTO), *arguments], cwd=root, capture_output=True, text=True, check=False)


def text_of(html: str) -> str:
    """Return the text of a page's body."""
    text = re.sub(r"<[^>]+>", "", html[html.index("<main") : html.index("</main>")])
    for entity, sign in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&nbsp;", "\xa0"), ("&amp;", "&")):
        text = text.replace(entity, sign)
    return " ".join(text.split())


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory, make_roster: Any, png: bytes) -> tuple[Path, str]:
    """A website that Quarto made, and what it said on stderr."""
    project = make_roster(tmp_path_factory.mktemp("quarto") / "projekt")
    columns = (
        Column(key="a", label=literal(HOSTILE)),
        Column(key="b", label=literal("b"), type="BIGINT", align="right"),
    )
    parts = (
        Prose(markdown=f"{HOSTILE}\n\n`{{{{< env HOME >}}}}`\n\n    {{{{< env HOME >}}}}\n"),
        Facts(items=(Fact(label=literal(HOSTILE), value=HOSTILE),)),
        Table(columns=columns, rows=((HOSTILE, 1),), total=1),
    )
    project.block("hostile", {"t": ({"v": HOSTILE}, View(title=literal(HOSTILE), caption=HOSTILE, parts=parts))})
    picture = View(parts=(Figure(file="artefacts/bild.png", alt="Ein Punkt", caption="Rot"),))
    project.block("bild", {"bild": ({}, picture)}, files={"bild.png": png})
    project.stale("partner")
    shutil.copytree(extension_dir(), project.root / "_extensions" / "famulus")
    (project.root / "_quarto.yml").write_text(
        "project: {type: website}\nlang: de\nfilters: [famulus]\nwebsite: {title: Briefe}\nengine: markdown\n"
    )
    value = "{{< famulus partner report value=counts.n_letters >}}"
    project.page(
        f"---\ntitle: T {value}\n---\n\n## Kopf {value}\n\n| a | b |\n|---|---|\n"
        "| {{< famulus partner roster >}} | <<< famulus partner report value=counts.share format='.0%' >>> |\n\n"
        "::: {.callout-note}\n{{< famulus partner card >}}\n:::\n\n`{{< famulus partner roster >}}` bleibt[^1].\n\n"
        '<<< famulus partner roster caption="Die *Liste*" label=tbl-z >>>\n\n'
        "Siehe @tbl-z. {{< famulus weg roster >}}\n\n"
        f"[^1]: Note {value} und {{{{< famulus partner roster >}}}}.\n",
        "index.qmd",
    )
    project.page(
        "---\ntitle: Zwei\n---\n\n{{< famulus hostile t >}}\n\n<<< famulus hostile t >>>\n\n"
        "{{< famulus bild bild label=fig-b >}}\n\n"
        "@fig-b, [Daten]({{< famulus partner roster >}}), x {{< famulus hostile t value=v >}}\n\n"
        "{{< famulus partner roster >}}\n",
        "kap/zwei.qmd",
    )
    done = quarto(project.root, "render")
    assert "Output created" in done.stderr, done.stderr
    return project.root / "_site", done.stderr


def test_shortcodes_are_drawn_where_they_stand(rendered: tuple[Path, str]) -> None:
    html = (rendered[0] / "index.html").read_text(encoding="utf-8")
    text = text_of(html)
    assert "Kopf 1.234" in text
    assert "25 %" in text
    assert "Tabelle 1: Die Liste" in text
    assert '<a href="#tbl-z" class="quarto-xref">Tabelle\xa01</a>' in html.replace("&nbsp;", "\xa0")
    assert "{{< famulus partner roster >}} bleibt" in text
    assert "Es sind 75 Partner." in text
    assert "veraltet seit 1. Oktober 2026" in text
    assert 'data-anchor-id="kopf"' in html
    assert "<title>T 1.234" in html
    cell = html[html.index("<td>") : html.index("</table>")]
    assert "famulus-view" not in cell
    assert "Note 1.234" in text
    assert text.count("CC BY 4.0") == 1
    (sheet,) = re.findall(r'<link href="([^"]*famulus\.css)"', html)
    assert (rendered[0] / sheet).is_file()


def test_a_problem_is_a_box_and_a_line_on_stderr_with_its_place(rendered: tuple[Path, str]) -> None:
    site, said = rendered
    assert "Kein Block weg im Speicher" in text_of((site / "index.html").read_text(encoding="utf-8"))
    assert "index.qmd:19: {{< famulus weg roster >}}: No block weg in the store." in said


def test_nothing_in_data_runs_and_all_of_it_is_shown(rendered: tuple[Path, str]) -> None:
    html = (rendered[0] / "kap" / "zwei.html").read_text(encoding="utf-8")
    text = text_of(html)
    assert text.count(HOSTILE) >= 11
    assert text.count("{{< env HOME >}}") >= 15
    main = html[html.index("<main") : html.index("</main>")]
    assert "<script>alert" not in main
    assert "onclick" not in re.sub(r">[^<]*<", "><", main)


def test_files_of_the_store_are_copied_and_reached_from_a_folder(rendered: tuple[Path, str]) -> None:
    page = rendered[0] / "kap" / "zwei.html"
    html = page.read_text(encoding="utf-8")
    addresses = re.findall(r'(?:src|href)="([^"]*_famulus[^"]*)"', html)
    assert {address.rpartition("/")[2] for address in addresses} == {"bild.png", "roster.parquet"}
    for address in addresses:
        assert (page.parent / address).is_file(), address


def test_other_formats_are_written_too(rendered: tuple[Path, str]) -> None:
    root = rendered[0].parent
    formats = "{gfm: default, docx: default, typst: default, revealjs: {output-file: folien.html}}"
    (root / "alle.qmd").write_text(
        f"---\ntitle: Alle\nformat: {formats}\n---\n\n{{{{< famulus hostile t >}}}}\n\n{{{{< famulus bild bild >}}}}\n"
    )
    done = quarto(root, "render", "alle.qmd", "--to", "all")
    assert done.returncode == 0, done.stderr
    assert "A defect in Famulus" not in done.stderr
    written = {path.suffix for path in rendered[0].glob("alle.*")} | {path.name for path in rendered[0].glob("folien*")}
    assert written == {".md", ".docx", ".pdf", "folien.html"}
