"""What paper needs besides: numbers that hold, headings that stay with what they head, columns that can be read."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.artefacts.view import Column, Figure, Table, View, literal
from famulus_kernel.render import commanding
from famulus_kernel.render.pandoc import pandoc_command
from famulus_kernel.render.renderer import render_project

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = """---
title: Das Register
lang: de
toc: true
---

# Erstes

{{< famulus maße card >}}

{{< famulus maße liste title=false caption=false >}}

## Zweites

@tbl-eins, @fig-bild

{{< famulus maße liste label=tbl-eins >}}

{{< famulus maße bild label=fig-bild caption="Das Bild" >}}
"""


@pytest.fixture
def measures(project: Any, png: bytes) -> Any:
    """A project whose block has a table of short and long texts, and a picture with a table below it."""
    columns = tuple(Column(key=key, label=literal(key)) for key in ("Ort", "Brief", "Wortlaut"))
    rows = (("Nürnberg", "WPBw VII 1312", "Wort " * 40), ("Basel", "WPBw I 1", "Kurz."))
    table = Table(columns=columns, rows=rows, total=2)
    picture = Figure(file="artefacts/bild.png", alt="ein Bild", caption="Ohne Jahr: 2")
    artefacts = {"liste": ({}, View(title=literal("Liste"), parts=(table,)))}
    artefacts["bild"] = ({}, View(parts=(picture, table)))
    project.block("maße", artefacts, files={"bild.png": png}, report={"answer": "Zwei."})
    project.page(PAGE)
    return project


def source(project: Any, form: str) -> str:
    """Return a page as it is written for a format, without a problem."""
    result = render_project(project.root, to=form)
    assert [str(problem) for problem in result.problems] == []
    return str(result.pages[0].read_text(encoding="utf-8"))


def test_latex_is_told_each_number_and_the_language(measures: Any) -> None:
    written = source(measures, "latex")
    assert re.findall(r"\\setcounter\{(\w+)\}\{(\d)\}", written.partition("begin{document}")[2])[-2:] == [
        ("table", "0"),
        ("figure", "0"),
    ]
    assert "provide=*" in written
    assert written.count(r"\ifdefined\famulustable\else") == written.count(r"\famulustable{") == 4


def test_typst_keeps_headings_and_captions_with_what_they_head(measures: Any) -> None:
    written = source(measures, "typst")
    assert re.search(r"#block\(sticky: true\)\[\s*#strong\[Abgleich mit der Erwartung\]", written)
    assert written.count("block(sticky: true, it)") == 4
    assert not re.search(r"#block\[\s*\]", written)
    numbered = [found.start() for found in re.finditer(r'#set figure\(numbering: "1"\)', written)]
    assert written.rindex("<tbl-eins>") < numbered[-1] < written.rindex("<fig-bild>")


@pytest.mark.parametrize("form", ["html", "latex", "typst", "docx", "gfm"])
def test_the_caption_of_a_picture_stands_above_its_table(measures: Any, draw: Callable[..., Any], form: str) -> None:
    page = measures.page("---\nlang: de\n---\n\n{{< famulus maße bild label=fig-bild caption=Unterschrift >}}\n")
    written = page.parent / f"out.{form}"
    assert draw(page, form, options=("--output", str(written))).problems == []
    if form == "docx":
        with zipfile.ZipFile(written) as parts:
            text = parts.read("word/document.xml").decode()
    else:
        text = written.read_text(encoding="utf-8")
    assert text.index("Unterschrift") < text.index("Ohne Jahr") < text.index("Nürnberg")


def test_a_docx_has_the_entries_of_its_contents_and_rows_that_stay_whole(measures: Any) -> None:
    with zipfile.ZipFile(render_project(measures.root, to="docx").pages[0]) as parts:
        document, styles = (parts.read(f"word/{name}.xml").decode() for name in ("document", "styles"))
    before, _, _ = document.partition('<w:fldChar w:fldCharType="end"')
    assert re.findall(r'w:pStyle w:val="(TOC[^"]*)"', before) == ["TOCHeading", "TOC1", "TOC2"]
    assert re.sub(r"<[^>]+>", "", before).split() == [
        "Das", "Register", "Inhalt", "TOC", r"\o", '"1-3"', r"\h", r"\z", r"\uErstes", "Zweites",
    ]  # fmt: skip
    assert 'w:anchor="erstes"' in before
    assert "Table of Contents" not in document
    compact = styles.partition('w:styleId="Compact"')[2].partition("</w:style>")[0]
    assert "<w:keepLines" in compact
    heading = styles.partition('w:styleId="FamulusHeading"')[2].partition("</w:style>")[0]
    assert "<w:keepNext" in heading
    assert 'w:val="FamulusHeading"' in document


def test_a_short_text_stays_in_one_line_beside_a_long_one(measures: Any) -> None:
    written = source(measures, "typst")
    shares = [float(share) for share in re.findall(r"([\d.]+)%", re.findall(r"columns: \(([^)]*%)", written)[0])]
    assert shares[1] * 0.88 >= len("WPBw VII 1312")
    assert shares[2] > 50


@pytest.mark.skipif(shutil.which("fc-match") is None, reason="fontconfig is not installed")
@pytest.mark.parametrize(("words", "asked"), [("Ἐν ἀρχῇ ἦν ὁ λόγος", True), ("„Größe“ Łódź …", False)])
def test_lualatex_takes_letters_that_its_font_lacks_from_another(words: str, asked: bool) -> None:
    letters = Path(commanding.__file__).with_name("letters.lua")
    command = [str(pandoc_command()), "--standalone", "--to", "latex", "--lua-filter", str(letters)]
    environment = {**os.environ, "FAMULUS_PDF_ENGINE": "lualatex"}
    done = subprocess.run(command, input=words, capture_output=True, check=True, text=True, env=environment)
    fonts = re.findall(r'"\[([^"\]]+)\]:mode=harf"', done.stdout)
    assert bool(fonts) == ("lmroman10-bold" in done.stdout) == asked
    assert all(Path(font).is_file() for font in fonts)
