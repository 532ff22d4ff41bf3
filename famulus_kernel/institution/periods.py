"""What a date may mean: a span of days, a day of any year, a decade of any century; and when one bears out another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

Day = tuple[int, int, int]
"""Year, month, day."""

_JULIAN_LEAP: Final = 4
_FEBRUARY: Final = 2
_LENGTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Period:
    """All days from the first to the last; a day, a month, a year, a decade."""

    first: Day
    last: Day

    @property
    def year(self) -> int | None:
        """The year that it lies in, if it is one."""
        return self.first[0] if self.first[0] == self.last[0] else None

    def bears_out(self, claim: When) -> bool:
        """Return whether evidence that names this period says what `claim` says, or more exactly so."""
        if isinstance(claim, Period):
            return claim.first <= self.first and self.last <= claim.last
        if isinstance(claim, DayOfYear):
            return self.first == self.last and self.first[1:] == (claim.month, claim.day)
        return self.year is not None and self.year % 100 // 10 * 10 == claim.tens


@dataclass(frozen=True, slots=True)
class DayOfYear:
    """The 4th of March, of whatever year."""

    month: int
    day: int

    def bears_out(self, claim: When) -> bool:
        """Return whether `claim` is this day, without a year."""
        return self == claim


@dataclass(frozen=True, slots=True)
class Tens:
    """The twenties, of whatever century."""

    tens: int

    def bears_out(self, claim: When) -> bool:
        """Return whether `claim` is these years."""
        return self == claim


When = Period | DayOfYear | Tens


def year(number: int) -> Period:
    """Return a whole year."""
    return Period((number, 1, 1), (number, 12, 31))


def years(first: int, last: int) -> Period:
    """Return whole years, both ends included."""
    return Period((first, 1, 1), (last, 12, 31))


def month(number: int, of: int) -> Period:
    """Return a whole month of the year `of`."""
    return Period((of, number, 1), (of, number, month_length(number, of)))


def day(number: int, of_month: int, of: int) -> Period:
    """Return one day."""
    return Period((of, of_month, number), (of, of_month, number))


def century(number: int, half: int = 0) -> Period:
    """Return the nth century, or its first or second half; a year with two noughts counts to the one it begins, too."""
    start = 100 * (number - 1)
    if half:
        return years(start, start + 50) if half == 1 else years(start + 50, start + 100)
    return years(start, start + 100)


def month_length(number: int, of: int | None = None) -> int:
    """Return the days of a month; a February has 29 where the Julian calendar or none in particular is meant."""
    leap = of is None or of % _JULIAN_LEAP == 0
    return 29 if number == _FEBRUARY and leap else _LENGTHS[number - 1]


def is_day(number: int, of_month: int, of: int | None = None) -> bool:
    """Return whether there is such a day."""
    return 1 <= of_month <= 12 and 1 <= number <= month_length(of_month, of)  # noqa: PLR2004 - months


_LATE: Final = {3, 5, 7, 10}
"""The months whose nones are the 7th and whose ides are the 15th."""


def roman_day(before: int, mark: str, of_month: int, of: int | None) -> tuple[int, int, int | None] | None:
    """Return day, month and year of a day of the Roman calendar: `before` is 4 in `a. d. IV Non. Mart.`, 1 on the day.

    `mark` is k (kalends), n (nones) or i (ides). None where there is no such day.
    """
    if mark == "k":
        if before == 1:
            return 1, of_month, of
        earlier = of_month - 1 or 12
        then = of - 1 if of is not None and of_month == 1 else of
        number = (28 if earlier == _FEBRUARY else month_length(earlier)) + 2 - before
        return (number, earlier, then) if number >= 13 else None  # noqa: PLR2004 - the ides
    ides = 15 if of_month in _LATE else 13
    number = (ides if mark == "i" else ides - 8) + 1 - before
    return (number, of_month, of) if number >= 1 else None
