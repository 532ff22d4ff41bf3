"""Number words next to another word: the day before a month, the year behind it, the number of a century."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from famulus_kernel.institution.numerals.finding import read_words, runs
from famulus_kernel.institution.numerals.numeral import Spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST: Final = 8
_BLANKS: Final = re.compile(r"[ \u00a0\n]*")
_FIRST: Final = re.compile(r"erste[nr]?|first|premier|première|primo?|prima|primus", re.IGNORECASE)


def spoken_before(text: str, end: int, languages: Sequence[str], *, firsts: bool = False) -> tuple[Spoken, int] | None:
    """Return the longest number in words that ends at `end`, and where it begins; None for none.

    With `firsts` the words for a first count too, which elsewhere in a text say little.
    """
    window = max(0, end - 90)
    last = None
    for run in runs(text[window:end]):
        last = run
    if last is None or window + last[-1].end() != end:
        return None
    words = last[-_MOST:]
    for index in range(len(words)):
        for language in languages:
            spoken = read_words(language, [word[0] for word in words[index:]])
            if spoken is not None and spoken.words == len(words) - index:
                return spoken, window + words[index].start()
    if words[-1][0].casefold() == "second" and "en" in languages:  # elsewhere it may be a measure of time
        return Spoken(1, Fraction(2), ordinal=True), window + words[-1].start()
    if firsts and _FIRST.fullmatch(words[-1][0]):
        return Spoken(1, Fraction(1), ordinal=True), window + words[-1].start()
    return None


def spoken_after(text: str, start: int, languages: Sequence[str]) -> tuple[Spoken, int] | None:
    """Return the number in words that comes next behind `start`, blanks left out, and where it ends."""
    begin = _BLANKS.match(text, start).end()  # type: ignore[union-attr]  # it matches nothing, too
    run = next(runs(text[begin : begin + 160]), None)
    if run is None or run[0].start() != 0:
        return None
    for language in languages:
        spoken = read_words(language, [word[0] for word in run])
        if spoken is not None:
            return spoken, begin + run[spoken.words - 1].end()
    return None
