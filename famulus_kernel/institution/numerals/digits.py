"""Numbers in figures: 1.234 and 1,234, 12,5, 75 %, 3rd, 1,2 Millionen, 3/4, ½."""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from famulus_kernel.institution.numerals.numeral import Numeral, Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

_BLANK: Final = "\u00a0\u202f\u2009 "
_FIGURES: Final = re.compile(
    r"(?<![\w])(?<!\d[.,:])(?:"
    r"(?P<clock>\d{1,2}:[0-5]\d)(?![\w:]|[.,]\d|[ \u00a0]\d\d\d)"
    rf"|\d{{1,3}}(?:[.,'’{_BLANK}]\d{{3}})+(?![\d])(?:[.,]\d+)?"
    r"|\d+(?:[.,]\d+)?|[.,]\d+)(?:[½¼¾⅓⅔])?"
    r"|[½¼¾⅓⅔⅛]"
)
_BEHIND: Final = re.compile(
    r"(?P<percent>[ \u00a0\u202f]?(?:%|‰|Prozent\b|v\. ?H\.|per ?cent\b|percent\b|pour cent\b))"
    r"|(?P<scale>[ \u00a0\u202f-]?(?:Mio\.?|Mill(?:ion(?:en|s)?)?\b\.?|millions?\b|Mrd\.?|Milliarden?\b|milliards?\b"
    r"|billions?\b|Tsd\.?|Tausend\b|tausend\b|thousand\b|hundert\b|hundred\b|mille\b|milia\b|Dutzend\b|dozen\b))"
    r"|(?P<slash>[/⁄]\d{1,3}(?![\d/.]))"
    r"|(?P<suffix>st\b|nd\b|rd\b|th\b|er\b|re\b|[eè]me\b|ème\b|e\b|ᵉ|º|°|ter\b|te[nrms]?\b|mal\b|fach\b|[a-zA-Zµ]{1,3}\b|-)"
)
_SCALES: Final = {
    "mio": 10**6, "mill": 10**6, "million": 10**6, "millions": 10**6, "millionen": 10**6, "mrd": 10**9,
    "milliarde": 10**9, "milliarden": 10**9, "milliard": 10**9, "milliards": 10**9, "billion": 10**9,
    "billions": 10**9, "tsd": 1000, "tausend": 1000, "thousand": 1000, "mille": 1000, "milia": 1000, "hundert": 100,
    "hundred": 100, "dutzend": 12, "dozen": 12,
}  # fmt: skip
_MOST: Final = 300
"""Figures of a number that are looked at; longer ones are no numbers that anybody counts, and cost time to read."""

_ORDINAL: Final = re.compile(r"(?:st|nd|rd|th|er|re|[eè]me|ème|e|ᵉ|º|°|ter|te[nrms]?)\Z")


def find_digits(text: str, lang: str) -> Iterator[Numeral]:
    """Yield the numbers that are written in figures.

    Figures that letters precede (K17) are parts of a name and no numbers; letters may follow (12v, 3rd, 1610s).
    """
    for match in _FIGURES.finditer(text):
        start, written = match.start(), match[0]
        if len(written) > _MOST:
            written = written[:_MOST].rstrip(f".,'’{_BLANK}")
        behind = _BEHIND.match(text, match.end())
        kind = behind.lastgroup if behind else None
        end = match.end()
        if kind is None and end < len(text) and (text[end].isalpha() or text[end] == "_"):
            continue
        readings, parts = _readings(written, lang)
        if kind == "percent" and behind is not None:
            readings, end = percent(readings, per_mille="‰" in behind[0]), behind.end()
        elif kind == "scale" and behind is not None:
            factor = _SCALES[behind[0].strip(f"{_BLANK}-.").casefold()]
            readings = tuple(_scaled(one, factor) for one in readings)
            end = behind.end()
        elif kind == "slash" and behind is not None:
            end = behind.end()
            below = int(behind[0][1:])
            parts = (*readings[:1], Reading(Fraction(below)))
            if below and readings[0].value.denominator == 1 and readings[0].value < below:
                share = readings[0].value / below
                readings = (Reading(share, Fraction(1, 100)), Reading(share * 100, Fraction(1)))
        ordinal = _is_ordinal(text, end, kind, behind, lang)
        yield Numeral(start, end, readings, parts, ordinal=ordinal, digits=True)


def _is_ordinal(text: str, end: int, kind: str | None, behind: re.Match[str] | None, lang: str) -> bool:
    if kind == "suffix" and behind is not None:
        return _ORDINAL.match(behind[0]) is not None
    return lang == "de" and re.match(r"\.[ \u00a0\u202f][^\W\d_]", text[end : end + 3]) is not None


def _readings(written: str, lang: str) -> tuple[tuple[Reading, ...], tuple[Reading, ...]]:
    """Return what figures may mean, the likeliest in that language first, and what several numbers they may be."""
    if ":" in written:  # a time of day is one number: 14:30 is 14.30, and bears out no 14
        return (Reading(Fraction(written.replace(":", "."))),), ()
    extra = Fraction(0)
    if not written[-1].isdecimal():
        extra = Fraction(unicodedata.numeric(written[-1])).limit_denominator(16)
        written = written[:-1]
        if not written:
            return (Reading(extra, Fraction(1, 100)), Reading(extra * 100, Fraction(1))), ()
    plain = re.sub(rf"[{_BLANK}'’]", "", written)
    parts: tuple[Reading, ...] = ()
    if re.search(rf"[{_BLANK}]", written) and plain.isdecimal():
        parts = tuple(Reading(Fraction(part)) for part in re.split(rf"[{_BLANK}]", written))
    point = "." if lang == "en" else ","
    values = [_value(plain, point), _value(plain, "," if point == "." else ".")]
    readings = tuple(dict.fromkeys(one for one in values if one is not None))
    if extra:
        readings = tuple(Reading(one.value + extra, one.step) for one in readings)
    return readings, parts


def _value(plain: str, point: str) -> Reading | None:
    """Return the value of figures where `point` is the decimal mark and the other mark groups; None if they are not."""
    other = "." if point == "," else ","
    whole, mark, decimals = plain.partition(point)
    if (
        point in decimals
        or other in decimals
        or (other in whole and not re.fullmatch(rf"\d{{1,3}}(?:\{other}\d{{3}})+", whole))
    ):
        return None
    digits = whole.replace(other, "")
    if not mark:
        return Reading(Fraction(int(digits)))
    return Reading(Fraction(f"{digits or 0}.{decimals}"), Fraction(1, 10 ** len(decimals)))


def percent(readings: tuple[Reading, ...], *, per_mille: bool = False) -> tuple[Reading, ...]:
    """Return also the share that a percentage is: 75 % and 0.75."""
    by = 1000 if per_mille else 100
    exact = tuple(Reading(one.value, one.step or Fraction(1)) for one in readings)
    return exact + tuple(Reading(one.value / by, (one.step or Fraction(1)) / by) for one in exact)


def _scaled(one: Reading, factor: int) -> Reading:
    step = one.step * factor if one.step is not None else Fraction(factor)
    return Reading(one.value * factor, step if one.step is not None else None)
