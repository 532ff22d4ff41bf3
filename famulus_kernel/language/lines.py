"""Lines of a text with their breaks kept: LF, CRLF or CR, and nothing else, as for CommonMark."""

from __future__ import annotations

import re
from itertools import pairwise

_BREAK = re.compile(r"\r\n|\n|\r")
_MATTER_BEGIN = re.compile(r"\ufeff?---[ \t]*(?=[\r\n]|\Z)")
_MATTER_END = re.compile(r"(?:---|\.\.\.)[ \t]*(?=[\r\n]|\Z)")


def line_starts(text: str) -> list[int]:
    """Return the offset of each line's first character, and the end of the text."""
    starts = [0, *(match.end() for match in _BREAK.finditer(text))]
    return starts if starts[-1] == len(text) and text else [*starts, len(text)]


def split_lines(text: str) -> list[str]:
    """Return the lines of a text, each with its break; none for an empty text."""
    return [text[start:end] for start, end in pairwise(line_starts(text))] if text else []


def without_break(line: str) -> str:
    """Return a line without its break."""
    return line.rstrip("\r\n")


def front_matter_lines(text: str, starts: list[int]) -> tuple[int, int] | None:
    """Return the numbers (0-based) of the two `---` lines around the YAML at the text's beginning, or None.

    Blank lines may stand before it. As for Quarto, none may follow its first line.
    """
    first = 0
    while first < len(starts) - 2 and not text[starts[first] : starts[first + 1]].strip("\ufeff \t\r\n"):
        first += 1
    if first >= len(starts) - 2 or not _MATTER_BEGIN.match(text, starts[first]):
        return None
    if not text[starts[first + 1] : starts[first + 2]].strip():
        return None
    ends = (number for number in range(first + 1, len(starts) - 1) if _MATTER_END.match(text, starts[number]))
    last = next(ends, None)
    return None if last is None else (first, last)
