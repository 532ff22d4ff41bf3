"""The project around a cell, kept between cells and read again only where the disk says that it changed."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from famulus_kernel.kernel.place import notebook_of, start_of
from famulus_kernel.language.parameters import GIVEN
from famulus_kernel.project.including import files_of
from famulus_kernel.project.locate import PROJECT_FILE, locate
from famulus_kernel.project.project import Project
from famulus_kernel.store.stamps import Stamp, stamp_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from typing import Any

    from famulus_kernel.project.blocks import Block

_NOTEBOOKS = (".fam", ".qmd")

Stamps = dict[str, Stamp]


@dataclass(frozen=True)
class _Kept:
    """A project as it was read, the stamps of the files it was read from, when, and the parameters that were given."""

    project: Project
    stamps: Stamps
    read_ns: int
    given: str | None

    def holds(self, stamps: Stamps, given: str | None) -> bool:
        """Say whether the files and the parameters are still those that were read."""
        same = stamps == self.stamps and given == self.given
        return same and all(stamp.was_settled(self.read_ns) for stamp in stamps.values())


@dataclass(frozen=True)
class _OpenCell:
    """A block that ran as a cell, and the stamp that its notebook had then."""

    block: Block
    stamp: Stamp | None


@dataclass(frozen=True)
class _Answered:
    """The cell that was read last, and what it was read as."""

    body: str
    notebook: Path | None
    disk: Project
    project: Project
    block: Block


@dataclass
class Workspace:
    """The notebook that the kernel works for, and its project.

    A cell that was run goes before what the disk says of its block until its notebook is written; then the disk holds.

    Parameters
    ----------
    environ
        The environment of the kernel, in which Jupyter and Quarto name the notebook.
    folder
        The kernel's working folder, absolute.
    """

    environ: Mapping[str, str]
    folder: Path
    notebook: Path | None = None
    _kept: dict[Path, _Kept] = field(default_factory=dict)
    _open: dict[Path, dict[str, _OpenCell]] = field(default_factory=dict)
    _last: _Answered | None = None

    def turn_to(self, metadata: Mapping[str, Any] | None) -> None:
        """Find out which notebook the cell stands in that is to be answered now."""
        self.notebook = notebook_of(self.environ, self.folder, metadata)

    @property
    def home(self) -> Path:
        """The folder from which links are told: the notebook's, else the working folder."""
        return self.notebook.parent if self.notebook else self.folder

    def project(self) -> Project:
        """Return the project as the disk has it now, with the cells that go before it.

        Raises
        ------
        ProjectError
            When famulus.yml cannot be read.
        """
        project = self._on_disk()
        cells = [one.block for one in self._cells(project).values()]
        return project.with_cells(cells) if cells else project

    def with_cell(self, body: str) -> tuple[Project, Block]:
        """Return the project with the block of a cell in it, and that block.

        Raises
        ------
        FamulusError
            When the cell is no block, or the project cannot be read.
        """
        disk = self._on_disk()
        last = self._last
        if last is not None and last.body == body and last.notebook == self.notebook and last.disk is disk:
            return last.project, last.block
        cells = self._cells(disk)
        base = disk.with_cells(one.block for one in cells.values()) if cells else disk
        project, block = base.with_cell(body, self.notebook)
        cells.pop(block.id, None)
        if any(cell is block for cell in project.cells):
            cells[block.id] = _OpenCell(block, stamp_of(block.file))
        self._last = _Answered(body, self.notebook, disk, project, block)
        return project, block

    def _on_disk(self) -> Project:
        named = self.notebook if self.notebook and self.notebook.suffix in _NOTEBOOKS else None
        start = named or start_of(self.notebook, self.environ, self.folder)
        located = locate(start)
        of_cells = located.notebook is None and not (located.root / PROJECT_FILE).is_file()
        stamps = {} if of_cells else _stamps(located.root, located.notebook if located.lone else None)
        kept = self._kept.get(start)
        given = os.environ.get(GIVEN)
        if kept is None or not kept.holds(stamps, given):
            project = Project.of_cells(located.root) if of_cells else Project.open(start)
            kept = _Kept(project, stamps, time.time_ns(), given)
            self._kept[start] = kept
        return kept.project

    def _cells(self, project: Project) -> dict[str, _OpenCell]:
        """Return the cells that still go before the disk; the others are forgotten."""
        cells = self._open.setdefault(project.root, {})
        for name, one in list(cells.items()):
            if name in project.blocks and one.stamp != stamp_of(one.block.file):
                del cells[name]
        return cells


def _stamps(root: Path, only: Path | None) -> Stamps:
    files = files_of(root, only)
    stamps = {str(file): stamp_of(file) for file in (root / PROJECT_FILE, root / "_quarto.yml", *files)}
    return {name: stamp for name, stamp in stamps.items() if stamp is not None}
