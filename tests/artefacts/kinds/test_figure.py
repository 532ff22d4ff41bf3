from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from famulus_kernel.errors import ArtefactError, ForbiddenPath

if TYPE_CHECKING:
    from pathlib import Path

PNG, JPG, PDF = b"\x89PNG\r\n\x1a\n....", b"\xff\xd8\xff\xe0....", b"%PDF-1.7 ...."
SVG = b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><rect width="1"/></svg>'


@pytest.fixture
def drawn(build, tmp_path: Path):
    """Build a figure of some content under some name, resolved in a folder of its own."""
    source = tmp_path / "source"
    source.mkdir()

    def resolve(path: str) -> Path:
        if ".." in path:
            raise ForbiddenPath.of(path, "it lies outside")
        return source / path

    def make(content: bytes, name: str = "plan.bin", **payload: object):
        (source / name).write_bytes(content)
        return build("figure", {"path": name, "alt": "A plan", **payload}, resolve=resolve)

    return make


@pytest.mark.parametrize(("content", "suffix"), [(PNG, "png"), (JPG, "jpg"), (PDF, "pdf"), (SVG, "svg")])
def test_an_image_is_known_by_its_content_and_copied(drawn, tmp_path: Path, content: bytes, suffix: str) -> None:
    built = drawn(content, "misleading.gif", caption="Nuremberg", width="80%")
    file = f"artefacts/probe.{suffix}"
    assert built.data == {"path": file, "alt": "A plan", "caption": "Nuremberg", "width": "80%"}
    assert built.companions == (file,)
    (figure,) = built.view.parts
    assert (figure.file, figure.alt, figure.caption, figure.width) == (file, "A plan", "Nuremberg", "80%")
    if suffix != "svg":
        assert (tmp_path / file).read_bytes() == content


def test_an_image_that_is_written_again_does_not_change_the_version(drawn, tmp_path: Path) -> None:
    drawn(PNG)
    (tmp_path / "source/plan.bin").write_bytes(b"other")
    assert (tmp_path / "artefacts/probe.png").read_bytes() == PNG


def test_only_what_draws_of_an_svg_is_kept(drawn, tmp_path: Path) -> None:
    drawn(SVG)
    kept = (tmp_path / "artefacts/probe.svg").read_text()
    assert "<rect" in kept
    assert "alert" not in kept


@pytest.mark.parametrize(
    ("payload", "why"),
    [
        ("plan.png", "needs the path"),
        ({"alt": "x"}, "needs the path"),
        ({"path": 3, "alt": "x"}, "needs the path"),
        ({"path": "plan.png"}, "needs alt"),
        ({"path": "plan.png", "alt": "  "}, "needs alt"),
        ({"path": "plan.png", "alt": "x", "title": "y"}, "title is none of alt, caption, path, width"),
        ({"path": "plan.png", "alt": "x", "width": "1px;position:fixed"}, "needs a length"),
        ({"path": "plan.png", "alt": "x"}, "not among the files"),
    ],
)
def test_a_figure_without_words_or_file_is_refused_with_the_reason(build, payload: object, why: str) -> None:
    with pytest.raises(ArtefactError, match=why):
        build("figure", payload)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"GIF89a",
        b"<html><script>alert(1)</script></html>",
        b"MZ",
        b'<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg">&a;</svg>',
    ],
)
def test_a_file_that_is_no_image_is_refused_and_nothing_is_written(drawn, tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ArtefactError, match="is no png, jpg, pdf or svg"):
        drawn(content)
    assert not list(tmp_path.glob("artefacts/*"))


def test_a_path_outside_the_roots_keeps_the_resolvers_own_error(drawn) -> None:
    with pytest.raises(ForbiddenPath, match="outside"):
        drawn(PNG, path="../../etc/passwd")


def test_the_declared_file_cannot_be_the_image_itself(build, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(PNG)
    with pytest.raises(ArtefactError, match="declare another file"):
        build("figure", {"path": "a.png", "alt": "x"}, file="probe.png", resolve=lambda path: tmp_path / path)
