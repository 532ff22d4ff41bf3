"""Programs in a terminal, as a person sits before them."""

from __future__ import annotations

import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pexpect
from kernels import surroundings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LINES, COLUMNS = 40, 110


@contextmanager
def terminal(program: str, *words: str, cwd: Path, timeout: float = 60, **env: str) -> Iterator[Any]:
    """Give a program in a pseudo-terminal (a :class:`pexpect.spawn`), which is ended when it is left."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*forkpty.*", DeprecationWarning)  # it becomes another program at once
        spawned = pexpect.spawn(
            program, list(words), cwd=str(cwd), env=surroundings(**env), timeout=timeout, encoding="utf-8",
            codec_errors="replace", dimensions=(LINES, COLUMNS),
        )  # fmt: skip
    try:
        yield spawned
    finally:
        spawned.close(force=True)
