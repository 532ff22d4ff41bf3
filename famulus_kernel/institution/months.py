"""The names of months, in the languages and spellings that texts of the house have."""

from __future__ import annotations

import re
from typing import Final

_US: Final = r"(?:us|i|ii|ij|um|o|as|ae|is|iis|arum)?"
_IS: Final = r"(?:is|i|em|e|es|ibus|ium)?"

_CASED: Final[dict[int, str]] = {
    1: r"Januars?|Jänner|Jenner|January|[Jj]anvier|[Jj]anv|[JI]an",
    2: r"Februars?|Feber|Hornung|February|[Ff][ée]vrier|[Ff][ée]vr|Febr?",
    3: r"März(?:en)?|Maerz|Mertz(?:en)?|March|[Mm]ars|Mart?|Mrz",
    4: r"Aprill?s?|[Aa]vril|[Aa]vr|Apr",
    5: r"Mai(?:en)?|Mayen|May|mai|may",
    6: r"Junij?|Juny|Brachmonat|June|[Jj]uin|[JI]un",
    7: r"Julij?|July|Heumonat|[Jj]uillet|[Jj]uil|[JI]ul",
    8: r"Augusts?|Augstmonat|[Aa]o[ûu]s?t|Aug",
    9: r"Septembers?|[Ss]eptembre|Sept|sept(?=\.)|Sep|7br(?:is|e)?|7ber|VIIbris",
    10: r"Oktobers?|October|[Oo]ctobre|Okt|[Oo]ct|8br(?:is|e)?|8ber|VIIIbris",
    11: r"Novembers?|[Nn]ovembre|[Nn]ov|9br(?:is|e)?|9ber|IXbris",
    12: r"Dezembers?|December|[Dd]écembre|Dez|[Dd]éc|Dec|10br(?:is|e)?|10ber|[Xx]br(?:is|e)|Xber",
}
_LATIN: Final[dict[int, str]] = {
    1: rf"[ij]anuar(?:i{_US})?",
    2: rf"februar(?:i{_US})?",
    3: r"marti(?:us|i|j|o|um|as|ae|is|arum)",
    4: rf"april{_IS}",
    5: r"mai(?:us|i|j|o|um|as|ae|is|arum)",
    6: r"[ij]uni(?:us|i|j|o|um|as|ae|is|arum)",
    7: r"[ij]uli(?:us|i|j|o|um|as|ae|is|arum)",
    8: r"august(?:us|i|o|um|as|is)",
    9: rf"septembr{_IS}",
    10: rf"octobr{_IS}",
    11: rf"nouembr{_IS}|novembr{_IS}",
    12: rf"decembr{_IS}",
}

MONTH: Final = re.compile(
    r"(?<![\w])(?:"
    + "|".join(f"(?P<m{number}>{names}|(?i:{_LATIN[number]}))" for number, names in _CASED.items())
    + r")(?!\w)(?P<dot>\.(?=[ \u00a0,)\d]|\Z))?"
)


def month_of(match: re.Match[str]) -> int:
    """Return the number of the month that :data:`MONTH` found."""
    group = match.lastgroup if match.lastgroup != "dot" else None
    name = group or next(name for name, value in match.groupdict().items() if value and name != "dot")
    return int(name[1:])
