"""Ctrl-C, wherever it comes from, ends the running cell and nothing else.

A KeyboardInterrupt that is raised outside of the cell's own code would leave a request without its reply, or end the
kernel. So SIGINT has one handler for the kernel's whole life, and it raises only while a cell lets it.
"""

from __future__ import annotations

import signal
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

_AGAIN_S = 0.5
"""A second signal within this time is the same key still being pressed: it must not break into the cleaning up."""


class Interrupts:
    """The one handler of SIGINT."""

    def __init__(self) -> None:
        self.struck = False
        """Whether a signal has ended, or tried to end, what ran last: a library may make another error of it."""
        self._let_in = False
        self._raised = float("-inf")

    def install(self) -> None:
        """Become the process's handler; to be called in the main thread."""
        signal.signal(signal.SIGINT, self._arrived)

    @contextmanager
    def let_in(self) -> Iterator[None]:
        """Let a signal end the code inside with KeyboardInterrupt; outside of it signals pass unnoticed."""
        self.struck = False
        self._let_in = True
        try:
            yield
        finally:
            self._let_in = False

    def _arrived(self, _signal: int, _frame: FrameType | None) -> None:
        now = time.monotonic()
        if self._let_in and now - self._raised > _AGAIN_S:
            self._raised = now
            self.struck = True
            raise KeyboardInterrupt
