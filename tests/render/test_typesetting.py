"""Pictures and PDF by typst: in the size of their source, and with nothing read but what lies beside them."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

import pytest

from famulus_kernel.errors import RenderError
from famulus_kernel.render import typesetting
from famulus_kernel.render.pictures import convert
from famulus_kernel.render.typesetting import convert_picture, make_pdf

if TYPE_CHECKING:
    from pathlib import Path

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="48"><rect width="96" height="48"/></svg>'


@pytest.fixture
def svg(tmp_path: Path) -> Path:
    path = tmp_path / "picture.svg"
    path.write_text(SVG, encoding="utf-8")
    return path


def test_a_png_has_two_dots_for_one_and_says_how_large_they_are(svg: Path) -> None:
    png = convert_picture(svg, "png").read_bytes()
    assert struct.unpack(">II", png[16:24]) == (192, 96)
    at = png.index(b"pHYs") + 4
    assert struct.unpack(">IIB", png[at : at + 9]) == (7559, 7559, 1)
    assert sorted(path.name for path in svg.parent.iterdir()) == ["picture.png", "picture.svg"]


def test_a_pdf_of_a_picture_is_one(svg: Path) -> None:
    assert convert_picture(svg, "pdf").read_bytes().startswith(b"%PDF-")


def test_what_is_no_picture_is_told_and_stops_nothing(svg: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.svg"
    broken.write_text("<svg", encoding="utf-8")
    problems = convert("png", [str(broken), str(svg)])
    assert len(problems) == 1
    assert "broken.png" in problems[0]
    assert (tmp_path / "picture.png").is_file()
    assert convert("gif", [str(svg)]) == ["gif: no form of a picture"]


def test_a_file_outside_of_its_folder_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    inside = tmp_path / "inside"
    inside.mkdir()
    source = inside / "page.typ"
    for read in ('#read("../secret.txt")', '#read("/etc/passwd")', '#image("../secret.txt")'):
        source.write_text(read, encoding="utf-8")
        with pytest.raises(RenderError, match=r"page\.pdf"):
            make_pdf(source, tmp_path / "page.pdf")


def test_without_typst_the_extra_is_named(svg: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typesetting.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(typesetting.shutil, "which", lambda name: None)
    assert not typesetting.typst_at_hand()
    (problem,) = convert("png", [str(svg)])
    assert "pip install 'famulus-kernel[render]'" in problem
