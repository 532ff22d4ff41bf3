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


def _words(progress: Progress, *, short: bool) -> str:
    from famulus_kernel.corpus.progress import in_words

    return in_words(progress, "en", short=short)


class ProgressLine:
    """One line on standard error: blocks, percentages, seconds; those of which something is known come first.

    Workers report from threads of their own, and late: what is told of a block that has ended is dropped.
    """

    def __init__(self, *, silent: bool = False) -> None:
        self.shows = is_terminal() and not silent
        self._lock = threading.Lock()
        self._known: dict[str, Progress | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._known.clear()
            self._draw()

    def begin(self, block: str) -> None:
        """Say that a block plays, or waits to, from now on."""
        with self._lock:
            self._known[block] = None
            self._draw()

    def advance(self, block: str, progress: Progress) -> None:
        """Say how far its query is."""
        with self._lock:
            if block in self._known:
                self._known[block] = progress
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
        width = shutil.get_terminal_size().columns - 1
        text = self._told()
        if len(text) > width:
            text = self._told(short=True)
        self._write(text if len(text) <= width else text[: width - 1] + "…")

    def _told(self, *, short: bool = False) -> str:
        told = sorted(self._known.items(), key=lambda item: item[1] is None)
        return "… " + ", ".join(block + (f"  {_words(far, short=short)}" if far else "") for block, far in told)

    def _write(self, text: str) -> None:
        if self.shows:
            sys.stderr.write(_CLEAR + text)
            sys.stderr.flush()
