"""What a text is compared with: the numbers, dates and wordings that the evidence holds."""

from __future__ import annotations

import bisect
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.edtf import parse_edtf
from famulus_kernel.errors import NotEdtf
from famulus_kernel.institution import periods
from famulus_kernel.institution.dates import find_dates
from famulus_kernel.institution.masking import composed, masked, quiet
from famulus_kernel.institution.numerals import LANGUAGES, Numeral, find_numerals
from famulus_kernel.institution.periods import Period, When
from famulus_kernel.institution.quotations import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from famulus_kernel.institution.numerals import Reading

_LONGEST_EDTF: Final = 40
_FIRST_YEAR: Final = 1
_LAST_YEAR: Final = 2199


class Evidence:
    """Everything that a text may claim.

    Parameters
    ----------
    value
        JSON of any shape: rows, measures, sentences. Keys of objects count too, so that counts by year have the years.
    lang
        Language of the text; it chooses how quotations are folded and whose words for numbers come first.
    """

    def __init__(self, value: Any, lang: str) -> None:
        self._languages = (lang, *(one for one in LANGUAGES if one != lang)) if lang in LANGUAGES else LANGUAGES
        self._sure = lang == "la"
        self._whole: set[Fraction] = set()
        self._broken: set[Fraction] = set()
        self._dates: set[When] = set()
        self.texts: list[str] = []
        seen: set[str] = set()
        for leaf in _leaves(value):
            if isinstance(leaf, str):
                if leaf not in seen:
                    seen.add(leaf)
                    self._read(leaf)
            else:
                self._add(abs(Fraction(leaf)))
        self.texts += list(_columns(value))
        self._sorted, self._sorted_whole = sorted(self._broken), sorted(self._whole)
        self._said = self._dates | {periods.year(int(number)) for number in self._whole if _may_be_year(number)}
        self._known: dict[When, bool] = {}
        self._years = {when.year for when in self._dates if isinstance(when, Period) and when.year is not None}
        self.sources = Sources(self.texts, lang)

    def _add(self, number: Fraction) -> None:
        (self._whole if number.denominator == 1 else self._broken).add(number)

    def _read(self, text: str) -> None:
        """Take in what one text says."""
        self.texts.append(text)
        bounds = _edtf(text)
        if bounds is not None:
            self._dates.add(bounds)
        if bounds is not None and "X" in text:
            return
        plain = quiet(composed(text)[0])
        dates = find_dates(plain, self._languages)
        for mention in dates:
            for reading in mention.readings:
                self._dates.update(reading)
        for numeral in find_numerals(masked(plain, dates), self._languages, sure=self._sure):
            for one in (*numeral.readings, *numeral.parts):
                self._add(one.value)

    def has_number(self, numeral: Numeral) -> bool:
        """Return whether the evidence has a number, in one of its readings or as the several numbers that it may be."""
        if any(self._has(reading) for reading in numeral.readings):
            return True
        return bool(numeral.parts) and all(self._has(part) for part in numeral.parts)

    def _has(self, reading: Reading) -> bool:
        if reading.value in self._whole or reading.value in self._broken:
            return True
        if _may_be_year(reading.value) and int(reading.value) in self._years:
            return True
        return reading.step is not None and self._rounds_to(reading.value, reading.step)

    def _rounds_to(self, value: Fraction, step: Fraction) -> bool:
        low, high = value - step / 2, value + step / 2
        return _any_within(self._sorted, low, high) or (step > 1 and _any_within(self._sorted_whole, low, high))

    def has_name(self, name: str) -> bool:
        """Return whether the evidence has a name with figures in it, such as K17, as it is written."""
        return self.sources.have(name)

    def has_date(self, readings: Sequence[Sequence[When]]) -> bool:
        """Return whether the evidence bears out a date, in one of its readings with all that it names."""
        return any(all(self._bears_out(when) for when in reading) for reading in readings)

    def _bears_out(self, claim: When) -> bool:
        if claim not in self._known:
            self._known[claim] = any(when.bears_out(claim) for when in self._said)
        return self._known[claim]


def _may_be_year(number: Fraction) -> bool:
    return number.denominator == 1 and _FIRST_YEAR <= number <= _LAST_YEAR


def _any_within(ordered: Sequence[Fraction], low: Fraction, high: Fraction) -> bool:
    index = bisect.bisect_left(ordered, low)
    return index < len(ordered) and ordered[index] <= high


def _edtf(text: str) -> Period | None:
    if len(text) > _LONGEST_EDTF or not any(letter.isdigit() for letter in text):
        return None
    try:
        bounds = parse_edtf(text)
    except NotEdtf:
        return None
    if bounds.earliest is None or bounds.latest is None:
        return None
    first, last = bounds.earliest, bounds.latest
    return Period((first.year, first.month, first.day), (last.year, last.month, last.day))


def _leaves(value: Any) -> Iterator[str | int | float]:
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, Mapping):
            stack += [*reversed(list(one.values())), *map(str, one)]
        elif isinstance(one, list | tuple):
            stack += reversed(one)
        elif isinstance(one, str) or _is_number(one):
            yield one


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _columns(value: Any) -> Iterator[str]:
    """Yield each list of texts as one, and each column of a list of rows: a quotation may go over several sentences."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, Mapping):
            stack += one.values()
        elif isinstance(one, list | tuple) and len(one) > 1:
            if all(isinstance(item, str) for item in one):
                yield "\n".join(one)
            elif all(isinstance(item, Mapping) for item in one):
                for key in one[0]:
                    column = [item.get(key) for item in one]
                    if all(isinstance(item, str) for item in column):
                        yield "\n".join(column)
            stack += one
