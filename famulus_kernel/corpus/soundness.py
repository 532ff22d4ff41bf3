"""Is a collection what its tables promise (spec 4.1): columns that are there, numbers that lead somewhere, sane dates.

An `error` makes answers wrong; a `note` is something its owner should know.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from famulus_kernel.corpus.collection import (
    ENTITIES,
    LEMMA_INDEX,
    LETTER_PAGES,
    LETTERS,
    MANUSCRIPTS,
    SENTENCES,
    TABLES,
    TOKENS,
    VARIANTS,
    Collection,
    Table,
)
from famulus_kernel.corpus.doubles import find_doubles, unlike
from famulus_kernel.corpus.holdings import Holdings, Member
from famulus_kernel.corpus.persons import resolve
from famulus_kernel.corpus.sql import quoted as text_literal
from famulus_kernel.errors import AmbiguousPerson, CollectionError, FamulusError, UnboundInput, UnknownPerson

if TYPE_CHECKING:
    from collections.abc import Iterator

    from famulus_kernel.corpus.collection import ColumnMap

Level = Literal["error", "note"]

_PARTIES: Final = (
    "(SELECT sender_id AS id FROM {letters_resolved} UNION SELECT recipient_id FROM {letters_resolved}) "
    "WHERE id IS NOT NULL"
)
_KNOWN: Final = "(SELECT ent_id FROM {ent_canonical} WHERE ent_id IS NOT NULL)"
_BASES: Final = "('stated', 'supplied', 'inferred', 'uncertain', 'unknown')"

_MOST_TOLD: Final = 20
"""So many persons who may be there twice are told one by one."""


class Finding(NamedTuple):
    """Something about a collection: how grave, which table, and what in words."""

    level: Level
    table: str
    what: str


class _Rule(NamedTuple):
    """A question that should be answered by 0: how many are not as they should be."""

    level: Level
    tables: tuple[Table, ...]
    faulty: str
    what: str


_RULES: Final = (
    _Rule("error", (LETTERS,), "count(*) FROM {letters_resolved} WHERE letter_id IS NULL", "rows have no letter_id"),
    _Rule(
        "error",
        (LETTERS,),
        "count(*) FROM (SELECT letter_id FROM {letters_resolved} GROUP BY ALL "
        "HAVING count(DISTINCT (date_from, date_to)) > 1)",
        "letters have rows with different dates",
    ),
    _Rule(
        "error", (LETTERS,), "count(*) FROM {letters_resolved} WHERE date_from > date_to", "rows end before they begin"
    ),
    _Rule(
        "error",
        (LETTERS,),
        f"count(*) FROM {{letters_resolved}} WHERE date_basis NOT IN {_BASES} OR sender_basis NOT IN {_BASES} "
        f"OR recipient_basis NOT IN {_BASES}",
        f"rows have a basis that is none of {_BASES}",
    ),
    _Rule(
        "note",
        (LETTERS,),
        "count(DISTINCT letter_id) FROM {letters_resolved} "
        "WHERE date_when IS NOT NULL AND date_from IS NULL AND date_to IS NULL",
        "letters have a date without bounds and count as undated",
    ),
    _Rule(
        "note",
        (LETTERS,),
        "count(*) - count(DISTINCT (letter_id, sender_id, recipient_id)) FROM {letters_resolved}",
        "rows repeat a letter, sender and recipient",
    ),
    _Rule(
        "error",
        (LETTERS, ENTITIES),
        f"count(*) FROM {_PARTIES} AND id NOT IN {_KNOWN}",
        "senders or recipients are not in ent_canonical",
    ),
    _Rule(
        "error",
        (ENTITIES,),
        "count(*) - count(DISTINCT ent_id) FROM {ent_canonical}",
        "rows of ent_canonical have no ent_id, or one that is there already",
    ),
    _Rule(
        "error",
        (ENTITIES,),
        "count(*) FROM {ent_canonical} WHERE kind NOT IN ('person', 'org', 'group', 'unknown')",
        "entities are neither person, org, group nor unknown",
    ),
    _Rule(
        "note",
        (VARIANTS, ENTITIES),
        f"count(*) FROM {{ent_variants}} WHERE ent_id NOT IN {_KNOWN}",
        "variants belong to nobody in ent_canonical",
    ),
    _Rule(
        "error",
        (LETTER_PAGES, LETTERS),
        "count(*) FROM {letter_pages} WHERE letter_id NOT IN (SELECT letter_id FROM {letters_resolved} "
        "WHERE letter_id IS NOT NULL)",
        "pages belong to no letter",
    ),
    _Rule(
        "note",
        (LETTER_PAGES, SENTENCES),
        "count(*) FROM {letter_pages} AS p ANTI JOIN {stz_sentences} AS s USING (doc_id, pidx)",
        "pages of letters have no sentence",
    ),
    _Rule(
        "error",
        (SENTENCES,),
        "count(*) - count(DISTINCT (doc_id, pidx, sent_idx)) FROM {stz_sentences}",
        "sentences share doc_id, pidx and sent_idx with another",
    ),
    _Rule(
        "error",
        (TOKENS, SENTENCES),
        "count(*) FROM {stz_tokens} AS t ANTI JOIN {stz_sentences} AS s USING (doc_id, pidx, sent_idx)",
        "words belong to no sentence",
    ),
    _Rule(
        "error",
        (LEMMA_INDEX, TOKENS),
        "abs((SELECT count(*) FROM {lemma_index}) - (SELECT count(*) FROM {stz_tokens} WHERE lemma IS NOT NULL))",
        "words with a lemma are in one of lemma_index and stz_tokens alone",
    ),
)  # fmt: skip


def check_collection(collection: Collection, names: ColumnMap | None = None) -> tuple[Finding, ...]:
    """Return everything that is wrong or worth knowing about a collection, the order being that of its tables.

    Parameters
    ----------
    collection
        The collection.
    names
        `schema:` of famulus.yml.

    Raises
    ------
    CollectionError
        It is not there at all.
    DatabaseBusy, QueryFailed
        A file is held by another process, or is no database.
    """
    collection.require()
    member = Member(0, collection, "grounding")
    with tempfile.TemporaryDirectory() as folder, Holdings((member,), Path(folder), names=names) as holdings:
        found = _of_tables(holdings, member)
        broken = {finding.table for finding in found if finding.level == "error"}
        found += _of_rules(holdings, broken)
        if holdings.holds(ENTITIES) and broken.isdisjoint((ENTITIES.name, VARIANTS.name)):
            found += _of_persons(holdings, has_letters=LETTERS.name not in broken)
        return (*found, *_of_status(holdings, member, sound=not broken))


def _of_tables(holdings: Holdings, member: Member) -> list[Finding]:
    """Return which tables and columns are missing, and which tables are empty."""
    found: list[Finding] = []
    readable: list[str] = []
    files = {table.file for table in TABLES.values() if member.collection.path_of(table.file).is_file()}
    if holdings.holds(MANUSCRIPTS, member) and not holdings.holds(LETTERS, member):
        files -= {LETTERS.file}  # a list of manuscripts needs no letters beside it
    if not files and not holdings.holds(MANUSCRIPTS, member):
        found.append(Finding("error", "", "there is none of its files: letters, texts, lemma index"))
    for table in TABLES.values():
        if not holdings.holds(table, member):
            if table.required and table.file in files:
                found.append(Finding("error", table.name, "the table is missing"))
            continue
        try:
            source = holdings.source(table)
        except CollectionError as error:
            found.append(Finding("error", table.name, f"{error}; {error.hint}"))
        else:
            readable += [f"({text_literal(table.name)}, EXISTS (FROM {source}))"] if table.required else []
    if readable:
        rows = f"(VALUES {', '.join(readable)}) AS t(name, is_filled)"
        empty = holdings.ask(f"SELECT name FROM {rows} WHERE NOT is_filled")  # noqa: S608 - the names are ours
        found += [Finding("error", str(name), "the table has no rows") for (name,) in empty]
    return found


def _of_rules(holdings: Holdings, broken: set[str]) -> list[Finding]:
    """Return what is wrong inside the tables that are not broken; one query asks it all."""
    rules = [
        rule for rule in _RULES if all(holdings.holds(table) and table.name not in broken for table in rule.tables)
    ]
    if not rules:
        return []
    sources = {table.name: holdings.source(table) for rule in rules for table in rule.tables}
    (numbers,) = holdings.ask("SELECT " + ", ".join(f"(SELECT {rule.faulty.format_map(sources)})" for rule in rules))
    return [
        Finding(rule.level, rule.tables[0].name, f"{number} {rule.what}")
        for rule, number in zip(rules, numbers, strict=True)
        if number
    ]


def _of_persons(holdings: Holdings, *, has_letters: bool) -> list[Finding]:
    """Return who may be two persons in one, or one person twice; nobody is merged."""
    doubles = find_doubles((ent_id, name) for ent_id, name, _ in _names(holdings))
    found = [f"may be one person: {double}" for double in (*doubles.same, *doubles.alike)]
    if has_letters and holdings.holds(LETTERS):
        named = _names(holdings, as_written=True)
        apart = [f"{ent_id}: {canonical}; {name}" for ent_id, name, canonical in named if unlike(name, canonical)]
        found += [f"may be two persons under one number: {one}" for one in apart]
    told = [Finding("note", ENTITIES.name, what) for what in found[:_MOST_TOLD]]
    if len(found) > _MOST_TOLD:
        told.append(Finding("note", ENTITIES.name, f"and {len(found) - _MOST_TOLD} more of these"))
    return told


def _names(holdings: Holdings, *, as_written: bool = False) -> Iterator[tuple[str, str, str]]:
    """Yield ent_id, name and canonical name of everybody named: by the tables of persons, or as letters have it."""
    persons = f"(FROM {holdings.source(ENTITIES)} WHERE ent_id IS NOT NULL AND kind IS DISTINCT FROM 'unknown')"
    others = f"SELECT ent_id, variant AS name FROM {holdings.source(VARIANTS, optional=True)}"  # noqa: S608 - ours
    if as_written:
        letters = holdings.source(LETTERS)
        sides = (f"SELECT {side}_id AS ent_id, {side}_name AS name FROM {letters}" for side in ("sender", "recipient"))  # noqa: S608
        others = " UNION ".join(sides)
    rows = holdings.column(
        f"WITH persons AS {persons}, others AS ({others})"  # noqa: S608
        " SELECT DISTINCT to_json([ent_id, name, coalesce(canonical, name)])::VARCHAR"
        " FROM (SELECT ent_id, canonical AS name, canonical FROM persons UNION ALL"
        " SELECT ent_id, name, canonical FROM others JOIN persons USING (ent_id))"
        " WHERE name IS NOT NULL AND name <> ent_id ORDER BY ALL"
    )
    for row in rows:
        ent_id, name, canonical = json.loads(str(row))
        yield ent_id, name, canonical


def _of_status(holdings: Holdings, member: Member, *, sound: bool) -> list[Finding]:
    """Return what status.json says that does not hold, and what it lacks."""
    try:
        status = holdings.statuses[member.number]
    except CollectionError as error:
        return [Finding("error", "status.json", str(error))]
    found = [Finding("note", "status.json", f"gap: {gap}") for gap in status.gaps]
    there = holdings.table_names(member, "letters") | holdings.table_names(member, "texts")
    found += [
        Finding("error", "status.json", f"the register {register} is no table of the collection")
        for register in status.registers
        if register not in there
    ]
    if not (status.licence or status.credit or status.source):
        found.append(
            Finding("note", "status.json", "says neither source, licence nor credit; pages will credit nobody")
        )
    if status.person and sound and holdings.holds(ENTITIES):
        try:
            resolve(holdings, [status.person])
        except (UnknownPerson, AmbiguousPerson, UnboundInput) as error:
            found.append(Finding("error", "status.json", _said(error)))
    return found


def _said(error: FamulusError) -> str:
    return f"person: {error}; {error.hint}"
