"""The tables and columns behind a block's data, for completion and inspection inside SQL."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from famulus_kernel.corpus.files import expand
from famulus_kernel.corpus.sql import quoted
from famulus_kernel.errors import FamulusError
from famulus_kernel.language.references import Reference
from famulus_kernel.project.needs import Need
from famulus_kernel.project.resolve import resolve
from famulus_kernel.store.stamps import stamp_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from famulus_kernel.project.project import Project
    from famulus_kernel.store.stamps import Stamp

Columns = dict[str, str]
"""Column to DuckDB's type, in order."""

_PARQUET = (".parquet", ".pq")


@dataclass(frozen=True)
class Catalog:
    """What a block's SQL can name.

    Attributes
    ----------
    databases
        Alias to the tables of that database.
    views
        Alias of a Parquet file or of another block's table to its columns.
    """

    databases: Mapping[str, Mapping[str, Columns]] = field(default_factory=dict)
    views: Mapping[str, Columns] = field(default_factory=dict)

    def columns(self, name: str) -> Columns | None:
        """Return the columns of `table`, `alias.table`, `alias.schema.table` or a view; None where there is none."""
        parts = name.replace('"', "").split(".")
        if len(parts) == 1:
            if parts[0] in self.views:
                return self.views[parts[0]]
            return next((tables[parts[0]] for tables in self.databases.values() if parts[0] in tables), None)
        return self.databases.get(parts[0], {}).get(parts[-1])


def catalog_of(project: Project, entries: Iterable[Mapping[str, Any]]) -> Catalog:
    """Return the catalog of the entries of `duckdb:`; what cannot be opened is left out."""
    databases: dict[str, Mapping[str, Columns]] = {}
    views: dict[str, Columns] = {}
    for entry in entries:
        alias = str(entry.get("alias") or "")
        path = _path_of(project, entry)
        if not alias or path is None:
            continue
        try:
            stamp = stamp_of(path)
            if path.suffix.lower() in _PARQUET:
                views[alias] = _of_parquet(str(path), stamp)
            else:
                databases[alias] = _of_database(str(path), stamp)
        except Exception:  # noqa: S112 - whatever a stranger's file is: the block itself will say what is wrong with it
            continue
    return Catalog(databases, views)


def _path_of(project: Project, entry: Mapping[str, Any]) -> Path | None:
    written, ref = entry.get("path"), entry.get("ref")
    try:
        if isinstance(written, str):
            path = project.places.expand(written)
            found = [path] if path.is_file() else list(expand(str(path), project.places.root))
            return found[0] if found else None
        if isinstance(ref, str):
            return resolve(project, Need(Reference.parse(ref), "", "table")).table
    except (FamulusError, OSError, ValueError):
        return None
    return None


@lru_cache(maxsize=64)
def _of_parquet(path: str, _stamp: Stamp | None) -> Columns:
    import duckdb  # noqa: PLC0415 - a kernel is ready before its libraries are

    with duckdb.connect() as connection:
        relation = connection.read_parquet(path)
        return {name: str(kind) for name, kind in zip(relation.columns, relation.types, strict=True)}


@lru_cache(maxsize=64)
def _of_database(path: str, _stamp: Stamp | None) -> Mapping[str, Columns]:
    import duckdb  # noqa: PLC0415 - a kernel is ready before its libraries are

    found: dict[str, Columns] = {}
    # A view of a stranger's database may name files: none is opened.
    with duckdb.connect(config={"threads": 1}) as connection:
        connection.execute(f"ATTACH {quoted(path)} AS c (READ_ONLY)")
        connection.execute("SET enable_external_access = false")
        rows = connection.execute(
            "SELECT table_name, column_name, data_type FROM duckdb_columns()"
            " WHERE database_name = 'c' ORDER BY table_name, column_index"
        ).fetchall()
    for table, column, kind in rows:
        found.setdefault(str(table), {})[str(column)] = str(kind)
    return found
