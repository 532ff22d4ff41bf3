"""DuckDB's errors as ours: which file, which process, which line (spec 3.1)."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import duckdb

from famulus_kernel.errors import DatabaseBusy, FamulusError, ForbiddenPath, Interrupted, QueryFailed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_DENIED = re.compile(r'Cannot access (?:file|directory) "(?P<path>.*)" - file system operations are disabled')
_LOCKED = re.compile(r"Conflicting lock is held in (?P<program>.*?) \(PID (?P<pid>\d+)\)")
_SAME_PROCESS = re.compile(r"different configuration|[Uu]nique file handle conflict|already attached")
_PLACE = re.compile(r"\n+LINE \d+:.*", re.DOTALL)


@contextmanager
def translated(*, file: Path | None = None, keep_place: bool = True) -> Iterator[None]:
    """Raise DuckDB's errors of the enclosed code as ours.

    Parameters
    ----------
    file : Path, optional
        The file that the code opens.
    keep_place : bool
        Whether the line that DuckDB shows is one of the user's text.
    """
    try:
        yield
    except (duckdb.Error, RuntimeError) as error:
        raise _ours(error, file, keep_place=keep_place) from error


def _ours(error: Exception, file: Path | None, *, keep_place: bool) -> FamulusError:
    text = str(error)
    if isinstance(error, duckdb.InterruptException):
        return Interrupted.of("the query")
    denied = _DENIED.search(text)
    if denied:
        return _forbidden(denied["path"])
    locked = _LOCKED.search(text)
    if file and locked:
        return DatabaseBusy.of(file, f"{locked['program']}, PID {locked['pid']}")
    if file and _SAME_PROCESS.search(text):
        return DatabaseBusy.of(file, "this very process")
    if isinstance(error, duckdb.OutOfMemoryException):
        return QueryFailed.of(
            _first(text), "the query needs more memory than it may have, or more room on the disk"
        )
    message = text if keep_place else _first(text)
    return QueryFailed.of(f"{file}: {message}" if file else message)


def _forbidden(path: str) -> ForbiddenPath:
    if "://" in path:
        return ForbiddenPath.of(path, "a block does not reach the network")
    return ForbiddenPath.of(path, "it is not one of the files that the block names")


def _first(text: str) -> str:
    """Return a message without the excerpt of a statement that its reader did not write."""
    return _PLACE.sub("", text)
