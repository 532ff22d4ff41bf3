"""Dates in texts, in the forms that scholars write them, as spans of days.

4. März 1617 · March 4th, 1617 · le 4 mars 1617 · quarto die Martii anno 1617 · IV. Non. Mart. · 1617-03-04 · 4.III.1617
· 4.-6. März 1617 · 1611-17 · 1610er Jahre · the 1610s · zweite Hälfte des 17. Jahrhunderts · XVIIe siècle
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from famulus_kernel.institution import periods
from famulus_kernel.institution.centuries import find_centuries
from famulus_kernel.institution.months import MONTH, month_of
from famulus_kernel.institution.numerals.roman import roman_value
from famulus_kernel.institution.numerals.speaking import spoken_after, spoken_before
from famulus_kernel.institution.periods import DayOfYear, When

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date in a text.

    Attributes
    ----------
    start, end
        Its place, in code points.
    readings
        What it may mean; each reading is all that it names: both ends of a range, each day of a list.
    """

    start: int
    end: int
    readings: tuple[tuple[When, ...], ...]


_SUFFIX: Final = r"(?:\.|st|nd|rd|th|er|ᵉʳ|e|te[nr]?|°|º)?"
_AND: Final = r"(?:,|und|u\.|and|et|ou|oder|or|&|bis(?: zum)?|to|au|à|[-\u2013\u2014])"
_ARTICLE: Final = r"(?:the|le|den|dem|am|du|vom|zum)?"
_DAYS_BEFORE: Final = re.compile(
    rf"(?<![\w])(?<!\d[.,:/-])(?P<days>(?:\d{{1,2}}{_SUFFIX}\s*{_AND}\s*{_ARTICLE}\s*)*\d{{1,2}}){_SUFFIX}"
    r"\s*(?:(?:day|jour|Tag)\s+)?(?:of|de|du|des|d['’]|die(?:\s+mensis)?|mensis|the)?[\s\u00a0]*\Z"
)
_ROMAN_BEFORE: Final = re.compile(r"(?<![\w.])(?P<day>[ivxj]+|[IVXJ]+)\.?\s*(?:die\s+|mensis\s+|de\s+)*\Z")
_LINK_BEFORE: Final = re.compile(r"\s+(?:(?:of|de|du|des|die|dies|day|mensis|the|jour)\s+)*\Z")
_CALENDAR: Final = re.compile(
    r"(?<!\w)(?:(?P<eve>(?i:pridie|prid\.?|pr\.))\s*|(?:(?i:a\.?\s?d\.?|ante diem))?\s*(?P<number>[IVXJivxj]+)\.?\s*|)"
    r"(?P<mark>[KkCc]al|[Nn]on|[Ii]d)(?:end)?(?:as|is|ae|us|ibus|arum|uum)?\.?\s*\Z"
)
_DAY_BEHIND: Final = re.compile(
    rf"[\s\u00a0]+(?:the\s+)?(?P<days>\d{{1,2}}{_SUFFIX}(?:\s*{_AND}\s*\d{{1,2}}{_SUFFIX})*)(?![\w/]|[.,]\d)"
)
_YEAR_BEHIND: Final = re.compile(
    r"[\s\u00a0]*[,(]?[\s\u00a0]*(?P<link>(?:ann[oi](?:\s+(?:domini|Domini|salutis))?|Anno|a\.|an\.|de\s+l['’]an(?:née)?|of\s+the\s+year|in\s+the\s+year"
    r"|des\s+Jahres|im\s+Jahre?|of|de|en)[\s\u00a0]+)?(?:(?P<year>1\d{3}|20\d\d)(?![\d])(?![.,]\d)|(?P<short>\d{3})(?!\d)|(?P<roman>M[DCLXVI.]+)\b)?"
)
_YEAR_BEFORE: Final = re.compile(r"(?<![\w.,-])(?P<year>1\d{3}|20\d\d)[,.]?[\s\u00a0]+(?:den\s+|am\s+|le\s+|the\s+)?\Z")
_RANGE: Final = re.compile(
    r"[\s\u00a0]*(?:bis(?:\s+zum)?|to|till|until|through|au|à|jusqu['’]au|und|and|et|[-\u2013\u2014/])[\s\u00a0]*(?:the\s+|le\s+|am\s+)?"
)

_ISO: Final = re.compile(
    r"(?<![\w.-])(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?(?![\w]|-\d)"
    r"|(?<![\w./])(?P<y3>1\d{3}|20\d\d)/(?P<m3>\d\d)/(?P<d3>\d\d)(?![\w/])"
)
_NUMERIC: Final = re.compile(
    r"(?<![\w.])(?P<d>\d{1,2})\.[\s\u00a0]?(?P<m>\d{1,2}|[IVX]{1,4})\.[\s\u00a0]?(?P<y>1\d{3}|20\d\d)(?!\d)"
    r"|(?<![\w/.-])(?P<a>\d{1,2})(?P<s>[/-])(?P<b>\d{1,2})(?P=s)(?P<y2>1\d{3}|20\d\d)(?![\w/])"
)
_YEARS: Final = re.compile(
    r"(?<![\w.,-])(?P<first>1\d{3}|20\d\d)[ \u00a0]?(?P<dash>[-\u2010\u2011\u2013\u2014/])[ \u00a0]?"
    r"(?P<last>1\d{3}|20\d\d|\d\d?)(?![\w]|[-/.,]\d)"
)


def find_dates(text: str, languages: Sequence[str]) -> list[DateMention]:
    """Return the dates of a text, in order and without overlap. A year alone is a number and none of them.

    Parameters
    ----------
    languages
        Those whose number words may name days, years and centuries; the names of months are known in all four.
    """
    found: list[DateMention] = []
    taken = bytearray(len(text))
    sources = (
        _iso(text),
        _numeric(text),
        (DateMention(*one) for one in find_centuries(text, languages)),
        _with_months(text, languages),
        _year_ranges(text),
    )
    for source in sources:
        for mention in source:
            if not any(taken[mention.start : mention.end]):
                found.append(mention)
                taken[mention.start : mention.end] = b"\1" * (mention.end - mention.start)
    return sorted(found, key=lambda one: one.start)


def _iso(text: str) -> Iterator[DateMention]:
    for match in _ISO.finditer(text):
        year, month, day = (int(match[name] or match[f"{name}3"]) for name in ("y", "m", "d"))
        if periods.is_day(day, month, year):
            yield DateMention(match.start(), match.end(), ((periods.day(day, month, year),),))


def _numeric(text: str) -> Iterator[DateMention]:
    for match in _NUMERIC.finditer(text):
        year = int(match["y"] or match["y2"])
        if match["d"]:
            month = int(match["m"]) if match["m"].isdecimal() else roman_value(match["m"]) or 0
            pairs = [(int(match["d"]), month)]
        else:
            pairs = [(int(match["a"]), int(match["b"])), (int(match["b"]), int(match["a"]))]
        readings = tuple((periods.day(day, month, year),) for day, month in pairs if periods.is_day(day, month, year))
        if readings:
            yield DateMention(match.start(), match.end(), tuple(dict.fromkeys(readings)))


def _year_ranges(text: str) -> Iterator[DateMention]:
    for match in _YEARS.finditer(text):
        first, written = int(match["first"]), match["last"]
        last = int(str(first)[: -len(written)] + written)
        readings: list[tuple[When, ...]] = []
        if last > first:
            readings.append((periods.year(first), periods.year(last)))
        if match["dash"] == "-" and len(written) == 2 and 1 <= int(written) <= 12:  # noqa: PLR2004 - 1617-03
            readings.append((periods.month(int(written), first),))
        if readings:
            yield DateMention(match.start(), match.end(), tuple(readings))


@dataclass(frozen=True, slots=True)
class _Partial:
    """A month with the days and the year around it, as far as they are there."""

    start: int
    end: int
    month: int
    days: tuple[int, ...]
    year: int | None
    calendar: tuple[int, str] | None = None

    def whens(self) -> tuple[When, ...]:
        """Return what it names; nothing for a month of no year."""
        if self.calendar is not None:
            found = periods.roman_day(*self.calendar, self.month, self.year)
            if found is None:
                return ()
            day, month, year = found
            return (periods.day(day, month, year) if year is not None else DayOfYear(month, day),)
        if self.days:
            if not all(periods.is_day(day, self.month, self.year) for day in self.days):
                return ()
            if self.year is None:
                return tuple(DayOfYear(self.month, day) for day in self.days)
            return tuple(periods.day(day, self.month, self.year) for day in self.days)
        return (periods.month(self.month, self.year),) if self.year is not None else ()


def _with_months(text: str, languages: Sequence[str]) -> Iterator[DateMention]:
    partials: list[_Partial] = []
    for match in MONTH.finditer(text):
        partial = _around(text, match, languages)
        if partials and partial.start < partials[-1].end:
            if partials[-1].whens():
                continue
            partials.pop()  # a word that is a month elsewhere: sept of dix-sept
        partials.append(partial)
    for index in range(len(partials) - 2, -1, -1):
        here, later = partials[index], partials[index + 1]
        if here.year is None and later.year is not None and _RANGE.fullmatch(text, here.end, later.start):
            partials[index] = replace(here, year=later.year)
    for partial in partials:
        if whens := partial.whens():
            yield DateMention(partial.start, partial.end, (whens,))


def _around(text: str, match: re.Match[str], languages: Sequence[str]) -> _Partial:
    month, start, end = month_of(match), match.start(), match.end()
    window = max(0, start - 60)
    before = text[window:start]
    days: tuple[int, ...] = ()
    calendar = None
    if found := _CALENDAR.search(before):
        calendar, start = _roman_calendar(found, text, window, languages)
        start = match.start() - len(text[start : match.start()].lstrip())
    elif found := _DAYS_BEFORE.search(before):
        days, start = _numbers(found["days"]), window + found.start()
    elif (found := _ROMAN_BEFORE.search(before)) and (value := roman_value(found["day"])):
        days, start = (value,), window + found.start()
    elif spoken := _spoken_day(text, start, languages):
        days, start = (spoken[0],), spoken[1]
    if not days and calendar is None and (found := _DAY_BEHIND.match(text, end)):
        days, end = _numbers(found["days"]), found.end()
    year = None
    if found := _YEAR_BEHIND.match(text, end):
        year, end = _year(found, text, end, languages)
    if year is None and (found := _YEAR_BEFORE.search(text[max(0, start - 20) : start])):
        year, start = int(found["year"]), max(0, start - 20) + found.start()
    return _Partial(start, end, month, days, year, calendar)


def _numbers(written: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", written))


def _spoken_day(text: str, start: int, languages: Sequence[str]) -> tuple[int, int] | None:
    """Return the day that words name before a month, and where they begin: quarto die Martii."""
    link = _LINK_BEFORE.search(text[max(0, start - 40) : start])
    if link is None:
        return None
    end = max(0, start - 40) + link.start()
    found = spoken_before(text, end, languages, firsts=True)
    if found is None or not 1 <= found[0].value <= 31:  # noqa: PLR2004 - days
        return None
    return int(found[0].value), found[1]


def _year(found: re.Match[str], text: str, end: int, languages: Sequence[str]) -> tuple[int | None, int]:
    if found["year"]:
        return int(found["year"]), found.end()
    if found["short"] and found["link"]:
        return int(found["short"]), found.end()
    if found["roman"]:
        value = roman_value(found["roman"].replace(".", ""))
        if value is not None:
            return value, found.end() - (1 if found["roman"].endswith(".") else 0)
    start = found.start("short") if found["short"] else found.end()
    spoken = spoken_after(text, start, languages)
    if spoken is not None and 1000 <= spoken[0].value < 2100:  # noqa: PLR2004 - years
        return int(spoken[0].value), spoken[1]
    return None, end


def _roman_calendar(
    found: re.Match[str], text: str, window: int, languages: Sequence[str]
) -> tuple[tuple[int, str], int]:
    """Return how many days before which mark, and where that begins."""
    mark = {"k": "k", "c": "k", "n": "n", "i": "i"}[found["mark"][0].casefold()]
    start = window + found.start()
    if found["eve"]:
        return (2, mark), start
    if found["number"]:
        return (roman_value(found["number"]) or 1, mark), start
    spoken = spoken_before(
        text, window + len(text[window : window + found.start("mark")].rstrip()), languages, firsts=True
    )
    if spoken is not None and 2 < spoken[0].value < 20:  # noqa: PLR2004 - days before a mark
        return (int(spoken[0].value), mark), spoken[1]
    return (1, mark), window + found.start("mark")
