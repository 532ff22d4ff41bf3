"""The picture of a timeline: a bar for each year, and below the axis what lasted longer (spec 5.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from famulus_kernel.artefacts.characters import cut, one_line
from famulus_kernel.artefacts.drawing import GROUPS, MUTED, PAPER, RULE, SMALL, WIDTH, Sheet, legend, length_of
from famulus_kernel.artefacts.numbers import format_number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST_BARS: Final = 160
MOST_SPANS: Final = 12
_STEPS: Final = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1000)
_LEFT, _RIGHT, _TOP, _BOTTOM = 48.0, 12.0, 16.0, 216.0
_LANE: Final = 18.0
_TICKS: Final = 5
_YEAR_WIDTH: Final = 46.0


@dataclass(frozen=True)
class Span:
    """What lasted from one year to another, both included; `series` is one of those that are counted, or its own."""

    first: int
    last: int
    words: str
    series: str = ""


@dataclass(frozen=True)
class Years:
    """What is drawn.

    Attributes
    ----------
    counts : mapping of series to mapping of year to count
        Each series has a colour of its own; they stand on one another. A single one has no name. One without counts
        gives its spans their colour.
    spans : sequence of Span
        The first `MOST_SPANS` are drawn.
    """

    counts: Mapping[str, Mapping[int, float]]
    spans: Sequence[Span] = ()

    @property
    def first(self) -> int:
        """The first year of all."""
        return min([*(year for years in self.counts.values() for year in years), *(one.first for one in self.spans)])

    @property
    def last(self) -> int:
        """The last year of all."""
        return max([*(year for years in self.counts.values() for year in years), *(one.last for one in self.spans)])

    @property
    def step(self) -> int:
        """How many years one bar stands for: one, or as many as a long time needs."""
        return _step(self.last - self.first + 1, MOST_BARS)


def bar_picture(years: Years, title: str, lang: str) -> bytes:
    """Return an SVG with a bar for each year (or `step` years), and a line for each span."""
    sheet = Sheet()
    start = years.first - years.first % years.step
    bars = (years.last - start) // years.step + 1
    room = (WIDTH - _LEFT - _RIGHT) / bars
    binned = {name: _binned(counts, start, years.step) for name, counts in years.counts.items()}
    most = max((sum(counts.get(at, 0.0) for counts in binned.values()) for at in range(bars)), default=0.0)
    scale = (_BOTTOM - _TOP) / _grid(sheet, most, lang)
    gap = min(0.25 * room, 6.0)
    for at in range(bars):
        top = _BOTTOM
        for number, (name, counts) in enumerate(binned.items()):
            height = counts.get(at, 0.0) * scale
            if height > 0:
                top -= height
                year = start + at * years.step
                when = str(year) if years.step == 1 else f"{year}\N{EN DASH}{year + years.step - 1}"
                words = f"{when}: {format_number(counts[at], lang)}{f' ({name})' if name else ''}"
                place = {"x": _LEFT + at * room + gap / 2, "y": top, "width": max(room - gap, 0.5), "height": height}
                sheet.shape("rect", words, **place, fill=_colour(number))
    _axis(sheet, start, bars, years.step, room)
    colours = {name: _colour(number) for number, name in enumerate(binned)}
    bottom = _spans(sheet, years.spans[:MOST_SPANS], start, room / years.step, colours)
    barred = {name for name, counts in years.counts.items() if counts}
    names = [(colour, name) for name, colour in colours.items() if name in barred and name]
    return sheet.finish(legend(sheet, names, bottom) if names else bottom, title)


def _binned(counts: Mapping[int, float], start: int, step: int) -> dict[int, float]:
    found: dict[int, float] = {}
    for year, count in counts.items():
        at = (year - start) // step
        found[at] = found.get(at, 0.0) + max(count, 0.0)
    return found


def _step(length: float, most: int) -> int:
    return next((step for step in _STEPS if length / step <= most), _STEPS[-1] * max(1, int(length // 100_000)))


def _grid(sheet: Sheet, most: float, lang: str) -> float:
    """Draw the lines of round counts and return the count at the top."""
    step: float = 1
    while most / step > _TICKS:
        step *= 2.5 if str(step)[0] == "2" and step >= 2 else 2  # noqa: PLR2004 - 1, 2, 5, 10, 20, 50 …
    top = max(step, -(-most // step) * step)
    count: float = 0
    while count <= top:
        y = _BOTTOM - (_BOTTOM - _TOP) * count / top
        sheet.shape("line", x1=_LEFT, y1=y, x2=WIDTH - _RIGHT, y2=y, stroke=RULE, stroke_width=0.7)
        words = format_number(int(count), lang)
        sheet.text(_LEFT - 6, y + 4, words, text_anchor="end", font_size=SMALL, fill=MUTED)
        count += step
    return top


def _axis(sheet: Sheet, start: int, bars: int, step: int, room: float) -> None:
    sheet.shape("line", x1=_LEFT, y1=_BOTTOM, x2=WIDTH - _RIGHT, y2=_BOTTOM, stroke=MUTED, stroke_width=1)
    every = next(
        (one for one in _STEPS if one % step == 0 and one / step * room >= _YEAR_WIDTH), max(_STEPS[-1], step * bars)
    )
    for at in range(bars):
        year = start + at * step
        if year % every == 0 or bars == 1:
            x = _LEFT + (at + (0.5 if step == 1 else 0)) * room
            sheet.shape("line", x1=x, y1=_BOTTOM, x2=x, y2=_BOTTOM + 4, stroke=MUTED, stroke_width=1)
            sheet.text(x, _BOTTOM + 17, str(year), text_anchor="middle", font_size=SMALL, fill=MUTED)


def _colour(number: int) -> str:
    return GROUPS[min(number, len(GROUPS) - 1)]


def _spans(
    sheet: Sheet, spans: Sequence[Span], start: int, year: float, colours: Mapping[str, str]
) -> float:
    """Draw each span in a lane of its own, in the colour of its series, and return where they end."""
    y = _BOTTOM + 26
    for span in spans:
        y += _LANE
        x1, x2 = _LEFT + (span.first - start) * year, _LEFT + (span.last + 1 - start) * year
        colour = colours.get(span.series, MUTED)
        sheet.shape("line", span.words, x1=x1, y1=y, x2=x2, y2=y, stroke=colour, stroke_width=4)
        words = cut(one_line(span.words), 60)
        right = x2 + 6 + length_of(words, SMALL) < WIDTH
        x, anchor = (x2 + 6, "start") if right else (max(x1 - 6, length_of(words, SMALL)), "end")
        sheet.text(
            x, y + 4, words, text_anchor=anchor, font_size=SMALL, paint_order="stroke", stroke=PAPER, stroke_width=3
        )
    return y + 10 if spans else y
