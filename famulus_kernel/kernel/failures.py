"""Any exception as Jupyter shows it: a name, one line, and a traceback short enough to be read (spec 7.1).

The traceback is what went wrong, what to do, where it is, and the lines of the cell around it with the one in question
marked. Its colours are those that every frontend of Jupyter knows; the words themselves bring none.
"""

from __future__ import annotations

import re
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from famulus_kernel.artefacts.characters import visible
from famulus_kernel.errors import FamulusError, Interrupted, PreambleError, plain
from famulus_kernel.language.block import parse_block

_LONGEST = 10_000
_WIDEST = 200
_AROUND = 1
"""So many lines of the cell are shown before and after the one in question."""

_FENCE = re.compile(r"\s*(?:```|~~~)")
_FENCED = "a cell is one block without its fence: leave out the lines that begin and end it"

_RED, _BOLD, _DIM, _PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[2m", "\x1b[0m"


@dataclass(frozen=True)
class Failure:
    """What went wrong, as the protocol's `error` message carries it."""

    ename: str
    evalue: str
    traceback: tuple[str, ...]

    def content(self) -> dict[str, Any]:
        """Return the fields that an `error` message and the reply share."""
        return {"ename": self.ename, "evalue": self.evalue, "traceback": list(self.traceback)}


def describe(error: BaseException, code: str | None = None) -> Failure:
    """Return what a reader needs of an exception. Never raises, whatever the exception is.

    Parameters
    ----------
    code
        The text of the cell, for the lines around the place.
    """
    if isinstance(error, KeyboardInterrupt):
        error = Interrupted.of("the cell")
    if isinstance(error, FamulusError):
        return _of_the_project(error, code)
    if isinstance(error, MemoryError):
        return _failure("MemoryError", "there is no memory left for this cell", hint="ask for less at once")
    return _of_the_program(error)


def _of_the_project(error: FamulusError, code: str | None) -> Failure:
    excerpt = _excerpt(code, _line_in(code, error)) if code is not None else ()
    notes = tuple(f"  {visible(note)}" for note in getattr(error, "__notes__", ()))
    hint = _FENCED if isinstance(error, PreambleError) and _FENCE.match(code or "") else plain(error.hint)
    return _failure(type(error).__name__, plain(error.message), str(error.where), hint, excerpt + notes)


def _line_in(code: str, error: FamulusError) -> int | None:
    """Return the line of the cell (1-based) that an error is about: by its key, since it may count the file's lines."""
    try:
        lines = parse_block(code).key_lines
    except FamulusError as found:  # what cannot be read says itself where that is
        return found.where.line if found.message == error.message else None
    key = error.where.key or ""
    while key and key not in lines:
        key = key.rpartition(".")[0]
    return lines.get(key)


def _excerpt(code: str, number: int | None) -> tuple[str, ...]:
    """Return the lines around one, that one marked; none where it is not known."""
    lines = code.splitlines()
    if number is None or not 1 <= number <= len(lines):
        return ()
    shown = range(max(1, number - _AROUND), min(len(lines), number + _AROUND) + 1)
    drawn = []
    for at in shown:
        text = f"{at:>4} | {visible(lines[at - 1])[:_WIDEST]}"
        drawn.append(f"{_RED}> {text}{_PLAIN}" if at == number else f"{_DIM}  {text}{_PLAIN}")
    return tuple(drawn)


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


def _failure(name: str, message: str, place: str = "", hint: str = "", excerpt: tuple[str, ...] = ()) -> Failure:
    message = visible(message)[:_LONGEST]
    lines = [f"{_RED}{name}{_PLAIN}: {message}"]
    lines += [f"  {_BOLD}hint: {visible(hint)[:_LONGEST]}{_PLAIN}"] if hint else []
    lines += [f"  at {visible(place)}"] if place else []
    return Failure(name, message, (*lines, *excerpt))
