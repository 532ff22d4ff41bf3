"""The years that a question names, in German and English."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_ERA: Final = r"(?P<era>\s*(?:v\.\s?(?:Chr|u\.\s?Z)\.?|BCE?\b|B\.C\.(?:E\.)?))?"
_DASH: Final = r"\s*(?:-|\u2013|\u2014|bis(?:\s+zum\s+Jahre?)?|to|until|through|till)\s*"
_END: Final = rf"(?!\w|[.,]\d){_ERA}"
_TENS: Final = r"(?:ern?|['\u2019]?s)"
"""What makes a decade of its first year: 1520er, in den 1520ern, the 1520s, the 1520's."""
_CENTURY: Final = (
    r"(?P<first>\d{1,2})(?:\.|st|nd|rd|th)?\s*(?:(?:und|and|bis|to|-|\u2013|/)\s*(?:im\s+|dem\s+|the\s+)?"
    rf"(?P<last>\d{{1,2}})(?:\.|st|nd|rd|th))?\s*(?:Jahrhundert\w*|Jhs?\.?|centur(?:y|ies)){_ERA}"
)
_SINCE: Final = r"(?:ab|seit|since|from)\s+(?:dem\s+Jahre?\s+)?(?P<first>\d{3,4})(?:\s+(?:an|on|onwards?))?"
_UNTIL: Final = r"(?:bis|until|up\s+to|till)\s+(?:zum\s+Jahre?\s+)?(?P<last>\d{3,4})"


@dataclass(frozen=True, slots=True)
class SpokenYears:
    """A span of years, ends included, astronomical (0 is 1 BC); None: open.

    Attributes
    ----------
    first, last : int, optional
    words : str
        Those of the question.
    is_guess : bool
        The words may mean something else: years that are only listed, a number that may be none.
    """

    first: int | None
    last: int | None
    words: str
    is_guess: bool = False

    def as_dict(self) -> dict[str, int]:
        """Return the value of the key `years`."""
        ends = {"from": self.first, "to": self.last}
        return {name: year for name, year in ends.items() if year is not None}


def _between(match: re.Match[str]) -> tuple[int | None, int | None]:
    first, last = match["first"], match["last"]
    whole = last if len(last) >= len(first) else first[: len(first) - len(last)] + last
    return int(first), int(whole)


def _centuries(match: re.Match[str]) -> tuple[int | None, int | None]:
    first, last = int(match["first"]), int(match["last"] or match["first"])
    return 100 * (first - 1) + 1, 100 * last


def _decade(match: re.Match[str]) -> tuple[int | None, int | None]:
    first, last = int(match["first"]), int(match["last"] or match["first"])
    return first, last + 9


def _one(match: re.Match[str]) -> tuple[int | None, int | None]:
    return int(match["first"]), int(match["first"])


_FORMS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], tuple[int | None, int | None]]], ...]] = tuple(
    (re.compile(pattern, re.IGNORECASE), read)
    for pattern, read in (
        (rf"(?:zwischen|between)\s+(?P<first>\d{{3,4}})\s+(?:und|and)\s+(?P<last>\d{{3,4}}){_END}", _between),
        (_CENTURY, _centuries),
        (
            rf"(?<!\d)(?P<first>\d{{3}}0)(?:{_TENS})?(?:{_DASH}(?:den\s+|the\s+)?(?P<last>\d{{3}}0){_TENS})(?!\w)",
            _decade,
        ),
        (rf"(?<!\d)(?P<first>\d{{3}}0)(?P<last>){_TENS}(?!\w)", _decade),
        (rf"(?<![\d.])(?P<first>\d{{3,4}}){_DASH}(?P<last>\d{{2,4}}){_END}", _between),
        (rf"(?:vor|before)\s+(?:dem\s+Jahre?\s+)?(?P<last>\d{{3,4}}){_END}", lambda m: (None, int(m["last"]) - 1)),
        (rf"(?:nach|after)\s+(?:dem\s+Jahre?\s+)?(?P<first>\d{{3,4}}){_END}", lambda m: (int(m["first"]) + 1, None)),
        (_UNTIL + _END, lambda m: (None, int(m["last"]))),
        (_SINCE + _END, lambda m: (int(m["first"]), None)),
        (r"(?P<first>\d{1,4})\s*(?P<era>v\.\s?(?:Chr|u\.\s?Z)\.?|BCE?\b)", _one),
        (rf"(?:im\s+Jahre?|in\s+the\s+year|Jahr|anno|year)\s+(?P<first>\d{{3,4}}){_END}", _one),
    )
)
_BARE: Final = re.compile(rf"(?<![\w.,-])(?P<first>[12]\d{{3}}){_END}")


def spoken_years(text: str) -> SpokenYears | None:
    """Return the years that a text names; None where it names none.

    `zwischen 1520 und 1530`, `1520-30`, `in den 1520er Jahren`, `the 1520s`, `16. Jahrhundert`, `vor 1510`,
    `since 1510`, `1525`, `44 v. Chr.`. Of several the span from the first to the last year is taken, as a guess.
    """
    for pattern, read in _FORMS:
        match = pattern.search(text)
        if match is not None:
            first, last = read(match)
            if match.groupdict().get("era"):
                first, last = _before_christ(first, last)
            if first is not None and last is not None and first > last:
                first, last = last, first
            return SpokenYears(first, last, match[0].strip())
    found = list(_BARE.finditer(text))
    if not found:
        return None
    years = [int(one["first"]) for one in found]
    return SpokenYears(min(years), max(years), " … ".join(one[0].strip() for one in found), is_guess=len(found) > 1)


def _before_christ(first: int | None, last: int | None) -> tuple[int | None, int | None]:
    """Return astronomical years of years before Christ, the earlier first: 44 BC is -43."""
    ends = [None if year is None else 1 - year for year in (last, first)]
    return ends[0], ends[1]
