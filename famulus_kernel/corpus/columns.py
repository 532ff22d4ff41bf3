"""The columns of a table of an open database, whoever made it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def columns_of(connection: DuckDBPyConnection, table: str, database: str | None = None) -> tuple[str, ...]:
    """Return the columns of a table in their order; none where it is not there.

    Parameters
    ----------
    connection
        An open connection.
    table
        Its name, in the schema `main`.
    database
        Name of the attached database; the connection's own where None.
    """
    found = connection.execute(
        "SELECT column_name FROM duckdb_columns() WHERE database_name = coalesce($database, current_database())"
        " AND schema_name = 'main' AND table_name = $table ORDER BY column_index",
        {"database": database, "table": table},
    ).fetchall()
    return tuple(str(name) for (name,) in found)
