"""French number words: douze, vingt et un, quatre-vingt-dix-neuf, mille six cent dix-sept, troisième, deux tiers."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from famulus_kernel.institution.numerals.numeral import Spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNITS: Final = {
    "zéro": 0, "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "six": 6, "sept": 7, "huit": 8,
    "neuf": 9, "dix": 10, "onze": 11, "douze": 12, "treize": 13, "quatorze": 14, "quinze": 15, "seize": 16,
}  # fmt: skip
_TENS: Final = {
    "vingt": 20, "vingts": 20, "trente": 30, "quarante": 40, "cinquante": 50, "soixante": 60, "septante": 70,
    "huitante": 80, "octante": 80, "nonante": 90,
}  # fmt: skip
_SCALES: Final = {
    "mille": 10**3, "mil": 10**3, "million": 10**6, "millions": 10**6, "milliard": 10**9, "milliards": 10**9,
}  # fmt: skip
_GROUPS: Final = {
    "dizaine": 10, "douzaine": 12, "quinzaine": 15, "vingtaine": 20, "trentaine": 30, "quarantaine": 40,
    "cinquantaine": 50, "soixantaine": 60, "centaine": 100, "millier": 1000,
}  # fmt: skip
_FRACTIONS: Final = {
    "tiers": 3, "quart": 4, "quarts": 4, "cinquième": 5, "cinquièmes": 5, "sixièmes": 6, "huitièmes": 8,
    "dixième": 10, "dixièmes": 10,
}  # fmt: skip
_STEMS: Final = {
    "deux": 2, "trois": 3, "quatr": 4, "cinqu": 5, "six": 6, "sept": 7, "huit": 8, "neuv": 9, "dix": 10, "onz": 11,
    "douz": 12, "treiz": 13, "quatorz": 14, "quinz": 15, "seiz": 16, "vingt": 20, "trent": 30, "quarant": 40,
    "cinquant": 50, "soixant": 60, "un": 1,
}  # fmt: skip
_SINGLING: Final = frozenset({"seulement", "exactement", "précisément"})
_NEW: Final = frozenset({"tout", "toute", "flambant", "de", "à", "plus"})
"""Words before which neuf is new."""

_COUNTED: Final = frozenset(
    {"sont", "étaient", "à", "les", "des", "et", "ou", "vingt", "cent", "mille", "environ", "dix"}
)
"""Words behind which a neuf that ends a phrase is nine."""


def fold(word: str) -> str:
    """Return a word as the tables have it."""
    return word.casefold()


def read(words: Sequence[str], before: str) -> Spoken | None:
    """Return the number that stands at the beginning of `words`; `before` is the word in front of them."""
    word, following = words[0], words[1] if len(words) > 1 else ""
    if word in {"un", "une"}:
        one = _one(words, before)
        if one is not None or following not in _SCALES:
            return one
    if (
        word in {"second", "seconde"}
        and following not in {"moitié", "partie"}
        and before in {"le", "la", "du", "une", "un", "au"}
    ):
        return Spoken(1, Fraction(2), ordinal=True)
    if word == "neuf" and (before in _NEW or (not following and before not in _COUNTED)):
        return None
    if word == "cent" and before == "pour":
        return None
    ordinal = _ordinal(words)
    if ordinal is not None:
        return ordinal if not (len(words) > ordinal.words and words[ordinal.words] in {"moitié", "tiers"}) else None
    value, used = _number(words)
    if used == 0:
        return None
    if len(words) > used and words[used] in _FRACTIONS:
        return Spoken(used + 1, Fraction(value, _FRACTIONS[words[used]]), rounded=True)
    if len(words) > used and words[used].rstrip("s") in _GROUPS:
        return Spoken(used + 1, Fraction(value * _GROUPS[words[used].rstrip("s")]))
    if list(words[used : used + 2]) in (["et", "demi"], ["et", "demie"]):
        return Spoken(used + 2, Fraction(2 * value + 1, 2))
    return Spoken(used, Fraction(value))


def _one(words: Sequence[str], before: str) -> Spoken | None:
    following = words[1] if len(words) > 1 else ""
    if following in _GROUPS:
        return Spoken(2, Fraction(_GROUPS[following]))
    if (following in _FRACTIONS and following != "quart") or (
        following == "quart" and list(words[2:3]) in (["des"], ["de"])
    ):
        return Spoken(2, Fraction(1, _FRACTIONS[following]), rounded=True)
    if following in {"seul", "seule", "unique"} or before in _SINGLING:
        return Spoken(1, Fraction(1))
    if following in {"demi"} and list(words[2:3]) == ["douzaine"]:
        return Spoken(3, Fraction(6))
    return None


def _ordinal(words: Sequence[str]) -> Spoken | None:
    """Return an ordinal: the cardinals before its last word, and the stem of that: vingt et unième."""
    for count in range(1, min(len(words), 8) + 1):
        match = re.fullmatch(r"(.+?)i[eè]mes?", words[count - 1])
        if match is None:
            continue
        stem = match[1]
        last = _STEMS.get(stem)
        if last is None and stem in {"cent", "mill"}:
            last = {"cent": 100, "mill": 1000}[stem]
        if last is None:
            return None
        written = next(name for name, value in {**_UNITS, **_TENS, "cent": 100, "mille": 1000}.items() if value == last)
        value, used = _number([*words[: count - 1], written])
        return Spoken(count, Fraction(value), ordinal=True) if used == count else None
    return None


def _number(words: Sequence[str]) -> tuple[int, int]:
    """Return value and words used; 0 words for no number. Hyphens have been taken for blanks."""
    total, current, used, index, last = 0, 0, 0, 0, ""
    while index < len(words):
        word = words[index]
        if word == "et" and last == "tens" and index + 1 < len(words) and words[index + 1] in {"un", "une", "onze"}:
            index += 1
            continue
        if word in _UNITS:
            unit = _UNITS[word]
            if not (last in {"", "hundred", "scale"} or _adds(last, current, unit)):
                break
            current, last = current + unit, "ten" if unit == 10 else "unit"
        elif word in {"vingt", "vingts"} and last == "unit" and current % 100 == 4:  # quatre-vingts
            current, last = current - 4 + 80, "tens"
        elif word in _TENS and last in {"", "hundred", "scale"}:
            current, last = current + _TENS[word], "tens"
        elif word in {"cent", "cents"} and (last in {"", "scale"} or (last in {"unit", "ten"} and 1 < current < 20)):
            current, last = max(current, 1) * 100, "hundred"
        elif word in _SCALES and last != "scale" and total % _SCALES[word] ** 2 // _SCALES[word] == 0:
            total, current, last = total + max(current, 1) * _SCALES[word], 0, "scale"
        else:
            break
        index += 1
        used = index
    return total + current, used


def _adds(last: str, current: int, unit: int) -> bool:
    """Return whether a unit goes on with the number before it: vingt-deux, soixante-douze, dix-sept."""
    if last == "tens":
        return unit < 10 or current % 100 in {60, 80}
    return last == "ten" and 7 <= unit <= 9
