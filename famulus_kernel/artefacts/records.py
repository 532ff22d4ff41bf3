"""Records of a kind: entries, rows or events whose fields have names that the kind knows (spec 5.1).

They come as a list of mappings, as a mapping that holds such a list, or as a table whose columns are named alike.
A kind says which other names its fields may have (`year` for `from`, say), so that the result of a query fits
without renaming; columns that it does not know stay, after those that it does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.artefacts.build import TablePayload
from famulus_kernel.artefacts.characters import storable
from famulus_kernel.artefacts.labels import has_label
from famulus_kernel.artefacts.tables import as_table, first_rows, from_mappings, is_list, table_part, write_full
from famulus_kernel.artefacts.values import cell, json_safe
from famulus_kernel.artefacts.view import Label, literal, message

if TYPE_CHECKING:
    from famulus_kernel.artefacts.build import BuildContext
    from famulus_kernel.artefacts.tables import FullFiles
    from famulus_kernel.artefacts.view import Cell, Column, Table

Names = Mapping[str, Sequence[str]]
"""A field's name, and what else its column may be called (lower case); the first that occurs is taken."""

_ITEM: Final = re.compile(r"\s*(?:'((?:[^'\\]|\\.)*)'(?=\s*(?:,|$))|([^,]+))")
"""An item of a list as DuckDB writes it: in quotes where it holds a comma."""

LIST_ITEMS: Final = 6
"""How many items of a list in one cell a view shows."""

WORDS: Final[Mapping[str, str]] = {name: f"value.{name}" for name in ("evidence", "kind", "time")}
"""Fields whose values are words of ours, and where labels.json has them."""

_USUAL: Final[Mapping[str, str]] = {"evidence": "grounding", "time": "certain"}
"""What a field need not say where it says it of every record."""


@dataclass(frozen=True)
class Records:
    """What a builder reads.

    Attributes
    ----------
    items : list of dict
        The first records as JSON has them, within the bounds of `tables`.
    table : TablePayload
        All of them as a table.
    """

    items: list[dict[str, Any]]
    table: TablePayload

    @property
    def total(self) -> int:
        """How many there are in all."""
        return self.table.total

    @property
    def names(self) -> tuple[str, ...]:
        """The fields that occur."""
        return tuple(name for name, _ in self.table.columns)

    def write_full(self, context: BuildContext, stem: str = "") -> FullFiles | None:
        """Lay all records beside the artefact's JSON; nothing for none."""
        return write_full(self.table, context, stem) if self.total else None


def read_records(payload: object, key: str, known: Names, context: BuildContext) -> Records:
    """Return the records that a payload holds.

    Parameters
    ----------
    payload : TablePayload, sequence or mapping
        A mapping holds them under `key` or `rows`.
    key : str
        The name that the kind's data has for them.
    known : mapping of field to other names
        How columns are called elsewhere.
    context : BuildContext
        For the error.

    Raises
    ------
    ArtefactError
        There are none, or only the first of them.
    """
    whole: Mapping[str, Any] = payload if isinstance(payload, Mapping) else {key: payload}
    given = whole.get(key, whole.get("rows"))
    try:
        if isinstance(given, TablePayload):
            return _from_table(_renamed(given, known))
        if is_list(given):
            _whole(given, key, whole.get(f"n_{key}"))
            if all(isinstance(item, Mapping) for item in given):
                return _from_mappings(given, known)
            return _from_table(_renamed(as_table({**whole, "rows": given}), known))
    except ValueError as error:
        raise context.error(str(error)) from error
    raise context.error(f"it needs {key}: a list of mappings, or a table with columns such as {', '.join(known)}")


def need(records: Records, fields: Sequence[str], context: BuildContext) -> None:
    """Check that records, where there are any, have one of `fields`.

    Raises
    ------
    ArtefactError
        None of them occurs.
    """
    if records.total and not set(fields) & set(records.names):
        had = ", ".join(records.names) or "none"
        raise context.error(f"it needs {' or '.join(fields)}; the fields are {had}")


def table_of(
    records: Sequence[Mapping[str, Any]],
    columns: Sequence[str],
    *,
    types: Mapping[str, str],
    total: int,
    full: FullFiles | None = None,
    title: Label | None = None,
    links: Mapping[str, str] | None = None,
    aligned: Mapping[str, str] | None = None,
    lists: Sequence[str] = (),
    headings: Mapping[str, str] | None = None,
) -> Table:
    """Return the view of records: the columns in order, headed by the words of labels.json where it has them.

    The fields in `lists` are lists, or the text that a table has for one. `headings` says which field's heading
    another one bears. Columns that say nothing are hidden (`silent`).
    """
    rows: list[list[Cell]] = [
        [shown(record.get(name)) if name in lists else cell(record.get(name)) for name in columns] for record in records
    ]
    shape = TablePayload(tuple((name, types.get(name, "VARCHAR")) for name in columns), (), total)
    drawn = table_part(
        shape,
        rows,
        full,
        title=title,
        labels={name: heading((headings or {}).get(name, name)) for name in columns},
        links=dict(links or {}),
        words=WORDS,
        # What is aligned belongs together, as the sides of a keyword do.
        hidden=set(silent(columns, rows, total)).difference(aligned or ()),
    )

    def align(column: Column) -> Column:
        return column.model_copy(update={"align": (aligned or {}).get(column.key, column.align)})

    return drawn.model_copy(update={"columns": tuple(align(column) for column in drawn.columns)})


def first_items(items: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records that go into the JSON: the first ones within the bounds of `tables`."""
    return list(items[: len(first_rows([list(item.values()) for item in items]))])


def shown(value: object) -> Cell:
    """Return a field's value as a reader wants it: a list as its first items."""
    items = _as_list(value)
    if items is None:
        return cell(value)
    more = [f"… (+{len(items) - LIST_ITEMS})"] if len(items) > LIST_ITEMS else []
    return "; ".join([*(str(cell(item)) for item in items[:LIST_ITEMS]), *more])


def lines(value: object) -> Cell:
    """Return a list of texts as one text, each on a line of its own."""
    items = _as_list(value)
    return cell(value) if items is None else "\n".join(str(cell(item)) for item in items)


def heading(name: str) -> Label:
    """Return the heading of a field's column."""
    key = f"column.{name}"
    return message(key) if has_label(key) else literal(name)


def silent(columns: Sequence[str], rows: Sequence[Sequence[Cell]], total: int) -> list[str]:
    """Return the columns that are empty in every row, or say in all of them what goes without saying."""
    if not rows or len(rows) < total:
        return []
    said = {name: {row[at] for row in rows} for at, name in enumerate(columns)}
    return [name for name, values in said.items() if values <= {None, "", _USUAL.get(name)}]


def ordered(names: Sequence[str], first: Sequence[str], hidden: Sequence[str]) -> list[str]:
    """Return which columns are shown: those of `first` that there are, then the others that are not hidden."""
    front = [name for name in first if name in names]
    return front + [name for name in names if name not in first and name not in hidden]


def _whole(given: Sequence[object], key: str, total: object) -> None:
    if isinstance(total, int) and total > len(given):
        raise ValueError(f"its input holds {len(given)} of {total} {key}; it needs the whole table")


def _from_mappings(items: Sequence[Mapping[str, Any]], known: Names) -> Records:
    shapes = {tuple(map(str, item)) for item in items}
    names = {shape: _new_names(shape, known) for shape in shapes}
    safe = [
        {names[shape][str(key)]: json_safe(value) for key, value in item.items()}
        for item, shape in ((item, tuple(map(str, item))) for item in items)
    ]
    return Records(first_items(safe), from_mappings(safe))


def _from_table(table: TablePayload) -> Records:
    names = [name for name, _ in table.columns]
    return Records([dict(zip(names, row, strict=True)) for row in first_rows(table.rows)], table)


def _renamed(table: TablePayload, known: Names) -> TablePayload:
    names = _new_names([name for name, _ in table.columns], known)
    return replace(table, columns=tuple((names[name], kind) for name, kind in table.columns))


def _new_names(given: Sequence[str], known: Names) -> dict[str, str]:
    """Return the field of each column: its own name, or that of a field which has no column of its name."""
    names = {name: storable(name) for name in given}
    for field, others in known.items():
        if field in given:
            continue
        found = next((name for other in others for name in given if name.lower() in (other, field)), None)
        if found is not None and names[found] == storable(found):
            names[found] = field
    return names


def _as_list(value: object) -> list[Any] | None:
    """Return a list, also one that a table holds as text: as JSON writes it, or as DuckDB does."""
    if isinstance(value, list):
        return value
    if not isinstance(value, str) or not (value.startswith("[") and value.endswith("]")):
        return None
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return [(quoted or plain).strip() for quoted, plain in _ITEM.findall(value[1:-1])]
    return found if isinstance(found, list) else None
