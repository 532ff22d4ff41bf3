"""From a name to the persons of the collections (spec 4.3): one, or an error that says who else it might be."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.collection import ENTITIES, VARIANTS
from famulus_kernel.corpus.identity import spellings
from famulus_kernel.corpus.scope import folded, literals
from famulus_kernel.corpus.sql import quoted
from famulus_kernel.errors import AmbiguousPerson, UnboundInput, UnknownPerson

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from famulus_kernel.corpus.holdings import Holdings, Member
    from famulus_kernel.corpus.scope import Scope

CANDIDATES: Final = 5
LIKENESS: Final = 55
"""What rapidfuzz must give a name at least, of 100, to be offered."""
_WORDS: Final = "' ' || trim(regexp_replace({text}, '[^\\p{{L}}\\p{{N}}]+', ' ', 'g')) || ' '"


@dataclass(frozen=True, slots=True)
class Person:
    """A person (or body) of the collections: its canonical name and its ent_id in each collection that knows it."""

    name: str
    ids: tuple[tuple[int, str], ...]

    def described(self) -> dict[str, Any]:
        """Return what a trace says of the person."""
        return {"name": self.name, "ids": sorted({id_ for _, id_ in self.ids})}

    def among(self, column: str, member: str = "m") -> str:
        """Return the condition of a WHERE that `column` is this person; it may be NULL, so that scans can use it."""
        numbers = sorted({number for number, _ in self.ids})
        parts = [
            f"({member} = {number} AND {column} IN ({literals(id_ for at, id_ in self.ids if at == number)}))"
            for number in numbers
        ]
        return f"({' OR '.join(parts) or 'false'})"

    def is_(self, column: str, member: str = "m") -> str:
        """Return whether `column` is this person as an SQL value, which is never NULL."""
        return f"coalesce({self.among(column, member)}, false)"


def resolve(holdings: Holdings, names: Sequence[str], among: Iterable[Member] | None = None) -> tuple[Person, ...]:
    """Return the person of each name: canonical or variant, or an ent_id in any spelling of it (`identity`).

    Case, u and v, long and round s, and the form of Unicode make no difference. Somebody unnamed is never meant.

    Raises
    ------
    UnknownPerson, AmbiguousPerson
        With candidates.
    """
    if not names:
        return ()
    asked = ", ".join(f"({number}, {quoted(name)})" for number, name in enumerate(names))
    ids = ", ".join(f"({number}, {quoted(id_)})" for number, name in enumerate(names) for id_ in spellings(name))
    members = "" if among is None else f" AND m IN ({', '.join(str(one.number) for one in among)})"
    rows = holdings.ask(
        f"WITH asked(number, name) AS (VALUES {asked}), ids(number, ent_id) AS (VALUES {ids}), "
        f"{_names_cte(holdings)}, found AS ("
        f" SELECT number, m, ent_id FROM names JOIN asked ON {folded('names.name')} = {folded('asked.name')}"
        " UNION SELECT number, m, ent_id FROM persons JOIN ids USING (ent_id)"
        f") SELECT DISTINCT number, m, ent_id, canonical FROM found JOIN persons USING (m, ent_id)"
        f" WHERE true{members} ORDER BY ALL"
    )
    return tuple(
        _one(holdings, name, [(int(str(m)), str(id_), str(known)) for at, m, id_, known in rows if at == number])
        for number, name in enumerate(names)
    )


def _one(holdings: Holdings, name: str, found: Sequence[tuple[int, str, str]]) -> Person:
    if not found:
        raise UnknownPerson.of(name, candidates(holdings, name))
    numbers = [number for number, _, _ in found]
    if len(set(numbers)) < len(numbers):
        raise AmbiguousPerson.of(name, dict.fromkeys(f"{canonical} ({id_})" for _, id_, canonical in found))
    return Person(found[0][2], tuple((number, id_) for number, id_, _ in found))


def candidates(holdings: Holdings, name: str) -> list[str]:
    """Return the canonical names that look most like `name`, best first."""
    from rapidfuzz import fuzz, process, utils  # noqa: PLC0415 - where a name is wrong only

    rows = holdings.ask(
        f"WITH {_names_cte(holdings)} SELECT DISTINCT name, canonical FROM names JOIN persons USING (m, ent_id)"
        " ORDER BY ALL LIMIT 100000"
    )
    canonical = {str(one): str(of) for one, of in rows}
    close = process.extract(
        name,
        list(canonical),
        processor=utils.default_process,
        scorer=fuzz.WRatio,
        limit=4 * CANDIDATES,
        score_cutoff=LIKENESS,
    )
    return list(dict.fromkeys(canonical[found] for found, _, _ in close))[:CANDIDATES]


def centre(holdings: Holdings, scope: Scope, instruction: str) -> Person:
    """Return the person at the centre: persons[0], else person_id, else the collections' own, else the one named.

    Raises
    ------
    UnknownPerson, AmbiguousPerson
    UnboundInput
        Nobody is named anywhere.
    """
    if scope.persons:
        return resolve(holdings, scope.persons[:1])[0]
    if scope.person_id:
        return resolve(holdings, [scope.person_id])[0]
    own = [(member, name) for member in holdings.members if (name := holdings.statuses[member.number].person)]
    if own:
        found = [resolve(holdings, [name], [member])[0] for member, name in own]
        return Person(found[0].name, tuple(one for person in found for one in person.ids))
    return _only(named_in(holdings, instruction))


def mentioned(holdings: Holdings, scope: Scope, instruction: str) -> Person:
    """Return the person whose mentions are asked for: persons[0], else person_id, else the one named in the question.

    Raises
    ------
    UnknownPerson, AmbiguousPerson
    UnboundInput
        Nobody is named.
    """
    if scope.persons or scope.person_id:
        return resolve(holdings, scope.persons[:1] or [scope.person_id or ""])[0]
    return _only(named_in(holdings, instruction))


def _only(named: tuple[Person, ...]) -> Person:
    if not named:
        raise UnboundInput.nobody()
    if len(named) > 1:
        raise AmbiguousPerson.of("the question", [person.name for person in named])
    return named[0]


def named_in(holdings: Holdings, instruction: str) -> tuple[Person, ...]:
    """Return the persons whose canonical name stands in a text as whole words, by name; none twice."""
    text, name = (_WORDS.format(text=folded(part)) for part in (quoted(instruction), "canonical"))
    rows = holdings.ask(
        f"WITH {_names_cte(holdings)} SELECT canonical, m, ent_id FROM persons"
        f" WHERE length(trim({name})) > 0 AND contains({text}, {name}) ORDER BY ALL"
    )
    names = dict.fromkeys(str(canonical) for canonical, _, _ in rows)
    return tuple(
        Person(one, tuple((int(str(m)), str(id_)) for canonical, m, id_ in rows if canonical == one)) for one in names
    )


def _names_cte(holdings: Holdings) -> str:
    return (
        f"persons AS (FROM {holdings.source(ENTITIES)} WHERE kind IS DISTINCT FROM 'unknown'), "
        "names AS (SELECT m, ent_id, canonical AS name FROM persons"
        f" UNION ALL SELECT m, ent_id, variant FROM {holdings.source(VARIANTS, optional=True)} AS v"
        " SEMI JOIN persons USING (m, ent_id))"
    )
