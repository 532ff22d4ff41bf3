"""The pages beside this file, in every format: each place where a shortcode may stand, each option, each switch."""

from __future__ import annotations

import html
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from famulus_kernel.artefacts.view import Column, Figure, Table, View, literal
from famulus_kernel.render.pandoc import pandoc_command
from famulus_kernel.render.renderer import render_project

PAGES = Path(__file__).resolve().parent / "pages"
FORMATS = ("html", "pdf", "latex", "docx", "gfm", "revealjs", "epub")
PLACES = (
    "Kopf", "Punkt", "darunter", "Im Kasten", "Im Reiter", "Fußnote", "Unterschrift", "Spalte", "Erklärung", "Zitat",
    "Verweis", "betont", "Auf der Folie",
)  # fmt: skip


def shown(project: Any, name: str, form: str) -> str:
    """Return what a reader sees of a page: pandoc reads the format again, or the file is freed of its marks."""
    project.page((PAGES / f"{name}.fam").read_text(encoding="utf-8"))
    if form == "pdf" and shutil.which("pdftotext") is None:
        pytest.skip("pdftotext (poppler) is not installed")
    result = render_project(project.root, to=form, pdf_engine="typst" if form == "pdf" else "")
    assert [str(problem) for problem in result.problems] == []
    page = result.pages[0]
    if form == "pdf":
        text = _output(["pdftotext", str(page), "-"])
    elif form == "revealjs":
        text = re.sub(r"<(script|style).*?</\1>", " ", page.read_text(encoding="utf-8"), flags=re.DOTALL)
        text = html.unescape(re.sub(r"<[^>]*>", " ", re.sub(r"</?(?:span|em|strong|a|code)\b[^>]*>", "", text)))
    elif form == "latex":
        text = page.read_text(encoding="utf-8").partition(r"\begin{document}")[2]
        for written, meant in (("~", " "), (r"\%", "%"), ("``", "\u201c"), ("''", '"')):
            text = text.replace(written, meant)
        text = re.sub(r"\\[A-Za-z]+\*?|[{}]", "", text)
    else:
        text = _output([str(pandoc_command()), str(page), "--from", form, "--to", "plain", "--wrap", "none"])
    return " ".join(text.replace("\xa0", " ").split())


def _output(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


@pytest.fixture
def measures(project: Any, png: bytes) -> Any:
    """A project whose block, columns and options have letters beyond ASCII."""
    columns = (
        Column(key="Straße", label=literal("Straße")),
        Column(key="Größe", label=literal("Größe"), type="DOUBLE", align="right"),
        Column(key="übrig", label=literal("übrig")),
    )
    rows = (("Gasse", 1.5, "x"), ("Weg", 1234.25, "y"), ("Allee", 99.0, "z"))
    view = View(title=literal("Maße"), caption="alle", parts=(Table(columns=columns, rows=rows, total=3),))
    data = {"rows": [{"Straße": row[0], "Größe": row[1]} for row in rows], "Anteil": 0.257}
    figure = View(parts=(Figure(file="artefacts/punkt.png", alt="ein Punkt", caption="Ein Punkt"),))
    credit = {"provenance": {"credits": [{"source": "Maßbuch", "licence": "CC0"}]}, "answer": "Drei."}
    project.block("maße", {"liste": (data, view), "punkt": ({}, figure)}, files={"punkt.png": png}, report=credit)
    return project


@pytest.mark.parametrize("form", FORMATS)
def test_a_shortcode_works_in_every_place(roster: Any, png: bytes, form: str) -> None:
    (roster.root / "punkt.png").write_bytes(png)
    text = shown(roster, "places", form)
    assert [place for place in PLACES if f"{place} 1.234" not in re.sub(r"[*_\[\]]", "", text)] == []
    assert "Titel 1.234" in text or form != "gfm"  # elsewhere a title is metadata, and not in what pandoc reads back
    # As a whole in the list, the callout, the tab and the column; within a cell and a note its name stands.
    assert text.count("Celtis") == 4
    assert text.count("Briefpartner") >= 4
    assert text.count("famulus partner roster") == 2 or form == "latex"  # which has marks between these letters
    assert "value=" not in text


@pytest.mark.parametrize("form", FORMATS)
def test_every_option_holds_whatever_letters_it_has(measures: Any, form: str) -> None:
    text = shown(measures, "options", form)
    assert "Länge = 2 · Breite, „gemessen“" in text
    assert 'said "so"' in text.replace("\u201c", '"').replace("\u201d", '"')
    first = text[: text.index("of 3 rows")]
    assert re.search(r"1,234\.25\D+99", first[first.rindex("Straße") :])
    assert "übrig" not in first[first.rindex("Straße") :]
    assert "One 1.50, a share 25.7%, plain 1.5;" in text
    assert "A share of 25.7% in all" in re.sub(r"[*_]", "", text)
    assert text.count("passed") >= 3
    assert text.count("Maßbuch") == 1
    if form not in ("latex", "docx"):
        assert "See Table 1, Table 2 and Figure 1" in re.sub(r"[\[\]]", "", text)


@pytest.mark.parametrize("form", FORMATS)
def test_a_bare_false_is_no_absent_key(roster: Any, form: str) -> None:
    roster.stale("partner")
    text = shown(roster, "switches", form)
    assert "Pirckheimer-Briefwechsel" not in text
    assert "veraltet" not in text
    assert "Alle Partner" not in text
    assert "Briefpartner" not in text
    assert "Wert 25,0 % und 1.234." in text
    roster.root.joinpath("index.fam").unlink()
    marked = roster.root / "index.fam"
    marked.write_text("---\nlang: de\n---\n\n{{< famulus partner roster >}}\n", encoding="utf-8")
    result = render_project(roster.root, to="gfm")
    assert "veraltet seit 1. Oktober 2026" in result.pages[0].read_text(encoding="utf-8")

