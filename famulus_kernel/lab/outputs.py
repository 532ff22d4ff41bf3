"""What cells showed when they were run, taken from the store: a `.fam` file holds no outputs (spec 7.2)."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from nbformat.v4 import new_output

from famulus_kernel.errors import FamulusError
from famulus_kernel.language.block import guess_id

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from nbformat import NotebookNode

    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project
    from famulus_kernel.project.staleness import BlockStatus
    from famulus_kernel.store.store import StoredVersion

MOST_CHARACTERS = 20_000_000
"""What the outputs of one notebook may have together: a browser that opens it draws them all."""

_log = logging.getLogger(__name__)


def restore_outputs(notebook: NotebookNode, file: Path) -> None:
    """Put below each cell what its block's newest version looks like, marked where it is stale.

    A project that cannot be read leaves the cells as they are: the notebook opens all the same.

    Parameters
    ----------
    notebook
        Made from `file`; its cells get outputs.
    file
        The `.fam` or `.qmd` file.
    """
    cells: dict[str, dict[str, Any]] = {}
    for cell in notebook["cells"]:
        name = guess_id(cell["source"]) if cell["cell_type"] == "code" else None
        if name:
            cells.setdefault(name, cell)
    if not cells:
        return
    left = MOST_CHARACTERS
    try:
        for name, bundle in _bundles(file, cells):
            size = sum(len(str(part)) for part in bundle.values())
            left -= size
            data = bundle if left >= 0 else {"text/plain": f"{name}: run the cell to see its answer"}
            cells[name]["outputs"] = [new_output("display_data", data)]
    except (FamulusError, OSError) as error:
        _log.warning("outputs of %s are not shown: %s", file, error)


def _bundles(file: Path, names: Mapping[str, object]) -> list[tuple[str, dict[str, Any]]]:
    """Return the MIME bundle of each of the named blocks of a notebook that has a version.

    Raises
    ------
    FamulusError
        When the project cannot be read.
    """
    from famulus_kernel.project.project import Project  # noqa: PLC0415 - only where there are cells
    from famulus_kernel.project.staleness import project_status  # noqa: PLC0415

    project = Project.open(file)
    wanted = [name for name, block in project.blocks.items() if name in names and block.file.samefile(file)]
    found = []
    for status in project_status(project, wanted):
        try:
            bundle = _bundle(project, status, file)
        except Exception as error:  # whatever a store holds, the notebook opens, and one version is no other's trouble
            _log.warning("the output of %s is not shown: %s", status.block, error)
            continue
        if bundle:
            found.append((status.block, bundle))
    project.remember()  # the panel asks at once, and again after each cell
    return found


def _bundle(project: Project, status: BlockStatus, file: Path) -> dict[str, Any]:
    from famulus_kernel.adapter.bundle import bundle_of  # noqa: PLC0415 - loads all that draws
    from famulus_kernel.adapter.showing import output_in_cell, shown_version  # noqa: PLC0415

    block = project.blocks[status.block]
    version = project.store.newest(project.folder_of(block)) if status.version else _of_other_name(project, block)
    if version is None:
        return {}
    shown = shown_version(project, block, version, _stale_since(project, status), output_in_cell(block))
    return bundle_of(shown, file.parent) if shown.card is not None or shown.envelopes else {}


def _of_other_name(project: Project, block: Block) -> StoredVersion | None:
    """Return what the block answered before its notebook was renamed, as pages show it."""
    from famulus_kernel.store.index import read_index  # noqa: PLC0415
    from famulus_kernel.store.reading import inside  # noqa: PLC0415

    index = read_index(project.store)
    entry = index.blocks.get(block.id) if index else None
    return project.store.newest(inside(project.root, entry.folder)) if entry else None


def _stale_since(project: Project, status: BlockStatus) -> str | None:
    from famulus_kernel.artefacts.envelope import utc_now  # noqa: PLC0415
    from famulus_kernel.store.status_file import read_status  # noqa: PLC0415

    if status.state != "stale" and status.version:
        return None
    told = read_status(project.store)
    known = told.blocks.get(status.block) if told else None
    return known.since if known and known.state == "stale" else utc_now()
