"""`sql`: one read-only query over what the block attaches (spec 3.7)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import UnboundInput, listed
from famulus_kernel.harness.operations.operation import shown, words

if TYPE_CHECKING:
    from famulus_kernel.corpus import TableResult
    from famulus_kernel.harness.operations.operation import Stage

_LONG: Final = 20_000
"""Characters of a parameter that the trace shows."""
_PARAMETER: Final = re.compile(
    r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|/\*.*?\*/|\$(?P<tag>\w*)\$.*?\$(?P=tag)\$|\$(?P<name>[A-Za-z_]\w*)""",
    re.DOTALL,
)
"""A parameter, or a piece of SQL in which `$name` is none."""


class Sql:
    """Runs `sql`, in which `$name` stands for the value of `parameters` of that name.

    The text is no template: what it asks is fixed, and values come in as values.
    """

    name = "sql"
    version = 1
    verbatim = frozenset({"sql"})

    def play(self, given: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
        """Run the query and offer its table.

        Returns
        -------
        dict
            `columns` (names), `rows` (the first ones, as mappings of column to cell) and `n_rows` (of all).

        Raises
        ------
        UnboundInput
            There is no `sql`, a parameter is missing, or its value can be none.
        NotOneQuery, QueryFailed, ForbiddenPath
            It is not one query, fails, or reads what the block does not name.
        BudgetExceeded
            The block's time is up.
        """
        from famulus_kernel.corpus import DataSession, expand_collections  # noqa: PLC0415 - a status loads no DuckDB

        words(given, self.name, ("sql", "parameters"), ("sql",))
        parameters = given.get("parameters") or {}
        if not isinstance(parameters, Mapping):
            raise UnboundInput.bad_value("parameters", self.name, "a mapping of names to values")
        around = stage.surroundings
        told = {name: shown(value, _LONG) for name, value in parameters.items()}
        stage.record.update(sql=str(given["sql"]), parameters=told)
        query = with_parameters(expand_collections(str(given["sql"]), around.collections, in_sql=True), parameters)
        with DataSession(
            around.attachments,
            allowed_paths=around.files,
            allowed_directories=tuple(place for place in (around.root, around.collections) if place is not None),
            folder=around.root,
            alive=stage.budget.check,
        ) as session:
            table = session.run(query, around.folder / f"{stage.id}.parquet", progress=around.progress)
        stage.record.update(rows=table.n_rows, columns=[[column.name, column.type] for column in table.columns])
        return _offered(table, stage)


def without_parameters(sql: str) -> str:
    """Return the SQL with NULL for each `$name`: what a parser can read before the values are known."""
    return _PARAMETER.sub(lambda match: match[0] if match["name"] is None else "NULL", sql)


def with_parameters(sql: str, parameters: Mapping[str, Any]) -> str:
    """Return the SQL with each `$name` outside of strings and comments replaced by a literal.

    Raises
    ------
    UnboundInput
        It names a parameter that there is not, or one whose value can be no literal.
    """

    def literal(match: re.Match[str]) -> str:
        name = match["name"]
        if name is None:
            return match[0]
        if name not in parameters:
            problem = UnboundInput.of(name, Sql.name)
            problem.hint = f"add it to parameters: of the stage (there are: {listed(parameters)})"
            raise problem
        return _literal(parameters[name], name)

    return _PARAMETER.sub(literal, sql)


def _literal(value: Any, name: str) -> str:
    from famulus_kernel.corpus.sql import quoted  # noqa: PLC0415 - see Sql.play

    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return f"({value})"
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(_literal(one, name) for one in value)}]"
    if isinstance(value, Mapping):
        return f"({quoted(json.dumps(value, ensure_ascii=False))}::JSON)"
    raise UnboundInput.bad_value(name, Sql.name, "text, a number, true, false, or a list of such")


def _offered(table: TableResult, stage: Stage) -> dict[str, Any]:
    from famulus_kernel.artefacts.build import TablePayload  # noqa: PLC0415 - see Sql.play
    from famulus_kernel.verdict import Measures  # noqa: PLC0415 - the same

    columns = tuple((column.name, column.type) for column in table.columns)
    names = [column.name for column in table.columns]
    result = {
        "columns": names,
        "rows": [dict(zip(names, row, strict=True)) for row in table.rows],
        "n_rows": table.n_rows,
    }
    single = table.single_row() or {}
    stage.offers.payloads["table"] = TablePayload(columns, table.rows, table.n_rows, table.parquet)
    stage.offers.measures = Measures(
        measures={"n_rows": table.n_rows, **single},
        fields=result,
        entries={column.name: table.column(column.name) for column in table.columns},
    )
    stage.offers.is_empty = table.n_rows == 0
    return result


OPERATION = Sql()
