"""A page's text on its way to pandoc."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.errors import Where
from famulus_kernel.language.document import parse_document
from famulus_kernel.render.renderer import render_project
from famulus_kernel.render.source import STRIDE, Source, prepare

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = (
    "```{famulus}\n---\nid: zahl\nsubtask: correspondence-count\nartefacts: [{name: t, kind: table}]\n%s---\n"
    "Wie viele?\n```\n"
)


def prepared(root: Path, text: str, **options: Any) -> Source:
    """Return a page's text for pandoc."""
    return prepare(parse_document(text, "index.fam"), root, defaults=options.pop("defaults", {}), execute=options)


def test_a_shortcode_carries_its_line_and_no_angle_bracket(tmp_path: Path) -> None:
    source = prepared(
        tmp_path, "---\ntitle: T {{< famulus a b >}}\n---\n\nx <<< famulus c d value=n >>>, {{<famulus e f>}}\n"
    )
    assert source.text == (
        "---\ntitle: T \ue0fa famulus a b at=2 \ue0fb\n---\n\n"
        "x \ue0fc famulus c d value=n at=5 \ue0fd, \ue0fa famulus e f at=5 \ue0fb\n"
    )
    assert source.where("5") == Where("index.fam", 5)
    assert source.where(None) == Where("index.fam", None)


def test_code_comments_and_escaped_shortcodes_stay_as_they_are(tmp_path: Path) -> None:
    text = (
        "`{{< famulus a b >}}` {{{< famulus a b >}}}\n\n<!-- {{< famulus a b >}} -->\n\n~~~\n<<< famulus a b >>>\n~~~\n"
    )
    assert prepared(tmp_path, text).text == text


def test_a_block_becomes_its_cell_with_its_line(tmp_path: Path) -> None:
    source = prepared(tmp_path, "vor\n\n" + BLOCK % "" + "\nnach\n")
    assert "::: {.famulus-cell #famulus-zahl}" in source.text
    assert "\ue0fa famulus zahl card at=3 cell=true \ue0fb" in source.text
    assert "\ue0fa famulus zahl t at=3 cell=true \ue0fb" in source.text
    assert "```" not in source.text
    assert "correspondence-count" not in source.text


@pytest.mark.parametrize(
    ("output", "names"), [("card", ["card"]), ("artefacts", ["t"]), ("both", ["card", "t"]), ("none", [])]
)
def test_the_preamble_says_what_its_place_shows(tmp_path: Path, output: str, names: list[str]) -> None:
    source = prepared(tmp_path, BLOCK % f"output: {output}\n")
    assert [line.split()[3] for line in source.text.splitlines() if line.startswith("\ue0fa")] == names
    hidden = prepared(tmp_path, BLOCK.replace("---\nid", "#| output: false\n---\nid") % f"output: {output}\n")
    assert "\ue0fa" not in hidden.text


def test_the_project_says_what_a_block_does_not(tmp_path: Path) -> None:
    assert "famulus zahl t " not in prepared(tmp_path, BLOCK % "", defaults={"output": "card"}).text


def test_the_block_is_shown_only_when_it_is_asked_for(tmp_path: Path) -> None:
    assert "Wie viele?" not in prepared(tmp_path, BLOCK % "").text
    assert "Wie viele?" in prepared(tmp_path, BLOCK % "", echo=True).text
    assert "Wie viele?" in prepared(tmp_path, "---\nexecute: {echo: true}\n---\n\n" + BLOCK % "").text
    assert "Wie viele?" in prepared(tmp_path, BLOCK.replace("---\nid", "#| echo: true\n---\nid") % "").text


def test_a_block_that_cannot_be_read_is_a_box_and_a_problem_with_its_line(tmp_path: Path) -> None:
    source = prepared(tmp_path, "x\n\n" + BLOCK.replace("subtask", "subtsk") % "")
    assert ".famulus-box" in source.text
    (problem,) = source.problems
    assert (problem.where.file, problem.where.line) == ("index.fam", 6)


def test_included_files_are_put_in_with_lines_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "teil").mkdir()
    (tmp_path / "teil" / "_a.md").write_text(
        "---\nx: 1\n---\n\nA {{< famulus a b >}}\n\n{{< include teil/_b.md >}}\n", "utf-8"
    )
    (tmp_path / "teil" / "_b.md").write_text("B\n\n" + BLOCK % "", "utf-8")
    source = prepared(tmp_path, "{{< include teil/_a.md >}}\n\n{{< famulus c d >}}\n")
    assert source.files == ["index.fam", "teil/_a.md", "teil/_b.md"]
    assert f"A \ue0fa famulus a b at={STRIDE + 5} \ue0fb" in source.text
    assert f"famulus zahl card at={2 * STRIDE + 3} " in source.text
    assert "famulus c d at=3 " in source.text
    assert "x: 1" not in source.text
    assert source.where(STRIDE + 5) == Where("teil/_a.md", 5)
    assert source.where(str(2 * STRIDE + 3)) == Where("teil/_b.md", 3)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (".", "no such file"),
        ("weg.md", "no such file"),
        ("../geheim.md", "outside of the project"),
        ("index.fam", "includes itself"),
    ],
)
def test_a_file_that_cannot_be_included_is_a_problem_with_its_line(tmp_path: Path, path: str, why: str) -> None:
    root = tmp_path / "projekt"
    root.mkdir()
    (tmp_path / "geheim.md").write_text("geheim")
    source = prepared(root, f"x\n\n{{{{< include {path} >}}}}\n")
    (problem,) = source.problems
    assert why in problem.message
    assert problem.where == Where("index.fam", 3)
    assert "geheim\n" not in source.text


def test_a_block_in_a_list_stays_in_it(tmp_path: Path) -> None:
    indented = "".join(f"  {line}\n" for line in (BLOCK % "").splitlines())
    source = prepared(tmp_path, f"- Punkt\n\n{indented}\n- zwei\n")
    assert "\n  ::: {.famulus-cell #famulus-zahl}\n" in source.text


@pytest.mark.parametrize("end", [". Und", ") so", ".", ")"])
def test_a_reference_that_begins_a_line_breaks_no_paragraph(roster: Any, end: str) -> None:
    table = "{{< famulus partner roster label=tbl-a >}}"
    roster.page(f"---\ntitle: Eins\nlang: de\n---\n\n{table}\n\nDie Zahlen stehen in\n@tbl-a{end} weiter.\n")
    page = (render_project(roster.root).output_dir / "index.html").read_text(encoding="utf-8")
    assert f'Die Zahlen stehen in <a href="#tbl-a">Tabelle\u00a01</a>{end} weiter.</p>' in " ".join(page.split("\n"))
