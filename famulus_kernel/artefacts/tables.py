"""A table as data, as view and as the files of all its rows (spec 5.1, 5.3).

The JSON holds the first rows only: at most 1,000, and as many as fit 256 KiB. All rows lie beside it as
Parquet, which keeps every type and every character. A table of at most 5,000 rows lies there as CSV too, for
spreadsheets: UTF-8 with a byte order mark (a spreadsheet takes it for another encoding without), commas,
every value as DuckDB writes it. Text that a spreadsheet would take for a formula (it begins with = + - @,
their full-width forms, a tab or a line end) has an apostrophe put before it, as OWASP advises; who needs the
text to the letter takes the Parquet.

Links: the column `x_url` is the link of the column `x`, and a column `url` links itself; only where every
value among the first rows is an http or https address.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeGuard

from famulus_kernel.artefacts.build import TablePayload
from famulus_kernel.artefacts.cells import is_numeric
from famulus_kernel.artefacts.characters import cut, storable
from famulus_kernel.artefacts.urls import is_web_url
from famulus_kernel.artefacts.values import FLOAT, TRUTH, WHOLE, as_type, cell, column_type, columns_of
from famulus_kernel.artefacts.view import Cell, Column, FullTable, Label, Table, literal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

    import pyarrow as pa

    from famulus_kernel.artefacts.build import BuildContext

FIRST_ROWS: Final = 1_000
FIRST_BYTES: Final = 256 * 1024
CSV_ROWS: Final = 5_000
CSV_BYTES: Final = 32 * 1024 * 1024
CELL_CHARACTERS: Final = 2_000
"""How much of a cell a view shows; data keeps all of it."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_NO_AMOUNT: Final = frozenset(
    ["year", "jahr", "id", "idx", "pidx", "tid", "page", "seite", "nr", "no", "vol", "band", "folio"]
)
_MOST_DECIMALS: Final = 4
_SMALL, _LARGE = 1e-3, 1e15


@dataclass(frozen=True)
class FullFiles:
    """Where all rows of a table lie."""

    parquet: FullTable
    csv: FullTable | None

    @property
    def names(self) -> tuple[str, ...]:
        """The files as companions of their artefact."""
        return (self.parquet.file, self.csv.file) if self.csv else (self.parquet.file,)


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
    if not is_list(rows):
        raise ValueError("it needs rows: a list of mappings, or rows and columns")
    if isinstance(total, int) and total > len(rows):
        raise ValueError(f"it holds {len(rows)} of {total} rows; attach the whole table under duckdb: by ref")
    names = [_name(column) for column in columns] if is_list(columns) else None
    if all(isinstance(row, Mapping) for row in rows):
        return from_mappings(rows, names)
    if names is not None and all(is_list(row) for row in rows):
        return from_lists(rows, names)
    raise ValueError("its rows are neither all mappings nor all lists with columns:")


def from_mappings(rows: Sequence[Mapping[str, Any]], columns: Sequence[str] | None = None) -> TablePayload:
    """Return a table of plain mappings; a key that a row lacks is missing there.

    Parameters
    ----------
    rows : sequence of mappings
        All rows.
    columns : sequence of str, optional
        Their keys in order; else those that occur, in the order in which they do.
    """
    names = columns_of(rows) if columns is None else tuple(columns)
    texts = [{storable(str(key)): value for key, value in row.items()} for row in rows]
    return from_lists([[row.get(name) for name in names] for row in texts], names)


def from_lists(rows: Sequence[Sequence[Any]], columns: Sequence[str]) -> TablePayload:
    """Return a table of plain lists. A column takes the narrowest type that holds all its values.

    Raises
    ------
    ValueError
        A row is longer or shorter than the columns, or two columns share a name.
    """
    names = [storable(str(name)) for name in columns]
    if len(set(names)) < len(names):
        raise ValueError("two columns have the same name")
    for number, row in enumerate(rows, 1):
        if len(row) != len(names):
            raise ValueError(f"row {number} has {len(row)} values for {len(names)} columns")
    types = [column_type(row[at] for row in rows) for at in range(len(names))]
    cells = [[as_type(value, kind) for value, kind in zip(row, types, strict=True)] for row in rows]
    return TablePayload(tuple(zip(names, types, strict=True)), cells, len(cells))


def first_rows(rows: Iterable[Sequence[object]]) -> list[list[Cell]]:
    """Return the rows that go into the JSON: the first ones within both bounds, and always the very first."""
    shown: list[list[Cell]] = []
    size = 0
    for row in rows:
        cells = [cell(value) for value in row]
        size += len(json.dumps(cells, ensure_ascii=False).encode())
        if len(shown) == FIRST_ROWS or (shown and size > FIRST_BYTES):
            break
        shown.append(cells)
    return shown


def write_full(table: TablePayload, context: BuildContext, stem: str = "") -> FullFiles:
    """Lay all rows of a table beside the artefact's JSON, and say where.

    `stem` parts several tables of one artefact: `.findings` gives `<file>.findings.parquet`.
    """
    if table.parquet is not None:
        parquet = context.place(table.parquet, f"{stem}.parquet")
    else:
        parquet, path = context.companion(f"{stem}.parquet")
        _write_parquet(table, path)
    size = (context.folder / parquet).stat().st_size
    full = FullTable(file=parquet, format="parquet", bytes=size)
    if table.total > CSV_ROWS:
        return FullFiles(full, None)
    name, path = context.companion(f"{stem}.csv")
    if not _write_csv(context.folder / parquet, [kind for _, kind in table.columns], path):
        return FullFiles(full, None)
    return FullFiles(full, FullTable(file=name, format="csv", bytes=path.stat().st_size))


def stream(table: TablePayload, columns: Sequence[str]) -> pa.RecordBatchReader:
    """Return columns of a table under the names it gives them, all its rows, piece by piece.

    The Parquet file may have other names for them: there they are found by their place. Without a file all are text.
    """
    import pyarrow as pa  # noqa: PLC0415 - loaded where it is used
    import pyarrow.parquet as pq  # noqa: PLC0415

    names = [name for name, _ in table.columns]
    if table.parquet is None:
        arrays = [pa.array([_stored(row[names.index(name)]) for row in table.rows], pa.string()) for name in columns]
        whole = pa.Table.from_arrays(arrays, names=list(columns))
        return pa.RecordBatchReader.from_batches(whole.schema, whole.to_batches())
    file = pq.ParquetFile(table.parquet)
    stored = [file.schema_arrow.names[names.index(name)] for name in columns]
    fields = [file.schema_arrow.field(name) for name in stored]
    schema = pa.schema([field.with_name(name) for field, name in zip(fields, columns, strict=True)])
    batches = (
        pa.RecordBatch.from_arrays([batch.column(batch.schema.get_field_index(name)) for name in stored], schema=schema)
        for batch in file.iter_batches(columns=stored)
    )
    return pa.RecordBatchReader.from_batches(schema, batches)


def table_part(
    table: TablePayload,
    rows: Sequence[Sequence[Cell]],
    full: FullFiles | None = None,
    *,
    title: Label | None = None,
    labels: Mapping[str, Label] | None = None,
    links: Mapping[str, str] | None = None,
    words: Mapping[str, str] | None = None,
    hidden: Collection[str] = (),
) -> Table:
    """Return the view of a table.

    Parameters
    ----------
    table : TablePayload
        Its columns and how many rows it has.
    rows : sequence of rows
        The first rows.
    full : FullFiles, optional
        Where all rows lie.
    title : Label, optional
        The table's caption.
    labels : mapping of column name to Label, optional
        Headings; a column without one is headed by its name.
    links : mapping of column name to column name, optional
        Which column holds the addresses of which; by default the rule of this module.
    words : mapping of column name to prefix, optional
        Which columns hold words of ours (`view.Column`).
    hidden : collection of column names, optional
        Which columns are drawn only where a page names them.
    """
    names = [name for name, _ in table.columns]
    values = [[row[at] for row in rows] for at in range(len(names))]
    links = _links(names, values) if links is None else links
    columns = tuple(
        Column(
            key=name,
            label=(labels or {}).get(name, literal(name)),
            type=kind,
            align="right" if is_numeric(kind) else "left",
            link=links.get(name),
            format=_format(name, kind, cells),
            words=(words or {}).get(name),
            hidden=name in hidden,
        )
        for (name, kind), cells in zip(table.columns, values, strict=True)
    )
    shown = tuple(
        tuple(cut(value, CELL_CHARACTERS) if isinstance(value, str) else value for value in row) for row in rows
    )
    return Table(
        title=title,
        columns=columns,
        rows=shown,
        total=table.total,
        full=full.parquet if full else None,
        csv=full.csv if full else None,
    )


def is_list(value: object) -> TypeGuard[Sequence[Any]]:
    """Return whether a value is a list of any kind, and no text."""
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _name(column: object) -> str:
    return str(column["name"] if isinstance(column, Mapping) and "name" in column else column)


def _links(names: Sequence[str], values: Sequence[Sequence[Cell]]) -> dict[str, str]:
    links = {}
    for name, cells in zip(names, values, strict=True):
        of = name if name == "url" else name.removesuffix("_url")
        given = [value for value in cells if value not in (None, "")]
        if of in names and (of != name or name == "url") and given and all(_is_web(value) for value in given):
            links[of] = name
    return links


def _is_web(value: Cell) -> bool:
    return isinstance(value, str) and len(value) <= CELL_CHARACTERS and is_web_url(value)


def _format(name: str, kind: str, cells: Sequence[Cell]) -> str | None:
    """Return the pattern of a column: no groups where its numbers are no amounts, and equal decimals."""
    numbers = [value for value in cells if isinstance(value, int | float) and not isinstance(value, bool)]
    if not is_numeric(kind) or not numbers:
        return None
    words = re.split(r"[^a-z]+", name.lower())
    if words[-1] in _NO_AMOUNT or {"year", "jahr"} & set(words):
        return "d" if all(isinstance(value, int) for value in numbers) else None
    parts = [value for value in numbers if isinstance(value, float)]
    if not parts or not all(_SMALL <= abs(value) < _LARGE for value in parts if value):
        return None
    return f",.{min(_MOST_DECIMALS, max(_decimals(value) for value in parts))}f"


def _decimals(value: float) -> int:
    return 0 if value.is_integer() else len(repr(value).partition(".")[2])


def _stored(value: object) -> str | None:
    return None if value is None else storable(str(value))


def _write_parquet(table: TablePayload, path: Path) -> None:
    import pyarrow as pa  # noqa: PLC0415 - loaded where it is used
    import pyarrow.parquet as pq  # noqa: PLC0415

    kinds = {WHOLE: pa.int64(), FLOAT: pa.float64(), TRUTH: pa.bool_()}
    names = [name for name, _ in table.columns]
    arrays = [
        pa.array((row[at] for row in table.rows), type=kinds.get(kind, pa.string()), from_pandas=False)
        for at, (_, kind) in enumerate(table.columns)
    ]
    pq.write_table(pa.Table.from_arrays(arrays, names=names), path, compression="zstd")


def _write_csv(parquet: Path, types: Sequence[str], path: Path) -> bool:
    """Write the CSV of a table and return True, or False where it would be too large for a spreadsheet."""
    import duckdb  # noqa: PLC0415 - loaded where it is used
    import pyarrow.parquet as pq  # noqa: PLC0415

    # Opened by pyarrow since DuckDB takes [ and * in a path for a pattern; written as text by DuckDB since
    # Python has no dates before year 1.
    with pq.ParquetFile(parquet) as source:
        groups = range(source.metadata.num_row_groups)
        if sum(source.metadata.row_group(group).total_byte_size for group in groups) > CSV_BYTES:
            return False
        table = source.read()
    if table.nbytes > CSV_BYTES:
        return False
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute("SET TimeZone = 'UTC'")
        rows = connection.from_arrow(table).project("CAST(COLUMNS(*) AS VARCHAR)").fetchall()
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(_no_formula(name) for name in table.column_names)
        numeric = [is_numeric(kind) for kind in types]
        for row in rows:
            writer.writerow(
                value if is_number else _no_formula(value) for value, is_number in zip(row, numeric, strict=True)
            )
    return True


def _no_formula(value: str | None) -> str | None:
    text = value and value.replace("\r\n", "\n").replace("\r", "\n")
    return f"'{text}" if text and text.startswith(_FORMULA) else text
