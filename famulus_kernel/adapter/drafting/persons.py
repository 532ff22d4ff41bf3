"""The persons that a question names, by the names that a collection knows (spec 4.3)."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from famulus_kernel.cards.registry import read_lexicon
from famulus_kernel.cards.wording import Lexicon, folded, says_something
from famulus_kernel.resources import registry_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

_WORD: Final = re.compile(r"[^\W\d_]+")
_SHORTEST: Final = 4
"""Letters of a word that alone may stand for a person."""
_GENITIVES: Final = ("", "s", "es", "ens")
_BEFORE: Final = frozenset(
    {"von", "an", "mit", "to", "from", "with", "by", "zwischen", "between", "und", "and", "gegenuber", "des"}
)
"""What stands before a person, folded."""
_KIN: Final = frozenset(
    {"his", "her", "the", "my", "seine", "seiner", "seinem", "seinen", "sister", "schwester", "brother", "bruder"}
    | {"friend", "freund", "wife", "frau", "herr", "dr"}
)
"""What may stand between that and the name, folded."""
_TO: Final = frozenset({"an", "to", "gegenuber", "with", "mit", "towards"})
"""What stands before the person whom a letter goes to, folded."""


@dataclass(frozen=True, slots=True)
class KnownName:
    """A name that a collection has for a person: `person` is its ent_id, `canonical` its chosen name."""

    person: str
    canonical: str
    name: str


@dataclass(frozen=True, slots=True)
class SpokenPerson:
    """A person that a question names.

    Attributes
    ----------
    canonical : str
    words : str
        Those of the question.
    others : tuple of str
        Canonical names that the words may mean as well.
    is_addressee : bool
        "an" or "to" stands before it.
    """

    canonical: str
    words: str
    others: tuple[str, ...] = ()
    is_addressee: bool = False


def spoken_persons(
    question: str, names: Iterable[KnownName], centre: str | None, weight: Callable[[Sequence[str]], Mapping[str, int]]
) -> tuple[SpokenPerson, ...]:
    """Return the persons that a question names, in its order.

    A whole name counts, canonical or variant, with a genitive -s at its end. So does the last word of one; where
    several persons have it, the person at the centre is meant, else the one with most letters.

    Parameters
    ----------
    question
        Without quotations.
    names
        What the collection calls its persons.
    centre
        ent_id or name of the person that the collection is about.
    weight
        Gives the number of letters of some persons, by ent_id.
    """
    words = [(match[0], _key(match[0])) for match in _WORD.finditer(question)]
    book = _Book(names, centre, weight)
    has_capitals = any(word[:1].isupper() for word, _ in words[1:])
    found: dict[str, SpokenPerson] = {}
    at = 0
    while at < len(words):
        length, persons = book.at([key for _, key in words], at)
        if length == 1 and (not persons or (has_capitals and not words[at][0][:1].isupper())):
            persons = {}
        if persons:
            chosen, others = book.chosen(persons)
            before = words[at - 1][1] if at else ""
            spoken = " ".join(word for word, _ in words[at : at + length])
            found.setdefault(chosen, SpokenPerson(chosen, spoken, others, before in _TO))
        at += length
    return tuple(found.values())


def unread_names(question: str, spoken: Iterable[SpokenPerson]) -> tuple[str, ...]:
    """Return what stands where a person would, and is neither one of those that were found nor a word of the field.

    `briefe von Johannes Quappenstein` has a name behind `von`: a block that answers without him must say so.

    Parameters
    ----------
    question
        Without quotations.
    spoken
        The persons that were found in it.
    """
    lexicon = Lexicon.of(read_lexicon(registry_dir())[0])
    read = {word for one in spoken for word in _WORD.findall(one.words)}
    found: list[str] = []
    is_expected = False
    for word in _WORD.findall(question):
        key = folded(word)
        if key in _BEFORE:
            is_expected = True
            continue
        is_name = word[:1].isupper() and word not in read and says_something(key) and not lexicon.meanings([key])[0]
        if is_expected and is_name:
            found.append(word)
        is_expected = is_expected and (is_name or key in _KIN)
    return tuple(found)


class _Book:
    """Names by their folded words."""

    def __init__(
        self, names: Iterable[KnownName], centre: str | None, weight: Callable[[Sequence[str]], Mapping[str, int]]
    ) -> None:
        self._whole: dict[tuple[str, ...], dict[str, str]] = defaultdict(dict)
        self._last: dict[str, dict[str, str]] = defaultdict(dict)
        self._lengths: dict[str, set[int]] = defaultdict(set)
        self._centre: str | None = None
        self._weight = weight
        for known in names:
            key = tuple(_key(word) for word in _WORD.findall(known.name.partition(",")[0]))
            if not key:
                continue
            self._whole[key][known.person] = known.canonical
            self._lengths[key[0]].add(len(key))
            if len(key[-1]) >= _SHORTEST:
                self._last[key[-1]][known.person] = known.canonical
            if centre is not None and centre in (known.person, known.canonical, known.name):
                self._centre = known.person

    def at(self, keys: Sequence[str], start: int) -> tuple[int, Mapping[str, str]]:
        """Return the longest name that begins at a word of the question, and who has it; (1, {}) for none."""
        for first in _without_genitive(keys[start]):
            for length in sorted(self._lengths.get(first, ()), reverse=True):
                tail = keys[start + 1 : start + length]
                if length > 1 and len(tail) == length - 1:
                    for last in _without_genitive(tail[-1]):
                        persons = self._whole.get((keys[start], *tail[:-1], last))
                        if persons:
                            return length, persons
        for word in _without_genitive(keys[start]):
            persons = {**self._last.get(word, {}), **(self._whole.get((word,), {}) if len(word) >= _SHORTEST else {})}
            if persons:
                return 1, persons
        return 1, {}

    def chosen(self, persons: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
        """Return who is meant, and who else might be."""
        if self._centre in persons:
            best = str(self._centre)
        elif len(persons) == 1:
            best = next(iter(persons))
        else:
            letters = self._weight(tuple(persons))
            best = max(sorted(persons), key=lambda person: letters.get(person, 0))
        return persons[best], tuple(sorted(name for person, name in persons.items() if person != best))


def _key(word: str) -> str:
    return folded(word).replace("v", "u").replace("\u017f", "s")


def _without_genitive(word: str) -> Iterator[str]:
    for ending in _GENITIVES:
        if not ending or (word.endswith(ending) and len(word) - len(ending) > 1):
            yield word.removesuffix(ending)
