"""English number words: twelve, twenty-three, one hundred and five, nineteen eighty-four, third, twice, two thirds."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from famulus_kernel.institution.numerals.numeral import Spoken

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNITS: Final = {
    "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
}  # fmt: skip
_TEENS: Final = {
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
    "seventeen": 17, "eighteen": 18, "nineteen": 19,
}  # fmt: skip
_TENS: Final = {
    "twenty": 20, "thirty": 30, "forty": 40, "fourty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80,
    "ninety": 90,
}  # fmt: skip
_SCALES: Final = {"thousand": 10**3, "million": 10**6, "billion": 10**9}
_ORDINALS: Final = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16,
    "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30, "fortieth": 40,
    "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90,
}  # fmt: skip
_LARGE_ORDINALS: Final = {"hundredth": 100, "thousandth": 1000, "millionth": 10**6}
_TIMES: Final = {"twice": 2, "thrice": 3, "twofold": 2, "threefold": 3, "fourfold": 4, "fivefold": 5, "tenfold": 10}
_DOZENS: Final = {"dozen": 12, "dozens": 0}
_FRACTIONS: Final = {
    "half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourths": 4, "fifth": 5,
    "fifths": 5, "sixth": 6, "sixths": 6, "seventh": 7, "sevenths": 7, "eighth": 8, "eighths": 8, "ninth": 9,
    "ninths": 9,
    "tenth": 10, "tenths": 10, "twelfth": 12, "twelfths": 12, "hundredth": 100,
}  # fmt: skip
_SINGLING: Final = frozenset({"only", "just", "exactly", "precisely", "merely", "single", "but"})
_NO_PLACE: Final = frozenset({"", "half", "of", "time", "thoughts", "and", "or", "hand"})
"""Words behind "second" and others that make of it something else than a place in a row."""


def fold(word: str) -> str:
    """Return a word as the tables have it."""
    return word.casefold()


def read(words: Sequence[str], before: str) -> Spoken | None:
    """Return the number that stands at the beginning of `words`; `before` is the word in front of them."""
    word, following = words[0], words[1] if len(words) > 1 else ""
    if word in _TIMES:
        return Spoken(1, Fraction(_TIMES[word]))
    if word == "a" and following == "dozen":
        return Spoken(2, Fraction(12))
    if word == "a" and (following in _SCALES or following == "hundred"):
        word, words = "one", ["one", *words[1:]]
    if word == "half" and list(words[1:3]) == ["a", "dozen"]:
        return Spoken(3, Fraction(6))
    if word in {"a", "an"} and following in _FRACTIONS and list(words[2:3]) == ["of"]:
        return Spoken(2, Fraction(1, _FRACTIONS[following]), rounded=True)
    value, used, ordinal = _number(words)
    if used == 0:
        return None
    if ordinal and used == 1:
        return _place(word, value, following, before)
    return _continued(words, value, used, before, ordinal=ordinal)


def _place(word: str, value: int, following: str, before: str) -> Spoken | None:
    if word == "first" or following in {"half", "quarter", "third"}:
        return None
    if word == "second" and (following in _NO_PLACE or before in {"a", "per", "every", "split", "one"}):
        return None
    return Spoken(1, Fraction(value), ordinal=True)


def _continued(words: Sequence[str], value: int, used: int, before: str, *, ordinal: bool) -> Spoken | None:
    following = words[used] if len(words) > used else ""
    if not ordinal and following in _FRACTIONS and (value > 1 or not following.endswith("s")):
        return Spoken(used + 1, Fraction(value, _FRACTIONS[following]), rounded=True)
    if not ordinal and following == "dozen":
        return Spoken(used + 1, Fraction(12 * value))
    if not ordinal and following == "point" and len(words) > used + 1 and words[used + 1] in _UNITS:
        figures = []
        for word in words[used + 1 :]:
            if word not in _UNITS:
                break
            figures.append(str(_UNITS[word]))
        return Spoken(used + 1 + len(figures), Fraction(f"{value}.{''.join(figures)}"))
    if not ordinal and list(words[used : used + 3]) == ["and", "a", "half"]:
        return Spoken(used + 3, Fraction(2 * value + 1, 2))
    if value == 1 and used == 1 and before not in _SINGLING:
        return None
    return Spoken(used, Fraction(value), ordinal=ordinal)


def _number(words: Sequence[str]) -> tuple[int, int, bool]:
    """Return value, words used (0: none) and whether the last of them is an ordinal."""
    total, current, used, index = 0, 0, 0, 0
    last = ""  # what kind the former word was
    while index < len(words):
        word = words[index]
        if word == "and" and last in {"hundred", "scale"} and index + 1 < len(words):
            if words[index + 1] in _UNITS | _TEENS | _TENS | _ORDINALS:
                index += 1
                continue
            break
        if word in _ORDINALS or word in _LARGE_ORDINALS:
            done = _ends_with(word, last, current, total)
            if done is None:
                break
            return done, index + 1, True
        kind = _kind(word)
        if kind == "" or not _fits(kind, last, current):
            break
        if kind == "hundred":
            current *= 100
        elif kind == "scale":
            total, current = total + current * _SCALES[word], 0
        elif (kind == "tens" and last in {"teen", "tens"}) or (kind == "teen" and last in {"teen", "tens"}):
            current = current * 100 + (_TEENS | _TENS)[word]  # nineteen eighty, sixteen seventeen
        else:
            current += (_UNITS | _TEENS | _TENS)[word]
        last, index = kind, index + 1
        used = index
    return total + current, used, False


def _kind(word: str) -> str:
    if word in _UNITS:
        return "unit"
    if word in _TEENS:
        return "teen"
    if word in _TENS:
        return "tens"
    if word == "hundred":
        return "hundred"
    return "scale" if word in _SCALES else ""


def _fits(kind: str, last: str, current: int) -> bool:
    if kind == "hundred":
        return last in {"unit", "teen", "tens"} and 0 < current < 100
    if kind == "scale":
        return last in {"unit", "teen", "tens", "hundred"}
    if kind == "unit":
        return last in {"", "tens", "hundred", "scale"}
    in_pairs = last in {"teen", "tens"} and current < 100 and (current % 10 or current in {10, 20})  # nineteen twenty
    return last in {"", "hundred", "scale"} or bool(in_pairs)


def _ends_with(word: str, last: str, current: int, total: int) -> int | None:
    if word in _LARGE_ORDINALS:
        return (total + current * _LARGE_ORDINALS[word]) if last else _LARGE_ORDINALS[word]
    value = _ORDINALS[word]
    if last == "" or last in {"hundred", "scale"} or (last == "tens" and value < 10):
        return total + current + value
    return None
