"""Writing a version: all of it or nothing (spec 2.4).

A version is made in a temporary folder beside the others, `.new-<host>.<pid>.<token>`. Only `commit` takes
the block's lock: it draws the number, completes and fsyncs the folder, and renames it. The rename is the
moment at which the version exists; before it a kill leaves a folder that readers do not see, after it only
derived files may be behind.

How the next run knows a left-over from the folder of a run that goes on: the owner holds a lock file inside
it (`.owner`), which the system releases when a process dies in whatever way. The folder is made, and the lock
file taken away, only under the block's lock, so that whoever holds that lock never sees a living folder
without an owner.
"""

from __future__ import annotations

import hashlib
import logging
import os
import platform
import re
import secrets
import shutil
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from famulus_kernel.artefacts.envelope import pretty_json
from famulus_kernel.errors import StoreError
from famulus_kernel.store.content import hash_file
from famulus_kernel.store.durable import (
    NO_ROOM,
    locked,
    make_folders,
    replace_file,
    store_error,
    sync_file,
    sync_folder,
    sync_tree,
    write_new,
    writing,
)
from famulus_kernel.store.index import record_version
from famulus_kernel.store.manifest import ArtefactEntry, CompanionFile
from famulus_kernel.store.reading import inside
from famulus_kernel.store.store import StoredVersion, version_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import TracebackType

    from filelock import BaseFileLock

    from famulus_kernel.store.manifest import Manifest
    from famulus_kernel.store.store import BlockStore

LOCK = ".lock"
NEW = ".new-"
OLD = ".old-"
OWNER = ".owner"
ALWAYS = ("trace.json", "verdict.json", "report.json")
"""What every version holds beside its manifest, errored ones too."""
ENFOLDING = "enfold/enfolding.json"
BIG = 1 << 20
"""Bytes from which a file is fsynced before the lock is taken, and not only under it."""
FOREIGN_AGE_S = 7 * 24 * 3600.0
"""Another computer's locks on a shared disk may not be seen here: only age tells that its folder is dead."""

_HOST = re.sub(r"[^A-Za-z0-9-]", "-", platform.node())[:40] or "host"
_log = logging.getLogger(__name__)


class Draft:
    """A version in the making. Use it as a context manager; leaving it without `commit` removes it.

    Attributes
    ----------
    folder
        The temporary folder; artefacts go to its sub-folder `artefacts`, which is there already.
    """

    def __init__(self, store: BlockStore, block_folder: Path) -> None:
        self._store = store
        self._block = block_folder
        self._owner: BaseFileLock | None = None
        self._hashed: dict[str, CompanionFile] = {}
        self.folder = block_folder / f"{NEW}{_HOST}.{os.getpid()}.{secrets.token_hex(4)}"

    def __enter__(self) -> Self:
        from filelock import FileLock  # noqa: PLC0415 - see durable.locked

        with writing(self._block):
            make_folders(self._block)
        with locked(self._block / LOCK, holders=self._writers), writing(self.folder):
            sweep(self._block)
            self.folder.mkdir()
            self._owner = FileLock(self.folder / OWNER, thread_local=False)
            self._owner.acquire(timeout=0)
            (self.folder / "artefacts").mkdir()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):  # a disk that turned read-only: the next run sweeps
            self._let_go()
        shutil.rmtree(self.folder, ignore_errors=True)
        if isinstance(error, OSError) and error.errno in NO_ROOM:
            raise store_error(error, self.folder) from error

    def write(self, file: str, data: bytes) -> CompanionFile:
        """Write a file of the version (`file` relative to its folder) and return its record."""
        path = inside(self.folder, file)
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        return CompanionFile(file=file, bytes=len(data), sha256=hashlib.sha256(data).hexdigest())

    def write_json(self, file: str, value: object) -> CompanionFile:
        """Write a JSON file of the version in the store's style."""
        return self.write(file, pretty_json(value))

    def hash_beforehand(self, file: str) -> None:
        """Hash a finished file of `artefacts/` now, so that nobody waits for it while the block's lock is held."""
        self._hashed[file] = _described(self.folder / "artefacts", file)

    def entry(self, name: str, kind: str, file: str, companions: Iterable[str] = ()) -> ArtefactEntry:
        """Return the manifest's record of an artefact that lies in `artefacts/` with its companions."""
        home = self.folder / "artefacts"
        own = _described(home, file)
        beside = tuple(self._hashed.get(companion) or _described(home, companion) for companion in companions)
        return ArtefactEntry(
            name=name, kind=kind, file=file, bytes=own.bytes, sha256=own.sha256, companions=beside
        )

    def commit(self, finish: Callable[[str], Manifest]) -> StoredVersion:
        """Give the version its number and make it exist.

        Parameters
        ----------
        finish
            Called once, under the block's lock, with the version's name (`v0003`): writes what carries that
            name (the envelopes) and returns the manifest. Everything slow belongs before this call.

        Raises
        ------
        StoreError
            When it cannot be written; the store is then as it was before.
        """
        with writing(self.folder):
            for file in files_below(self.folder):
                if (self.folder / file).stat().st_size > BIG:
                    sync_file(self.folder / file)  # while nobody has to wait
        with locked(self._block / LOCK, holders=self._writers), writing(self.folder):
            number = max(self._store.numbers(self._block), default=0) + 1
            name = version_name(number)
            manifest = self._completed(finish(name), name)
            write_new(self.folder / "manifest.json", pretty_json(manifest.model_dump(mode="json")))
            self._let_go()
            sync_tree(self.folder)
            version = StoredVersion(self._block / name, number, manifest)
            self.folder.rename(version.folder)
            sync_folder(self._block)
            with _derived():
                copy_enfolding(version)
        with _derived():
            record_version(self._store, version)
        return version

    def _completed(self, manifest: Manifest, name: str) -> Manifest:
        if manifest.version != name:
            raise ValueError(f"the manifest says {manifest.version}, but the version is {name}")
        claimed = {file for file, _ in manifest.all_files()}
        present = set(files_below(self.folder)) - {OWNER}
        if absent := sorted({*ALWAYS, *claimed} - present):
            raise ValueError(f"a version needs {', '.join(absent)}")
        rest = tuple(_described(self.folder, file) for file in sorted(present - claimed))
        return manifest.model_copy(update={"files": rest})

    def _writers(self) -> str:
        makers = [_maker(folder) for folder in self._block.glob(f"{NEW}*") if folder != self.folder]
        return ", ".join(f"perhaps process {pid} on {host}" for host, pid in makers[:3])

    def _let_go(self) -> None:
        if self._owner is not None:
            self._owner.release()
            self._owner = None
            (self.folder / OWNER).unlink(missing_ok=True)


@contextmanager
def _derived() -> Iterator[None]:
    # The version exists: raising would call a run failed that is stored.
    try:
        yield
    except StoreError as error:
        _log.warning("%s; famulus-notebook verify --repair writes it anew", error)


def files_below(folder: Path) -> list[str]:
    """Return all files below a folder, relative to it, with `/`."""
    found = []
    for place, _, files in os.walk(folder):
        found += [(Path(place) / name).relative_to(folder).as_posix() for name in files]
    return found


def copy_enfolding(version: StoredVersion) -> None:
    """Put a copy of the version's enfolding report where the newest one is looked for."""
    source = version.folder / ENFOLDING
    target = version.folder.parent / ENFOLDING
    if source.is_file():
        with writing(target):
            make_folders(target.parent)
            replace_file(target, source.read_bytes())


def clear_away(block_folder: Path) -> None:
    """Remove what stopped runs left in a block's folder, as far as that can be done now; the next run sweeps too."""
    if any(block_folder.glob(f"{NEW}*")):
        with suppress(StoreError), locked(block_folder / LOCK):
            sweep(block_folder)


def sweep(block_folder: Path) -> list[Path]:
    """Remove what dead runs and half removals left in a block's folder. The caller holds the block's lock.

    Returns
    -------
    list of Path
        What was removed.
    """
    temporary = [folder for folder in block_folder.iterdir() if folder.name.startswith((NEW, OLD))]
    left = [folder for folder in temporary if folder.name.startswith(OLD) or not _is_alive(folder)]
    for folder in left:
        shutil.rmtree(folder, ignore_errors=True)
    return [folder for folder in left if not folder.exists()]


def _is_alive(folder: Path) -> bool:
    from filelock import FileLock, Timeout  # noqa: PLC0415 - see durable.locked

    try:
        if _maker(folder)[0] != _HOST:
            return time.time() - folder.stat().st_mtime < FOREIGN_AGE_S
        if not (folder / OWNER).exists():
            return False
        FileLock(folder / OWNER).acquire(timeout=0).lock.release()
    except Timeout:
        return True
    except OSError:  # gone in between, or not ours to touch
        return folder.exists()
    return False


def _maker(folder: Path) -> tuple[str, str]:
    host, _, rest = folder.name.removeprefix(NEW).partition(".")
    return host, rest.partition(".")[0]


def _described(home: Path, file: str) -> CompanionFile:
    path = inside(home, file)
    return CompanionFile(file=file, bytes=path.stat().st_size, sha256=hash_file(path))
