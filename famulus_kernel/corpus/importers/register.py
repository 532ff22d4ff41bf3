"""The register: letters as they come, turned into rows and persons (spec 4.1, 4.2).

A person is known by the number of an authority file; without one by the name, within the whole collection. Numbers
of a source's own list hold within the file that they stand in. Somebody unnamed is a new entity in each letter.
Nobody is merged by guessing: one name with two numbers is two persons, and is reported.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import TYPE_CHECKING, Final, NamedTuple

import pyarrow as pa

from famulus_kernel.corpus.collection import ENTITIES, LETTERS, VARIANTS
from famulus_kernel.corpus.doubles import find_doubles, unlike
from famulus_kernel.corpus.identity import NOBODY, Identity, identity, references
from famulus_kernel.corpus.importers.names import Basis, is_nobody, is_somebody, read_name

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from duckdb import DuckDBPyConnection

    from famulus_kernel.corpus.collection import Table
    from famulus_kernel.corpus.importers.letter import Party, SourceLetter
    from famulus_kernel.corpus.importers.report import Report
    from famulus_kernel.corpus.importers.same_persons import SamePersons

_BATCH: Final = 20_000
_NO_PARTY: Final[tuple[None, None, Basis]] = (None, None, "unknown")
_WIDE_SHARE: Final = 3
"""So many letters share the widest range of days before it looks like a stand-in for an unknown date."""

_Side = tuple[str | None, str | None, Basis]
"""ent_id, name and basis of one party, as the columns have them."""


@dataclass(slots=True)
class _Entity:
    names: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)


class _Place(NamedTuple):
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


class Register:
    """Writes letters and persons into the empty tables of a database.

    Parameters
    ----------
    connection
        A connection to it.
    report
        Where oddities are noted.
    same
        Who is who where the files have one person twice.
    """

    def __init__(self, connection: DuckDBPyConnection, report: Report, same: SamePersons) -> None:
        self._connection = connection
        self._report = report
        self._same = same
        self._rows: list[tuple[str | None, ...]] = []
        self._entities: defaultdict[str, _Entity] = defaultdict(_Entity)
        self._unnamed: list[tuple[str, str, str]] = []
        self._ids: set[str] = set()
        self._said: dict[int, _Place] = {}
        self._wide: Counter[tuple[str, str]] = Counter()

    def add(self, letter: SourceLetter) -> None:
        """Add a letter, unless another file had it: under the same number, address or name, and saying the same.

        Inside one file two equal records are two letters: its editor listed two.
        """
        letter_id = self._number(letter)
        if not letter_id:
            return
        senders = [self._side(letter_id, letter, party, f"sender-{at}") for at, party in enumerate(letter.senders, 1)]
        recipients = [
            self._side(letter_id, letter, party, f"recipient-{at}") for at, party in enumerate(letter.recipients, 1)
        ]
        senders, recipients = ([side for side in sides if side != _NO_PARTY] for sides in (senders, recipients))
        self._remark(letter, senders, recipients)
        date = letter.date
        for sender in _distinct(senders) or [_NO_PARTY]:
            for recipient in _distinct(recipients) or [_NO_PARTY]:
                self._rows.append(
                    (
                        letter_id, letter_id, sender[0], sender[1], recipient[0], recipient[1],
                        date.when, date.earliest, date.latest, date.calendar, date.basis, sender[2], recipient[2],
                        letter.place or None, letter.url if "://" in letter.url else None,
                    )
                )  # fmt: skip
        self._report.kept += 1
        if len(self._rows) >= _BATCH:
            self._flush()

    def finish(self) -> None:
        """Write what is left, and the persons."""
        self._flush()
        self._note_names()
        self._note_wide_dates()
        entities, variants = [], []
        for ent_id in sorted(self._entities):
            names = _by_use(self._entities[ent_id].names) or [ent_id]
            entities.append((ent_id, names[0], _by_use(self._entities[ent_id].kinds)[0]))
            variants += [(ent_id, name) for name in names[1:]]
        insert(self._connection, ENTITIES, [*entities, *self._unnamed])
        insert(self._connection, VARIANTS, variants)
        self._report.contents |= {
            "letters": self._report.kept,
            "persons": len(entities),
            "unnamed": len(self._unnamed),
        }

    def _number(self, letter: SourceLetter) -> str:
        """Return the id of a letter; empty when it is there already."""
        stem = PurePath(letter.file).stem
        place = _Place(letter.file, letter.line)
        if letter.number:
            base = f"{letter.edition or stem}:{letter.number}"
        else:
            base = letter.url or f"{stem}:line-{letter.line}"
        content = _content(letter)
        # Two lists without volumes that agree in number, day and parties have the letter from one edition.
        bare = f"number {letter.number}" if letter.number and not letter.edition and _is_telling(letter) else ""
        marks = [hash((mark, content)) for mark in (base, letter.url, letter.xml_id, bare) if mark]
        others = (self._said[mark] for mark in marks if mark in self._said)
        if known := next((other for other in others if other.file != place.file), None):
            self._report.double(*place, f"letter {base} says the same as {known}")
            return ""
        for mark in marks:
            self._said.setdefault(mark, place)
        letter_id, again = base, 1
        while letter_id in self._ids:
            again += 1
            letter_id = f"{base}#{again}"
        if again > 1:
            what = f"the number {base} was given to a letter before; this one is kept as {letter_id}"
            self._report.odd("same-number", *place, what)
        self._ids.add(letter_id)
        return letter_id

    def _side(self, letter_id: str, letter: SourceLetter, party: Party, place: str) -> _Side:
        """Return the columns of a party, and enter it among the entities."""
        name, marked = read_name(party.name)
        known = self._identity(letter, party, name)
        if not name and known.kind in ("none", "place"):
            return _NO_PARTY
        if known.kind == "unknown" or is_nobody(name) or (known.kind == "none" and is_somebody(name)):
            if known.kind in ("authority", "local"):
                self._report.odd("unknown-with-id", letter.file, letter.line, f"{name} has the number {known.value}")
            ent_id = f"unknown:{letter_id}:{place}"
            self._unnamed.append((ent_id, name or party.reference, "unknown"))
            return ent_id, name or None, "unknown"
        ent_id = self._same.of(f"name:{name}" if known.kind in ("none", "place") else known.value)
        entity = self._entities[ent_id]
        entity.kinds[party.kind] += 1
        if name:
            entity.names[name] += 1
        return (
            ent_id,
            name or None,
            "uncertain" if "uncertain" in (marked, party.basis) else _weaker(marked, party.basis),
        )

    def _identity(self, letter: SourceLetter, party: Party, name: str) -> Identity:
        """Return whom the reference of a party names; a local number is made one of its file."""
        given = references(party.reference)
        known = identity(given[0] if given else "")
        if len(given) > 1:
            self._report.odd("several-ids", letter.file, letter.line, f"{name} has the numbers {' '.join(given)}")
        elif len(party.reference.split()) > 1:
            self._report.odd("blank-in-id", letter.file, letter.line, f"{party.reference!r} is read as {known.value}")
        if known.kind == "none" and party.reference.strip():
            what = f"{party.reference!r} is no number of {name or 'anybody'}"
            self._report.odd("no-id", letter.file, letter.line, what)
        if known.kind == "place":
            what = f"{name} has the number of a place: {party.reference}"
            self._report.odd("place-as-person", letter.file, letter.line, what)
        if known.kind == "local":
            return Identity("local", f"{PurePath(letter.file).stem}:{known.value.lstrip('#')}")
        return known

    def _remark(self, letter: SourceLetter, senders: Sequence[_Side], recipients: Sequence[_Side]) -> None:
        odd, file, line = self._report.odd, letter.file, letter.line
        name = f"letter {letter.number}".rstrip()
        for kind, what in letter.remarks:
            odd(kind, file, line, what)
        if letter.date.remark:
            odd("date", file, line, letter.date.remark)
        elif letter.date.earliest is None and letter.date.latest is None:
            odd("undated", file, line, f"{name} has no date")
        elif letter.date.earliest and letter.date.latest:
            self._wide[letter.date.earliest, letter.date.latest] += 1
        if not senders:
            odd("no-sender", file, line, f"{name} names no sender")
        if not recipients:
            odd("no-recipient", file, line, f"{name} names no recipient")
        if both := {side[0] for side in senders} & {side[0] for side in recipients}:
            who = ", ".join(sorted(map(str, both)))
            odd("self", file, line, f"{name} goes to its own sender: {who}")

    def _note_names(self) -> None:
        """Note who may be one person twice, and which numbers have several names, the most unlike first."""
        found = find_doubles((ent_id, name) for ent_id, entity in self._entities.items() for name in entity.names)
        for kind, doubles in (("same-name", found.same), ("like-name", found.alike)):
            for double in doubles:
                self._report.odd(kind, "", 0, str(double))
        several = []
        for ent_id, entity in self._entities.items():
            first, *others = _by_use(entity.names) or [ent_id]
            if others:
                is_unlike = any(unlike(first, other) for other in others)
                remark = ", which have no word in common" if is_unlike else ""
                several.append((not is_unlike, f"{ent_id}: {'; '.join((first, *others))}{remark}"))
        for _, what in sorted(several):
            self._report.odd("several-names", "", 0, what)

    def _note_wide_dates(self) -> None:
        """Note the range that spans all others and stands often: the edition's own, in place of an unknown date."""
        days = [day for pair in self._wide for day in pair if "BC" not in day]
        if not days:
            return
        widest = (min(days), max(days))
        if self._wide[widest] >= _WIDE_SHARE and len(self._wide) > 1:
            what = f"{self._wide[widest]} letters are dated {widest[0]} to {widest[1]}"
            self._report.odd("wide-date", "", 0, what)

    def _flush(self) -> None:
        insert(self._connection, LETTERS, self._rows)
        self._rows.clear()


def insert(connection: DuckDBPyConnection, table: Table, rows: Sequence[Sequence[object]]) -> None:
    """Append rows of text and whole numbers to a table, in their order; DuckDB casts them to its types.

    Parameters
    ----------
    connection
        A connection to the database that has the table.
    table
        Its definition.
    rows
        Cells in the order of its columns.
    """
    if not rows:
        return
    columns = [
        pa.array(cells, pa.int32() if column.type == "INTEGER" else pa.string())
        for column, cells in zip(table.columns, zip(*rows, strict=True), strict=True)
    ]
    batch = pa.table(columns, names=[column.name for column in table.columns])
    casts = ", ".join(f"CAST({column.name} AS {column.type})" for column in table.columns)
    connection.register("batch", batch)
    connection.execute(f"INSERT INTO {table.name} SELECT {casts} FROM batch")  # noqa: S608 - our own names
    connection.unregister("batch")


def _content(letter: SourceLetter) -> tuple[object, ...]:
    """Return what a letter says, however it is spelled: number, days, and who wrote to whom."""
    date = letter.date
    days = (date.earliest, date.latest) if date.earliest or date.latest else date.when
    return letter.number, days, *(tuple(map(_who, side)) for side in (letter.senders, letter.recipients))


def _who(party: Party) -> str:
    given = references(party.reference)
    known = identity(given[0]) if given else NOBODY
    return known.value if known.kind == "authority" else read_name(party.name).text or known.value


def _is_telling(letter: SourceLetter) -> bool:
    """Say whether a letter has a day and named parties, so that no other letter says the same by chance."""
    parties = (*letter.senders, *letter.recipients)
    named = all(_who(party) and not is_nobody(_who(party)) and not is_somebody(_who(party)) for party in parties)
    one_day = letter.date.earliest is not None and letter.date.earliest == letter.date.latest
    return bool(letter.senders and letter.recipients) and named and one_day


def _by_use(counted: Counter[str]) -> list[str]:
    """Return the values, the most frequent first; equal ones in the order of their signs."""
    return sorted(counted, key=lambda value: (-counted[value], value))


def _weaker(first: Basis, second: Basis) -> Basis:
    return second if first == "stated" else first


def _distinct(sides: Iterable[_Side]) -> list[_Side]:
    """Return the parties, each entity once: a person named twice in one letter is one party."""
    return list({side[0]: side for side in reversed(list(sides))}.values())[::-1]
