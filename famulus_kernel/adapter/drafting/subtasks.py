"""Keys of a block that plays a subtask: whom, when, which words and which collection the question is about."""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final, NamedTuple

from famulus_kernel.adapter.drafting.directions import spoken_direction
from famulus_kernel.adapter.drafting.heard import says
from famulus_kernel.adapter.drafting.keys import Key
from famulus_kernel.adapter.drafting.persons import spoken_persons, unread_names
from famulus_kernel.adapter.drafting.shelf import Shelf
from famulus_kernel.adapter.drafting.years import spoken_years
from famulus_kernel.cards.wording import folded, says_something
from famulus_kernel.corpus.collection import collection_names
from famulus_kernel.errors import DraftError, listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from famulus_kernel.adapter.drafting.directions import Direction
    from famulus_kernel.adapter.drafting.heard import Heard
    from famulus_kernel.adapter.drafting.persons import SpokenPerson
    from famulus_kernel.project.project import Project


class Asks(NamedTuple):
    """What a subtask asks of a collection and of the question.

    Attributes
    ----------
    tables : tuple of str
        Tables that the collection must have.
    artefact : (name, kind)
    lemmata : int
        How many there must be at least; 0: none are counted.
    persons : str
        `centre` (whose letters), `named` (who is named, then addressees), `parties` (of the texts) or "".
    argument : str
        The entry of `input` that the question gives.
    years, texts : bool
        Whether the subtask heeds years, and the language of texts.
    """

    tables: tuple[str, ...]
    artefact: tuple[str, str]
    lemmata: int = 0
    persons: str = ""
    argument: str = ""
    years: bool = True
    texts: bool = False


_LETTERS: Final = ("letters_resolved",)
_TEXTS: Final = ("stz_sentences",)
_WORDS: Final = ("stz_sentences", "lemma_index")
SUBTASKS: Final[Mapping[str, Asks]] = {
    "correspondence-count": Asks(_LETTERS, ("summary", "report"), persons="centre"),
    "correspondence-roster": Asks(_LETTERS, ("correspondents", "roster-table"), persons="centre"),
    "letter-subject": Asks((*_LETTERS, *_WORDS), ("subjects", "markdown"), persons="parties", texts=True),
    "mention-in-letters": Asks((*_LETTERS, "stz_entities"), ("writers", "roster-table"), persons="named", texts=True),
    "terminology-find": Asks(_WORDS, ("attestations", "kwic"), lemmata=1, persons="parties", texts=True),
    "concept-statements": Asks(_WORDS, ("statements", "markdown"), lemmata=1, persons="parties", texts=True),
    "source-attestation": Asks(_TEXTS, ("citations", "citation-list"), argument="source", texts=True),
    "sentence-mention": Asks(_TEXTS, ("sentences", "kwic"), persons="parties", argument="text", texts=True),
    "cooccurrence": Asks(_WORDS, ("sentences", "kwic"), lemmata=2, persons="parties", texts=True),
    "manuscript-inventory": Asks(("manuscripts",), ("manuscripts", "roster-table")),
    "register-inventory": Asks((), ("entries", "roster-table"), argument="register", years=False),
    "entity-mention-count": Asks(("stz_entities",), ("summary", "report"), persons="named", texts=True),
}
"""Ours. A stranger's subtask gets the scope alone."""
_ANYTHING: Final = Asks((), ("summary", "report"), persons="parties")


def subtask_keys(project: Project, subtask: str, heard: Heard) -> Iterator[Key]:
    """Yield the keys of a block that plays a subtask.

    Raises
    ------
    DraftError
        The question does not say what the subtask needs, or no collection has it.
    CollectionError, MissingFile
        The collections are not there.
    """
    asks = SUBTASKS.get(subtask, _ANYTHING)
    with ExitStack() as stack:
        names, shelf, guess = _collections(project, subtask, asks, heard, stack)
        yield Key("collections", names, guess)
        yield Key("locked", value=True)
        if "duckdb" in project.config.defaults:
            yield Key("duckdb", [])
        if heard.evidence:
            yield Key("evidence", heard.evidence)
        if asks.texts and heard.languages:
            yield Key("language", list(heard.languages))
        years = spoken_years(heard.bare) if asks.years else None
        if years is not None:
            why = f"the question names {years.words}, perhaps single years" if years.is_guess else None
            yield Key("years", years.as_dict(), why)
        yield from _persons(subtask, asks, heard, shelf)
        yield Key("subtask", subtask)
        direction = _direction(heard, shelf) if asks.persons == "centre" else None
        if direction is not None:
            yield Key("input", {"direction": direction}, "heard in the verb: which way the letters went")
        if asks.lemmata:
            yield _lemmata(subtask, asks.lemmata, heard, shelf)
            why = (
                None if heard.counting_mode else "the lemma alone; family takes its variants too, family+adj adjectives"
            )
            yield Key("counting_mode", heard.counting_mode or "canonical", why)
        if asks.argument:
            yield from _argument(subtask, asks.argument, heard, shelf)
        name, kind = asks.artefact
        yield Key("artefacts", lines=(f"  - {{name: {name}, kind: {kind}}}",))


def _collections(
    project: Project, subtask: str, asks: Asks, heard: Heard, stack: ExitStack
) -> tuple[list[str], Shelf, str | None]:
    """Return the collections that the question is about, the first of them open, and the reason where it is a guess."""
    defaults = [str(name) for name in project.config.defaults.get("collections", ())]
    known = list(dict.fromkeys((*defaults, *collection_names(project.places.collections))))
    shelves = [stack.enter_context(Shelf(project, name)) for name in known]
    fitting = [one for one in shelves if one.has(asks.tables) and (asks.argument != "register" or one.status.registers)]
    if not fitting:
        needed = listed(asks.tables) if asks.tables else "a register"
        place = project.places.collections
        why = f"no collection of {place} has {needed}" if known else f"there is no collection in {place}"
        if not project.places.are_named:
            why = "nothing says where collections are, neither collections_root in famulus.yml nor PDAI_COLLECTIONS"
        raise DraftError.of(subtask, why, "import one with famulus-notebook collection import, or set collections_root")
    named = [one for one in fitting if says(rf"{re.escape(one.name)}s?", heard.text)]
    if named:
        return [one.name for one in named], named[0], None
    own = [one for one in fitting if one.name in defaults]
    if own:
        return [one.name for one in own], own[0], "those of famulus.yml"
    best = max(fitting, key=lambda one: _known_words(asks, heard, one))
    others = [one.name for one in fitting if one is not best]
    return [best.name], best, f"{listed(others)} would do too" if others else "the only one that has what is asked for"


def _known_words(asks: Asks, heard: Heard, shelf: Shelf) -> int:
    """Return how much of a question a collection knows."""
    count = len(shelf.lemmata(_candidates(heard))) if asks.lemmata else 0
    return count + (len(_spoken(heard, shelf)) if asks.persons else 0)


def _spoken(heard: Heard, shelf: Shelf) -> tuple[SpokenPerson, ...]:
    return spoken_persons(heard.bare, shelf.names, shelf.status.person, shelf.letters_of)


def _persons(subtask: str, asks: Asks, heard: Heard, shelf: Shelf) -> Iterator[Key]:
    if not asks.persons:
        return
    spoken = _centre_first(heard, shelf) if asks.persons == "centre" else list(_spoken(heard, shelf))
    if asks.persons == "named":
        spoken.sort(key=lambda one: one.is_addressee)
        if not spoken:
            hint = "name a person or body as the collection does; famulus-notebook collection show lists them"
            raise DraftError.of(subtask, f"the question names nobody whom {shelf.name} knows", hint)
    unsure = [f"{one.words} may be {listed(one.others, 4)} too" for one in spoken if one.others]
    strangers = unread_names(heard.bare, spoken) if asks.persons != "parties" else ()
    if strangers:
        unsure.append(f"{shelf.name} has no name {listed(strangers)}")
    if spoken:
        yield Key("persons", [one.canonical for one in spoken], "; ".join(unsure) or None)
    elif asks.persons == "centre" and shelf.status.person:
        unsure.insert(0, f"the person whom {shelf.name} is about")
        yield Key("persons", [_canonical(shelf, shelf.status.person)], "; ".join(unsure))
    elif asks.persons == "centre":
        hint = "name the person whose letters are meant as the collection does"
        raise DraftError.of(subtask, f"the question names nobody whom {shelf.name} knows", hint)


def _direction(heard: Heard, shelf: Shelf) -> Direction | None:
    """Return which letters are meant of the person at the centre, whom :func:`_persons` names first."""
    spoken = _centre_first(heard, shelf)
    return spoken_direction(heard.bare, spoken, spoken[0].canonical if spoken else None)


def _centre_first(heard: Heard, shelf: Shelf) -> list[SpokenPerson]:
    own = shelf.status.person
    return sorted(_spoken(heard, shelf), key=lambda one: own is None or one.canonical != _canonical(shelf, own))


def _canonical(shelf: Shelf, person: str) -> str:
    return next((one.canonical for one in shelf.names if person in (one.person, one.canonical, one.name)), person)


def _candidates(heard: Heard) -> list[str]:
    """Return the words that may be lemmata: the quoted ones, else those called words, else all that say something."""
    quoted = [text for text in heard.quotations if " " not in text]
    return quoted or [word for word in (*heard.marked, *heard.words) if len(word) > 2 and says_something(folded(word))]  # noqa: PLR2004 - et, in, ab


def _lemmata(subtask: str, least: int, heard: Heard, shelf: Shelf) -> Key:
    quoted = [text for text in heard.quotations if " " not in text]
    marked = [word for word in heard.marked if says_something(folded(word))]
    known = shelf.lemmata(_candidates(heard))
    surely = quoted or (marked if any(word in known for word in marked) or not known else [])
    chosen: Sequence[str] = surely or list(known)
    lemmata = list(dict.fromkeys(known.get(word, word) for word in chosen))
    if len(lemmata) < least:
        wanted = "no lemma" if least == 1 else f"fewer than {least} lemmata"
        raise DraftError.of(
            subtask, f"the question names {wanted} that {shelf.name} has", 'put each in quotes: "amicitia", "virtus"'
        )
    missing = [word for word in chosen if word not in known]
    why = f"the lemma index of {shelf.name} does not have {listed(missing)}" if missing else None
    return Key("lemmata", lemmata, why or (None if surely else "words of the question that the lemma index has"))


def _argument(subtask: str, name: str, heard: Heard, shelf: Shelf) -> Iterator[Key]:
    if name == "register":
        registers = shelf.status.registers
        named = [one for one in registers if says(rf"{re.escape(one)}s?", heard.text)] or [
            one for one in registers if any(folded(one)[:5] == folded(word)[:5] for word in heard.words)
        ]
        why = None if len(named) == 1 else f"registers are {listed(registers)}"
        yield Key("input", {"register": (named or registers)[0]}, why)
        return
    if heard.quotations:
        given = {name: heard.quotations[0]} | ({"ignore_case": True} if heard.ignore_case else {})
        others = heard.quotations[1:]
        yield Key("input", given, f"{listed(others)} is quoted too" if others else None)
        return
    if name == "source":
        spoken = _spoken(heard, shelf)
        if spoken:
            yield Key("input", {name: spoken[0].canonical}, None if not spoken[0].others else "several are called so")
            return
        proper = [word for word in heard.words[1:] if word[:1].isupper()] or list(heard.words)
        plain = [word for word in proper if says_something(folded(word))]
        if plain:
            yield Key("input", {name: plain[-1]}, "the last word of the question that may be a name")
            return
    raise DraftError.of(subtask, "the question quotes nothing", 'put what is looked for in quotes: "ad fontes"')
