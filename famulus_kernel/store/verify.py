"""Is the store what it was when it was written (spec 2.4)? And the repair of what can be written anew.

What is `derived` (index, status, the copy of an enfolding) may be behind after a kill; that is no damage.
What dead runs left is not even a finding: the next run sweeps it, and so does a repair.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from famulus_kernel.errors import NewerFormat, StoreError
from famulus_kernel.store.accepted import acceptances
from famulus_kernel.store.content import hash_file
from famulus_kernel.store.draft import ENFOLDING, LOCK, copy_enfolding, sweep
from famulus_kernel.store.durable import locked, writing
from famulus_kernel.store.index import read_index, rebuilt, update_index
from famulus_kernel.store.soundness import FOREIGN, Finding, check_version, unreadable
from famulus_kernel.store.status_file import read_status
from famulus_kernel.store.store import StoredVersion, version_name, version_number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from famulus_kernel.store.index import IndexEntry
    from famulus_kernel.store.store import BlockStore


@dataclass(frozen=True, slots=True)
class Verification:
    """How many versions were hashed, what was found, and which paths were written anew or swept."""

    root: Path
    versions: int
    findings: tuple[Finding, ...]
    repaired: tuple[Path, ...] = ()

    @property
    def clean(self) -> bool:
        """True where nothing is damaged."""
        return not any(finding.level == "damage" for finding in self.findings)

    def as_dict(self) -> dict[str, object]:
        """Return the form of `--json`; paths are relative to the project."""
        return {
            "clean": self.clean,
            "versions": self.versions,
            "findings": [
                {"level": one.level, "kind": one.kind, "path": self._short(one.path), "message": one.message}
                for one in self.findings
            ],
            "repaired": [self._short(path) for path in self.repaired],
        }

    def _short(self, path: Path) -> str:
        return path.relative_to(self.root).as_posix()


def verify(
    store: BlockStore,
    folders: Iterable[Path] = (),
    *,
    repair: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> Verification:
    """Check every version of every block and the files beside them.

    Parameters
    ----------
    store
        The store.
    folders
        Block folders that lie elsewhere (`log:`); those that the index names are looked at anyway.
    repair
        Write anew what is derived and sweep what dead runs left. Damaged versions stay as they are.
    progress
        Called with the number of versions done and the number of all.

    Raises
    ------
    StoreError
        When `repair` cannot write.
    """
    elsewhere = tuple(folders)
    places = tuple(dict.fromkeys([*store.block_folders(), *elsewhere, *_indexed(store)]))
    versions = [(place, number) for place in places for number in store.numbers(place)]
    findings: list[Finding] = []
    for done, (place, number) in enumerate(versions, 1):
        findings += check_version(store, place, number)
        if progress is not None:
            progress(done, len(versions))
    for place in places:
        findings += _check_block(store, place)
    findings += _check_project(store)
    findings += _check_index(store, elsewhere)
    if not repair:
        return Verification(store.root, len(versions), tuple(findings))
    repaired = _repair(store, places, elsewhere, [one.path for one in findings if one.kind == "behind"])
    left = tuple(one for one in findings if one.path not in repaired)
    return Verification(store.root, len(versions), left, repaired)


def _indexed(store: BlockStore) -> list[Path]:
    try:
        index = read_index(store)
    except NewerFormat:  # said by _check_index
        return []
    return [store.root / entry.folder for entry in index.blocks.values()] if index is not None else []


def _check_block(store: BlockStore, folder: Path) -> Iterator[Finding]:
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        ours = version_number(path.name) or path.name == PurePosixPath(ENFOLDING).parts[0]
        if not ours and not path.name.startswith(".") and path.name not in FOREIGN:
            yield Finding("unknown", path, "famulus did not write this")
    newest = _newest_enfolding(store, folder)
    copy = folder / ENFOLDING
    if newest is None:
        return
    if not copy.is_file() or hash_file(copy) != hash_file(newest.folder / ENFOLDING):
        yield Finding("behind", copy, f"it is not the copy of {newest.name}", "derived")


def _newest_enfolding(store: BlockStore, folder: Path) -> StoredVersion | None:
    for number in reversed(store.numbers(folder)):
        if (folder / version_name(number) / ENFOLDING).is_file():
            try:
                return store.version(folder, number)
            except StoreError:  # said of its manifest already
                continue
    return None


def _check_project(store: BlockStore) -> Iterator[Finding]:
    try:
        acceptances(store)
    except StoreError as error:
        yield unreadable(store.accepted_path, error)
    try:
        read_status(store)
    except StoreError as error:
        yield unreadable(store.status_path, error)


def _check_index(store: BlockStore, elsewhere: tuple[Path, ...]) -> Iterator[Finding]:
    path = store.index_path
    try:
        index = read_index(store)
    except NewerFormat as error:
        yield unreadable(path, error)
        return
    real = rebuilt(store, elsewhere).blocks
    if index is None:
        if real or path.exists():
            yield Finding("behind", path, "it is not there or cannot be read", "derived")
        return
    for block in sorted(index.blocks.keys() | real.keys()):
        said, is_now = index.blocks.get(block), real.get(block)
        if said is not None and _number(said) > _number(is_now):
            # Only a hand takes the newest version away: prune keeps it, and a kill leaves the index behind, not ahead.
            gone = store.root / said.folder / said.newest
            words = f"{said.newest} of {block} ({said.status}) is gone; take it back, or let --repair forget it"
            yield Finding("missing", gone, words)
        if said != is_now:
            words = f"of {block} it says {_words(said)}, but the store has {_words(is_now)}"
            yield Finding("behind", path, words, "derived")


def _number(entry: IndexEntry | None) -> int:
    return (version_number(entry.newest) or 0) if entry is not None else 0


def _words(entry: IndexEntry | None) -> str:
    return f"{entry.newest} ({entry.status}) in {entry.folder}" if entry is not None else "nothing"


def _repair(
    store: BlockStore, places: Iterable[Path], elsewhere: tuple[Path, ...], behind: Sequence[Path]
) -> tuple[Path, ...]:
    written: list[Path] = []
    for folder in places:
        if folder.is_dir():
            with locked(folder / LOCK), writing(folder):
                written += sweep(folder)
                newest = _newest_enfolding(store, folder)
                if newest is not None and folder / ENFOLDING in behind:
                    copy_enfolding(newest)
                    written.append(folder / ENFOLDING)
    if store.index_path in behind:
        update_index(store, lambda _: rebuilt(store, elsewhere))
        written.append(store.index_path)
    return tuple(written)
