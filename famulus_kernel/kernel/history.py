"""What was asked of this kernel, for `history_request`. It is kept while the kernel lives and written nowhere."""

from __future__ import annotations

from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

SESSION = 1
"""The number of the running session; 0 in a request means the same."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One cell: its execution count, its text, what it answered (None for nothing)."""

    line: int
    code: str
    output: str | None

    def row(self, *, output: bool) -> tuple[int, int, Any]:
        """Return the entry as the protocol has it."""
        return SESSION, self.line, (self.code, self.output) if output else self.code


@dataclass
class History:
    """The cells in the order in which they were run."""

    entries: list[Entry] = field(default_factory=list)

    def add(self, line: int, code: str, output: str | None) -> None:
        """Remember a cell."""
        self.entries.append(Entry(line, code, output))

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
            The last `n`; the lines `start` to `stop` (excluded) of this session; those that match the glob `pattern`.
        unique : bool
            Keep only the last entry of each text.
        """
        found = list(self.entries)
        if access == "range":
            ours = session in {None, 0, SESSION}
            last = stop if stop is not None else found[-1].line + 1 if found else 0
            return [entry for entry in found if ours and (start or 0) <= entry.line < last]
        if access == "search":
            found = [entry for entry in found if fnmatchcase(entry.code, pattern or "*")]
            if unique:
                found = list({entry.code: entry for entry in found}.values())
        return found[-n:] if n else found
