"""Which notebook a cell stands in (spec 7.1). The protocol does not say; the programs around it do, each in a way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import ProjectError
from famulus_kernel.project.locate import PROJECT_FILE, locate, made_of

if TYPE_CHECKING:
    from collections.abc import Mapping

METADATA_KEY = "famulus"
"""In the metadata of an execute_request, `{"famulus": {"file": "<path>.fam"}}` is how a client says what it knows."""


_OF_QUARTO = ("QUARTO_DOCUMENT_PATH", "QUARTO_DOCUMENT_FILE", "QUARTO_PROJECT_ROOT", "QUARTO_BIN_PATH")


def is_for_page(environ: Mapping[str, str]) -> bool:
    """Say whether Quarto started the kernel: what a cell shows is the page then, not a notebook on a screen."""
    return any(environ.get(name) for name in _OF_QUARTO)


def notebook_of(environ: Mapping[str, str], folder: Path, metadata: Mapping[str, Any] | None = None) -> Path | None:
    """Return the absolute path of the notebook that a cell belongs to, or None where nobody knows.

    In order: the request's own metadata; Quarto's QUARTO_DOCUMENT_PATH and _FILE; Jupyter's JPY_SESSION_NAME. A name
    of a file that is not there (any more: it was renamed while the kernel lived) counts for nothing.

    Parameters
    ----------
    environ
        The environment of the kernel.
    folder
        Its working folder, absolute.
    metadata
        The metadata of the request.
    """
    said = (metadata or {}).get(METADATA_KEY)
    names = [said.get("file")] if isinstance(said, dict) else []
    if quarto := environ.get("QUARTO_DOCUMENT_FILE"):
        names.append(str(Path(environ.get("QUARTO_DOCUMENT_PATH", ""), quarto)))
    names += [environ.get("QUARTO_DOCUMENT_PATH"), environ.get("JPY_SESSION_NAME")]
    for name in names:
        path = folder / name if isinstance(name, str) and name else None
        if path is not None and _is_file(path):
            return made_of(path) or path
    return None


def start_of(notebook: Path | None, environ: Mapping[str, str], folder: Path) -> Path:
    """Return the folder from which the project is looked for."""
    if notebook is not None:
        return notebook.parent
    root = environ.get("QUARTO_PROJECT_ROOT")
    if root and (folder / root).is_dir() and not folder.is_relative_to(folder / root):
        return folder / root
    return folder


def project_folder(environ: Mapping[str, str], folder: Path) -> Path | None:
    """Return the folder with the famulus.yml that holds where a kernel works; None where there is none."""
    try:
        root = locate(start_of(notebook_of(environ, folder), environ, folder)).root
    except ProjectError:
        return None
    return root if (root / PROJECT_FILE).is_file() else None


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a session's name may be no path at all
        return False
