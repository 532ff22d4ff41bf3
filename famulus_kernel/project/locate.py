"""Find the project of a file, and the notebooks of a project (spec 2.1). Touches names only, opens no `.fam`."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from famulus_kernel.errors import ProjectError

if TYPE_CHECKING:
    from collections.abc import Iterator

PROJECT_FILE = "famulus.yml"
MADE_BY = "# Made by famulus-notebook qmd from {name}: change that file, not this one."
"""What the front matter of a `.qmd` says that is a `.fam` notebook in the form that Quarto before 1.9 reads."""
_NOTEBOOK_SUFFIXES = (".fam", ".qmd")
_FOREIGN_FOLDERS = frozenset({"node_modules", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Located:
    """A project's folder; `notebook` is set where the project is one lone file or the caller named one."""

    root: Path
    notebook: Path | None
    lone: bool


def locate(path: Path) -> Located:
    """Return the project that `path` (a folder or a notebook) belongs to.

    The root is the nearest ancestor with famulus.yml. A notebook without one is a project of one; a folder without
    one is a project with defaults.

    Raises
    ------
    ProjectError
        When `path` is neither a folder nor a notebook.
    """
    path = Path(os.path.abspath(path))  # noqa: PTH100 - keeps symlinks: the user's names stay the user's
    if path.name == PROJECT_FILE and path.is_file():
        path = path.parent
    if path.is_dir():
        return Located(_nearest_root(path) or path, None, lone=False)
    if path.suffix in _NOTEBOOK_SUFFIXES and path.is_file():
        path = made_of(path) or path
        root = _nearest_root(path.parent)
        return Located(root or path.parent, path, lone=root is None)
    raise ProjectError.no_project(path)


def made_of(file: Path) -> Path | None:
    """Return the `.fam` notebook that a `.qmd` was made of; None where somebody wrote the file himself."""
    source = file.with_suffix(".fam")
    if file.suffix != ".qmd" or not source.is_file():
        return None
    return source if MADE_BY.format(name=source.name).encode() in file.read_bytes() else None


def _nearest_root(folder: Path) -> Path | None:
    return next((place for place in (folder, *folder.parents) if (place / PROJECT_FILE).is_file()), None)


def notebook_files(root: Path) -> list[Path]:
    """Return the `.fam` and `.qmd` files below `root` in the order of their paths.

    Folders that start with `_` or `.` hold output, not sources (Quarto's rule), and a folder with a famulus.yml of its
    own is another project. A file whose name starts with `_` has no page of its own, because others include it; its
    blocks are blocks like all.
    """
    return sorted(_walk(root, is_root=True))


def is_notebook(name: str) -> bool:
    """Say whether a file of a project (its path, relative and posix) would be among its :func:`notebook_files`."""
    path = PurePosixPath(name)
    hidden = any(part.startswith(("_", ".")) or part in _FOREIGN_FOLDERS for part in path.parts[:-1])
    return path.name.endswith(_NOTEBOOK_SUFFIXES) and not hidden and not path.name.startswith(".")


def has_own_block(file: Path) -> bool:
    """Say whether there is a block in a `.qmd` that was not made of a `.fam`: else it is Quarto's alone."""
    return b"{famulus" in file.read_bytes() and made_of(file) is None


def _walk(folder: Path, *, is_root: bool) -> Iterator[Path]:
    with os.scandir(folder) as scan:
        entries = list(scan)
    if not is_root and any(entry.name == PROJECT_FILE for entry in entries):
        return
    for entry in entries:
        if entry.name.startswith(".") or entry.name in _FOREIGN_FOLDERS:
            continue
        if entry.is_dir(follow_symlinks=False):
            if not entry.name.startswith("_"):
                yield from _walk(Path(entry.path), is_root=False)
        elif entry.name.endswith(_NOTEBOOK_SUFFIXES) and entry.is_file():
            yield Path(entry.path)


def default_notebook_id(root: Path, file: Path) -> str:
    """Return the id of a notebook that names none: its path without suffix, `/` written as `.` (spec 1.1).

    The `_` before the name of a file that others include is no part of it: identifiers begin with a letter or digit.
    """
    *folders, name = file.relative_to(root).with_suffix("").parts
    return ".".join([*folders, name.lstrip("_") or name])
