"""What a query that is just being written reads from: tables, their aliases, subqueries, CTEs.

It is unfinished, so it is not parsed: brackets, FROM, JOIN, WITH and SELECT tell enough. What a name means depends on
the place: the brackets around the cursor are searched from the inside to the outside, and the parts of a UNION apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.kernel.catalog import Catalog, Columns

CURSOR: Final = "\x01"
"""Stands in a query for the word that is being written."""

_NAME = r'(?:"(?:[^"]|"")*"|[^\W\d]\w*)'
_HOLE = r"\x00(?P<{}>\d+)\x00"
_QUIET = re.compile(r"'(?:[^']|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
_FROM = re.compile(r"\b(?:FROM|JOIN)\s*", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_UNION = re.compile(r"\b(?:UNION|EXCEPT|INTERSECT)\b", re.IGNORECASE)
_SELECT = re.compile(r"\bSELECT\s+(?:DISTINCT\s+)?(?P<list>.*?)(?=\bFROM\b|\Z)", re.IGNORECASE | re.DOTALL)
_TABLE = re.compile(
    rf"(?P<table>{_NAME}(?:\.{_NAME})*)?\s*(?:{_HOLE.format('body')})?"
    rf"(?:\s*(?:AS\s+)?(?P<alias>{_NAME})(?:\s*{_HOLE.format('names')})?)?",
    re.IGNORECASE,
)
_CTE = re.compile(
    rf"(?P<name>{_NAME})\s*(?:{_HOLE.format('names')})?\s*\bAS\s*(?:(?:NOT\s+)?MATERIALIZED\s*)?{_HOLE.format('body')}",
    re.IGNORECASE,
)
_COLUMN = re.compile(rf"(?P<of>(?:{_NAME}\.)*)(?P<name>{_NAME})")
_NAMED = re.compile(rf".*[\s\x00\"](?P<name>{_NAME})", re.DOTALL)
_NO_ALIAS = frozenset(
    {"where", "join", "left", "right", "inner", "outer", "full", "cross", "on", "using", "group", "order", "limit",
     "having", "union", "except", "intersect", "select", "natural", "asof", "semi", "anti", "window", "qualify", "from",
     "positional", "pivot", "unpivot", "tablesample", "end", "as", "offset"}
)  # fmt: skip


@dataclass(frozen=True)
class Sources:
    """What can be named at a place of a query.

    Attributes
    ----------
    tables
        What it reads from: alias, or the last part of the name, to the whole name; "" for a subquery.
    known
        The columns of subqueries and CTEs, as far as their words tell them, by the same names.
    """

    tables: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, Columns] = field(default_factory=dict)

    def columns(self, name: str, catalog: Catalog) -> Columns | None:
        """Return the columns of an alias, a CTE or a table; None where nothing is known of it."""
        if name in self.known:
            return self.known[name]
        return catalog.columns(self.tables.get(name, name)) or catalog.columns(name)


def sources_at(query: str, catalog: Catalog) -> Sources:
    """Return what can be named where :data:`CURSOR` stands in a query."""
    levels = [_Level.of(_QUIET.sub("''", query))]
    while (inner := levels[-1].around_cursor()) is not None:
        levels.append(_Level.of(inner))
    known: dict[str, Columns] = {}
    tables: dict[str, str] = {}
    for level in levels:  # what is said inside goes before what is said around it
        known |= level.ctes(known, catalog)
        found = _read_by(level, level.part(), known, catalog)
        tables |= found.tables
        known = {name: columns for name, columns in known.items() if not found.tables.get(name)} | dict(found.known)
    return Sources(tables, known)


def names_in(query: str) -> list[str]:
    """Return the names of the CTEs of a query."""
    level = _Level.of(_QUIET.sub("''", query))
    return list(level.ctes({}, None)) if level.begins_with_names() else []


@dataclass(frozen=True)
class _Level:
    """A query without what stands in its brackets, and that."""

    flat: str
    inside: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> _Level:
        """Take out what stands in brackets; one that is still open reaches to the end."""
        flat: list[str] = []
        inside: list[str] = []
        depth, begun, quoted = 0, 0, False
        for at, char in enumerate(text):
            quoted ^= char == '"'
            depth += 0 if quoted else (char == "(") - (char == ")" and depth > 0)
            if char == "(" and depth == 1 and not quoted and begun == 0:
                begun = at + 1
            elif depth == 0 and begun:
                flat.append(f"\x00{len(inside)}\x00")
                inside.append(text[begun:at])
                begun = 0
            elif depth == 0:
                flat.append(char)
        if begun:
            flat.append(f"\x00{len(inside)}\x00")
            inside.append(text[begun:])
        return cls("".join(flat), tuple(inside))

    def around_cursor(self) -> str | None:
        """Return what stands in the brackets around the cursor."""
        return next((text for text in self.inside if CURSOR in text), None)

    def part(self) -> str:
        """Return the part of a UNION in which the cursor is; without a cursor the first."""
        parts = _UNION.split(self.flat)
        at = next((f"\x00{number}\x00" for number, text in enumerate(self.inside) if CURSOR in text), CURSOR)
        return next((part for part in parts if at in part), parts[0])

    def begins_with_names(self) -> bool:
        """Say whether there is a WITH."""
        return re.search(r"\bWITH\b", self.flat, re.IGNORECASE) is not None

    def ctes(self, known: Mapping[str, Columns], catalog: Catalog | None) -> dict[str, Columns]:
        """Return the columns of the CTEs; each knows those before it."""
        found: dict[str, Columns] = {}
        for match in _CTE.finditer(self.flat) if self.begins_with_names() else ():
            body = self.inside[int(match["body"])]
            columns = _selected(body, {**known, **found}, catalog) if catalog is not None else {}
            found[_bare(match["name"])] = self.renamed(columns, match["names"])
        return found

    def renamed(self, columns: Columns, names: str | None) -> Columns:
        """Return columns under the names of a list `t(a, b)`, where there is one."""
        if names is None:
            return columns
        written = [_bare(name.strip()) for name in self.inside[int(names)].split(",") if name.strip()]
        kinds = [*columns.values()]
        return {name: kinds[at] if at < len(kinds) else "" for at, name in enumerate(written)}


def _read_by(level: _Level, part: str, known: Mapping[str, Columns], catalog: Catalog) -> Sources:
    """Return what one SELECT reads from."""
    tables: dict[str, str] = {}
    found: dict[str, Columns] = {}
    for opening in _FROM.finditer(part):
        match = _TABLE.match(part, opening.end())
        while match is not None and match.end() > match.start():
            table, alias = match["table"] or "", match["alias"] or ""
            is_alias = bool(alias) and alias.casefold() not in _NO_ALIAS
            name = _bare(alias if is_alias else table.rpartition(".")[2])
            tables[name] = table if match["body"] is None else ""
            columns = known.get(_bare(table), {})
            if match["body"] is not None and not table:
                columns = _selected(level.inside[int(match["body"])], known, catalog)
            columns = level.renamed(columns, match["names"] if is_alias else None)
            if columns or tables[name] == "" or _bare(table) in known:
                found[name] = columns
                tables[name] = ""
            comma = _COMMA.match(part, match.end())
            match = _TABLE.match(part, comma.end()) if comma else None
    return Sources({name: table for name, table in tables.items() if name}, found)


def _selected(body: str, known: Mapping[str, Columns], catalog: Catalog) -> Columns:
    """Return the columns of a subquery that its SELECT names."""
    level = _Level.of(body)
    known = {**known, **level.ctes(known, catalog)}
    sources = _read_by(level, level.part(), known, catalog)
    sources = Sources(sources.tables, {**known, **sources.known})
    match = _SELECT.search(level.part())
    found: Columns = {}
    for written in match["list"].split(",") if match else ["*"]:
        item = written.strip()
        column = _COLUMN.fullmatch(item)
        if item.startswith("*") or item.endswith(".*"):
            of = [_bare(item[:-2])] if item.endswith(".*") else [*sources.tables]
            for name in of:
                found |= sources.columns(name, catalog) or {}
        elif column is not None:
            name, of_table = _bare(column["name"]), _bare(column["of"].rstrip("."))
            among = [of_table] if of_table else [*sources.tables]
            kinds = [columns[name] for one in among if name in (columns := sources.columns(one, catalog) or {})]
            found[name] = kinds[0] if kinds else ""
        elif (named := _NAMED.fullmatch(item)) and named["name"].casefold() not in _NO_ALIAS:
            found[_bare(named["name"])] = ""
    return found


def _bare(name: str) -> str:
    return name.strip('"').replace('""', '"')
