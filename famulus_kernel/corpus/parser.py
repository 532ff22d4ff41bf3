"""DuckDB's own parser, asked without ever showing it data."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import NotOneQuery, QueryFailed, counted

if TYPE_CHECKING:
    import duckdb

Node = Mapping[str, Any]
"""A node of a syntax tree: `type`, for expressions also `class`, and its parts."""


def tree_of(sql: str) -> Node:
    """Return the syntax tree of the only query in `sql`.

    Raises
    ------
    NotOneQuery
        It is another statement, several, or none.
    QueryFailed
        It does not parse.
    """
    options = "skip_null := true, skip_empty := true, skip_default := true"
    row = _cursor().execute(f"SELECT json_serialize_sql(?::VARCHAR, {options})", [sql]).fetchone()
    try:
        answer = json.loads(row[0]) if row else {}
    except RecursionError as error:
        raise QueryFailed.of("the query is nested too deeply", hint="write it flatter, with WITH") from error
    statements = answer.get("statements", [])
    if len(statements) != 1:
        raise _not_one_query(_kinds(sql))
    tree: Node = statements[0]
    return tree


def without_semicolons(sql: str) -> str:
    """Return `sql` with the semicolons outside of literals and comments blanked, if it is one statement.

    Raises
    ------
    NotOneQuery, QueryFailed
        As :func:`tree_of`.
    """
    import duckdb  # noqa: PLC0415 - loaded where it is used

    try:
        text = bytearray(sql.encode())
    except UnicodeEncodeError as error:
        hint = f"look at character {error.start + 1}"
        raise QueryFailed.of("the SQL holds half of a character", hint=hint) from error
    operators = [at for at, kind in duckdb.tokenize(sql) if kind == duckdb.token_type.operator]
    marks = [at for at in operators if text[at] == ord(";")]
    if marks and len(kinds := _kinds(sql)) != 1:
        raise _not_one_query(kinds)
    for at in marks:
        text[at] = ord(" ")
    return text.decode()


@functools.cache
def built_in_table_functions() -> frozenset[str]:
    """Return the names of DuckDB's own table functions, in lower case."""
    rows = _cursor().execute(
        "SELECT DISTINCT lower(function_name) FROM duckdb_functions() "
        "WHERE internal AND function_type IN ('table', 'table_macro', 'pragma')"
    )
    return frozenset(name for (name,) in rows.fetchall())


def _kinds(sql: str) -> list[str]:
    """Return what DuckDB calls each statement of a text."""
    import duckdb  # noqa: PLC0415 - loaded where it is used

    try:
        return [_kind(statement) for statement in _cursor().extract_statements(sql)]
    except duckdb.Error as error:
        raise QueryFailed.of(str(error), hint="correct the SQL at that place") from error


def _kind(statement: duckdb.Statement) -> str:
    try:
        return str(statement.type.name)
    except ValueError:  # DuckDB parses more statements than its Python package has names for
        return "OTHER"


def _not_one_query(kinds: list[str]) -> NotOneQuery:
    if kinds == ["MULTI"]:
        hint = "list them, as in FROM (PIVOT t ON year IN (1520, 1521) USING count(*)): without the list DuckDB makes "
        return NotOneQuery.of("a PIVOT whose columns are not listed", f"{hint}a type first, which is no query")
    if len(kinds) > 1:
        return NotOneQuery.of(f"{counted(len(kinds), 'statement')} ({', '.join(kinds)})")
    return NotOneQuery.of(kinds[0] if kinds else "empty")


def _cursor() -> duckdb.DuckDBPyConnection:
    """Return a connection of this thread's own: two may not use one at the same time."""
    return _instance(os.getpid()).cursor()


@functools.lru_cache(maxsize=1)
def _instance(process: int) -> duckdb.DuckDBPyConnection:  # noqa: ARG001 - the key: a fork needs its own
    import duckdb  # noqa: PLC0415 - loaded where it is used

    connection = duckdb.connect(":memory:", config={"threads": 1, "python_enable_replacements": False})
    connection.execute("SET enable_external_access = false; SET lock_configuration = true")
    return connection
