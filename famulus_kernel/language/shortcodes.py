"""Shortcodes in the source of a page (spec 5.4), so that an unresolved one can be named by file and line.

Pages are written from pandoc's tree, which has no positions; this finds the same shortcodes in the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from famulus_kernel.language.inline import inline_spans
from famulus_kernel.language.scan import scan

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from famulus_kernel.language.structure import Scan, Segment

_OPEN = re.compile(r"(?P<quarto>\{{2,3}<\s*famulus(?=\s|>))|(?P<angle><<<\s+famulus(?=\s))")
_TOKEN = re.compile(
    r"""\s*(?:
        (?P<close>>\}{2,3}|>>>)
      | (?:(?P<key>[\w-]+)=)?(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<word>(?!\{\{<|<<<)(?:(?!>\}\}|>>>)\S)+))
    )""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Shortcode:
    """`{{< famulus … >}}` or `<<< famulus … >>>` in a text.

    Attributes
    ----------
    start, end
        Character offsets in the text.
    line
        Line (1-based) that it begins in.
    args, kwargs
        The words after `famulus`, and those of the form `key=value`; quotes are taken off.
    literal
        Written `{{{< … >}}}`, to be shown as it is.
    """

    start: int
    end: int
    line: int
    args: tuple[str, ...]
    kwargs: dict[str, str] = field(default_factory=dict)
    literal: bool = False


def find_shortcodes(text: str, found: Scan | None = None) -> list[Shortcode]:
    """Find the shortcodes of a markdown text: in the front matter and in running text, but in no code and no comment.

    Parameters
    ----------
    found
        The text's structure, where it is already known (`Document.scan`).
    """
    found = found or scan(text)
    matter = [((found.starts[line], found.starts[line + 1]),) for line in _lines(found.front_matter)]
    return [code for segments in (*matter, *found.texts) for code in _in_text(text, segments, found)]


def _lines(span: tuple[int, int] | None) -> Iterable[int]:
    return range(span[0] + 1, span[1]) if span else ()


def _in_text(text: str, segments: tuple[Segment, ...], found: Scan) -> Iterator[Shortcode]:
    joined = "\n".join(text[start:end] for start, end in segments)
    if "famulus" not in joined:
        return
    begins, position = [], 0
    for start, end in segments:
        begins.append(position)
        position += end - start + 1

    def offset(at: int) -> int:
        piece = bisect_right(begins, at) - 1
        return segments[piece][0] + at - begins[piece]

    hidden = inline_spans(joined).spans
    hidden_starts = [start for start, _ in hidden]
    position = 0
    while match := _OPEN.search(joined, position):
        position = match.end()
        before = bisect_right(hidden_starts, match.start()) - 1
        if before >= 0 and match.start() < hidden[before][1]:
            position = hidden[before][1]
            continue
        if (read := _arguments(joined, match)) is None:
            continue
        args, kwargs, position = read
        start = offset(match.start())
        literal = match.group().startswith("{{{")
        yield Shortcode(start, offset(position - 1) + 1, found.line_of(start) + 1, args, kwargs, literal)


def _arguments(text: str, opening: re.Match[str]) -> tuple[tuple[str, ...], dict[str, str], int] | None:
    """Read words up to the mark that closes what `opening` opened; None where there is none before the next opening."""
    closing = ">>>" if opening["angle"] else ">" + "}" * opening.group().index("<")
    args: list[str] = []
    kwargs: dict[str, str] = {}
    position = opening.end()
    while match := _TOKEN.match(text, position):
        position = match.end()
        if match["close"]:
            return (tuple(args), kwargs, position) if match["close"] == closing else None
        value = next(found for found in match.group("double", "single", "word") if found is not None)
        if match["key"]:
            kwargs[match["key"]] = value
        else:
            args.append(value)
    return None
