"""Find the numbers of a text: figures first, then roman numerals, then words."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from famulus_kernel.institution.numerals import de, en, fr, la
from famulus_kernel.institution.numerals.digits import find_digits, percent
from famulus_kernel.institution.numerals.numeral import Numeral, Reading, Spoken
from famulus_kernel.institution.numerals.roman import find_roman

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LANGUAGES: Final = ("de", "en", "fr", "la")
_FOLDS: Final = {"de": de.fold, "en": en.fold, "fr": fr.fold, "la": la.fold}
_WORD: Final = re.compile(r"[^\W\d_]+")
_JOINT: Final = re.compile(r"[ \t\u00a0\u202f]*\n?[ \t]*|[ ]?[-\u2010\u2011]\n?[ ]?")
_PERCENT: Final = re.compile(r"[ \u00a0\u202f-]?(?:%|Prozent\b|per ?cent\b|percent\b|pour cent\b|v\. ?H\.)")
_RANGE: Final = re.compile(r"-?\s+(?:bis|oder|to|or|à|ou)\s+(?:zu\s+)?|\s?[-\u2013]\s?", re.IGNORECASE)
_SCALES: Final = (10**9, 10**6, 10**3, 10**2)
_LONGEST: Final = 14
"""Words that a number may have; CDXLIV written out in Latin has fewer."""


def find_numerals(text: str, languages: Sequence[str], *, sure: bool = True) -> list[Numeral]:
    """Return the numbers of a text, in order and without overlap.

    Parameters
    ----------
    text
        Dates and quotations have been taken out of it.
    languages
        Those whose number words are looked for; the first one also says how figures are grouped.
    sure
        Whether the text is in that language; without it, words that other languages share are no numbers.
    """
    first = languages[0] if languages else ""
    taken = bytearray(len(text))
    found: list[Numeral] = []

    def keep(numeral: Numeral) -> None:
        if not any(taken[numeral.start : numeral.end]):
            found.append(numeral)
            taken[numeral.start : numeral.end] = b"\1" * (numeral.end - numeral.start)

    for numeral in find_digits(text, first):
        keep(numeral)
    for start, end, value in find_roman(text, first):
        keep(Numeral(start, end, (Reading(Fraction(value)),)))
    for language in languages:
        for numeral in _spoken(text, language, sure=sure):
            keep(numeral)
    return _with_shared_scales(sorted(found, key=lambda one: one.start), text)


def _with_shared_scales(found: list[Numeral], text: str) -> list[Numeral]:
    """Let the first number of a range mean also what the scale of the second makes of it: four to five hundred."""
    for index, (here, later) in enumerate(pairwise(found)):
        if not _RANGE.fullmatch(text, here.end, later.start) or text[later.start : later.end].isdecimal():
            continue
        value, last = here.readings[0].value, later.readings[0].value
        scale = next((one for one in _SCALES if last >= one and last % one == 0), 1)
        if 0 < value * scale < last and scale > 1:
            found[index] = replace(here, readings=(*here.readings, Reading(value * scale)))
    return found


def _spoken(text: str, language: str, *, sure: bool) -> Iterator[Numeral]:
    for run in runs(text):
        folded = [_FOLDS[language](word[0]) for word in run]
        index = 0
        while index < len(run):
            before = folded[index - 1] if index else ""
            spoken = _read(language, folded[index : index + _LONGEST], before, sure=sure)
            if spoken is None or (language == "la" and _is_name(run[index], text, spoken)):
                index += 1
                continue
            end, readings = run[index + spoken.words - 1].end(), spoken.readings()
            if behind := _PERCENT.match(text, end):
                end, readings = behind.end(), percent(readings)
            yield Numeral(run[index].start(), end, readings, ordinal=spoken.ordinal)
            index += spoken.words


def read_words(language: str, words: Sequence[str]) -> Spoken | None:
    """Return the number that stands at the beginning of `words`; those that languages share (bis, ter) are none."""
    fold = _FOLDS[language]
    return _read(language, [fold(word) for word in words[:_LONGEST]], "", sure=False)


def _read(language: str, folded: Sequence[str], before: str, *, sure: bool) -> Spoken | None:
    if language == "la":
        return la.read(folded, before, sure=sure)
    return {"de": de.read, "en": en.read, "fr": fr.read}[language](folded, before)


def _is_name(word: re.Match[str], text: str, spoken: Spoken) -> bool:
    """Return whether a Latin ordinal is somebody's name: Quintus, Sextus, and not at the head of a sentence."""
    if not spoken.ordinal or spoken.words > 1 or not word[0][0].isupper():
        return False
    before = text[max(0, word.start() - 80) : word.start()].rstrip()
    return bool(before) and before[-1] not in ".!?:;"


def runs(text: str) -> Iterator[list[re.Match[str]]]:
    """Yield the words of a text in runs that blanks and hyphens alone hold together."""
    run: list[re.Match[str]] = []
    for word in _WORD.finditer(text):
        if run and not _JOINT.fullmatch(text, run[-1].end(), word.start()):
            yield run
            run = []
        run.append(word)
    if run:
        yield run
