"""What slides, e-books and documents look like.

Slides have reveal.js beside them, so that nothing is fetched; a docx has the styles of pandoc's own, with tables in
smaller letters on A4.
"""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import RenderError
from famulus_kernel.render.composing import ASSETS, TEMPLATES
from famulus_kernel.render.pandoc import run_pandoc
from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.render.formats import Format

REVEAL: Final = Path(__file__).resolve().parent / "reveal"
"""reveal.js as its authors publish it, and a theme of our own."""
THEME: Final = "famulus"
_REFERENCE: Final = "reference.docx"
_TABLE_STYLE: Final = 'w:styleId="Table">'
_SMALL: Final = '<w:rPr><w:sz w:val="18" /><w:szCs w:val="18" /></w:rPr>'
_LINES: Final = (
    '<w:tblBorders><w:bottom w:val="single" w:sz="4" /><w:insideH w:val="single" w:sz="2" w:color="CFC8BC" />'
    "</w:tblBorders>"
)
_CELLS: Final = 'w:styleId="Compact">'
_KEPT: Final = "<w:keepLines />"
"""Cells are paragraphs of the style Compact: a row is not parted."""
_STYLES: Final = (
    '<w:style w:type="paragraph" w:customStyle="1" w:styleId="FamulusHeading"><w:name w:val="Famulus Heading" />'
    '<w:basedOn w:val="BodyText" /><w:pPr><w:keepNext /></w:pPr></w:style>'
    + "".join(
        f'<w:style w:type="paragraph" w:styleId="TOC{level}"><w:name w:val="toc {level}" /><w:basedOn w:val="Normal" />'
        '<w:pPr><w:tabs><w:tab w:val="right" w:leader="dot" w:pos="9072" /></w:tabs><w:spacing w:after="40" />'
        f'<w:ind w:left="{240 * (level - 1)}" /></w:pPr></w:style>'
        for level in range(1, 7)
    )
)
"""What heads something stays with it; entries of a table of contents."""
_SHEET: Final = (
    '<w:pgSz w:w="11906" w:h="16838" /><w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417"'
    ' w:header="708" w:footer="708" w:gutter="0" />'
)


def style_arguments(form: Format, data: Mapping[str, Any], beside: str, folder: Path) -> list[str]:
    """Return what pandoc is told about the look of a page.

    Parameters
    ----------
    form
        Its format.
    data
        What page and site say of it: `theme` and `revealjs-url` are an author's own.
    beside
        Address of the shared folder from the page, with a slash at its end.
    folder
        Where `prepare_styles` put what pages are made with.

    Raises
    ------
    RenderError
        The page wants a theme that we do not bring, and does not say where reveal.js lies.
    """
    if form.name == "epub":
        return [f"--css={TEMPLATES / 'epub.css'}", f"--css={extension_dir() / 'famulus.css'}"]
    if form.name == "docx" and not data.get("reference-doc"):
        return [f"--reference-doc={folder / _REFERENCE}"]
    if form.writer == "latex" and not data.get("babeloptions"):
        # The words and hyphens of a language without the files that were written for it by hand.
        return ["--variable=babeloptions=provide=*"]
    if form.name != "revealjs":
        return []
    arguments = [f"--css={beside}famulus.css", f"--reference-location={data.get('reference-location') or 'section'}"]
    if data.get("revealjs-url"):
        return arguments
    theme = data.get("theme") if isinstance(data.get("theme"), str) else THEME
    if theme != THEME and not (REVEAL / "dist" / "theme" / f"{theme}.css").is_file():
        raise RenderError.of(
            f"theme: {theme}",
            "slides have one theme here, famulus",
            "take theme: away, or name a folder with reveal.js in revealjs-url:",
        )
    return [*arguments, f"--variable=revealjs-url={beside}reveal", f"--variable=theme={theme}"]


def prepare_styles(form: Format, output: Path, folder: Path, pandoc: Path) -> None:
    """Put what slides need beside them, and into `folder` what documents are made with."""
    if form.name == "revealjs":
        shutil.copytree(REVEAL, output / ASSETS / "reveal", dirs_exist_ok=True)
        shutil.copyfile(extension_dir() / "famulus.css", output / ASSETS / "famulus.css")
    elif form.name == "docx":
        own = folder / "pandoc.docx"
        own.write_bytes(run_pandoc(pandoc, ["--print-default-data-file", _REFERENCE], cwd=folder).output)
        _restyle(own, folder / _REFERENCE)


def _restyle(source: Path, target: Path) -> None:
    """Write pandoc's reference document with our tables and paper. What is not there to be changed stays as it is."""
    with zipfile.ZipFile(source) as given, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as written:
        for part in given.infolist():
            content = given.read(part)
            if part.filename == "word/styles.xml":
                before, style, after = content.decode().partition(_TABLE_STYLE)
                after = after.replace("<w:tblPr>", f"{_SMALL}<w:tblPr>", 1)
                after = after.replace("<w:tblCellMar>", f"{_LINES}<w:tblCellMar>", 1)
                whole = f"{before}{style}{after}".replace("</w:styles>", f"{_STYLES}</w:styles>", 1)
                content = _kept_together(whole).encode()
            elif part.filename == "word/document.xml":
                content = content.decode().replace("</w:sectPr>", f"{_SHEET}</w:sectPr>", 1).encode()
            written.writestr(part, content)


def _kept_together(styles: str) -> str:
    before, style, after = styles.partition(_CELLS)
    return before + style + after.replace("<w:pPr>", f"<w:pPr>{_KEPT}", 1)
