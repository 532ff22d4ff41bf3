"""What a numeral is: a place in a text, and the values that it may mean."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Reading:
    """One value that a numeral may mean.

    Attributes
    ----------
    value
        Never negative: a text writes "5 years before", evidence -5.
    step
        The unit of the last figure of a rounded value: 1/10 for 12.5, 100,000 for 1.2 million. None for a whole
        number, which is meant exactly.
    """

    value: Fraction
    step: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text.

    Attributes
    ----------
    start, end
        Its place, in code points.
    readings
        What it may mean: "1.234" is a thousand and more in German and a little more than one in English.
    parts
        Or else it is several numbers, all of them meant: "1 234", "3/4".
    ordinal
        It counts a place: "the third", "4.", "XVIIe".
    digits
        It is written in figures.
    """

    start: int
    end: int
    readings: tuple[Reading, ...]
    parts: tuple[Reading, ...] = ()
    ordinal: bool = False
    digits: bool = False

    @property
    def whole(self) -> int | None:
        """Its first reading as an integer, or None."""
        value = self.readings[0].value
        return int(value) if value.denominator == 1 else None


@dataclass(frozen=True, slots=True)
class Spoken:
    """A number in words: over how many words it goes, and what it means."""

    words: int
    value: Fraction
    ordinal: bool = False
    rounded: bool = False

    def readings(self) -> tuple[Reading, ...]:
        """Return the values that it may mean; two thirds are also 66.7 in a hundred."""
        if self.value.denominator == 1 or not self.rounded:
            return (Reading(self.value),)
        return (Reading(self.value, Fraction(1, 100)), Reading(self.value * 100, Fraction(1)))
