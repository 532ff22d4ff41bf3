"""Files that pages need: images and data beside them, and what `_quarto.yml` lists as resources."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING
from urllib.parse import unquote

from famulus_kernel.errors import FamulusError, RenderWarning
from famulus_kernel.render.composing import ASSETS

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


def copy_needed(root: Path, output: Path, needed: Iterable[str]) -> list[FamulusError]:
    """Copy the files that pages name into the output, each to the place it has in the project.

    Parameters
    ----------
    root
        The project.
    output
        Where pages are.
    needed
        Addresses relative to the project, percent-encoded as in pages.

    Returns
    -------
    list of FamulusError
        A warning for each that is not there, or lies outside of the project (which no page may publish).
    """
    problems: list[FamulusError] = []
    for address in sorted(needed):
        source = (root / unquote(address)).resolve()
        if not source.is_relative_to(root):
            problems.append(RenderWarning.of(address, "it lies outside of the project and is not copied"))
            continue
        name = source.relative_to(root)
        if source.is_relative_to(output) or name.parts[:1] == (ASSETS,):
            continue
        if source.is_file():
            _copy(source, output / name)
        elif not source.is_dir() and not (output / name).exists():
            problems.append(RenderWarning.of(address, "a page names this file, but it is not there"))
    return problems


def copy_matching(root: Path, output: Path, patterns: Iterable[str]) -> None:
    """Copy the files and folders that the globs of `project.resources` match."""
    for pattern in patterns:
        if pattern.startswith("!"):
            continue
        for path in sorted(root.glob(pattern.removeprefix("/"))):
            for source in [path] if path.is_file() else sorted(path.rglob("*")):
                if source.is_file() and not source.is_relative_to(output) and source.resolve().is_relative_to(root):
                    _copy(source, output / source.relative_to(root))


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(source, target)
