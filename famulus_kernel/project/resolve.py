"""From a reference to the artefact it means: the newest version of the block, or the one it names (spec 1.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from famulus_kernel.errors import (
    FamulusError,
    MissingDependency,
    ProjectError,
    StoreError,
    UnresolvedReference,
    Where,
    plain,
)
from famulus_kernel.store.manifest import ReferenceInput
from famulus_kernel.store.store import version_name

if TYPE_CHECKING:
    from pathlib import Path

    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.needs import Need
    from famulus_kernel.project.project import Project
    from famulus_kernel.store.manifest import ArtefactEntry
    from famulus_kernel.store.store import StoredVersion


@dataclass(frozen=True)
class Resolved:
    """An artefact that a reference means. `entry` is None for a need of order only."""

    need: Need
    version: StoredVersion
    entry: ArtefactEntry | None

    @property
    def path(self) -> Path:
        """The absolute path of the artefact's file."""
        assert self.entry is not None, "a need of order has no artefact"  # noqa: S101 - a caller's mistake
        return self.version.artefact_file(self.entry.file)

    @property
    def table(self) -> Path:
        """The absolute path of the artefact's full table.

        Raises
        ------
        UnresolvedReference
            When the artefact is not a table.
        """
        for companion in self.entry.companions if self.entry else ():
            if companion.file.endswith(".parquet"):
                return self.version.artefact_file(companion.file)
        kind = self.entry.kind if self.entry else "nothing"
        raise UnresolvedReference.of(self.need.reference, f"it is of the kind {kind}, which has no table")

    def as_input(self) -> ReferenceInput:
        """Return the manifest's record of it."""
        sha256 = self.entry.sha256 if self.entry else ""
        return ReferenceInput(ref=str(self.need.reference), version=self.version.name, sha256=sha256)


def resolve(project: Project, need: Need, block: Block | None = None) -> Resolved:
    """Return what a need means now.

    Raises
    ------
    UnresolvedReference, MissingDependency
        Saying which part is not there and what the newest version holds.
    """
    try:
        version = _version(project, need, block)
    except ProjectError as error:
        unresolved = _unresolved(need, plain(error.message)).at(_place(block, need))
        unresolved.hint = error.hint or unresolved.hint
        raise unresolved from error
    except _Absent as absent:
        if absent.known is not None and need.kind != "order":
            raise UnresolvedReference.unknown(need.reference, absent.why, need.block, absent.known).at(
                _place(block, need)
            ) from None
        raise _unresolved(need, absent.why).at(_place(block, need)) from None
    if need.name is None:
        return Resolved(need, version, None)
    entry = version.manifest.artefact(need.name)
    if entry is None:
        holds = [artefact.name for artefact in version.manifest.artefacts]
        why = f"{version.name} of {need.block} holds no artefact {need.name}"
        raise UnresolvedReference.of(need.reference, why, holds).at(_place(block, need))
    return Resolved(need, version, entry)


class _Absent(Exception):
    """Why there is no version; `known` are the blocks there are, where the named one is none of them."""

    def __init__(self, why: str, known: list[str] | None = None) -> None:
        super().__init__(why)
        self.why = why
        self.known = known


def _version(project: Project, need: Need, block: Block | None) -> StoredVersion:
    home = project if need.project is None else project.partner(need.project, block)
    folder = _folder(home, need)
    number = need.reference.version
    try:
        version = home.store.newest(folder) if number is None else home.store.version(folder, number)
    except StoreError as error:
        raise _Absent(plain(error.message)) from error
    if version is None and number is not None:
        newest = home.store.newest(folder)
        raise _Absent(f"there is no {version_name(number)} of it (newest: {newest.name if newest else 'none'})")
    if version is None:
        raise _Absent(f"block {need.block} has no version yet")
    if version.manifest.status == "error":
        raise _Absent(f"{version.name} of {need.block} ended in error")
    return version


def _folder(home: Project, need: Need) -> Path:
    block = home.blocks.get(need.block)
    if block is None:
        raise _Absent(f"there is no block {need.block} that can be read", list(home.blocks))
    if need.notebook not in {None, block.notebook}:
        raise _Absent(f"block {need.block} stands in the notebook {block.notebook}, not in {need.notebook}")
    return home.folder_of(block)


def _unresolved(need: Need, why: str) -> FamulusError:
    if need.kind == "order":
        return MissingDependency.of(need.reference, why)
    return UnresolvedReference.of(need.reference, why)


def _place(block: Block | None, need: Need) -> Where:
    return block.place(need.key) if block is not None else Where()
