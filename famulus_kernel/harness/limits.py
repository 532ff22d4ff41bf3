"""What a run may spend, and what it has spent (spec 3.6): enforced, not advised.

One :class:`Budget` holds for a whole block. The text of a model is cut where the tokens end and marked so, the call of
a tool past the limit is refused, and the wall clock ends the run wherever somebody asks :meth:`Budget.check`: between
stages, and four times a second while DuckDB works. Work of Python's own is ended by an alarm (:meth:`Budget.ticking`).
"""

from __future__ import annotations

import signal
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import BudgetExceeded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

CUT_MARK: Final = "… [cut: {allowed} tokens]"
"""What stands at the end of a text that was cut."""


_TICK_S: Final = 0.25
"""How often an alarm asks again."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a run may spend; None: as much as it takes."""

    max_output_tokens: int | None = None
    max_tool_calls: int | None = None
    max_wall_seconds: float | None = None


class Budget:
    """The account of one block: every run of its chain spends from it.

    Parameters
    ----------
    limits
        What may be spent.
    clock
        Seconds that only go forward.
    """

    def __init__(self, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits or Limits()
        self._clock = clock
        self._began = clock()
        self.output_tokens = 0
        self.tool_calls = 0

    def seconds_left(self) -> float | None:
        """Return what the wall clock leaves, at least 0; None where it does not matter."""
        allowed = self.limits.max_wall_seconds
        return None if allowed is None else max(0.0, allowed - self._elapsed())

    def tokens_left(self) -> int | None:
        """Return how many tokens a model may still write; None where it does not matter."""
        allowed = self.limits.max_output_tokens
        return None if allowed is None else max(0, allowed - self.output_tokens)

    def check(self) -> None:
        """Let a run go on that has time left.

        Raises
        ------
        BudgetExceeded
            The wall clock ends it.
        """
        if self.seconds_left() == 0:
            raise BudgetExceeded.of("max_wall_seconds", f"{self._elapsed():.1f}", self.limits.max_wall_seconds)

    @contextmanager
    def ticking(self) -> Iterator[None]:
        """Let the wall clock end what runs inside, also a regular expression that nobody else can stop.

        Signals reach the main thread only, and only where the system has alarms; elsewhere the clock is asked when it
        is over. An alarm of somebody else goes on afterwards.

        Raises
        ------
        BudgetExceeded
            The wall clock ends it.
        """
        left = self.seconds_left()
        if left is None or threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
            yield
            self.check()
            return
        before = signal.signal(signal.SIGALRM, lambda *_: self.check())
        others_left, others_tick = signal.setitimer(signal.ITIMER_REAL, max(left, 0.001), _TICK_S)
        try:
            try:
                yield
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0)
        finally:  # where the alarm struck on that last line, too: it must not go on to strike at others
            signal.setitimer(signal.ITIMER_REAL, others_left, others_tick)
            signal.signal(signal.SIGALRM, before)
        self.check()

    def tool_call(self) -> None:
        """Count a call that is about to be made.

        Raises
        ------
        BudgetExceeded
            It would be one too many, or there is no time left for it.
        """
        self.check()
        allowed = self.limits.max_tool_calls
        if allowed is not None and self.tool_calls >= allowed:
            raise BudgetExceeded.of("max_tool_calls", self.tool_calls, allowed)
        self.tool_calls += 1

    def model_call(self) -> int | None:
        """Return how many tokens a model that is about to be called may write; None: as many as it likes.

        Raises
        ------
        BudgetExceeded
            There is no token or no time left.
        """
        self.check()
        left = self.tokens_left()
        if left == 0:
            raise BudgetExceeded.of("max_output_tokens", self.output_tokens, self.limits.max_output_tokens)
        return left

    def written(self, text: str, tokens: int) -> str:
        """Count what a model wrote and return it, cut and marked where it is longer than it may be.

        Parameters
        ----------
        text
            The text.
        tokens
            How many tokens the server says it has; a server that ignores the limit is held to it here.
        """
        left = self.tokens_left()
        self.output_tokens += tokens
        if left is None or tokens <= left:
            return text
        kept = text[: len(text) * left // tokens]
        kept = kept[: kept.rfind(" ")] if " " in kept else kept
        return f"{kept.rstrip()} {self.cut_mark()}".lstrip()

    def cut_mark(self) -> str:
        """Return the mark that a text ends with which was cut."""
        return CUT_MARK.format(allowed=self.limits.max_output_tokens)

    def usage(self) -> dict[str, Any]:
        """Return `{name: {used, allowed}}` for the trace: what was spent, and what has a limit."""
        limits = self.limits
        spent = {
            "output_tokens": (self.output_tokens, limits.max_output_tokens),
            "tool_calls": (self.tool_calls, limits.max_tool_calls),
            "wall_seconds": (round(self._elapsed(), 3), limits.max_wall_seconds),
        }
        return {
            name: {"used": used, "allowed": allowed}
            for name, (used, allowed) in spent.items()
            if allowed is not None or (used and name != "wall_seconds")
        }

    def _elapsed(self) -> float:
        return self._clock() - self._began
