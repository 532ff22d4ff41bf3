"""Kind `figure`: an image that a run wrote, known by its content and never without words (spec 5.1, 5.2)."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from famulus_kernel.artefacts import svg
from famulus_kernel.artefacts.build import BuildContext, Built
from famulus_kernel.artefacts.characters import storable
from famulus_kernel.artefacts.view import Figure, View

if TYPE_CHECKING:
    from pathlib import Path

_MAGIC: Final = ((b"\x89PNG\r\n\x1a\n", ".png"), (b"\xff\xd8\xff", ".jpg"), (b"%PDF-", ".pdf"))
_KEYS: Final = frozenset({"path", "alt", "caption", "width"})
_WIDTH: Final = re.compile(r"[0-9]{1,5}(?:\.[0-9]{1,3})?(?:%|px|em|rem|ch|cm|mm|in|pt)")


class FigureBuilder:
    """`data` is `{path, alt, caption, width}`, `path` being the copy in the version."""

    kind = "figure"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from a mapping of `path` and `alt`, and perhaps `caption` and `width` (a CSS length).

        The file is copied, since whoever wrote it may write it again. What it is, is read from its first
        bytes: png, jpg, pdf, and else svg, of which only what draws is kept (`svg.sanitised`).
        """
        if not isinstance(payload, Mapping) or not isinstance(payload.get("path"), str):
            raise context.error("it needs the path: of an image")
        unknown = sorted(set(payload) - _KEYS)
        if unknown:
            raise context.error(f"{unknown[0]} is none of {', '.join(sorted(_KEYS))}")
        words = {
            key: storable(str(payload[key])).strip()
            for key in ("alt", "caption", "width")
            if payload.get(key)
        }
        if not words.get("alt"):
            raise context.error("it needs alt: what the image shows, in words")
        if "width" in words and not _WIDTH.fullmatch(words["width"]):
            raise context.error(f"width: is {words['width']}, but needs a length such as 80% or 12cm")
        name = _copied(payload["path"], context)
        figure = Figure(file=name, alt=words["alt"], caption=words.get("caption"), width=words.get("width"))
        data = {"path": name, "alt": figure.alt, "caption": figure.caption, "width": figure.width}
        return Built(data, View(parts=(figure,)), (name,))


def _copied(path: str, context: BuildContext) -> str:
    """Copy the image into the version and return its name there."""
    try:
        source = context.resolve(path)
        with source.open("rb") as file:
            start = file.read(16)
        suffix = next((suffix for magic, suffix in _MAGIC if start.startswith(magic)), ".svg")
        name, target = context.companion(suffix)
        if suffix == ".svg":
            target.write_bytes(svg.sanitised(_read(source)))
        else:
            shutil.copyfile(source, target)
    except svg.SvgError as error:
        raise context.error(f"{path} is no png, jpg, pdf or svg: {error}") from error
    except OSError as error:
        why = error.strerror or "it is not among the files of this block"
        raise context.error(f"{path} cannot be read ({why})") from error
    return name


def _read(source: Path) -> bytes:
    with source.open("rb") as file:
        return file.read(svg.LARGEST + 1)


BUILDER = FigureBuilder()
