"""What tells one state of a file from the next without opening it: whoever keeps what a file said asks its stamp."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path

SETTLE_NS = 2_000_000_000
"""How long a file must have been at rest before it was read, in ns: the tick of the coarsest disk (FAT)."""


class Stamp(NamedTuple):
    """Size (bytes), time of the last change (ns) and inode of a file."""

    size: int
    mtime_ns: int
    inode: int

    def was_settled(self, read_ns: int) -> bool:
        """Say whether the file was at rest when it was read at `read_ns`; else it may have changed within one tick."""
        return self.mtime_ns + SETTLE_NS <= read_ns


def stamp_of(path: Path | str) -> Stamp | None:
    """Return the stamp of a file; None where it is not there, or its name is no path."""
    try:
        stat = os.stat(path)  # noqa: PTH116 - half of Path.stat's time, for every notebook, cell and page
    except (OSError, ValueError):
        return None
    return Stamp(stat.st_size, stat.st_mtime_ns, stat.st_ino)
