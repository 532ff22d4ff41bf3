"""How long the command line takes to answer."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from benchmarks.measuring import Result, against, command, seconds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def measure(work: Path, *, quick: bool = False) -> Iterator[Result]:
    """Yield the time of `--help` beside that of bare Python."""
    repeat = 3 if quick else 11
    bare = seconds(lambda: command([sys.executable, "-c", "pass"], work), repeat)
    ours = seconds(lambda: command([sys.executable, "-m", "famulus_kernel.cli", "--help"], work), repeat)
    yield Result("famulus-notebook --help over bare Python", against(ours, bare))
