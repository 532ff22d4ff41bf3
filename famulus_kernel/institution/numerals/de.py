"""German number words: zwölf, dreiundzwanzig, siebzehnhundert, der vierte, dreimal, zwei Drittel, anderthalb."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from famulus_kernel.institution.numerals.numeral import Spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNITS: Final = {
    "null": 0, "ein": 1, "eine": 1, "eins": 1, "zwei": 2, "zwey": 2, "zwo": 2, "drei": 3, "drey": 3, "vier": 4,
    "fünf": 5, "fünff": 5, "fuenf": 5, "sechs": 6, "sechß": 6, "sieben": 7, "acht": 8, "neun": 9,
}  # fmt: skip
_TEENS: Final = {
    "zehn": 10, "zehen": 10, "elf": 11, "eilf": 11, "eilff": 11, "zwölf": 12, "zwölff": 12, "zwoelf": 12,
    "dreizehn": 13, "dreyzehn": 13, "vierzehn": 14, "fünfzehn": 15, "fuenfzehn": 15, "sechzehn": 16, "siebzehn": 17,
    "siebenzehn": 17, "achtzehn": 18, "neunzehn": 19,
}  # fmt: skip
_TENS: Final = {
    "zwanzig": 20, "zwantzig": 20, "dreissig": 30, "dreyssig": 30, "vierzig": 40, "viertzig": 40, "fünfzig": 50,
    "fuenfzig": 50, "sechzig": 60, "siebzig": 70, "siebenzig": 70, "achtzig": 80, "neunzig": 90,
}  # fmt: skip
_SCALES: Final = {
    "million": 10**6, "millionen": 10**6, "milliarde": 10**9, "milliarden": 10**9, "billion": 10**12,
    "billionen": 10**12,
}  # fmt: skip
_JOINED_LATER: Final = {"hundert": 100, "tausend": 1000}
_DOZENS: Final = {"dutzend": 12}
_FRACTIONS: Final = {
    "halbe": 2, "drittel": 3, "viertel": 4, "fünftel": 5, "sechstel": 6, "siebtel": 7, "achtel": 8, "neuntel": 9,
    "zehntel": 10, "zwölftel": 12, "hundertstel": 100,
}  # fmt: skip
_IRREGULAR: Final = {"dritt": 3, "siebt": 7, "acht": 8, "zweit": 2}
_HALVES: Final = {"anderthalb": Fraction(3, 2)}
_SINGLING: Final = frozenset({"nur", "genau", "lediglich", "bloss", "allein", "exakt"})
_ONES: Final = frozenset({"ein", "eine", "einen", "einem", "einer", "eines"})
_PARTS: Final = frozenset({"hälfte", "drittel", "viertel"})
_OTHERWISE: Final = {
    "acht": frozenset(
        {"in", "ausser", "gib", "gibt", "geben", "gab", "gaben", "habt", "aller", "nehmen", "nahm", "nimmt"}
    )
}
"""Words next to which a number word is another word: außer Acht, in Acht nehmen, Acht geben."""


def _any(table: dict[str, int]) -> str:
    return "|".join(sorted(table, key=len, reverse=True))


_U, _T, _Z = _any(_UNITS), _any(_TEENS), _any(_TENS)
_BELOW_100: Final = rf"(?:(?P<{{0}}u>{_U})und(?P<{{0}}z>{_Z})|(?P<{{0}}t>{_T})|(?P<{{0}}z2>{_Z})|(?P<{{0}}u2>{_U}))"
_BELOW_1000: Final = rf"(?:(?:(?P<{{0}}h>{_U}|{_T})?(?P<{{0}}hundert>hundert)(?:und)?)?{_BELOW_100}?)"
_WHOLE: Final = re.compile(
    rf"(?:{_BELOW_1000.format('k')}(?P<tausend>tausend)(?:und)?)?{_BELOW_1000.format('e')}", re.VERBOSE
)


def _group(match: re.Match[str], name: str) -> int:
    parts = match.groupdict()
    value = 0
    if parts[f"{name}hundert"]:
        value = 100 * ((_UNITS | _TEENS)[parts[f"{name}h"]] if parts[f"{name}h"] else 1)
    for part, table in (("u", _UNITS), ("z", _TENS), ("t", _TEENS), ("z2", _TENS), ("u2", _UNITS)):
        value += table[parts[name + part]] if parts[name + part] else 0
    return value


@lru_cache(maxsize=4096)
def cardinal(word: str) -> int | None:
    """Return the value of one German word that is a cardinal, folded: dreiundzwanzig; None for another word."""
    match = _WHOLE.fullmatch(word) if len(word) < 80 else None  # longer ones are no numbers
    if match is None or not word:
        return None
    value = _group(match, "e")
    if match["tausend"]:
        value += 1000 * (_group(match, "k") or 1)
    return value


@lru_cache(maxsize=4096)
def _ordinal(word: str) -> int | None:
    match = re.fullmatch(r"(.+?t)(?:e[nrms]?)", word)
    if match is None:
        return None
    stem = match[1]
    if stem in _IRREGULAR:
        return _IRREGULAR[stem]
    for head, end in (("dritt", 3), ("siebt", 7), ("acht", 8), ("zweit", 2), ("erst", 1)):
        rest = stem.removesuffix(head).removesuffix("und")
        if stem.endswith(head) and rest != stem:
            larger = cardinal(rest)
            if larger is not None and larger >= 100:  # hundertdritte
                return larger + end
    value = cardinal(stem.removesuffix("t"))
    if value is not None and value % 100 < 20 and value % 100 > 0:  # vierte, zwölfte
        return value
    value = cardinal(stem.removesuffix("st")) if stem.endswith("st") else None
    return value if value is not None and (value % 100 >= 20 or value % 100 == 0) else None


@lru_cache(maxsize=4096)
def _times(word: str) -> int | None:
    match = re.fullmatch(
        r"(.+?)(?:mal(?:ig\w{0,2})?|fach\w{0,2}|erlei|köpfig\w{0,2}|jährig\w{0,2}|teilig\w{0,2}|bändig\w{0,2}|seitig\w{0,2}|sprachig\w{0,2})",
        word,
    )
    value = cardinal(match[1]) if match else None
    return value if value is not None and value > 1 else None


def fold(word: str) -> str:
    """Return a word as the tables have it."""
    return word.casefold()


def read(words: Sequence[str], before: str) -> Spoken | None:
    """Return the number that stands at the beginning of `words`; `before` is the word in front of them."""
    word, following = words[0], words[1] if len(words) > 1 else ""
    if word in _OTHERWISE and (before in _OTHERWISE[word] or following in _OTHERWISE[word]):
        return None
    if word in _HALVES:
        return Spoken(1, _HALVES[word])
    if word.endswith("einhalb") and (whole := cardinal(word.removesuffix("einhalb"))):
        return Spoken(1, Fraction(2 * whole + 1, 2))
    if (special := _special(word, following, before)) is not None:
        return special
    value = cardinal(word)
    if value is not None and not (value == 1 and word != "eins"):
        return _continued(words, value)
    times = _times(word)
    if times is not None:
        return Spoken(1, Fraction(times))
    ordinal = _ordinal(word)
    if ordinal is not None and following not in _PARTS:
        return Spoken(1, Fraction(ordinal), ordinal=True)
    return None


def _special(word: str, following: str, before: str) -> Spoken | None:
    """Return what begins with a word for one: ein Dutzend, ein Drittel, nur ein, ein einziger."""
    if word in {"halbes", "halben"} and following in _DOZENS:
        return Spoken(2, Fraction(6))
    if word in _DOZENS and before not in {"halbes", "halben"}:
        return Spoken(1, Fraction(12))
    if word not in _ONES:
        return None
    if following in _FRACTIONS and following != "halbe":
        return Spoken(2, Fraction(1, _FRACTIONS[following]), rounded=True)
    if following in _SCALES or following in _JOINED_LATER:
        return Spoken(2, Fraction((_SCALES | _JOINED_LATER)[following]))
    if following in _DOZENS:
        return Spoken(2, Fraction(12))
    if before in _SINGLING or re.fullmatch(r"einzig\w{0,2}", following):
        return Spoken(1, Fraction(1))
    return None


def _continued(words: Sequence[str], value: int) -> Spoken:
    """Return a cardinal with what the words behind it make of it: zwei Millionen, drei Viertel, fünf Dutzend."""
    following = words[1] if len(words) > 1 else ""
    if following in _FRACTIONS:
        return Spoken(2, Fraction(value, _FRACTIONS[following]), rounded=True)
    if following in _DOZENS:
        return Spoken(2, Fraction(12 * value))
    scale = (_SCALES | _JOINED_LATER).get(following)
    if scale is None or value >= scale:
        rest = cardinal(words[2]) if len(words) > 2 and following == "und" and value % 100 == 0 else None
        if rest is not None and rest < 100:  # hundert und fünf
            return Spoken(3, Fraction(value + rest))
        return Spoken(1, Fraction(value))
    total, used = value * scale, 2
    joint = 1 if len(words) > 3 and words[2] == "und" else 0
    rest = cardinal(words[2 + joint]) if len(words) > 2 + joint else None
    if rest is not None and 1 < rest < scale:
        total, used = total + rest, 3 + joint
    return Spoken(used, Fraction(total))
