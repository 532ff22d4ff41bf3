"""Tables and columns at a cursor inside SQL. It is unfinished, so it is not parsed: FROM and JOIN tell enough."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from famulus_kernel.kernel.offers import Completion, Offer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from famulus_kernel.kernel.catalog import Catalog, Columns

SQL = "sql"
"""The input that holds a query."""

_NAME = r'(?:"[^"\n]*"|[^\W\d]\w*)'
_FROM = re.compile(r"\b(?:FROM|JOIN)\s+", re.IGNORECASE)
_TABLE = re.compile(rf"(?P<table>{_NAME}(?:\.{_NAME})*)(?:\s+(?:AS\s+)?(?P<alias>{_NAME}))?", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*")
_WORDS_AFTER_A_TABLE = frozenset(
    {"where", "join", "left", "right", "inner", "outer", "full", "cross", "on", "using", "group", "order", "limit",
     "having", "union", "except", "intersect", "select", "natural", "asof", "semi", "anti", "window", "qualify"}
)  # fmt: skip
_TYPED = re.compile(rf"(?P<before>(?:{_NAME}\.)*)(?P<typed>\"?\w*)\Z")
_PLAIN = re.compile(r"[^\W\d]\w*")


def in_sql(code: str, cursor: int, catalog: Catalog, aliases: Iterable[str]) -> Completion:
    """Return what may be named at offset `cursor` of a cell, inside its SQL.

    Parameters
    ----------
    catalog
        What the block's data hold.
    aliases
        What the block calls its data, whether they can be opened or not.
    """
    match = _TYPED.search(code, 0, cursor)
    before, typed = (match["before"].rstrip("."), match["typed"]) if match else ("", "")
    named = tables_in(query_around(code, match.start() if match else cursor, cursor))
    of_a_number = not before and code[: cursor - len(typed)].endswith(".")
    offers = [] if of_a_number else _after_dot(before, catalog, named) if before else _alone(catalog, named, aliases)
    wanted = typed.lstrip('"').casefold()
    found = [one for one in offers if one.text.strip('"').casefold().startswith(wanted)]
    return Completion(tuple(dict.fromkeys(found)), cursor - len(typed), cursor)


def tables_in(query: str) -> dict[str, str]:
    """Return what a query calls its tables: alias, or last part of the name, to the whole name."""
    found: dict[str, str] = {}
    for opening in _FROM.finditer(query):
        match = _TABLE.match(query, opening.end())
        while match is not None:
            table, alias = match["table"], match["alias"] or ""
            if not alias or alias.casefold() in _WORDS_AFTER_A_TABLE:
                alias = table.rpartition(".")[2]
            found[alias.strip('"')] = table
            comma = _COMMA.match(query, match.end())
            match = _TABLE.match(query, comma.end()) if comma else None
    return found


def query_around(code: str, start: int, end: int) -> str:
    """Return the query, from the last `sql:` to the end of the preamble, without the word that is being written."""
    begin = max(code.rfind("sql:", 0, start), 0)
    closing = code.find("\n---", end)
    return f"{code[begin + 4 : start]} ? {code[end : closing if closing >= 0 else len(code)]}"


def _after_dot(before: str, catalog: Catalog, named: Mapping[str, str]) -> list[Offer]:
    name = before.replace('"', "")
    columns = catalog.columns(named.get(name, name)) or catalog.columns(name)
    offers = _columns(columns or {})
    if not columns or name in catalog.databases:
        offers += [Offer(_written(table), "table") for table in catalog.databases.get(name.split(".")[0], {})]
    return offers


def _alone(catalog: Catalog, named: Mapping[str, str], aliases: Iterable[str]) -> list[Offer]:
    offers = [Offer(_written(name), "alias") for name in dict.fromkeys((*aliases, *catalog.databases, *catalog.views))]
    offers += [Offer(_written(alias), "alias", table) for alias, table in named.items()]
    for table in named.values():
        offers += _columns(catalog.columns(table) or {})
    return list({offer.text: offer for offer in offers}.values())


def _columns(columns: Columns) -> list[Offer]:
    return [Offer(_written(name), "column", kind) for name, kind in columns.items()]


def _written(name: str) -> str:
    return name if _PLAIN.fullmatch(name) else '"' + name.replace('"', '""') + '"'
