"""What a query may consist of (spec 3.7).

Every node of DuckDB's syntax tree must be one that only asks. What is unknown is refused, so that a later DuckDB does
not open a hole here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from famulus_kernel.corpus.parser import built_in_table_functions, tree_of, without_semicolons
from famulus_kernel.errors import ForbiddenPath, NotOneQuery

if TYPE_CHECKING:
    from collections.abc import Iterator

    from famulus_kernel.corpus.parser import Node

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

_PLANNED = re.compile(r'"Function": "([^"]*)"')
"""How DuckDB's plan, as JSON, names a table function."""


@dataclass(frozen=True)
class Literal:
    """A string constant: its value, where it stands (byte offsets in UTF-8) and whether in a list."""

    text: str
    start: int
    end: int
    in_list: bool


@dataclass(frozen=True)
class Query:
    """A checked query: its text, without semicolons, and the constants in it that name files."""

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
    text = without_semicolons(sql)
    files: list[Literal] = []
    for node in _nodes(tree_of(text)):
        _check(node)
        if node.get("type") == "TABLE_FUNCTION":
            files += _files(node["function"])
    return Query(text, tuple(files))


def check_plan(plan: str) -> None:
    """Check what DuckDB is about to do: views and macros of the attached databases, which no tree shows, included.

    One that calls `json_execute_serialized_sql` would run SQL on a connection of its own, where a COPY may stand.

    Parameters
    ----------
    plan : str
        The answer to `EXPLAIN (FORMAT json)`.

    Raises
    ------
    NotOneQuery
        A table function is called that does more than read files or tell what tables there are.
    """
    for name in {found.lower() for found in _PLANNED.findall(plan)}:
        if not name.startswith("duckdb_"):  # what information_schema and pg_catalog are made of
            _check_table_function(name)


def _nodes(tree: object) -> Iterator[Node]:
    """Yield every node of a tree; without recursion, since trees may be deep."""
    waiting = [tree]
    while waiting:
        here = waiting.pop()
        if isinstance(here, dict):
            # What is no node (a constant's value, a column's definition) has no type, or one that is no text.
            if "class" in here or isinstance(here.get("type"), str):
                yield here
            waiting += here.values()
        elif isinstance(here, list):
            waiting += here


def _check(node: Node) -> None:
    kind = str(node.get("type"))
    if "class" in node:
        _check_expression(node)
    elif kind not in QUERIES | TABLES | MODIFIERS:
        raise NotOneQuery.of(f"a query that holds {_plain(kind)}")
    elif kind == "TABLE_FUNCTION":
        _check_table_function(_name(node["function"]))
    elif kind == "BASE_TABLE" and str(node.get("table_name")).lower() in FORBIDDEN_TABLES:
        raise NotOneQuery.of(f"a query of {node['table_name']}", "leave it out: it is not part of the data")


def _check_expression(node: Node) -> None:
    if node["class"] == "PARAMETER":
        raise NotOneQuery.of("a query with a parameter", "write the value where ? or $ stands")
    if node["class"] not in EXPRESSIONS:
        raise NotOneQuery.of(f"a query that holds {_plain(str(node['class']))}")
    if node["class"] == "FUNCTION" and _name(node) in FORBIDDEN_FUNCTIONS:
        raise NotOneQuery.of(f"a query that calls {_name(node)}()", "leave the call out: it does not ask the data")


def _check_table_function(name: str) -> None:
    # What DuckDB does not have itself can only be a macro of an attached database, which is bound by the same rules.
    if name not in FILE_FUNCTIONS | PURE_FUNCTIONS and name in built_in_table_functions():
        known = ", ".join(sorted(FILE_FUNCTIONS))
        raise NotOneQuery.of(f"a query that calls {name}()", f"files are read by {known}")


def _files(function: Node) -> list[Literal]:
    """Return the literals of the first argument of a function that reads files."""
    if _name(function) not in FILE_FUNCTIONS:
        return []
    arguments = function.get("arguments", [])
    found = _strings(arguments[0].get("expression", {})) if arguments else None
    if found is None:
        raise ForbiddenPath.not_literal(_name(function))
    return found


def _strings(expression: Node) -> list[Literal] | None:
    """Return the string constants of an expression that is one, or a list of them; None for anything else."""
    single = _string(expression, in_list=False)
    if single:
        return [single]
    if expression.get("type") == "ARRAY_CONSTRUCTOR":
        parts = expression.get("children", [])
    elif expression.get("class") == "FUNCTION" and _name(expression) == "list_value":
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
    return Literal(literal.get("text", ""), start, start + expression.get("query_location_length", 0), in_list)


def _name(function: Node) -> str:
    """Return the name of a function without its schema, in lower case."""
    path = function.get("qualified_name", {}).get("path") or [function.get("function_name", "")]
    return str(path[-1]).lower()


def _plain(kind: str) -> str:
    return kind.removesuffix("_QUERY_NODE").removesuffix("_NODE").replace("_", " ")
