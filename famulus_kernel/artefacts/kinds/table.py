"""Kind `table`: rows and columns (spec 5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

from famulus_kernel.artefacts.build import BuildContext, Built, TablePayload
from famulus_kernel.artefacts.tables import first_rows, from_lists, from_mappings, table_part, write_full
from famulus_kernel.artefacts.view import View


class TableBuilder:
    """`data` is `{columns: [{name, type}], rows, n_rows}` of the first rows; all lie beside it (`tables`)."""

    kind = "table"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from a TablePayload, a list of mappings, or a mapping of `rows` and perhaps `columns`."""
        try:
            table = payload if isinstance(payload, TablePayload) else as_table(payload)
        except ValueError as error:
            raise context.error(str(error)) from error
        rows = first_rows(table.rows)
        full = write_full(table, context)
        data = {
            "columns": [{"name": name, "type": kind} for name, kind in table.columns],
            "rows": rows,
            "n_rows": table.total,
        }
        return Built(data, View(parts=(table_part(table, rows, full),)), full.names)


def as_table(payload: object) -> TablePayload:
    """Return plain rows as a table.

    Parameters
    ----------
    payload : sequence or mapping
        A list of mappings; or a mapping with `rows`, a list of mappings or of lists, and `columns`, a list of
        names or of mappings with `name` (so that the data of a table is one).

    Raises
    ------
    ValueError
        It is no table; the text says why.
    """
    whole: Mapping[str, Any] = payload if isinstance(payload, Mapping) else {"rows": payload}
    rows, columns, total = whole.get("rows"), whole.get("columns"), whole.get("n_rows")
    if not _is_list(rows):
        raise ValueError("it needs rows: a list of mappings, or rows and columns")
    if isinstance(total, int) and total > len(rows):
        raise ValueError(f"it holds {len(rows)} of {total} rows; attach the whole table under duckdb: by ref")
    names = [_name(column) for column in columns] if _is_list(columns) else None
    if all(isinstance(row, Mapping) for row in rows):
        return from_mappings(rows, names)
    if names is not None and all(_is_list(row) for row in rows):
        return from_lists(rows, names)
    raise ValueError("its rows are neither all mappings nor all lists with columns:")


def _name(column: object) -> str:
    return str(column["name"] if isinstance(column, Mapping) and "name" in column else column)


def _is_list(value: object) -> TypeGuard[Sequence[Any]]:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


BUILDER = TableBuilder()
