"""Latin number words, declined: duodecim, quinque et viginti, sescentis, duo milia, millesimo sescentesimo, ter."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from famulus_kernel.institution.numerals.numeral import Spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

_ENDING: Final = r"(?:us|a|um|i|ae|o|am|os|as|orum|arum|is|e)"
_CARDINALS: Final = {
    "duo": 2, "duae": 2, "duos": 2, "duas": 2, "duorum": 2, "duarum": 2, "duobus": 2, "duabus": 2,
    "tres": 3, "tria": 3, "trium": 3, "tribus": 3, "quattuor": 4, "quatuor": 4, "quinque": 5, "sex": 6, "septem": 7,
    "octo": 8, "nouem": 9, "decem": 10, "undecim": 11, "duodecim": 12, "tredecim": 13, "quattuordecim": 14,
    "quatuordecim": 14, "quindecim": 15, "sedecim": 16, "sexdecim": 16, "septendecim": 17, "septemdecim": 17,
    "duodeuiginti": 18, "octodecim": 18, "undeuiginti": 19, "nouemdecim": 19, "uiginti": 20, "triginta": 30,
    "quadraginta": 40, "quinquaginta": 50, "sexaginta": 60, "septuaginta": 70, "octoginta": 80, "octuaginta": 80,
    "nonaginta": 90, "centum": 100, "mille": 1000,
}  # fmt: skip
_HUNDREDS: Final = {
    "ducent": 200, "trecent": 300, "quadringent": 400, "quingent": 500, "sescent": 600, "sexcent": 600,
    "septingent": 700, "octingent": 800, "nongent": 900,
}  # fmt: skip
_THOUSANDS: Final = frozenset({"milia", "millia", "milium", "millium", "milibus", "millibus"})
_ORDINALS: Final = {
    "prim": 1, "secund": 2, "terti": 3, "quart": 4, "quint": 5, "sext": 6, "septim": 7, "octau": 8, "non": 9,
    "decim": 10, "undecim": 11, "duodecim": 12, "uicesim": 20, "uigesim": 20, "tricesim": 30, "trigesim": 30,
    "quadragesim": 40, "quinquagesim": 50, "sexagesim": 60, "septuagesim": 70, "octogesim": 80, "nonagesim": 90,
    "centesim": 100, "ducentesim": 200, "trecentesim": 300, "quadringentesim": 400, "quingentesim": 500,
    "sescentesim": 600, "sexcentesim": 600, "septingentesim": 700, "octingentesim": 800, "nongentesim": 900,
    "millesim": 1000,
}  # fmt: skip
_DISTRIBUTIVES: Final = {
    "bin": 2, "tern": 3, "trin": 3, "quatern": 4, "quin": 5, "sen": 6, "septen": 7, "octon": 8, "nouen": 9, "den": 10,
}  # fmt: skip
_TIMES: Final = {
    "bis": 2, "ter": 3, "quater": 4, "quinquies": 5, "sexies": 6, "septies": 7, "octies": 8, "nouies": 9,
    "decies": 10, "centies": 100,
}  # fmt: skip
_ONES: Final = re.compile(r"un(?:us|um|ius|i|am|o|ae|os|as|is|a)")
_SINGLING: Final = frozenset({"tantum", "solus", "sola", "solum", "modo", "dumtaxat", "duntaxat", "tantummodo"})
_OTHERWISE: Final = frozenset({"secundum", "primo", "primum", "prima", "primus", "non", "nona", "nonis", "quin", "sen",
                               "dena", "octona", "trina", "trine", "sene", "senis", "senum", "seni", "quina", "nonas",
                               "denis", "none", "sexte", "prime", "primi", "primis", "primae", "primos",
                               "primam"})  # fmt: skip
"""Forms that are more often other words, or no claim: first, according to, ninth hours and nones, old men."""

_FORMATS: Final = frozenset({"quarto", "octauo", "duodecimo", "sexto"})


def fold(word: str) -> str:
    """Return a word as the tables have it: u for v, i for j."""
    return word.casefold().replace("v", "u").replace("j", "i")


def read(words: Sequence[str], before: str, *, sure: bool = True) -> Spoken | None:
    """Return the number that stands at the beginning of `words`.

    Parameters
    ----------
    words
        Folded; `before` is the word in front of them.
    sure
        Whether the text is known to be Latin; without it, words that other languages have too (bis, ter, sex) are
        no numbers.
    """
    word, following = words[0], words[1] if len(words) > 1 else ""
    if word in _TIMES:
        return Spoken(1, Fraction(_TIMES[word])) if sure or word.endswith("ies") else None
    if _ONES.fullmatch(word):
        if (compound := _units_first(words, 1)) is not None:
            return compound
        return Spoken(1, Fraction(1)) if sure and (following in _SINGLING or before in _SINGLING) else None
    if word in _FORMATS and before == "in":
        return None
    value, used = _cardinal(words)
    if used and (sure or used > 1 or word != "sex"):
        return Spoken(used, Fraction(value))
    value, used = _ordinal(words)
    if used:
        return Spoken(used, Fraction(value), ordinal=True)
    stem = _stem(word, _DISTRIBUTIVES)
    return Spoken(1, Fraction(_DISTRIBUTIVES[stem])) if stem and sure and word not in _OTHERWISE else None


def _stem(word: str, table: dict[str, int]) -> str | None:
    match = re.fullmatch(rf"(\w+?){_ENDING}", word)
    if match is None:
        return None
    stems = (
        word[: -len(end)] for end in ("orum", "arum", "us", "um", "ae", "am", "os", "as", "is", "a", "i", "o", "e")
    )
    return next((stem for stem in stems if stem in table and word != stem and re.fullmatch(stem + _ENDING, word)), None)


def _part(word: str) -> int | None:
    if word in _CARDINALS:
        return _CARDINALS[word]
    stem = _stem(word, _HUNDREDS)
    return _HUNDREDS[stem] if stem else None


def _units_first(words: Sequence[str], unit: int) -> Spoken | None:
    """Return quinque et viginti, unus et triginta."""
    if len(words) > 2 and words[1] == "et":
        tens = _CARDINALS.get(words[2], 0)
        if 20 <= tens < 100 and unit < 10:
            return Spoken(3, Fraction(tens + unit))
    return None


def _cardinal(words: Sequence[str]) -> tuple[int, int]:
    total, current, index, used, smallest = 0, 0, 0, 0, 10**9
    first = _part(words[0])
    if first is not None and first < 10 and (compound := _units_first(words, first)) is not None:
        return int(compound.value), compound.words
    while index < len(words):
        word = words[index]
        if word == "et" and used and index + 1 < len(words) and (_part(words[index + 1]) or 10**9) < smallest:
            index += 1
            continue
        if word in _THOUSANDS and used and total == 0:
            total, current, smallest = max(current, 1) * 1000, 0, 1000
        else:
            value = _part(word)
            if value is None and used and _ONES.fullmatch(word) and smallest >= 20 and index < len(words):
                value = 1
            room = value is not None and value < smallest and (smallest == 10**9 or _has_room(smallest, value))
            if value is None or not room:
                break
            current, smallest = current + value, value
        index += 1
        used = index
    return total + current, used


def _has_room(last: int, value: int) -> bool:
    """Return whether `value` can be added behind a numeral that ends with `last`: centum viginti, viginti tres."""
    return value < (1000 if last >= 1000 else 100 if last >= 100 else 10 if last >= 20 else 0)


def _ordinal(words: Sequence[str]) -> tuple[int, int]:
    total, used, smallest = 0, 0, 10**9
    for index, word in enumerate(words):
        if word == "et" and used:
            continue
        stem = _stem(word, _ORDINALS)
        value = _ORDINALS[stem] if stem else None
        if value is None or (word in _OTHERWISE and not used):
            break
        tens_later = smallest < 10 and value == 10  # septimo decimo
        if (
            not (value < smallest and (smallest == 10**9 or _has_room(smallest, value) or smallest == 10))
            and not tens_later
        ):
            break
        total, used, smallest = total + value, index + 1, min(value, smallest)
        if tens_later:
            break
    return total, used
