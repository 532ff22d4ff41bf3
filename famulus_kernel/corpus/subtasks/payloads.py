"""Results in the forms that artefacts are built from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.artefacts.build import TablePayload
from famulus_kernel.corpus.result import json_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.corpus.result import TableResult

SHORT: Final = 1_000
"""A list of at most so many entries is handed on with its lists as lists; a longer one as the table that it is."""


def payload(table: TableResult) -> TablePayload:
    """Return a result as a table of which the first rows are at hand."""
    columns = tuple((column.name, column.type) for column in table.columns)
    return TablePayload(columns, table.rows, table.n_rows, table.parquet)


def records(table: TableResult, most: int = SHORT) -> list[dict[str, Any]]:
    """Return the first rows as mappings, lists in them as lists."""
    return json_rows(table.parquet, most)


def listing(table: TableResult, *, without: Sequence[str] = ()) -> list[dict[str, Any]] | TablePayload:
    """Return all of a short result as mappings, but for some fields; a longer one as the table that it is."""
    if table.n_rows > SHORT:
        return payload(table)
    return [{key: value for key, value in one.items() if key not in without} for one in records(table)]
