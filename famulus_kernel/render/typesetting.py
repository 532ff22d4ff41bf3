"""Typst: PDF of pages, and other forms of pictures. The package that brings it, or the program on PATH."""

from __future__ import annotations

import importlib.util
import shutil
import struct
import subprocess
import tempfile
import zlib
from pathlib import Path
from typing import Any, Final, Literal

from famulus_kernel.errors import MissingExtra, RenderError

DOTS_PER_INCH: Final = 192
"""Of pictures made of dots: twice what a screen has."""

_SHEET: Final = '#set page(width: auto, height: auto, margin: 0pt, fill: none)\n#image("{name}")\n'
_PER_METRE: Final = round(DOTS_PER_INCH / 0.0254)


def typst_at_hand() -> bool:
    """Return whether typst can be had; the package is not loaded for it."""
    return importlib.util.find_spec("typst") is not None or shutil.which("typst") is not None


def make_pdf(source: Path, target: Path) -> None:
    """Make a PDF of a typst file, which can read what lies in its own folder and nothing else.

    Raises
    ------
    RenderError
        Typst does not understand the file.
    MissingExtra
        There is no typst.
    """
    _compile(source, target, "pdf")


def convert_picture(svg: Path, form: Literal["png", "pdf"]) -> Path:
    """Make another form of a picture, beside it.

    Raises
    ------
    RenderError
        It is no SVG that typst can draw.
    MissingExtra
        There is no typst.
    """
    target = svg.with_suffix(f".{form}")
    with tempfile.TemporaryDirectory(dir=svg.parent) as folder:
        shutil.copyfile(svg, Path(folder) / "picture.svg")
        sheet = Path(folder) / "sheet.typ"
        sheet.write_text(_SHEET.format(name="picture.svg"), encoding="utf-8")
        drawn = Path(folder) / target.name
        _compile(sheet, drawn, form)
        data = drawn.read_bytes()
    target.write_bytes(_with_resolution(data) if form == "png" else data)
    return target


def _compile(source: Path, target: Path, form: Literal["png", "pdf"]) -> None:
    if importlib.util.find_spec("typst") is not None:
        import typst  # noqa: PLC0415 - an extra, and large

        more: dict[str, Any] = {"ppi": float(DOTS_PER_INCH)} if form == "png" else {}
        try:
            typst.compile(str(source), output=str(target), root=str(source.parent), format=form, **more)
        except RuntimeError as error:
            raise RenderError.of(target.name, f"typst: {error}") from error
        return
    program = shutil.which("typst")
    if program is None:
        raise MissingExtra.of("typst", "render")
    command = [program, "compile", "--root", str(source.parent), "--format", form]
    command += ["--ppi", str(DOTS_PER_INCH)] if form == "png" else []
    done = subprocess.run(  # noqa: S603 - the program the user installed
        [*command, str(source), str(target)], capture_output=True, text=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise RenderError.of(target.name, f"typst: {done.stderr.strip()}")


def _with_resolution(png: bytes) -> bytes:
    """Return a PNG that says how large its dots are, so that a document shows it in the size of its source."""
    head = 8 + 25
    body = b"pHYs" + struct.pack(">IIB", _PER_METRE, _PER_METRE, 1)
    return png[:head] + struct.pack(">I", 9) + body + struct.pack(">I", zlib.crc32(body)) + png[head:]
