"""EDTF, level 0 to 2, as bounds: the earliest and the latest day that a date may mean (spec 4.2).

The Extended Date/Time Format of the Library of Congress (2019, ISO 8601-2) is read whole. Its forms mean:

- `1522`, `1522-05`: every day of the year, of the month. `1522-05-03T10:30:00Z`: that day as written; no time
  zone moves a letter to another day.
- `152X`, `1522-1X`, `1522-05-XX`: every day that fits the digits. `XXXX` is no year at all: both bounds are
  unknown.
- `1511-23`: seasons are whole months. Spring is March to May, summer June to August, autumn September to
  November, winter December to the next February (21-24, and 25-28, which say so of the north; 29-32 are those
  of the south). `33`-`36`, `37`-`39`, `40`-`41` are quarters, thirds and halves of a year.
- `Y17E3`, `1520S2`: exponents, and significant digits (every year that shares the first two, 1500 to 1599).
- `1541/1542`: from the first day of the one to the last of the other. `1541/..` and `1541/`, the open and the
  unknown end, leave that side without bound.
- `[a,b]`, `{a,b}`, `[a..b]`: from the earliest to the latest member, be one or all of them meant. `[..b]` and
  `[a..]` leave a side without bound.
- `?`, `~`, `%` move no bound. They set `uncertain`, `approximate` or both, wherever in the text they stand.
- `-0043`: years are astronomical, 0 is 1 BCE and -43 is 44 BCE.

Days are those of the proleptic Gregorian calendar, as in EDTF and in DuckDB. An old-style date keeps its
numbers; the 29th of February of a year that only the Julian calendar has as a leap year has no place there
and is reported.

Blanks around a date and around the members of a range or set are accepted: public data have them.
"""

from __future__ import annotations

import calendar
import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from famulus_kernel.errors import NotEdtf

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_MARK: Final = "[?~%]?"
_DATE: Final = re.compile(
    rf"{_MARK}(?P<sign>-?)(?P<year>[0-9X]{{4}})(?:S(?P<significant>[0-9]+))?{_MARK}"
    rf"(?:-{_MARK}(?P<month>[0-9X]{{2}}){_MARK}(?:-{_MARK}(?P<day>[0-9X]{{2}}){_MARK})?)?"
)
_LONG_YEAR: Final = re.compile(
    rf"{_MARK}Y(?P<sign>-?)(?P<digits>[1-9][0-9]*)(?:E(?P<exponent>[1-9][0-9]*))?(?:S(?P<significant>[0-9]+))?{_MARK}"
)
_TIME: Final = re.compile(
    r"(?P<date>-?[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"T(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]|24:00:00)(?:Z|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)?"
)
_UNKNOWN_YEAR: Final = "XXXX"
_LONGEST_YEAR: Final = 18
"""Digits of a year. `Y1E999999999` is a text of 13 characters and a number of a thousand million."""

_LENGTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FEBRUARY: Final = 2
_NEXT_FEBRUARY: Final = 14
_SEASONS: Final[dict[str, tuple[int, int]]] = {
    str(first_code + place): months
    for first_code, group in (
        (21, ((3, 5), (6, 8), (9, 11), (12, _NEXT_FEBRUARY))),
        (25, ((3, 5), (6, 8), (9, 11), (12, _NEXT_FEBRUARY))),
        (29, ((9, 11), (12, _NEXT_FEBRUARY), (3, 5), (6, 8))),
        (33, ((1, 3), (4, 6), (7, 9), (10, 12))),
        (37, ((1, 4), (5, 8), (9, 12))),
        (40, ((1, 6), (7, 12))),
    )
    for place, months in enumerate(group)
}
"""First and last month of each season or part of a year; 13 and 14 are those of the next year."""


class Day(NamedTuple):
    """A day of the proleptic Gregorian calendar. Years are astronomical: 0 is 1 BCE. Days compare by time."""

    year: int
    month: int
    day: int

    def __str__(self) -> str:
        return f"{'-' if self.year < 0 else ''}{abs(self.year):04d}-{self.month:02d}-{self.day:02d}"

    def to_duckdb(self) -> str | None:
        """Return the text that DuckDB casts to this DATE; None where its DATE does not reach.

        DuckDB counts years BCE from 1 and reaches from 25 June 5 877 642 BCE to 10 July 5 881 580.
        """
        if not _DUCKDB_FIRST <= self <= _DUCKDB_LAST:
            return None
        if self.year > 0:
            return f"{self.year:04d}-{self.month:02d}-{self.day:02d}"
        return f"{1 - self.year:04d}-{self.month:02d}-{self.day:02d} (BC)"


_DUCKDB_FIRST: Final = Day(-5877641, 6, 25)
_DUCKDB_LAST: Final = Day(5881580, 7, 10)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a date says: the day it means lies from `earliest` to `latest`, both included.

    Attributes
    ----------
    earliest, latest : Day or None
        None where that side is open or unknown.
    uncertain : bool
        The source itself queries the date or a part of it (`?`, `%`).
    approximate : bool
        The date or a part of it is an estimate (`~`, `%`). The bounds stay; how far it may be off is unsaid.
    inverted : bool
        A range ended before it began. The bounds then span both ends; a reader of data should report it.
    """

    earliest: Day | None
    latest: Day | None
    uncertain: bool = False
    approximate: bool = False
    inverted: bool = False

    @property
    def is_exact(self) -> bool:
        """Whether the date is one day, neither queried nor estimated."""
        one_day = self.earliest is not None and self.earliest == self.latest
        return one_day and not (self.uncertain or self.approximate)


def parse_edtf(text: str) -> Bounds:
    """Return the bounds of an EDTF date.

    Parameters
    ----------
    text : str
        A date, interval or set of EDTF level 0, 1 or 2; blanks around it do not count.

    Returns
    -------
    Bounds

    Raises
    ------
    NotEdtf
        `text` is no EDTF, or names a day that does not exist. Nothing else is raised, whatever the text.
    """
    bare = text.strip()
    try:
        span = _span(bare)
    except _NoDateError as problem:
        raise NotEdtf.of(text, str(problem)) from None
    both = "%" in bare
    return Bounds(span.earliest, span.latest, both or "?" in bare, both or "~" in bare, span.inverted)


class _NoDateError(ValueError):
    """Why a piece of text is no date; parse_edtf adds the whole text."""


class _Span(NamedTuple):
    earliest: Day | None
    latest: Day | None
    inverted: bool = False


_OPEN: Final = _Span(None, None)


def _span(bare: str) -> _Span:
    if bare[:1] + bare[-1:] in ("[]", "{}"):
        return _set(bare[1:-1])
    if "/" in bare:
        return _interval(bare)
    if timed := _TIME.fullmatch(bare):
        return _date(timed["date"])
    return _date(bare)


def _set(inside: str) -> _Span:
    members = [member.strip() for member in inside.split(",")]
    last = len(members) - 1
    return _hull([_member(text, first=at == 0, last=at == last) for at, text in enumerate(members)])


def _member(text: str, *, first: bool, last: bool) -> _Span:
    before, dots, after = (part.strip() for part in text.partition(".."))
    if not dots:
        return _date(before)
    if not (before or after):
        raise _NoDateError("a set holds at least one date")
    if (not before and not first) or (not after and not last):
        raise _NoDateError("only the first member of a set begins with .. and only the last ends with it")
    return _between(_date(before) if before else _OPEN, _date(after) if after else _OPEN)


def _interval(bare: str) -> _Span:
    ends = [end.strip() for end in bare.split("/")]
    if len(ends) != 2 or not any(ends):  # noqa: PLR2004 - an interval has two ends
        raise _NoDateError("an interval has two ends, of which at least one says something")
    start, end = (_OPEN if text in ("", "..") else _date(text) for text in ends)
    return _between(start, end)


def _between(start: _Span, end: _Span) -> _Span:
    if start.earliest is not None and end.latest is not None and start.earliest > end.latest:
        return _Span(end.earliest, start.latest, inverted=True)
    return _Span(start.earliest, end.latest)


def _hull(spans: Sequence[_Span]) -> _Span:
    earliest = [span.earliest for span in spans if span.earliest is not None]
    latest = [span.latest for span in spans if span.latest is not None]
    return _Span(
        min(earliest) if len(earliest) == len(spans) else None,
        max(latest) if len(latest) == len(spans) else None,
        any(span.inverted for span in spans),
    )


def _date(text: str) -> _Span:
    if long_year := _LONG_YEAR.fullmatch(text):
        return _long_year(long_year)
    found = _DATE.fullmatch(text)
    if found is None:
        raise _NoDateError(f"{text} is not a date" if text else "a date is missing")
    if found["significant"]:
        return _significant_year(found)
    if found["year"] == _UNKNOWN_YEAR:
        return _OPEN
    years = _years(found["sign"], found["year"])
    if found["month"] in _SEASONS:
        if found["day"]:
            raise _NoDateError("a season has no days")
        return _season(years, _SEASONS[found["month"]])
    months = _fitting(found["month"], range(1, 13))
    days = _fitting(found["day"], range(1, 32))
    earliest = _first_day(years, months, days)
    latest = _first_day(years[::-1], months[::-1], days[::-1])
    if earliest is None or latest is None:
        raise _NoDateError(_why_no_day(text, found))
    return _Span(earliest, latest)


def _years(sign: str, pattern: str) -> list[int]:
    """Return the years that the digits may mean, ascending; year 0 has no sign."""
    if not sign:
        return _meanings(pattern)
    years = [-year for year in reversed(_meanings(pattern)) if year]
    if not years:
        raise _NoDateError("year 0 has no sign")
    return years


def _meanings(pattern: str) -> list[int]:
    """Return the numbers that digits and `X` may mean, ascending."""
    if pattern.isdigit():
        return [int(pattern)]
    digits = ("0123456789" if sign == "X" else sign for sign in pattern)
    return [int("".join(number)) for number in itertools.product(*digits)]


def _fitting(pattern: str | None, known: range) -> Sequence[int]:
    return known if pattern is None else [number for number in _meanings(pattern) if number in known]


def _first_day(years: Iterable[int], months: Iterable[int], days: Iterable[int]) -> Day | None:
    """Return the first combination that is a day of the calendar."""
    combinations = itertools.product(years, months, days)
    return next((Day(*each) for each in combinations if each[2] <= _days_in(each[0], each[1])), None)


def _days_in(year: int, month: int) -> int:
    return _LENGTHS[month - 1] + (month == _FEBRUARY and calendar.isleap(year))


def _why_no_day(text: str, found: re.Match[str]) -> str:
    julian_only = found["year"].endswith("00") and (found["month"], found["day"]) == ("02", "29")
    if julian_only:
        return f"{text} is a day of the Julian calendar alone"
    return f"there is no day {text}" if found["day"] else f"there is no month {text}"


def _season(years: Sequence[int], months: tuple[int, int]) -> _Span:
    carry, month = divmod(months[1] - 1, 12)
    year, month = years[-1] + carry, month + 1
    return _Span(Day(years[0], months[0], 1), Day(year, month, _days_in(year, month)))


def _long_year(found: re.Match[str]) -> _Span:
    digits, exponent = found["digits"], int((found["exponent"] or "0")[:_LONGEST_YEAR])
    if len(digits) + exponent > _LONGEST_YEAR:
        raise _NoDateError(f"a year has at most {_LONGEST_YEAR} digits")
    if not exponent and len(digits) <= len(_UNKNOWN_YEAR):
        raise _NoDateError("Y stands before years of five digits and more")
    return _significant(found["sign"], digits + "0" * exponent, found["significant"])


def _significant_year(found: re.Match[str]) -> _Span:
    if found["month"] or "X" in found["year"]:
        raise _NoDateError("significant digits belong to a year alone, without X")
    return _significant(found["sign"], found["year"], found["significant"])


def _significant(sign: str, digits: str, significant: str | None) -> _Span:
    """Return the years that share the leading `significant` digits (None: all of them) with `digits`."""
    kept = len(digits) if significant is None else int(significant[:_LONGEST_YEAR])
    if not kept:
        raise _NoDateError("a year has at least one significant digit")
    open_digits = max(len(digits) - kept, 0)
    nearest = int(digits) // 10**open_digits * 10**open_digits
    farthest = nearest + 10**open_digits - 1
    first, last = (-farthest, -nearest) if sign else (nearest, farthest)
    return _Span(Day(first, 1, 1), Day(last, 12, 31))
