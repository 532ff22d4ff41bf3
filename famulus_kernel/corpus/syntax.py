"""DuckDB's syntax tree of a query, and what a query may consist of (spec 3.7).

The tree comes from `json_serialize_sql`: DuckDB's own parser reads the text, we read the tree. Every node must be
one that only asks. What is unknown is refused, so that a later DuckDB does not open a hole here.
"""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import duckdb

from famulus_kernel.errors import ForbiddenPath, NotOneQuery, QueryFailed

Node = Mapping[str, Any]
"""A node of the tree: `type`, for expressions also `class`, and its parts."""

QUERIES = frozenset({"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"})
TABLES = frozenset(
    {"BASE_TABLE", "SUBQUERY", "JOIN", "TABLE_FUNCTION", "EXPRESSION_LIST", "EMPTY", "PIVOT", "SHOW_REF"}
)
MODIFIERS = frozenset(
    {"LIMIT_MODIFIER", "ORDER_MODIFIER", "DISTINCT_MODIFIER", "ORDER_DEFAULT", "ASCENDING", "DESCENDING"}
)
EXPRESSIONS = frozenset(
    {"BETWEEN", "CASE", "CAST", "COLLATE", "COLUMN_REF", "COMPARISON", "CONJUNCTION", "CONSTANT", "DEFAULT",
     "FUNCTION", "LAMBDA", "LAMBDA_REF", "OPERATOR", "POSITIONAL_REFERENCE", "STAR", "SUBQUERY", "TYPE", "WINDOW"}
)  # fmt: skip

FILE_FUNCTIONS = frozenset(
    {"read_csv", "read_csv_auto", "read_json", "read_json_auto", "read_json_objects", "read_json_objects_auto",
     "read_ndjson", "read_ndjson_auto", "read_ndjson_objects", "read_ndjson_objects_auto", "read_parquet",
     "parquet_scan", "read_text", "read_blob", "glob", "parquet_metadata", "parquet_schema",
     "parquet_file_metadata", "parquet_kv_metadata", "sniff_csv"}
)  # fmt: skip
"""Table functions whose first argument names files."""

PURE_FUNCTIONS = frozenset(
    {"range", "generate_series", "unnest", "repeat", "repeat_row", "json_each", "json_tree", "test_all_types",
     "duckdb_tables", "duckdb_columns", "duckdb_schemas", "duckdb_types", "duckdb_constraints",
     "pragma_table_info", "pg_timezone_names"}
)  # fmt: skip
"""Table functions that name no file, tell nothing of this machine and leave nothing behind."""

FORBIDDEN_FUNCTIONS = frozenset(
    {"current_setting", "current_query", "current_query_id", "current_connection_id", "current_transaction_id",
     "txid_current", "getvariable", "getenv", "write_log", "sleep_ms", "pg_sleep", "setseed", "nextval",
     "currval", "setval", "json_serialize_plan", "inet_client_addr", "inet_client_port", "inet_server_addr",
     "inet_server_port"}
)  # fmt: skip
"""Scalar functions that tell of this machine or run, or have an effect."""

FORBIDDEN_TABLES = frozenset(
    {"duckdb_databases", "duckdb_logs", "pragma_database_list", "pg_settings", "pg_prepared_statements"}
)
"""Views of DuckDB's own catalog that tell paths and settings."""


@dataclass(frozen=True)
class Literal:
    """A string constant: its value, where it stands (byte offsets in UTF-8) and whether in a list."""

    text: str
    start: int
    end: int
    in_list: bool


@dataclass(frozen=True)
class Query:
    """A checked query.

    Attributes
    ----------
    text : str
        The SQL without semicolons that separate nothing.
    files : tuple of Literal
        The constants that name files.
    """

    text: str
    files: tuple[Literal, ...]


def parse(sql: str) -> Query:
    """Parse `sql` and check that it is exactly one query which only asks.

    Raises
    ------
    NotOneQuery
        It is another statement, several, none, or holds a node or function that does more than ask.
    QueryFailed
        It does not parse.
    ForbiddenPath
        A function reads a file that is not named by a literal.
    """
    text = _without_semicolons(sql)
    files: list[Literal] = []
    for node in _nodes(_tree(text)):
        _check(node)
        if node.get("type") == "TABLE_FUNCTION":
            files += _files(node["function"])
    return Query(text, tuple(files))


# --- DuckDB's parser ------------------------------------------------------------------------------------------


def _tree(sql: str) -> Node:
    """Return the tree of the only query in `sql`."""
    options = "skip_null := true, skip_empty := true, skip_default := true"
    row = _parser().execute(f"SELECT json_serialize_sql(?::VARCHAR, {options})", [sql]).fetchone()
    try:
        answer = json.loads(row[0]) if row else {}
    except RecursionError as error:
        raise QueryFailed.of("the query is nested too deeply", hint="write it flatter, with WITH") from error
    statements = answer.get("statements", [])
    if len(statements) != 1:
        raise NotOneQuery.of(*_kind(sql))
    tree: Node = statements[0]
    return tree


def _kind(sql: str) -> tuple[str, str]:
    """Return what `sql` is, when it is not one query, and a hint."""
    try:
        kinds = [statement.type.name for statement in _parser().extract_statements(sql)]
    except duckdb.Error as error:
        raise QueryFailed.of(str(error), hint="correct the SQL at that place") from error
    if kinds == ["MULTI"]:
        return (
            "a PIVOT whose columns are not listed",
            (
                "list them, as in FROM (PIVOT t ON year IN (1520, 1521) USING count(*)): "
                "without the list DuckDB makes a type first, which is no query"
            ),
        )
    if len(kinds) > 1:
        return f"{len(kinds)} statements ({', '.join(kinds)})", ""
    return kinds[0] if kinds else "empty", ""


def _without_semicolons(sql: str) -> str:
    """Return `sql` with the semicolons outside of literals and comments blanked, if it is one statement."""
    text = sql.encode()
    marks = [
        at
        for at, kind in duckdb.tokenize(sql)
        if text[at : at + 1] == b";" and kind == duckdb.token_type.operator
    ]
    if not marks:
        return sql
    if len(_statements(sql)) != 1:
        raise NotOneQuery.of(*_kind(sql))
    for at in marks:
        text = text[:at] + b" " + text[at + 1 :]
    return text.decode()


def _statements(sql: str) -> list[duckdb.Statement]:
    try:
        return _parser().extract_statements(sql)
    except duckdb.Error as error:
        raise QueryFailed.of(str(error), hint="correct the SQL at that place") from error


def _parser() -> duckdb.DuckDBPyConnection:
    """Return a connection that parses and never sees data: a new cursor, so that threads do not share one."""
    return _parsing_instance(os.getpid()).cursor()


@functools.lru_cache(maxsize=1)
def _parsing_instance(process: int) -> duckdb.DuckDBPyConnection:  # noqa: ARG001  # a key: a fork has its own
    connection = duckdb.connect(":memory:", config={"threads": 1, "python_enable_replacements": False})
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection


@functools.cache
def _built_in_table_functions() -> frozenset[str]:
    rows = _parser().execute(
        "SELECT DISTINCT lower(function_name) FROM duckdb_functions() "
        "WHERE internal AND function_type IN ('table', 'table_macro', 'pragma')"
    )
    return frozenset(name for (name,) in rows.fetchall())


# --- the rules ------------------------------------------------------------------------------------------------


def _nodes(tree: object) -> Iterator[Node]:
    """Yield every node of a tree; without recursion, since trees may be deep."""
    waiting = [tree]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            if isinstance(here.get("type"), str) or "function_name" in here:
                yield here
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here


def _check(node: Node) -> None:
    kind = node.get("type", "")
    if "class" in node:
        if node["class"] == "PARAMETER":
            raise NotOneQuery.of("a query with a parameter", "write the value where ? or $ stands")
        if node["class"] not in EXPRESSIONS:
            raise NotOneQuery.of(f"a query with {node['class']}")
    elif kind not in QUERIES | TABLES | MODIFIERS:
        raise NotOneQuery.of(_plain_name(kind))
    if node.get("class") == "FUNCTION" and _last_name(node) in FORBIDDEN_FUNCTIONS:
        raise NotOneQuery.of(
            f"a query that calls {_last_name(node)}", "leave the call out: it does not ask the data"
        )
    if kind == "TABLE_FUNCTION":
        _check_table_function(_last_name(node["function"]))
    if kind == "BASE_TABLE" and str(node.get("table_name", "")).lower() in FORBIDDEN_TABLES:
        raise NotOneQuery.of(f"a query of {node['table_name']}", "leave it out: it is not part of the data")


def _check_table_function(name: str) -> None:
    if name in FILE_FUNCTIONS | PURE_FUNCTIONS:
        return
    # What DuckDB does not have itself can only be a macro of an attached database, which is bound by the same rules.
    if name in _built_in_table_functions():
        raise NotOneQuery.of(
            f"a query that calls {name}()", f"these may be called: {', '.join(sorted(FILE_FUNCTIONS))}"
        )


def _files(function: Node) -> list[Literal]:
    """Return the literals of the first argument of a function that reads files."""
    if _last_name(function) not in FILE_FUNCTIONS:
        return []
    arguments = function.get("arguments", [])
    first = arguments[0].get("expression", {}) if arguments else {}
    found = _strings(first)
    if found is None:
        raise ForbiddenPath.not_literal(_last_name(function))
    return found


def _strings(expression: Node) -> list[Literal] | None:
    """Return the string constants of an expression that is one, or a list of them; None for anything else."""
    single = _string(expression, in_list=False)
    if single:
        return [single]
    if expression.get("type") == "ARRAY_CONSTRUCTOR":
        parts = expression.get("children", [])
    elif expression.get("class") == "FUNCTION" and _last_name(expression) == "list_value":
        parts = [argument.get("expression", {}) for argument in expression.get("arguments", [])]
    else:
        return None
    found = [_string(part, in_list=True) for part in parts]
    return [literal for literal in found if literal] if all(found) else None


def _string(expression: Node, *, in_list: bool) -> Literal | None:
    literal = expression.get("literal", {})
    if expression.get("class") != "CONSTANT" or literal.get("kind") != "STRING":
        return None
    start = expression.get("query_location", 0)
    return Literal(
        literal.get("text", ""), start, start + expression.get("query_location_length", 0), in_list
    )


def _last_name(function: Node) -> str:
    path = function.get("qualified_name", {}).get("path", [])
    return str(path[-1] if path else function.get("function_name", "")).lower()


def _plain_name(kind: str) -> str:
    words = kind.removesuffix("_QUERY_NODE").removesuffix("_NODE").replace("_", " ")
    return f"a query that holds {words}" if words else "a query with a part that has no name"
