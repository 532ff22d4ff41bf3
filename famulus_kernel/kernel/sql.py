"""Tables and columns at a cursor inside SQL."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from famulus_kernel.kernel.offers import Completion, Offer
from famulus_kernel.kernel.query import CURSOR, Sources, names_in, sources_at

if TYPE_CHECKING:
    from collections.abc import Iterable

    from famulus_kernel.kernel.catalog import Catalog, Columns

SQL = "sql"
"""The input that holds a query."""

_KEY = re.compile(
    r"(?:^|(?<=[\s{,-]))[\"']?sql[\"']?[ \t]*:[ \t]*(?P<opens>[|>][-+0-9]*[ \t]*(?:#.*)?\r?$|[\"'])?", re.MULTILINE
)
_HEAD = re.compile(r" *(?:- +)*")
_CLOSED = {'"': re.compile(r'(?:[^"\\]|\\.)*', re.DOTALL), "'": re.compile(r"(?:[^']|'')*")}
_PARTS = re.compile(r"'(?:[^']|'')*'|--[^\n]*\n|/\*.*?\*/|\"(?:[^\"]|\"\")*\"", re.DOTALL)
_OPEN = re.compile(r"'|--|/\*|\"")
_BEFORE = re.compile(r'(?:(?:"(?:[^"]|"")*"|[^\W\d]\w*)\.)*\Z')
_PLAIN = re.compile(r"[^\W\d]\w*")
_WORD = re.compile(r"\w*\Z")
_CONTROL = re.compile(r"[\x00\x01]")


@dataclass(frozen=True, slots=True)
class Writing:
    """The query around a cursor.

    Attributes
    ----------
    before, after
        Its text on both sides of the cursor.
    quote
        The quote of YAML that it stands in, or "".
    """

    before: str
    after: str
    quote: str = ""

    def without(self, length: int) -> str:
        """Return the whole with the cursor in the place of the last characters before it."""
        before, after = (_CONTROL.sub(" ", text) for text in (self.before[: len(self.before) - length], self.after))
        return f"{before} {CURSOR} {after}"


def in_sql(code: str, cursor: int, catalog: Catalog, aliases: Iterable[str]) -> Completion:
    """Return what may be named at offset `cursor` of a cell, inside its SQL.

    Parameters
    ----------
    catalog
        What the block's data hold.
    aliases
        What the block calls its data, whether they can be opened or not.
    """
    writing = query_at(code, cursor)
    typed = _typed(writing.before)
    if typed is None:
        return Completion((), cursor, cursor)
    path = _BEFORE.search(writing.before[: len(writing.before) - len(typed)])
    before = path[0].rstrip(".") if path else ""
    query = writing.without(len(typed) + (len(path[0]) if path else 0))
    of_a_number = not before and writing.before.removesuffix(typed).endswith(".")
    offers: list[Offer] = []
    if not of_a_number:
        sources = sources_at(query, catalog)
        offers = _after_dot(before, catalog, sources) if before else _alone(query, catalog, sources, aliases)
    wanted = typed.lstrip('"').casefold()
    found = [one for one in offers if one.text.casefold().startswith(wanted)]
    written = [Offer(_written(one.text, typed, writing), one.type, one.says) for one in found]
    width = len(typed) + typed.count('"') * (writing.quote == '"')  # there, a quote is written with a backslash
    return Completion(tuple(dict.fromkeys(written)), cursor - width, cursor)


def query_at(code: str, cursor: int) -> Writing:
    """Return the query of the one step whose `sql:` is the last before the cursor."""
    key = None
    for match in _KEY.finditer(code, 0, cursor):
        key = match
    if key is None:
        return Writing("", "")
    opens = key["opens"] or ""
    begin = min(key.end(), cursor)
    if opens in _CLOSED:
        closed = _CLOSED[opens].match(code, begin)
        end = closed.end() if closed else len(code)
        end = end if code[end : end + 1] == opens else _end_of_lines(code, key.start(), cursor)
        return Writing(_read(code[begin:cursor], opens), _read(code[cursor : max(end, cursor)], opens), opens)
    return Writing(code[begin:cursor], code[cursor : _end_of_lines(code, key.start(), cursor)])


def _end_of_lines(code: str, key: int, cursor: int) -> int:
    """Return where the lines end that are indented more than the line of a key."""
    line = code.rfind("\n", 0, key) + 1
    head = _HEAD.match(code, line)
    column = len(head[0]) if head else 0
    at = code.find("\n", cursor)
    while 0 <= at < len(code):
        following = code.find("\n", at + 1)
        text = code[at + 1 : following if following >= 0 else len(code)]
        if text.strip() and len(text) - len(text.lstrip(" ")) <= column:
            return at
        at = following
    return len(code)


def _read(text: str, quote: str) -> str:
    return text.replace("''", "'") if quote == "'" else text.replace('\\"', '"')


def _typed(before: str) -> str | None:
    """Return the begun name at the end of a query, with its quote; None inside of a text or a comment."""
    rest = _PARTS.sub(lambda part: " " * len(part[0]), before)
    opening = _OPEN.search(rest)
    if opening is not None:
        return before[opening.start() :] if opening[0] == '"' else None
    word = _WORD.search(before)
    return word[0] if word else ""


def _after_dot(before: str, catalog: Catalog, sources: Sources) -> list[Offer]:
    name = before.replace('"', "")
    columns = sources.columns(name, catalog)
    offers = _columns(columns or {})
    if not columns or name in catalog.databases:
        offers += [Offer(table, "table") for table in catalog.databases.get(name.split(".")[0], {})]
    return offers


def _alone(query: str, catalog: Catalog, sources: Sources, aliases: Iterable[str]) -> list[Offer]:
    names = dict.fromkeys((*aliases, *catalog.databases, *catalog.views))
    offers = [Offer(name, "alias") for name in names]
    offers += [Offer(name, "table") for name in names_in(query)]
    offers += [Offer(alias, "alias", table) for alias, table in sources.tables.items()]
    for alias in sources.tables:
        offers += _columns(sources.columns(alias, catalog) or {})
    return list({offer.text: offer for offer in offers}.values())


def _columns(columns: Columns) -> list[Offer]:
    return [Offer(name, "column", kind) for name, kind in columns.items()]


def _written(name: str, typed: str, writing: Writing) -> str:
    """Return a name as SQL wants it, in quotes where it needs some or one is open, and as YAML wants those."""
    if _PLAIN.fullmatch(name) and not typed.startswith('"'):
        return name
    closing = "" if typed.startswith('"') and writing.after.startswith('"') else '"'
    quoted = '"' + name.replace('"', '""') + closing
    return quoted.replace('"', '\\"') if writing.quote == '"' else quoted
