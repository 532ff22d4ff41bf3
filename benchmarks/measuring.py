"""Clocks and rows: what the measures share."""

from __future__ import annotations

import statistics
import subprocess
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


class Result(NamedTuple):
    """One row: what was measured, and the figure with its unit."""

    what: str
    value: str


def seconds(call: Callable[[], object], repeat: int = 5) -> float:
    """Return the median time of `call` in seconds, after one call that warms caches."""
    call()
    times = []
    for _ in range(repeat):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def command(words: Sequence[str | Path], cwd: Path, status: Sequence[int] = (0,)) -> None:
    """Run a command quietly; anything but the expected exit status is a failed measure."""
    done = subprocess.run([str(word) for word in words], cwd=cwd, capture_output=True, text=True, check=False)
    if done.returncode not in status:
        raise RuntimeError(f"{words[0]} ended with {done.returncode}: {done.stderr[-2000:]}")


def against(ours: float, theirs: float) -> str:
    """Return our time and how many times the other's it is."""
    return f"{ours:.3f} s, {ours / theirs:.2f} × of {theirs:.3f} s"
