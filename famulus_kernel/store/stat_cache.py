"""`_famulus/stat-cache.sqlite`: which content a file had when it looked like this (spec 2.3, 2.5).

The cache only saves work. It may be deleted, damaged or on a disk that cannot be written: then files are
hashed.

A hash is believed as long as size, mtime_ns and inode are the same, and only when the file had been at rest
for two seconds when the run began that hashed it: file systems keep times as coarsely as that, so a later
change within the same tick would not show. A file that was changed more recently is hashed each time, until
it has come to rest.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import time
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

from famulus_kernel.errors import MissingFile, StoreError
from famulus_kernel.store.content import hash_content, stamp_with_log
from famulus_kernel.store.stamps import Stamp

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path
    from types import TracebackType

_ATTEMPTS = 3
_FLUSH_BYTES = 256 * 1024 * 1024
"""After so much hashing what was learnt is written, so that a kill does not lose it."""
_SCHEMA = 1
_BUSY_S = 2.0
_CREATE = """CREATE TABLE files (path BLOB PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
inode INTEGER NOT NULL, sha256 TEXT NOT NULL, hashed_ns INTEGER NOT NULL) WITHOUT ROWID"""
_SELECT = "SELECT path, size, mtime_ns, inode, sha256, hashed_ns FROM files"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What a file is now; size and time of a database include its log (:mod:`.content`)."""

    size: int
    mtime_ns: int
    sha256: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """What became of a file that is not what it was; both are None when it is gone."""

    size: int | None
    sha256: str | None


class _Entry(NamedTuple):
    stat: Stamp
    sha256: str
    hashed_ns: int


class StatCache:
    """The cache of one project. Use it as a context manager, so that what it learns is kept.

    It is read whole on first use and written on leaving; in between no file is open, so it survives a fork.

    Parameters
    ----------
    path
        The SQLite file; None keeps everything in memory.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._entries: dict[str, _Entry] | None = None
        self._learnt: dict[str, _Entry] = {}
        self._learnt_bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.flush()

    def facts(self, path: Path | str, *, run_started_ns: int | None = None) -> FileFacts:
        """Return what a file is now, hashing it unless its hash is known.

        Parameters
        ----------
        path
            The file.
        run_started_ns
            When the run of the block that asks began (ns since the epoch), by default now. Not the start of a
            whole chain of blocks: files that change while it goes on would be hashed for each block.

        Raises
        ------
        MissingFile
            When it is not there.
        StoreError
            When it may not be read.
        """
        name = os.fspath(path)
        try:
            entry = self._entry(name, stamp_with_log(name), run_started_ns)
        except (FileNotFoundError, NotADirectoryError):
            raise MissingFile.of(name, name) from None
        except OSError as error:
            raise _unreadable(name, error) from error
        size, mtime_ns, _ = entry.stat
        return FileFacts(size, mtime_ns, entry.sha256)

    def sha256_of(self, path: Path | str, *, run_started_ns: int | None = None) -> str:
        """Return the sha256 of a file's content; parameters and errors as of :meth:`facts`."""
        return self.facts(path, run_started_ns=run_started_ns).sha256

    def changed(
        self, path: Path | str, *, size: int, mtime_ns: int, sha256: str, run_started_ns: int
    ) -> FileChange | None:
        """Compare a file with what a manifest says of it; None where its content is the same.

        Parameters
        ----------
        path
            The file.
        size, mtime_ns, sha256
            What the manifest says.
        run_started_ns
            When the run began that wrote the manifest (`Manifest.started_ns`): what it says of a file that
            had just been changed is not believed, but compared by hash.

        Raises
        ------
        StoreError
            When the file is there but may not be read, and its stat does not tell.
        """
        name = os.fspath(path)
        try:
            stat = stamp_with_log(name)
            if stat[:2] == (size, mtime_ns) and stat.was_settled(run_started_ns):
                return None
            entry = self._entry(name, stat, None)
        except (FileNotFoundError, NotADirectoryError, ValueError):  # the last: a name that no disk can have
            return FileChange(None, None)
        except OSError as error:
            raise _unreadable(name, error) from error
        return None if entry.sha256 == sha256 else FileChange(entry.stat[0], entry.sha256)

    def flush(self) -> None:
        """Write what was learnt. A cache that cannot be written stays as it is: nothing depends on it."""
        learnt, self._learnt, self._learnt_bytes = self._learnt, {}, 0
        if not learnt or self._path is None:
            return
        try:
            try:
                _store(self._path, learnt)
            except sqlite3.Error as error:
                if not _is_damage(error):
                    raise
                _discard(self._path)
                _store(self._path, learnt)
        except (sqlite3.Error, OSError) as error:
            _log.info("%s cannot be written (%s)", self._path, error)

    def _entry(self, name: str, stat: Stamp, run_started_ns: int | None) -> _Entry:
        if self._entries is None:
            self._entries = _load(self._path) if self._path is not None else {}
        entry = self._entries.get(name)
        if entry is None or entry.stat != stat or not stat.was_settled(entry.hashed_ns):
            entry = self._entries[name] = self._learnt[name] = _hashed(name, stat, run_started_ns)
            self._learnt_bytes += stat[0]
            if self._learnt_bytes > _FLUSH_BYTES:
                self.flush()
        return entry


def _hashed(name: str, stat: Stamp, run_started_ns: int | None) -> _Entry:
    for _ in range(_ATTEMPTS):
        now = time.time_ns()
        sha256 = hash_content(name)
        before, stat = stat, stamp_with_log(name)
        if before == stat:
            break  # else it was written while we read
    return _Entry(stat, sha256, now if run_started_ns is None else min(now, run_started_ns))


def _unreadable(name: str, error: OSError) -> StoreError:
    return StoreError.of(name, error.strerror or str(error), "check that you may read it")


def _load(path: Path) -> dict[str, _Entry]:
    if not path.exists():
        return {}
    address = f"{path.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True, timeout=_BUSY_S)) as database:
            if database.execute("PRAGMA user_version").fetchone() != (_SCHEMA,):
                return {}
            rows = database.execute(_SELECT).fetchall()
    except sqlite3.Error as error:
        _log.info("%s cannot be read (%s): files are hashed", path, error)
        if _is_damage(error):
            _discard(path)
        return {}
    return {
        os.fsdecode(name): _Entry(Stamp(size, mtime_ns, inode), sha256, hashed_ns)
        for name, size, mtime_ns, inode, sha256, hashed_ns in rows
    }


def _store(path: Path, learnt: Mapping[str, _Entry]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path, timeout=_BUSY_S, isolation_level=None)) as database:
        database.execute("BEGIN IMMEDIATE")
        if database.execute("PRAGMA user_version").fetchone() != (_SCHEMA,):
            database.execute("DROP TABLE IF EXISTS files")
            database.execute(_CREATE)
            database.execute(f"PRAGMA user_version = {_SCHEMA}")
        rows = [(os.fsencode(name), *one.stat, one.sha256, one.hashed_ns) for name, one in learnt.items()]
        database.executemany("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", rows)
        database.execute("COMMIT")


def _is_damage(error: sqlite3.Error) -> bool:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & 0xFF  # the rest of it says which kind
    return code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR}


def _discard(path: Path) -> None:
    for one in (path.with_name(f"{path.name}-journal"), path):
        with suppress(OSError):  # a disk that cannot be written keeps its damaged cache, and files are hashed
            one.unlink(missing_ok=True)
