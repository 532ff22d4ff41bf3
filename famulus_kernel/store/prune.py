"""Removing old versions (spec 2.4): the newest results, the errors since, and what is named by number stay."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from famulus_kernel.store.draft import LOCK, OLD, sweep
from famulus_kernel.store.durable import locked, sync_folder, writing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from pathlib import Path

    from famulus_kernel.store.store import BlockStore, StoredVersion


@dataclass(frozen=True, slots=True)
class Pruned:
    """A version that was removed, or would be; `bytes` is the size of its files."""

    block: str
    version: str
    bytes: int


@dataclass(frozen=True, slots=True)
class PruneResult:
    """What `prune` removed, and what it kept beyond the number asked for because something names it."""

    removed: tuple[Pruned, ...]
    spared: tuple[Pruned, ...]

    @property
    def bytes(self) -> int:
        """The room that was made."""
        return sum(one.bytes for one in self.removed)


def divide(
    versions: Sequence[StoredVersion], keep: int, pinned: Collection[int]
) -> tuple[list[StoredVersion], list[StoredVersion]]:
    """Return which old versions of one block go and which are spared, each with the lowest number first.

    Parameters
    ----------
    versions
        All versions of the block, lowest number first.
    keep
        How many of the newest stay that have a result, at least one; and as many of those that ended in error since.
        An error that a result followed goes. The newest version always stays, for its number must not be given out
        again.
    pinned
        Numbers that stay whatever their age: a reference with a version, or a partner project, names them.
    """
    most = max(1, keep)
    good = [version.number for version in versions if version.manifest.status != "error"]
    since = [version.number for version in versions if not good or version.number > good[-1]]
    staying = {*good[-most:], *since[-most:]}
    old = [version for version in versions if version.number not in staying]
    return (
        [version for version in old if version.number not in pinned],
        [version for version in old if version.number in pinned],
    )


def prune(
    store: BlockStore,
    folders: Iterable[Path],
    *,
    keep: int,
    pinned: Collection[tuple[str, int]] = (),
    dry_run: bool = False,
) -> PruneResult:
    """Remove old versions of the blocks in `folders`.

    Parameters
    ----------
    store
        The store.
    folders
        Block folders.
    keep
        How many versions with a result stay of each block (at least 1); see :func:`divide`.
    pinned
        Block ids and version numbers that stay.
    dry_run
        Say what would be removed, and remove nothing.

    Raises
    ------
    StoreError
        When a manifest cannot be read (nothing of that block is removed) or the store cannot be written.
    """
    removed: list[Pruned] = []
    spared: list[Pruned] = []
    for folder in folders:
        numbers = {number for block, number in pinned if block == folder.name}
        going, staying = divide(store.versions(folder), keep, numbers)
        spared += map(_described, staying)
        removed += map(_described, going)
        if going and not dry_run:
            _remove(folder, going)
    return PruneResult(tuple(removed), tuple(spared))


def _described(version: StoredVersion) -> Pruned:
    size = sum(record.bytes for _, record in version.manifest.all_files())
    return Pruned(version.manifest.block, version.name, size)


def _remove(folder: Path, versions: Iterable[StoredVersion]) -> None:
    # Readers see a version whole or not at all: it goes by a rename too. After a kill the next run sweeps.
    with locked(folder / LOCK), writing(folder):
        for version in versions:
            if version.folder.exists():  # else another prune was faster
                version.folder.rename(folder / f"{OLD}{version.name}.{secrets.token_hex(4)}")
        sync_folder(folder)
        sweep(folder)
