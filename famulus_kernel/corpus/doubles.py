"""Persons who may be one and the same, told by their names (spec 4.2): `Zwingli, Ulrich` and `Ulrich Zwingli`.

They are told and never merged: only who knows the sources can say. Three things raise the question.

- The words of two names are the same, whatever their order, case, accents, and whatever stands in brackets about years.
- The words of two names are alike, one by one: an initial for a word, another spelling. This is asked only where
  somebody might have overlooked it: not of two numbers of one authority file, whose editors told both apart.

The other way round, one number may bear the names of two persons: names that have not even a word alike (`unlike`).

Every name is looked at once for each of its words, with the few others that have the word too; so a hundred thousand
persons take seconds.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_PARTICLES: Final = frozenset(
    "von vom van zu zum zur der die das den dem de du des la le les da di del della af av of the and und et".split()  # noqa: SIM905
)
_WORD: Final = re.compile(r"[^\W_]+")
_YEARS: Final = re.compile(r"[0-9]{3,4}")
_ORDINAL: Final = re.compile(r"[ivx]{2,}|[0-9]+")
"""What parts namesakes: Georg II. is not Georg III."""
_SPELLINGS: Final = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("ck", "k"), ("th", "t"))
_LETTERS: Final = str.maketrans("vjy", "uii")
_GENDERS: Final = ("a", "e", "in", "ina", "ine")
"""Ends that make another person's name of one: Christian, Christiane."""
_COMMON: Final = 30
"""A word that more names have than this tells nothing; their other words do."""
_LONG: Final = 5
_ALIKE: Final = 84
"""Two words so long are spellings of one where rapidfuzz gives them so many of 100."""


@dataclass(frozen=True, slots=True)
class Double:
    """Entities that may be one.

    Attributes
    ----------
    ids
        Their ent_ids in order.
    names
        A name of each.
    """

    ids: tuple[str, ...]
    names: tuple[str, ...]

    def __str__(self) -> str:
        return " = ".join(f"{name} ({id_})" for name, id_ in zip(self.names, self.ids, strict=True))


@dataclass(frozen=True, slots=True)
class Doubles:
    """Who may be one: entities of one name, and pairs of entities whose names are alike."""

    same: tuple[Double, ...]
    alike: tuple[Double, ...]


@dataclass(frozen=True, slots=True)
class _Named:
    """A name of an entity, in words that can be compared."""

    ent_id: str
    name: str
    words: tuple[str, ...]
    years: frozenset[str]


def find_doubles(names: Iterable[tuple[str, str]]) -> Doubles:
    """Return who may be one and the same.

    Parameters
    ----------
    names
        ent_id and name: a pair for the canonical name of each entity and for each variant, unnamed ones left aside.
    """
    named = [_named(ent_id, name) for ent_id, name in sorted(set(names))]
    same = list(_same(named))
    told = {frozenset(pair) for double in same for pair in combinations(double.ids, 2)}
    return Doubles(tuple(same), tuple(_alike(named, told)))


def unlike(first: str, second: str) -> bool:
    """Say whether two names have no word that is the same or spelled alike."""
    words = _words(second)
    return not any(one == other or _is_spelling(one, other) for one in _words(first) for other in words)


def _named(ent_id: str, name: str) -> _Named:
    words = _words(name)
    years = frozenset(word for word in words if _YEARS.fullmatch(word))
    told = tuple(sorted(word for word in words if word not in years))
    # Of one word alone not even the spelling may differ.
    return _Named(ent_id, name, told if len(told) > 1 else (name.casefold(),) if told else (), years)


def _words(name: str) -> list[str]:
    """Return the words of a name without accents, case and what spellings differ in, particles left out."""
    plain = name.casefold()
    if not plain.isascii():
        plain = "".join(sign for sign in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(sign))
    return [_spelled(word) for word in _WORD.findall(plain) if word not in _PARTICLES]


@lru_cache(maxsize=65536)
def _spelled(word: str) -> str:
    if _ORDINAL.fullmatch(word):
        return word
    for written, read in _SPELLINGS:
        word = word.replace(written, read)
    return word.translate(_LETTERS)


def _same(named: Sequence[_Named]) -> Iterator[Double]:
    """Yield the entities whose names have the same words, in the order of their names."""
    groups: defaultdict[tuple[str, ...], list[_Named]] = defaultdict(list)
    for one in named:
        if one.words:
            groups[one.words].append(one)
    for group in sorted(groups.values(), key=lambda group: group[0].words):
        known = list({one.ent_id: one for one in group}.values())
        # Where each says when the person lived, only those of the same years may be one.
        all_say = all(one.years for one in known)
        parts: defaultdict[frozenset[str], list[_Named]] = defaultdict(list)
        for one in known:
            parts[one.years if all_say else frozenset()].append(one)
        yield from (_double(part) for part in parts.values() if len(part) > 1)


def _alike(named: Sequence[_Named], told: set[frozenset[str]]) -> Iterator[Double]:
    """Yield the pairs of entities whose names are alike word by word, but not the same."""
    holders: defaultdict[str, list[_Named]] = defaultdict(list)
    for one in named:
        for word in set(one.words) if len(one.words) > 1 else ():
            if len(word) > 1:
                holders[word].append(one)
    for word in sorted(holders):
        if len(holders[word]) > _COMMON:
            continue
        for first, second in combinations(holders[word], 2):
            if _told_apart(first, second) or not _are_alike(first, second):
                continue
            pair = frozenset((first.ent_id, second.ent_id))
            if len(pair) > 1 and pair not in told:
                told.add(pair)
                yield _double((first, second))


def _told_apart(first: _Named, second: _Named) -> bool:
    """Say whether one list numbers both: its editors then mean two persons."""
    (one, _, number), (other, _, _) = first.ent_id.partition(":"), second.ent_id.partition(":")
    lived_apart = bool(first.years and second.years) and first.years != second.years
    return lived_apart or (one == other and one != "name" and bool(number))


def _are_alike(first: _Named, second: _Named) -> bool:
    if len(first.words) != len(second.words):
        return False
    left = [word for word in first.words if word not in second.words]
    right = [word for word in second.words if word not in first.words]
    for word in left:
        other = next((one for one in right if _is_spelling(word, one)), None)
        if other is None:
            return False
        right.remove(other)
    return not right


@lru_cache(maxsize=65536)
def _is_spelling(word: str, other: str) -> bool:
    """Say whether two words may be one: an initial and its word, or two spellings."""
    from rapidfuzz import fuzz  # noqa: PLC0415 - where persons are looked through only

    short, long = sorted((word, other), key=len)
    if _ORDINAL.fullmatch(word) or _ORDINAL.fullmatch(other):
        return False
    if len(short) == 1:
        return long.startswith(short) and len(long) > 1
    if len(short) < _LONG or (long.startswith(short[:-1]) and long.endswith(_GENDERS) and short[-1] != long[-1]):
        return False
    return fuzz.ratio(word, other) >= _ALIKE


def _double(named: Sequence[_Named]) -> Double:
    return Double(tuple(one.ent_id for one in named), tuple(one.name for one in named))
