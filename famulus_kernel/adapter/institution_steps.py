"""Steps that the language institution plays: `lwgrammar:<tool>` (spec 3.9)."""

from __future__ import annotations

import json
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.adapter.steps import StepResult
from famulus_kernel.artefacts.build import TablePayload
from famulus_kernel.artefacts.labels import label
from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.artefacts.tables import from_mappings
from famulus_kernel.corpus.result import ColumnValues, json_rows
from famulus_kernel.errors import MalformedAnswer, UnboundInput, counted
from famulus_kernel.harness.operations import INSTITUTION_PREFIX
from famulus_kernel.institution import EMBEDDED
from famulus_kernel.institution.asking import ask
from famulus_kernel.institution.tools import Institution
from famulus_kernel.remote import server_name
from famulus_kernel.verdict import Measures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from famulus_kernel.adapter.steps import Chain
    from famulus_kernel.harness.limits import Budget
    from famulus_kernel.language.preamble import PartiturStep
    from famulus_kernel.project.project import Project

TIMEOUT_S: Final = 60.0
MOST_ROWS: Final = 10_000
"""Rows of a table that are sent along; how many there are is said beside them."""

MOST_TEXT: Final = 4_000_000
"""Characters that `text_from` may send."""

_MOST_KEPT: Final = 20_000
"""Characters of a text, or of an answer as JSON, that the trace keeps."""


def ask_institution(
    project: Project, tool: str, arguments: Mapping[str, Any], budget: Budget, record: dict[str, Any]
) -> dict[str, Any]:
    """Call a tool of the institution that the project names, within the block's budget, and note it in the trace.

    Raises
    ------
    BudgetExceeded
        The block has no call or no time left.
    RemoteError, MissingExtra
        The institution gave no answer that can be used; the error names server and tool.
    """
    where = project.config.institution
    record["call"] = {"server": server_name(where), "tool": tool, "arguments": _kept(arguments)}
    budget.tool_call()
    left = budget.seconds_left()
    own = Institution(project.places.collections, project.config.column_map)
    try:
        with budget.ticking() if where == EMBEDDED else nullcontext():  # a server's answer has a timeout of its own
            answer = ask(where, tool, arguments, own, timeout=TIMEOUT_S if left is None else min(TIMEOUT_S, left))
    finally:
        budget.check()
    record["answer"] = _kept(answer)
    return answer


def play_institution(
    step: PartiturStep, project: Project, chain: Chain, record: dict[str, Any], lang: str
) -> StepResult:
    """Play one step and return its measures: scalar fields of the answer, `n_<key>` for the length of each list.

    Raises
    ------
    UnboundInput
        `text_from` names no column of the step before.
    MalformedAnswer
        `rows_from` names no list of the answer.
    BudgetExceeded, RemoteError, MissingExtra
        As :func:`ask_institution`.
    """
    arguments = {name: plain_value(chain.bound(value)) for name, value in step.input.items()}
    record["inputs"] = {name: {"value": value, "origin": "input"} for name, value in step.input.items()}
    if step.text_from is not None:
        record["inputs"]["text"] = {"value": step.text_from, "origin": "previous step"}
        arguments["text"] = _text(chain.previous, step)
    tool = step.id.removeprefix(INSTITUTION_PREFIX)
    answer = ask_institution(project, tool, arguments, chain.budget, record)
    counts = measures_of(answer)
    if step.rows_from is None:
        asked = Measures(measures=counts, fields=answer)
        return StepResult(payload=answer, counts=counts, answer=_in_words(counts), asked=asked)
    rows = _rows(answer, step, server_name(project.config.institution))
    table = from_mappings(rows)
    entries = {name: [row[at] for row in table.rows] for at, (name, _) in enumerate(table.columns)}
    record["rows"] = len(rows)
    return StepResult(
        payload=table,
        counts={**counts, "n_rows": len(rows)},
        answer=label("table.all", lang, total=format_number(len(rows), lang)),
        asked=Measures(measures={**counts, "n_rows": len(rows)}, fields=answer, entries=entries),
        found_nothing=not rows,
    )


def measures_of(answer: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an oracle can compare of an answer."""
    lengths = {f"n_{key}": len(value) for key, value in answer.items() if isinstance(value, list)}
    scalars = {key: value for key, value in answer.items() if isinstance(value, str | int | float)}
    return {**lengths, **scalars}


def plain_value(value: Any) -> Any:
    """Return what a reference or a step means as JSON; a table as the list of its rows, at most MOST_ROWS of them."""
    if isinstance(value, TablePayload):
        return table_rows(value)
    if isinstance(value, dict):
        return {key: plain_value(inner) for key, inner in value.items()}
    return [plain_value(inner) for inner in value] if isinstance(value, list) else value


def table_rows(table: TablePayload, most: int = MOST_ROWS) -> list[dict[str, Any]]:
    """Return the first rows of a table by column name, from the disk where not all are at hand."""
    if table.parquet is not None and len(table.rows) < min(table.total, most):
        return json_rows(table.parquet, most)
    names = [name for name, _ in table.columns]
    return [dict(zip(names, row, strict=True)) for row in table.rows[:most]]


def _text(previous: StepResult | None, step: PartiturStep) -> str:
    """Return the rows of a column of the step before, one a line."""
    column = step.text_from or ""
    payload = previous.payload if previous is not None else None
    if not isinstance(payload, TablePayload):
        raise UnboundInput.bad_value("text_from", step.id, "a column of a step before it that gives a table")
    names = [name for name, _ in payload.columns]
    if column not in names:
        raise UnboundInput.bad_value("text_from", step.id, f"a column of the step before it ({', '.join(names)})")
    at = names.index(column)
    values: Iterable[object] = (row[at] for row in payload.rows)
    if payload.parquet is not None and len(payload.rows) < payload.total:
        values = ColumnValues(payload.parquet, column)
    lines: list[str] = []
    size = 0
    for value in values:
        if value is not None:
            lines.append(str(value))
            size += len(lines[-1]) + 1
        if size > MOST_TEXT:
            raise UnboundInput.bad_value("text_from", step.id, f"a column of at most {MOST_TEXT:,} characters in all")
    return "\n".join(lines)


def _rows(answer: Mapping[str, Any], step: PartiturStep, server: str) -> list[dict[str, Any]]:
    key = step.rows_from or ""
    found = answer.get(key)
    if not isinstance(found, list):
        lists = [name for name, value in answer.items() if isinstance(value, list)]
        why = f"it has no list {key} (rows_from); its lists are: {', '.join(lists) or 'none'}"
        raise MalformedAnswer.of(server, step.id.removeprefix(INSTITUTION_PREFIX), why)
    return [one if isinstance(one, dict) else {key: one} for one in found]


def _in_words(counts: Mapping[str, Any]) -> str:
    return "; ".join(
        f"{name}: {str(value).lower() if isinstance(value, bool) else value}" for name, value in counts.items()
    )


def _kept(value: Any) -> Any:
    """Return what the trace keeps of a value: all of it, or that it is too long."""
    if isinstance(value, dict):
        whole = json.dumps(value, ensure_ascii=False, default=str)
        if len(whole) <= _MOST_KEPT:
            return value
        return {key: _kept(inner) for key, inner in value.items()}
    if isinstance(value, str):
        return value if len(value) <= _MOST_KEPT else f"{value[:_MOST_KEPT]}… ({len(value)} characters)"
    if isinstance(value, list) and len(json.dumps(value, ensure_ascii=False, default=str)) > _MOST_KEPT:
        return f"… ({counted(len(value), 'entry', 'entries')})"
    return value
