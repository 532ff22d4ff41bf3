"""What a scan finds: fences and running text, by lines and offsets."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

Segment = tuple[int, int]


@dataclass(slots=True)
class RawFence:
    """Any fence, by lines (0-based) and offsets.

    `end` is its last line; `body` holds for each line between the fences the blanks that a halved tab leaves, and the
    offsets of the rest.
    """

    start: int
    end: int
    offset: int
    info: str
    char: str
    length: int
    indent: int
    containers: tuple[int, ...]
    closed: bool = False
    body: list[tuple[int, int, int]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scan:
    """A text's structure.

    Attributes
    ----------
    starts
        Offset of each line's first character; one more entry for the end of the text.
    front_matter
        First and last line (the `---` lines), or None.
    fences
        All fences that are none's text, famulus or not, in order.
    texts
        Running text: for each paragraph, heading or the like the offsets of its pieces, one a line.
    """

    starts: list[int]
    front_matter: tuple[int, int] | None
    fences: tuple[RawFence, ...]
    texts: tuple[tuple[Segment, ...], ...]

    def line_of(self, offset: int) -> int:
        """Return the line (0-based) that an offset lies in."""
        return max(min(bisect_right(self.starts, offset) - 1, len(self.starts) - 2), 0)
