"""Every kind of artefact in every format: docs/kinds, played and rendered as its readers would."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
import zipfile
from pathlib import Path
from typing import Any

import pytest
from projects import REPOSITORY

from famulus_kernel.artefacts.build import builders
from famulus_kernel.errors import MissingExtra, RenderError, UnknownFormat
from famulus_kernel.render import formats
from famulus_kernel.render.formats import format_of
from famulus_kernel.render.renderer import RenderResult, render_project

WORDS = ("Willibald", "astrolabium", "Ptolemaeus", "supports", "stay in Basel", "pb-0049", "50 of 60 rows")
"""Something of every kind that can be read in it."""


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("kinds") / "kinds"
    shutil.copytree(REPOSITORY / "docs" / "kinds", root, ignore=shutil.ignore_patterns("_*"))
    subprocess.run([sys.executable, "-m", "famulus_kernel.cli", "run", str(root)], check=True, capture_output=True)
    return root


def made(kinds: Path, form: str, **options: Any) -> RenderResult:
    """Render the page of all kinds into a folder of its own."""
    name = "-".join([form, *map(str, options.values())])
    result = render_project(kinds, to=form, output_dir=kinds.parent / name, **options)
    assert [str(problem) for problem in result.problems] == []
    return result


def text_of(pdf: Path) -> str:
    """Return the words of a PDF, single blanks between them."""
    done = subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, check=True)
    return " ".join(done.stdout.decode().split())


needs_pdftotext = pytest.mark.skipif(shutil.which("pdftotext") is None, reason="pdftotext (poppler) is not installed")


def test_the_page_of_kinds_has_every_kind() -> None:
    page = (REPOSITORY / "docs" / "kinds" / "kinds.fam").read_text(encoding="utf-8")
    assert set(re.findall(r"kind: ([a-z0-9-]+)\}", page)) | {"report"} == set(builders())


@needs_pdftotext
def test_typst_makes_a_pdf_of_every_kind(kinds: Path) -> None:
    result = made(kinds, "pdf", pdf_engine="typst")
    text = text_of(result.pages[0])
    assert [word for word in WORDS if word not in text] == []
    assert "Table 1" not in text
    assert not list(result.output_dir.rglob("*.typ"))


@pytest.mark.skipif(shutil.which("lualatex") is None, reason="lualatex is not installed")
@needs_pdftotext
def test_latex_makes_a_pdf_of_every_kind(kinds: Path) -> None:
    text = text_of(made(kinds, "pdf", pdf_engine="lualatex").pages[0])
    assert [word for word in WORDS if word not in text] == []
    assert "Table 1" not in text


def test_the_source_of_latex_names_pictures_that_lie_beside_it_as_pdf(kinds: Path) -> None:
    result = made(kinds, "latex")
    source = result.pages[0].read_text(encoding="utf-8")
    named = re.findall(r"\{(famulus/pictures/[^}]*)\}", source)
    assert len(named) == 4
    assert all((result.output_dir / name).read_bytes().startswith(b"%PDF-") for name in named)
    assert ".svg" not in source


def test_a_docx_holds_pictures_that_every_reader_shows(kinds: Path) -> None:
    with zipfile.ZipFile(made(kinds, "docx").pages[0]) as parts:
        pictures = [name for name in parts.namelist() if name.startswith("word/media/")]
        assert [Path(name).suffix for name in pictures] == [".png"] * 4
        assert all(b"pHYs" in parts.read(name)[:80] for name in pictures)
        document = parts.read("word/document.xml").decode()
        assert all(word in re.sub(r"<[^>]+>", "", document) for word in WORDS)
        assert 'w:w="11906"' in document
        assert '<w:sz w:val="18" />' in parts.read("word/styles.xml").decode()


def test_slides_ask_for_nothing_that_is_not_beside_them(kinds: Path) -> None:
    result = made(kinds, "revealjs")
    slides = result.pages[0].read_text(encoding="utf-8")
    named = re.findall(r'<(?:link|script|img)[^>]*?\s(?:src|href)="([^"]+)"', slides)
    assert "famulus/reveal/dist/reveal.js" in named
    assert [name for name in named if not (result.output_dir / name).is_file()] == []
    sheets = [*(result.output_dir / "famulus" / "reveal").rglob("*.css"), result.output_dir / "famulus" / "famulus.css"]
    assert [sheet.name for sheet in sheets if re.search(r"@import|url\((?!['\"]?data:)", sheet.read_text())] == []


def test_an_ebook_is_sound_and_leads_to_no_file_outside(kinds: Path) -> None:
    with zipfile.ZipFile(made(kinds, "epub").pages[0]) as parts:
        pages = {name: parts.read(name).decode() for name in parts.namelist() if name.endswith(".xhtml")}
        styles = [parts.read(name).decode() for name in parts.namelist() if name.endswith(".css")]
    assert any(".famulus-view" in style for style in styles)
    for page in pages.values():
        ET.fromstring(page)
        assert re.findall(r'href="(famulus/[^"]*)"', page) == []
        assert "<script" not in page
    assert all(any(word in page for page in pages.values()) for word in WORDS)


def test_markdown_keeps_tables_and_pictures(kinds: Path) -> None:
    result = made(kinds, "gfm")
    page = result.pages[0].read_text(encoding="utf-8")
    assert all(word in page for word in WORDS)
    pictures = re.findall(r"!\[[^\]]+\]\((famulus/store/[^)]+)\)", page)
    assert len(pictures) == 4
    assert all((result.output_dir / name).is_file() for name in pictures)
    assert "<div" not in page
    assert "<table" not in page


def test_one_file_holds_all_of_its_page(kinds: Path) -> None:
    page = made(kinds, "html", embed=True).pages[0].read_text(encoding="utf-8")
    outside = re.findall(r'<(?:link rel="(?:stylesheet|icon)"|script|img)[^>]*?\s(?:src|href)="(?!data:)([^"]+)"', page)
    assert outside == []
    assert page.count("data:image/svg+xml;base64,") == 4
    assert 'download="letters.csv"' in page
    assert page.count("data:text/css;base64,") >= 2


def test_what_is_no_format_and_what_makes_no_pdf_is_told() -> None:
    with pytest.raises(UnknownFormat, match="pages are not written in this format") as unknown:
        format_of("pptx")
    assert unknown.value.exit_status == 2
    assert "docx" in unknown.value.hint
    with pytest.raises(RenderError, match="this format is not made by an engine"):
        format_of("docx", engine="typst")
    with pytest.raises(RenderError, match="no PDF is made by it") as caught:
        format_of("pdf", engine="wkhtmltopdf")
    assert "typst, lualatex" in caught.value.hint


def test_a_page_chooses_its_engine_and_the_command_line_overrules_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_at_hand", lambda engine: engine in ("typst", "xelatex"))
    assert format_of("pdf").for_page({}).engine == "typst"
    chosen = format_of("pdf").for_page({"pdf-engine": "xelatex"})
    assert (chosen.writer, chosen.options) == ("latex", ("--standalone", "--pdf-engine", "xelatex"))
    assert format_of("pdf", engine="typst").for_page({"pdf-engine": "xelatex"}).by_typst
    with pytest.raises(RenderError, match="it is not installed") as caught:
        format_of("pdf").for_page({"pdf-engine": "lualatex"})
    assert "famulus-kernel[render]" in caught.value.hint


def test_without_any_engine_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formats, "_at_hand", lambda engine: engine == "pdflatex")
    assert format_of("pdf").for_page({}).engine == "pdflatex"
    monkeypatch.setattr(formats, "_at_hand", lambda engine: False)
    with pytest.raises(MissingExtra, match="typst"):
        format_of("pdf").for_page({})
