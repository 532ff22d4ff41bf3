"""reveal.js beside slides is what npm has, to the byte; a theme that we do not bring is told."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from famulus_kernel.errors import RenderError
from famulus_kernel.render.formats import format_of
from famulus_kernel.render.styling import REVEAL, style_arguments

PINNED = json.loads((REVEAL / "vendor.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", PINNED["files"])
def test_a_file_is_the_pinned_one(name: str) -> None:
    assert hashlib.sha256((REVEAL / name).read_bytes()).hexdigest() == PINNED["files"][name]


def test_every_file_is_pinned_or_ours() -> None:
    found = {path.relative_to(REVEAL).as_posix() for path in REVEAL.rglob("*") if path.is_file()}
    assert found - set(PINNED["files"]) == {"LICENSE", "vendor.json", "dist/theme/famulus.css"}
    assert "Hakim El Hattab" in (REVEAL / "LICENSE").read_text(encoding="utf-8")


def test_a_theme_that_we_do_not_bring_is_told_and_an_own_reveal_js_is_taken() -> None:
    slides = format_of("revealjs")
    with pytest.raises(RenderError, match="slides have one theme here"):
        style_arguments(slides, {"theme": "moon"}, "famulus/", Path())
    own = style_arguments(slides, {"theme": "moon", "revealjs-url": "reveal"}, "famulus/", Path())
    assert own == ["--css=famulus/famulus.css", "--reference-location=section"]
    assert "--variable=theme=famulus" in style_arguments(slides, {"theme": ["moon"]}, "famulus/", Path())
