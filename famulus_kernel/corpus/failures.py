"""DuckDB's errors as ours: which file, which process, which line (spec 3.1)."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

from famulus_kernel.errors import DatabaseBusy, FamulusError, ForbiddenPath, Interrupted, QueryFailed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_DENIED = re.compile(r'Cannot access (?:file|directory) "(?P<path>.*)" - file system operations are disabled')
_LOCKED = re.compile(r"Conflicting lock is held in (?P<program>.*?) \(PID (?P<pid>\d+)\)")
_SAME_PROCESS = re.compile(r"different configuration|[Uu]nique file handle conflict|already attached")
_NO_TABLE = re.compile(r"Table with name (?P<path>.*[/\\].*) does not exist")
_FULL = "No space left on device"
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
    import duckdb  # noqa: PLC0415 - loaded where it is used

    try:
        yield
    except duckdb.Error as error:
        raise _ours(error, file, keep_place=keep_place) from error
    except RuntimeError as error:
        if is_interrupt(error):
            raise Interrupted.of("the query") from error
        raise


def is_interrupt(error: BaseException) -> bool:
    """Say whether an exception is Ctrl-C: Python's own, or what DuckDB makes of it while it holds the main thread."""
    by_duckdb = isinstance(error, RuntimeError) and "Query interrupted" in str(error)
    return by_duckdb or isinstance(error, KeyboardInterrupt)


def _ours(error: Exception, file: Path | None, *, keep_place: bool) -> FamulusError:
    import duckdb  # noqa: PLC0415 - loaded where it is used

    text = str(error)
    stopped = isinstance(error, duckdb.InvalidInputException) and "KeyboardInterrupt" in text
    if stopped or isinstance(error, duckdb.InterruptException):
        return Interrupted.of("the query")
    if isinstance(error, duckdb.OutOfMemoryException):
        return QueryFailed.of(_PLACE.sub("", text), "the query needs more memory than it may have, or room on the disk")
    if _FULL in text:
        return QueryFailed.of("the disk is full: what the query gives has no room", "free some space and run it again")
    unreadable = _DENIED.search(text) or _NO_TABLE.search(text)
    if unreadable:
        return _forbidden(unreadable["path"])
    holder = _holder(text)
    if file and holder:
        return DatabaseBusy.of(file, holder)
    # The line that DuckDB shows is of use only where the reader wrote it.
    message = text if keep_place else _PLACE.sub("", text)
    return QueryFailed.of(f"{file}: {message}" if file else message)


def _holder(text: str) -> str | None:
    """Return who holds a database open, if that is what a message is about."""
    locked = _LOCKED.search(text)
    if locked:
        return f"{locked['program']}, PID {locked['pid']}"
    return "this very process" if _SAME_PROCESS.search(text) else None


def _forbidden(path: str) -> ForbiddenPath:
    if "://" in path:
        return ForbiddenPath.of(path, "a block does not reach the network")
    return ForbiddenPath.of(path, "it is not among the files of duckdb: and of read_csv('…') and its like")
