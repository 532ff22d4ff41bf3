"""The line that moves while long queries run; nothing where nobody looks."""

from __future__ import annotations

import shutil
import sys
import threading
from typing import TYPE_CHECKING, Self

from famulus_kernel.cli.printing import is_terminal

if TYPE_CHECKING:
    from famulus_kernel.corpus import Progress

_CLEAR = "\r\x1b[2K"


class ProgressLine:
    """One line on standard error: blocks, percentages, seconds; those of which something is known come first.

    Workers report from threads of their own, and late: what is told of a block that has ended is dropped.
    """

    def __init__(self, *, silent: bool = False) -> None:
        self.shows = is_terminal() and not silent
        self._lock = threading.Lock()
        self._known: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._known.clear()
            self._draw()

    def begin(self, block: str) -> None:
        """Say that a block plays, or waits to, from now on."""
        with self._lock:
            self._known[block] = ""
            self._draw()

    def advance(self, block: str, progress: Progress) -> None:
        """Say how far its query is."""
        from famulus_kernel.corpus.progress import in_words

        with self._lock:
            if block in self._known:
                self._known[block] = f"  {in_words(progress, 'en')}"
                self._draw()

    def end(self, block: str) -> None:
        """Say that a block has ended; the line goes until the next word of it, to make room for what is printed."""
        with self._lock:
            self._known.pop(block, None)
            self._write("")

    def _draw(self) -> None:
        if not self._known:
            self._write("")
            return
        told = sorted(self._known.items(), key=lambda item: not item[1])
        text = "… " + ", ".join(f"{block}{far}" for block, far in told)
        width = shutil.get_terminal_size().columns - 1
        self._write(text if len(text) <= width else text[: width - 1] + "…")

    def _write(self, text: str) -> None:
        if self.shows:
            sys.stderr.write(_CLEAR + text)
            sys.stderr.flush()
