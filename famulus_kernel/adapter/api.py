"""The Python interface (spec 7.7): a script or a Python cell uses an artefact by its reference."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.runner import Outcome, Runner
from famulus_kernel.errors import BadReference, MissingExtra
from famulus_kernel.language.references import Reference
from famulus_kernel.project.needs import Need
from famulus_kernel.project.project import Project
from famulus_kernel.project.resolve import Resolved, resolve
from famulus_kernel.project.staleness import BlockStatus, project_status

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa


def open_project(path: str | Path = ".") -> OpenProject:
    """Open a project.

    Parameters
    ----------
    path
        A folder with famulus.yml or a `.fam` file.

    Raises
    ------
    ProjectError
        When there is none, or famulus.yml cannot be read.
    """
    return OpenProject(Path(path))


class OpenProject:
    """A project to run blocks of and to take artefacts from. Each call sees the notebooks as they are then."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._project = Project.open(path)

    def __repr__(self) -> str:
        return f"<project {self._project.id} at {self._project.root}>"

    @property
    def root(self) -> Path:
        """The project's folder."""
        return self._project.root

    @property
    def blocks(self) -> list[str]:
        """The ids of the blocks, in the order of notebooks and text."""
        return list(Project.open(self._path).blocks)

    def status(self) -> list[BlockStatus]:
        """Return for each block whether it is fresh, and if not, why."""
        return project_status(Project.open(self._path))

    def run(self, *blocks: str, force: bool = False) -> list[Outcome]:
        """Play the given blocks (default: all) where they are stale, with all that they need.

        Returns
        -------
        list of Outcome
            One for each block, in the order in which they were played.
        """
        project = Project.open(self._path)
        return list(Runner(project, force=force).run(project.selection(list(blocks))))

    def artefact(self, reference: str) -> Artefact:
        """Return an artefact by `block.name`, `block.name@v3` or `fam:project/notebook/block.name`.

        Raises
        ------
        BadReference, UnresolvedReference
            When that is no reference, or nothing is there.
        """
        project = Project.open(self._path)
        return Artefact(resolve(project, Need(Reference.parse(reference), "", "input")))


@dataclass(frozen=True)
class Artefact:
    """One artefact of one version."""

    _resolved: Resolved

    def __repr__(self) -> str:
        return f"<{self.kind} {self._resolved.need.reference} {self.version}>"

    @property
    def path(self) -> Path:
        """The artefact's JSON file."""
        return self._resolved.path

    @property
    def version(self) -> str:
        """The version it belongs to, such as `v0003`."""
        return self._resolved.version.name

    @property
    def kind(self) -> str:
        """Its kind, such as table or report."""
        return self._resolved.entry.kind if self._resolved.entry else ""

    @property
    def data(self) -> Any:
        """The data of its kind (spec 5.1), as JSON has it."""
        return json.loads(self.path.read_bytes())["data"]

    def to_arrow(self) -> pa.Table:
        """Return the full table, all rows.

        Raises
        ------
        UnresolvedReference
            When the artefact is no table.
        """
        import pyarrow.parquet as pq  # noqa: PLC0415 - a third of a second, for those who want it

        return pq.read_table(self._resolved.table)

    def to_pandas(self) -> pd.DataFrame:
        """Return the full table as a pandas frame; pandas must be installed.

        Raises
        ------
        MissingExtra, UnresolvedReference
            Without pandas, or when the artefact is no table.
        """
        try:
            import pandas as pd  # noqa: F401, PLC0415 - an extra
        except ImportError:
            raise MissingExtra.of("pandas", "pandas") from None
        return self.to_arrow().to_pandas()

    def to_polars(self) -> pl.DataFrame:
        """Return the full table as a polars frame; polars must be installed.

        Raises
        ------
        MissingExtra, UnresolvedReference
            Without polars, or when the artefact is no table.
        """
        try:
            import polars as pl  # noqa: PLC0415 - an extra
        except ImportError:
            raise MissingExtra.of("polars", "polars") from None
        frame = pl.from_arrow(self.to_arrow())
        assert isinstance(frame, pl.DataFrame)  # noqa: S101 - a table gives a frame
        return frame


__all__ = ["Artefact", "BadReference", "OpenProject", "open_project"]
