"""Decades and centuries in texts: the 1610s, zwanziger Jahre, XVIIe siècle, first half of the seventeenth century."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from famulus_kernel.institution import periods
from famulus_kernel.institution.numerals.roman import roman_value
from famulus_kernel.institution.numerals.speaking import spoken_after, spoken_before
from famulus_kernel.institution.periods import Tens, When

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Found = tuple[int, int, tuple[tuple[When, ...], ...]]

_ORDINAL: Final = r"(?:\.|st|nd|rd|th|e|ᵉ|[eè]me|er)"
_CENTURY: Final = re.compile(
    r"(?<!\w)(?:Jahrhunderte?[sn]?|Jhdt?s?\.?|Jhs?\.|Jh\b|centur(?:y|ies)|siècles?|saecul(?:um|i|o|a|orum|is)|saec\.?)(?!\w)",
    re.IGNORECASE,
)
_NUMBERS_BEFORE: Final = re.compile(
    rf"(?<![\w.])(?P<all>(?:(?:\d{{1,2}}{_ORDINAL}|[XVI]+{_ORDINAL}?)\s*(?:,|und|and|et|bis|to|au|[-\u2013/])\s*(?:the\s+|le\s+|du\s+)?)*"
    rf"(?:\d{{1,2}}{_ORDINAL}|[XVI]+{_ORDINAL}?))[\s\u00a0-]*\Z"
)
_ROMAN_BEHIND: Final = re.compile(r"[\s\u00a0]+(?P<number>[XVIxvi]+)(?!\w)")
_HALF: Final = re.compile(
    r"(?:(?P<one>erste[nrm]?|1\.|first|premi[èe]re)|(?P<two>zweite[nrm]?|2\.|second|seconde|deuxième|latter))\s+"
    r"(?:Hälfte|half|moitié)\s+(?:(?:des|of\s+the|du)\s+)?\Z",
    re.IGNORECASE,
)
_DECADE: Final = re.compile(
    r"(?<![\w.,-])(?P<year>\d{3}0)(?:(?:er|ern)(?:\s+Jahren?)?|['’]?s)(?!\w)|(?<!\w)années\s+(?P<annees>\d{3}0)(?!\w)"
)
_TENS: Final = {
    "zwanziger": 20, "dreissiger": 30, "dreißiger": 30, "vierziger": 40, "fünfziger": 50, "sechziger": 60,
    "siebziger": 70, "achtziger": 80, "neunziger": 90, "zehner": 10, "twenties": 20, "thirties": 30, "forties": 40,
    "fifties": 50, "sixties": 60, "seventies": 70, "eighties": 80, "nineties": 90, "vingt": 20, "trente": 30,
    "quarante": 40, "cinquante": 50, "soixante": 60, "soixante-dix": 70, "quatre-vingt": 80,
}  # fmt: skip
_SPOKEN_DECADE: Final = re.compile(
    r"(?<!\w)(?:(?P<de>(?:zwanz|drei[sß]+|vierz|fünfz|sechz|siebz|achtz|neunz)iger|zehner)[ \u00a0n-]*Jahren?"
    r"|(?P<en>twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties)"
    r"|années\s+(?P<fr>soixante-dix|quatre-vingt|vingt|trente|quarante|cinquante|soixante)s?(?![\w-]))"
    r"(?P<of>\s+(?:des|of\s+the|du|im)\s+)?",
    re.IGNORECASE,
)


def find_centuries(text: str, languages: Sequence[str]) -> Iterator[Found]:
    """Yield start, end and readings of decades and centuries; a decade "of the 17th century" is one with it."""
    centuries = list(_centuries(text, languages))
    for found in _SPOKEN_DECADE.finditer(text):
        tens = _TENS[(found["de"] or found["en"] or found["fr"]).casefold()]
        owner = next((one for one in centuries if found["of"] and one[0] == found.end()), None)
        before = spoken_before(text, _end_before(text, found.start()), ("en",)) if found["en"] else None
        if owner is not None:
            centuries.remove(owner)
            base = _first_year(owner)
            yield found.start(), owner[1], ((periods.years(base + tens, base + tens + 9),),)
        elif before is not None and 10 <= before[0].value < 21:  # noqa: PLR2004 - sixteen-twenties
            base = int(before[0].value) * 100 + tens
            yield before[1], found.end(), ((periods.years(base, base + 9),),)
        else:
            yield found.start(), found.end() - len(found["of"] or ""), ((Tens(tens),),)
    for found in _DECADE.finditer(text):
        year = int(found["year"] or found["annees"])
        readings: tuple[tuple[When, ...], ...] = ((periods.years(year, year + 9),),)
        if year % 100 == 0:
            readings += ((periods.years(year, year + 99),),)
        yield found.start(), found.end(), readings
    yield from centuries


def _end_before(text: str, start: int) -> int:
    """Return where the word ends that stands before `start`."""
    window = max(0, start - 40)
    return window + len(text[window:start].rstrip(" \u00a0-\n"))


def _first_year(century: Found) -> int:
    period = century[2][0][0]
    return period.first[0] if isinstance(period, periods.Period) else 0


def _centuries(text: str, languages: Sequence[str]) -> Iterator[Found]:
    for found in _CENTURY.finditer(text):
        numbers, start, end = _numbers(text, found, languages)
        if not numbers:
            continue
        half = _HALF.search(text[max(0, start - 40) : start])
        part = 0
        if half is not None:
            start = max(0, start - 40) + half.start()
            part = 1 if half["one"] else 2
        yield start, end, (tuple(periods.century(number, part) for number in numbers),)


def _numbers(text: str, found: re.Match[str], languages: Sequence[str]) -> tuple[list[int], int, int]:
    """Return which centuries a word for century means, and where that stands."""
    window = max(0, found.start() - 50)
    if before := _NUMBERS_BEFORE.search(text[window : found.start()]):
        written = re.findall(r"\d{1,2}|[XVI]+", before["all"])
        values = [int(one) if one.isdecimal() else roman_value(one) or 0 for one in written]
        return [one for one in values if 0 < one < 22], window + before.start(), found.end()  # noqa: PLR2004
    if found[0].casefold().startswith("saec") and (behind := _ROMAN_BEHIND.match(text, found.end())):
        value = roman_value(behind["number"])
        return ([value] if value else []), found.start(), behind.end()
    spoken = spoken_before(text, _end_before(text, found.start()), languages)
    if spoken is not None and spoken[0].ordinal:
        return [int(spoken[0].value)], spoken[1], found.end()
    if found[0].casefold().startswith("saecul"):
        after = spoken_after(text, found.end(), ("la",))
        if after is not None and after[0].ordinal:
            return [int(after[0].value)], found.start(), after[1]
    return [], found.start(), found.end()
