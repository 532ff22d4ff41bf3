"""Code spans and HTML comments inside running text, in linear time: where a comment opens, and where code is."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass

COMMENT = "<!--"
_TOKEN = re.compile(r"\\[^\w\s]|`+|<!--")
_RUN = re.compile(r"`+")


@dataclass(frozen=True, slots=True)
class InlineSpans:
    """What a text holds besides words.

    Attributes
    ----------
    spans
        Start and end of each code span and each closed comment, in order.
    open_comment
        Where a comment opens that this text does not close; nothing after it was looked at.
    """

    spans: tuple[tuple[int, int], ...]
    open_comment: int | None


def inline_spans(text: str) -> InlineSpans:
    """Find code spans and comments of one paragraph or heading.

    A backtick run opens a code span when a run of the same length follows (CommonMark); a backslash takes the meaning
    from a backtick or a `<`; whichever begins first wins.
    """
    runs = _runs_by_length(text)
    spans: list[tuple[int, int]] = []
    position = 0
    while match := _TOKEN.search(text, position):
        start, position = match.span()
        if text[start] == "`":
            length = position - start
            closers = runs.get(length, ())
            index = bisect_right(closers, start)
            if index < len(closers) and closers[index] >= position:
                position = closers[index] + length
                spans.append((start, position))
        elif text[start] == "<":
            # <!--> and <!---> are whole comments
            close = text.find("-->", start + 2)
            if close < 0:
                return InlineSpans(tuple(spans), start)
            position = close + 3
            spans.append((start, position))
    return InlineSpans(tuple(spans), None)


def _runs_by_length(text: str) -> dict[int, list[int]]:
    runs: dict[int, list[int]] = defaultdict(list)
    for match in _RUN.finditer(text):
        runs[match.end() - match.start()].append(match.start())
    return runs
