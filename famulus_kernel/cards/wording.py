"""What a wording is made of: its words, the meanings that a registry's lexicon gives them, and its runs of letters.

People type `wieviele briefe an dürer`, `Wie viele Briefe an Duerer?` and `how many letters to dürer`; here they come to
share most of what they are made of. Nothing is learnt and nothing is looked up outside the registry.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

QUOTE: Final = "<quote>"
YEAR: Final = "<year>"
NUMBER: Final = "<number>"
ADDRESS: Final = "<address>"
FILE: Final = "<file>"
PAIR: Final = "+"
"""What joins two meanings that stand in one wording."""

_MARKS: Final = (
    (re.compile(r"https?://\S*|www\.\S+"), ADDRESS),
    (re.compile('\u201e[^\u201c\u201d"]+[\u201c\u201d"]|\u201c[^\u201c\u201d]+\u201d|"[^"]+"'), QUOTE),
    (re.compile("\u00ab[^\u00ab\u00bb]+\u00bb|\u00bb[^\u00ab\u00bb]+\u00ab|(?<!\\w)'[^']+'(?!\\w)"), QUOTE),
    (re.compile(r"(?<![\w.])[\w-]+\.[a-z]{2,7}(?![\w.])"), FILE),
    (re.compile(r"(?<!\w)\d{4}(?:er|s)?(?!\w)"), YEAR),
    (re.compile(r"(?<!\w)\d+\.?(?!\w)"), NUMBER),
)
_TOKEN: Final = re.compile(r"<[a-z]+>|[^\W\d_]+")
_ENDINGS: Final = ("ungen", "ing", "ern", "end", "est", "em", "en", "er", "es", "ed", "st", "e", "n", "s", "t")
_SHORTEST_STEM: Final = 4
_RUNS: Final = (3, 4)
"""How long the runs of letters are that two spellings of a word share."""

_STOP: Final = (
    "a aber alle allen aller alles als also am an and are as at auch auf aus be bei beim bin bitte bis but by da damit"
    " dann das dass de dem den denn der des die dies diese diesem diesen dieser dieses do does doch dort du durch ein"
    " eine einem einen einer eines einmal er es etwas for from fuer gab give gibt got had haben halt has hat hatte"
    " hatten have he her here him his ich ihm ihn ihr ihre ihrem ihren ihrer im in ins is ist it its ja je jede jeden"
    " jeder kann kannst koennen let mal man mein meine me mich mir mit my nach nicht noch nun nur ob oder of off on"
    " or our please s sein seine seinem seinen seiner she show sich sie sind so some such that the their them there"
    " these they this those to uber um und uns us vom von vor war waren was we welche welchem welchen welcher welches"
    " were when which wird will with wo would wurde wurden you your zeig zeige zu zum zur"
)
"""Words of both languages that say nothing of what is asked."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words of a field that mean the same, as a registry's `words.yaml` has them.

    Attributes
    ----------
    words : mapping of str to tuple of str
        A word, or several with blanks between, to its meanings; folded.
    beginnings : mapping of str to tuple of str
        The same for all words that begin so.
    longest : mapping of str to int
        How many words the longest pattern has that begins with a word.
    """

    words: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    beginnings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    longest: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, meanings: Mapping[str, Sequence[str]]) -> Lexicon:
        """Build it from `{meaning: [word, begin*, several words]}`."""
        words: dict[str, tuple[str, ...]] = {}
        beginnings: dict[str, tuple[str, ...]] = {}
        longest: dict[str, int] = {}
        for meaning, patterns in meanings.items():
            for pattern in patterns:
                parts = tokens(pattern.removesuffix("*"))
                target = beginnings if pattern.endswith("*") else words
                key = " ".join(parts)
                target[key] = (*target.get(key, ()), meaning)
                if parts and target is words:
                    longest[parts[0]] = max(len(parts), longest.get(parts[0], 1))
        return cls(words, beginnings, longest)

    def meanings(self, typed: Sequence[str]) -> tuple[list[str], int]:
        """Return the meanings of a wording's tokens in order, and how many of its words that say something have none.

        Of several patterns the longest one holds.
        """
        found: list[str] = []
        without = 0
        at = 0
        while at < len(typed):
            known, length = self._at(typed, at)
            found += known
            without += not known and says_something(typed[at])
            at += length
        return found, without

    def _at(self, typed: Sequence[str], at: int) -> tuple[tuple[str, ...], int]:
        """Return the meanings of the longest pattern that stands at a token, and how many tokens it takes."""
        for length in range(min(self.longest.get(typed[at], 0), len(typed) - at), 0, -1):
            known = self.words.get(typed[at] if length == 1 else " ".join(typed[at : at + length]))
            if known is not None:
                return known, length
        word = typed[at]
        beginning = next((word[:end] for end in range(len(word), 1, -1) if word[:end] in self.beginnings), "")
        return self.beginnings.get(beginning, ()), 1


@dataclass(frozen=True, slots=True)
class Wording:
    """What a wording is made of; each part is compared apart. `without_meaning` counts words that the lexicon lacks."""

    words: tuple[str, ...]
    meanings: tuple[str, ...]
    runs: tuple[str, ...]
    without_meaning: int = 0


def folded(text: str) -> str:
    """Return a text in which case, accents and the two ways to write an umlaut make no difference."""
    plain = text.casefold()
    if not plain.isascii():
        plain = "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))
    return plain.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def tokens(text: str) -> list[str]:
    """Return the words of a text, folded; quotations, years, numbers, files and addresses as marks (`<year>`)."""
    for pattern, mark in _MARKS:
        text = pattern.sub(f" {mark} ", text)
    return _TOKEN.findall(folded(text))


def taken_apart(text: str, lexicon: Lexicon) -> Wording:
    """Take a wording apart."""
    typed = tokens(text)
    words = [stem(word) for word in typed if word not in _FOLDED_STOP]
    meant, without = lexicon.meanings(typed)
    meanings = list(dict.fromkeys(meant))
    meanings += [f"{one}{PAIR}{other}" for one in meanings for other in meanings if one < other]
    if typed.count(QUOTE) > 1:
        meanings.append("<quotes>")
    runs = [run for word in typed if says_something(word) for run in _runs(word)]
    return Wording(tuple(words), tuple(meanings), tuple(runs), without)


def says_something(word: str) -> bool:
    """Say whether a folded word is neither a mark nor one of those that stand in every question."""
    return word not in _FOLDED_STOP and word[0] != "<"


@lru_cache(maxsize=1 << 16)
def _runs(word: str) -> tuple[str, ...]:
    padded = f" {word} "
    return tuple(padded[at : at + length] for length in _RUNS for at in range(max(1, len(padded) - length + 1)))


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return a word without its ending, roughly, as both languages have them."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return word[: -len(ending)]
    return word


_FOLDED_STOP: Final = frozenset(map(folded, _STOP.split()))
