"""Files that pages need: images and data beside them, and what `_quarto.yml` lists as resources."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING
from urllib.parse import unquote

from famulus_kernel.errors import FamulusError, RenderWarning, Where
from famulus_kernel.render.composing import ASSETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


def copy_needed(root: Path, output: Path, needed: Mapping[str, str]) -> list[FamulusError]:
    """Copy the files that pages name into the output, each to the place it has in the project.

    Parameters
    ----------
    root
        The project.
    output
        Where pages are.
    needed
        Addresses relative to the project, percent-encoded as in pages, each with a page that names it.

    Returns
    -------
    list of FamulusError
        A warning for each that is not there, or lies outside of the project (which no page may publish).
    """
    problems: list[FamulusError] = []
    for address, page in sorted(needed.items()):
        try:
            why = _copied(root, output, unquote(address))
        except (OSError, ValueError) as error:  # no name that a file could have, or one that may not be read
            why = f"the page names this file, but it cannot be copied ({getattr(error, 'strerror', '') or error})"
        if why:
            problems.append(RenderWarning.of(address, why, where=Where(page)))
    return problems


def _copied(root: Path, output: Path, name: str) -> str:
    """Copy a file to its place, and return why it is not there where it should be; "" for nothing."""
    source = (root / name).resolve()
    if not source.is_relative_to(root):
        return "it lies outside of the project and is not copied"
    place = source.relative_to(root)
    if source.is_relative_to(output) or place.parts[:1] == (ASSETS,):
        return ""
    if source.is_file():
        _copy(source, output / place)
    elif not source.is_dir() and not (output / place).exists():
        return "the page names this file, but it is not there"
    return ""


def copy_matching(root: Path, output: Path, patterns: Iterable[str]) -> None:
    """Copy the files and folders that the globs of `project.resources` match."""
    for pattern in patterns:
        if pattern.startswith("!"):
            continue
        inside = pattern.strip("/")
        if not inside or ".." in inside.split("/"):
            continue
        for path in sorted(root.glob(inside)):
            for source in [path] if path.is_file() else sorted(path.rglob("*")):
                if source.is_file() and not source.is_relative_to(output) and source.resolve().is_relative_to(root):
                    _copy(source, output / source.relative_to(root))


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
