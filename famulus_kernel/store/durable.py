"""Writing that survives a kill, a full disk or a power cut, and says in words why it could not (spec 2.4).

A file that readers may see appears in one step: written under a name nobody reads, fsynced, renamed. The
folder that holds the new name is fsynced as well, because a rename lives there.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from famulus_kernel.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

LOCK_PATIENCE_S = 60.0
"""How long a writer waits for another one. A lock is held for milliseconds: a minute means that one hangs."""

_UNTOUCHED = "and run again; what was stored before is untouched"
_READABLE = "reading goes on; to run blocks,"
_REASONS = {
    errno.ENOSPC: ("the disk is full", f"free some space there {_UNTOUCHED}"),
    errno.EFBIG: (
        "the file would grow beyond the size that this process may write",
        f"raise the limit (ulimit -f) {_UNTOUCHED}",
    ),
    errno.EROFS: ("the file system is read-only", f"{_READABLE} work in a copy that can be written"),
    errno.EACCES: ("it may not be written", f"{_READABLE} give yourself the right to write there"),
    errno.EPERM: ("it may not be written", f"{_READABLE} give yourself the right to write there"),
    errno.ENAMETOOLONG: ("the name is too long for this disk", "give the block or the notebook a shorter id"),
}
if hasattr(errno, "EDQUOT"):
    _REASONS[errno.EDQUOT] = ("the disk quota is used up", _REASONS[errno.ENOSPC][1])

NO_ROOM = frozenset({errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)})
"""Errors that only writing can raise; Python names no file in them."""


def store_error(error: OSError, path: object) -> StoreError:
    """Return the store's error for what the system said about `path`."""
    why, hint = _REASONS.get(error.errno or 0, (error.strerror or str(error), ""))
    return StoreError.of(error.filename or path, why, hint)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn the system's errors inside into :class:`StoreError` about `path`."""
    try:
        yield
    except OSError as error:
        raise store_error(error, path) from error


def sync_folder(folder: Path | str) -> None:
    """Make the names inside a folder durable. Windows cannot open folders and needs no such step."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_file(path: Path | str) -> None:
    """Make the content of a file durable."""
    # Windows flushes only what is open for writing.
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Make everything below a folder durable, the deepest first, the folder itself last."""
    for place, _, files in os.walk(folder, topdown=False):
        for name in files:
            path = os.path.join(place, name)  # noqa: PTH118 - os.walk gives text
            if not os.path.islink(path):  # noqa: PTH114 - same
                sync_file(path)
        sync_folder(place)


def make_folders(folder: Path) -> None:
    """Make a folder and its parents, each one durable in its own parent."""
    missing = []
    while not folder.is_dir():
        missing.append(folder)
        folder = folder.parent
    for one in reversed(missing):
        one.mkdir(exist_ok=True)
        sync_folder(one.parent)


def write_new(path: Path, data: bytes) -> None:
    """Write a file that nobody reads yet, and fsync it."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def replace_file(path: Path, data: bytes) -> None:
    """Put `data` in the place of a file in one step. The caller holds the lock of `path`.

    The temporary name is always the same, so that what a kill leaves is overwritten by the next writer.
    """
    temporary = path.with_name(f".{path.name}.new")
    try:
        write_new(temporary, data)
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


@contextmanager
def locked(path: Path, *, holders: Callable[[], str] = str) -> Iterator[None]:
    """Hold the lock file `path`, waiting for another process at most `LOCK_PATIENCE_S` seconds.

    Parameters
    ----------
    path
        The lock file; it stays where it is (a lock file that is removed can be held by two).
    holders
        Says who may be holding it; asked only when it cannot be had.

    Raises
    ------
    StoreError
        When it cannot be had or cannot be made.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415 - 0.1 s that commands which only read need not pay

    lock = FileLock(path)
    try:
        lock.acquire(timeout=LOCK_PATIENCE_S)
    except Timeout:
        who = f" ({held_by})" if (held_by := holders()) else ""
        why = f"another process{who} has held its lock for {LOCK_PATIENCE_S:.0f} s"
        raise StoreError.of(path, why, "end that process if it hangs, and run again") from None
    except OSError as error:
        raise store_error(error, path) from error
    try:
        yield
    finally:
        lock.release()
