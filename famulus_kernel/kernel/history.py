"""What was asked of kernels, for `history_request`: kept in SQLite as IPython keeps it, beside the block store.

The tables are IPython's (`sessions`, `history`, `output_history`), so that its tools read them. Where there is no
project, or its folder cannot be written, the cells of this kernel are kept in memory and end with it.
"""

from __future__ import annotations

import logging
import sqlite3
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILE: Final = "_famulus/history.sqlite"
"""In the folder of a project."""
WAIT_S: Final = 1.0
"""How long another kernel may hold the file before this one gives it up."""

_TABLES: Final = """
CREATE TABLE IF NOT EXISTS sessions
    (session INTEGER PRIMARY KEY AUTOINCREMENT, start TIMESTAMP, "end" TIMESTAMP, num_cmds INTEGER, remark TEXT);
CREATE TABLE IF NOT EXISTS history
    (session INTEGER, line INTEGER, source TEXT, source_raw TEXT, PRIMARY KEY (session, line));
CREATE TABLE IF NOT EXISTS output_history
    (session INTEGER, line INTEGER, output TEXT, PRIMARY KEY (session, line));
"""
_FOUND: Final = (
    "SELECT h.session, h.line, h.source_raw, o.output FROM history h"
    " LEFT JOIN output_history o ON o.session = h.session AND o.line = h.line"
)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell: its session, its execution count there, its text, what it answered (None for nothing)."""

    session: int
    line: int
    code: str
    output: str | None

    def row(self, *, output: bool) -> tuple[int, int, Any]:
        """Return the entry as the protocol has it."""
        return self.session, self.line, (self.code, self.output) if output else self.code


class History:
    """The cells of this kernel, and of those before it that had the same file.

    Parameters
    ----------
    file
        Asked once, when the first cell is to be kept: the path of the file, or None for memory.
    """

    def __init__(self, file: Callable[[], Path | None] = lambda: None) -> None:
        self._file = file
        self._database: sqlite3.Connection | None = None
        self._session = 0

    def add(self, line: int, code: str, output: str | None) -> None:
        """Remember a cell."""
        try:
            self._write(line, code, output)
        except sqlite3.Error as error:  # the disk is full, the file was damaged: the cell ran all the same
            _log.warning("the history cannot be kept, and goes on in memory: %s", error)
            self._open(None)
            self._write(line, code, output)

    def _write(self, line: int, code: str, output: str | None) -> None:
        database = self._opened()
        with database:
            database.execute("REPLACE INTO history VALUES (?, ?, ?, ?)", (self._session, line, code, code))
            if output is not None:
                whole = output.encode("utf-8", "replace").decode()  # half a surrogate pair is no text to SQLite
                database.execute("REPLACE INTO output_history VALUES (?, ?, ?)", (self._session, line, whole))

    def find(
        self,
        access: str,
        *,
        session: int | None = None,
        start: int | None = None,
        stop: int | None = None,
        n: int | None = None,
        pattern: str | None = None,
        unique: bool = False,
    ) -> list[Entry]:
        """Return the entries that a request means, oldest first.

        Parameters
        ----------
        access : {"tail", "range", "search"}
            The last `n` of all sessions; the lines `start` to `stop` (excluded) of one; those that match the glob
            `pattern`, in all sessions.
        session : int
            Of a range: 0 is the running session, -1 the one before it, a positive number that one.
        unique : bool
            Keep only the last entry of each text.
        """
        database = self._opened()
        if access == "range":
            number = session if session is not None and session > 0 else self._session + (session or 0)
            rows = database.execute(
                f"{_FOUND} WHERE h.session = ? AND h.line >= ? AND h.line < ? ORDER BY h.line",
                (number, start or 0, stop if stop is not None else 2**62),
            )
            return [Entry(*row) for row in rows]
        where, values = "", []
        if access == "search":
            where, values = " WHERE h.source_raw GLOB ?", [pattern or "*"]
            if unique:
                where += (
                    " AND NOT EXISTS (SELECT 1 FROM history later WHERE later.source_raw = h.source_raw"
                    " AND (later.session, later.line) > (h.session, h.line))"
                )
        rows = database.execute(f"{_FOUND}{where} ORDER BY h.session DESC, h.line DESC LIMIT ?", (*values, n or -1))
        return [Entry(*row) for row in rows][::-1]

    def close(self) -> None:
        """Say in the file how many cells the session had, and let it go."""
        if self._database is None:
            return
        try:
            with self._database as database:
                database.execute(
                    'UPDATE sessions SET "end" = ?, num_cmds = (SELECT count(*) FROM history h WHERE h.session = ?)'
                    " WHERE session = ?",
                    (_now(), self._session, self._session),
                )
        except sqlite3.Error as error:
            _log.warning("the history was not closed: %s", error)
        finally:
            self._database.close()
            self._database = None

    def _opened(self) -> sqlite3.Connection:
        if self._database is None:
            try:
                self._open(self._file())
            except (sqlite3.Error, OSError) as error:
                _log.warning("its file cannot be used, the history is kept in memory: %s", error)
                self._open(None)
        assert self._database is not None, "opened, or the error went through"  # noqa: S101
        return self._database

    def _open(self, file: Path | None) -> None:
        if file is not None:
            file.parent.mkdir(exist_ok=True)
        if self._database is not None:
            self._database.close()
        database = sqlite3.connect(file or ":memory:", timeout=WAIT_S, check_same_thread=False)
        try:
            database.execute("PRAGMA synchronous = OFF")  # a lost last cell is no loss; a slow first one is
            database.executescript(_TABLES)
            with database:
                made = database.execute("INSERT INTO sessions (start) VALUES (?)", (_now(),))
        except sqlite3.Error:
            database.close()
            raise
        self._database, self._session = database, made.lastrowid or 1


def _now() -> str:
    return datetime.now(UTC).isoformat(sep=" ", timespec="seconds")
