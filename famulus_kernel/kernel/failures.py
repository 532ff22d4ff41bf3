"""Any exception as Jupyter shows it: a name, one line, and a traceback short enough to be read (spec 7.1)."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from famulus_kernel.artefacts.characters import visible
from famulus_kernel.errors import FamulusError, Interrupted, plain

_LONGEST = 10_000


@dataclass(frozen=True)
class Failure:
    """What went wrong, as the protocol's `error` message carries it."""

    ename: str
    evalue: str
    traceback: tuple[str, ...]

    def content(self) -> dict[str, Any]:
        """Return the fields that an `error` message and the reply share."""
        return {"ename": self.ename, "evalue": self.evalue, "traceback": list(self.traceback)}


def describe(error: BaseException) -> Failure:
    """Return what a reader needs of an exception. Never raises, whatever the exception is."""
    if isinstance(error, KeyboardInterrupt):
        error = Interrupted.of("the cell")
    if isinstance(error, FamulusError):
        return _of_the_project(error)
    if isinstance(error, MemoryError):
        return _failure("MemoryError", "there is no memory left for this cell", hint="ask for less at once")
    return _of_the_program(error)


def _of_the_project(error: FamulusError) -> Failure:
    return _failure(type(error).__name__, plain(error.message), str(error.where), plain(error.hint))


def _of_the_program(error: BaseException) -> Failure:
    """Describe what no one foresaw: its own words, and the place in the program."""
    try:
        words = str(error)
    except Exception:  # the text of a stranger's exception may be broken as well
        words = ""
    frames = traceback.extract_tb(error.__traceback__)
    place = f"{Path(frames[-1].filename).name}:{frames[-1].lineno}, in {frames[-1].name}" if frames else ""
    hint = "this is a defect of famulus, not of your block; its log has the whole traceback"
    return _failure(type(error).__name__, words or "no message", place, hint)


def _failure(name: str, message: str, place: str = "", hint: str = "") -> Failure:
    message = visible(message)[:_LONGEST]
    lines = [f"{name}: {message}"]
    lines += [f"  at {visible(place)}"] if place else []
    lines += [f"  hint: {visible(hint)[:_LONGEST]}"] if hint else []
    return Failure(name, message, tuple(lines))
