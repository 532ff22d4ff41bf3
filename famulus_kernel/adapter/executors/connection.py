"""Lines of JSON between a process and the one that started it, seen from the process that was started.

It lives as long as its stdin is open. When that ends in the middle of a piece of work, nobody waits for the answer any
more: the main thread gets a KeyboardInterrupt. So the starter stops it, and so it notices the starter's death.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from _thread import interrupt_main
from typing import IO, TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from collections.abc import Iterator


class Connection:
    """The starter at the other end: requests come in, events and answers go out."""

    def __init__(self, incoming: IO[bytes], outgoing: IO[bytes]) -> None:
        self._outgoing = outgoing
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._busy = threading.Event()
        self._gone = threading.Event()
        threading.Thread(target=self._read, args=(incoming,), daemon=True).start()

    @classmethod
    def on_standard_streams(cls) -> Self:
        """Speak on stdin and stdout. What libraries print goes to stderr from now on: it would break the protocol."""
        outgoing = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        return cls(sys.stdin.buffer, outgoing)

    def _read(self, incoming: IO[bytes]) -> None:
        for line in incoming:
            self._lines.put(line)
        self._gone.set()
        self._lines.put(b"")
        if self._busy.is_set():
            _interrupt_main_thread()

    def requests(self) -> Iterator[dict[str, Any]]:
        """Yield requests until the starter is gone."""
        while line := self._lines.get():
            self._busy.set()
            if self._gone.is_set():  # its last request was never waited for
                return
            yield json.loads(line)
            self._busy.clear()

    def send(self, message: dict[str, Any]) -> None:
        """Send an event or an answer."""
        self._outgoing.write(json.dumps(message).encode("ascii") + b"\n")
        self._outgoing.flush()


def _interrupt_main_thread() -> None:
    if hasattr(signal, "pthread_kill"):
        # unlike interrupt_main, a real signal wakes a thread that waits
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        interrupt_main()
