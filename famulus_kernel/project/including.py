"""The notebooks that a notebook includes: their blocks stand on its page, though they are notebooks of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.errors import FamulusError
from famulus_kernel.project.blocks import read_text
from famulus_kernel.project.locate import is_notebook, notebook_files

if TYPE_CHECKING:
    from pathlib import Path


def files_of(root: Path, only: Path | None) -> list[Path]:
    """Return the files that may be notebooks of a project; `only` is the one of a project without famulus.yml."""
    return notebook_files(root) if only is None else [only, *included_notebooks(root, only)]


def included_notebooks(root: Path, file: Path) -> tuple[Path, ...]:
    """Return the notebooks that a page includes, and those that they include, each once.

    What cannot be read includes nothing here: whoever reads it as a notebook or a page says why.

    Parameters
    ----------
    root
        The project's folder; what lies outside is no notebook of it.
    file
        The page, absolute.
    """
    page = file.relative_to(root).as_posix()
    found: dict[Path, None] = {}
    waiting = [file]
    while waiting:
        for name in _includes(waiting.pop(), page):
            other = root / name
            if other not in found and other != file and is_notebook(name) and other.is_file():
                found[other] = None
                waiting.append(other)
    return tuple(found)


def _includes(file: Path, page: str) -> list[str]:
    from famulus_kernel.language.document import parse_document  # noqa: PLC0415 - not where nothing is included
    from famulus_kernel.language.includes import find_includes  # noqa: PLC0415 - the same

    try:
        text = read_text(file, file.name)
        if "include" not in text:
            return []
        return [one.name(page) for one in find_includes(parse_document(text, file.name))]
    except (FamulusError, OSError):
        return []
