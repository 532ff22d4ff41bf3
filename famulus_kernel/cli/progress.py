"""The line that moves while a long query runs; nothing where nobody looks."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

from famulus_kernel.cli.printing import is_terminal

if TYPE_CHECKING:
    from famulus_kernel.corpus import Progress

_CLEAR = "\r\x1b[2K"


class ProgressLine:
    """One line on standard error: block, percentage, seconds; work of less than a second shows none."""

    def __init__(self, *, silent: bool = False) -> None:
        self._shows = is_terminal() and not silent
        self._block = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def begin(self, block: str) -> None:
        """Say which block plays now."""
        self._block = block
        self._write(f"… {block}")

    def advance(self, progress: Progress) -> None:
        """Say how far its query is."""
        share = "" if progress.fraction is None else f"  {progress.fraction:.0%}"
        self._write(f"… {self._block}{share}  {progress.elapsed:.0f} s")

    def clear(self) -> None:
        """Take the line away."""
        self._write("")

    def _write(self, text: str) -> None:
        if self._shows:
            sys.stderr.write(_CLEAR + text)
            sys.stderr.flush()
