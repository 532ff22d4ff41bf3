"""The steps of a block: those that the adapter plays itself (seed 5), `duckdb-read` and `artifact:<kind>`, and runs."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.prepare import step_name
from famulus_kernel.artefacts.build import TablePayload
from famulus_kernel.artefacts.labels import label
from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.corpus import DataSession, expand_collections
from famulus_kernel.errors import QueryFailed, UnboundInput, UnresolvedReference
from famulus_kernel.harness.binder import Artefact
from famulus_kernel.harness.limits import Budget
from famulus_kernel.harness.operations import ARTIFACT_PREFIX, DUCKDB_READ, INSTITUTION_PREFIX
from famulus_kernel.harness.operations.sql import with_parameters
from famulus_kernel.language.references import Reference
from famulus_kernel.verdict import Measures

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from famulus_kernel.adapter.prepare import Prepared
    from famulus_kernel.corpus import Progress, TableResult
    from famulus_kernel.language.preamble import PartiturStep
    from famulus_kernel.project.project import Project


@dataclass(frozen=True)
class StepResult:
    """What a step leaves for the next one, for its artefact and for the oracle.

    Attributes
    ----------
    payload
        What the artefact of the step is built from.
    table
        The table behind it, where there is one.
    counts
        Scalars by name: what the oracle calls measures and the report calls counts.
    answer
        The result in one line.
    method
        The rule that was applied: of a query its SQL, of a subtask its rules in words.
    payloads
        Of a run: what artefacts of other kinds are built from.
    asked
        Of a run: what an oracle may ask.
    found_nothing
        Of a run: it found nothing.
    model
        Of a run: the tag of the model that was really called.
    """

    payload: Any
    table: TableResult | None = None
    counts: Mapping[str, Any] = field(default_factory=dict)
    answer: str = ""
    method: str | Sequence[str] = ""
    payloads: Mapping[str, Any] | None = None
    asked: Measures | None = None
    found_nothing: bool = False
    model: str | None = None

    @property
    def is_empty(self) -> bool:
        """True for a table without rows, or a run that found nothing: an answer only where the oracle says so."""
        return self.found_nothing or (self.table is not None and self.table.n_rows == 0)

    @property
    def rules(self) -> tuple[str, ...]:
        """The method as single rules; none where there is no word on it."""
        return ((self.method,) if self.method else ()) if isinstance(self.method, str) else tuple(self.method)

    def measures(self) -> Measures:
        """Return what an oracle can ask of this step."""
        if self.asked is not None:
            return self.asked
        fields = self.payload if isinstance(self.payload, dict) else {}
        columns = {column.name: self.table.column(column.name) for column in self.table.columns} if self.table else {}
        return Measures(measures=self.counts, fields={**fields, "answer": self.answer}, entries=columns)


class Chain:
    """Plays the steps of a block one after the other; each finds the result of the former as `previous`.

    Parameters
    ----------
    prepared, project
        The block, and the project it stands in.
    folder
        Where tables lie until the artefacts are built.
    on_progress
        Called while a query runs for longer than a second.
    budget
        The block's account: every step spends from it.
    """

    def __init__(
        self,
        prepared: Prepared,
        project: Project,
        folder: Path,
        on_progress: Callable[[Progress], None] | None = None,
        budget: Budget | None = None,
    ) -> None:
        self._prepared = prepared
        self._project = project
        self._places = project.places
        self._folder = folder
        self._on_progress = on_progress
        self.budget = budget or Budget()
        self.artefacts: dict[str, Artefact] = {}
        """What the steps made so far, by the name of the step and of the artefact."""
        self.results: dict[str, StepResult] = {}
        self.previous: StepResult | None = None

    def play(self, step: PartiturStep, number: int, record: dict[str, Any]) -> StepResult:
        """Play one step and write into `record` what the trace says of it.

        Raises
        ------
        FamulusError
            Whatever stops it.
        """
        if step.id == DUCKDB_READ:
            result = self._read(step, number, record)
        elif step.id.startswith(ARTIFACT_PREFIX):
            result = self._build(step, record)
        elif step.id.startswith(INSTITUTION_PREFIX):
            result = self._ask(step, record)
        else:
            result = self._run(step, number, record)
        self.budget.check()
        self.results[step_name(step, number)] = result
        self.previous = result
        return result

    def made(self, step: str, name: str, artefact: Artefact) -> None:
        """Take note of an artefact that was built of a step's result: later runs find it by either name."""
        self.artefacts.setdefault(step, artefact)
        self.artefacts[name] = artefact

    def _read(self, step: PartiturStep, number: int, record: dict[str, Any]) -> StepResult:
        for name in step.input:
            if name not in ("sql", "parameters"):
                raise UnboundInput.unknown(name, step.id, ["sql", "parameters"])
        sql = step.input.get("sql")
        if sql is None:
            raise UnboundInput.of("sql", step.id)
        if not isinstance(sql, str) or not sql.strip():
            raise UnboundInput.bad_value("sql", step.id, "the text of one query")
        parameters = step.input.get("parameters")
        if not isinstance(parameters, dict | None):
            raise UnboundInput.bad_value("parameters", step.id, "a mapping of names to values")
        record["inputs"] = {name: {"value": value, "origin": "input"} for name, value in step.input.items()}
        record["sql"] = sql
        prepared = self._prepared
        sink = self._folder / f"{number + 1}.parquet"
        with DataSession(
            prepared.attachments,
            allowed_paths=(*prepared.reads.files, *prepared.tables),
            allowed_directories=(self._places.root, self._places.collections),
            folder=self._places.root,
            alive=self.budget.check,
        ) as session:
            query = expand_collections(sql, self._places.collections, in_sql=True)
            query = query if parameters is None else with_parameters(query, parameters)
            try:
                table = session.run(query, sink, progress=self._on_progress)
            except QueryFailed as error:
                aliases = ", ".join(attachment.alias for attachment in prepared.attachments)
                error.hint = error.hint or f"the aliases at hand: {aliases or 'none; add duckdb: to the preamble'}"
                raise
        record["rows"] = table.n_rows
        record["columns"] = [[column.name, column.type] for column in table.columns]
        return _table_result(table, sql, self._project.language_of(prepared.block))

    def _run(self, step: PartiturStep, number: int, record: dict[str, Any]) -> StepResult:
        from famulus_kernel.adapter.runs import play_run  # noqa: PLC0415 - it is built on the values of this module

        return play_run(
            self._prepared,
            self._project,
            step,
            self._folder / f"{number + 1}.run",
            record,
            chain=self,
            on_progress=self._on_progress,
        )

    def _ask(self, step: PartiturStep, record: dict[str, Any]) -> StepResult:
        from famulus_kernel.adapter.institution_steps import play_institution  # noqa: PLC0415 - as play_run

        return play_institution(step, self._project, self, record, self._project.language_of(self._prepared.block))

    def _build(self, step: PartiturStep, record: dict[str, Any]) -> StepResult:
        """Collect what the builder of `artifact:<kind>` gets: its input, or the former step's result without one."""
        kind = step.id.removeprefix(ARTIFACT_PREFIX)
        record["inputs"] = {name: {"value": value, "origin": "input"} for name, value in step.input.items()}
        if not step.input:
            if self.previous is None:
                raise UnboundInput.of("rows" if kind == "table" else "content", step.id)
            record["inputs"] = {"previous": {"value": next(reversed(self.results)), "origin": "previous step"}}
            return self.previous
        bound = {name: self.bound(value) for name, value in step.input.items()}
        return StepResult(payload=bound)

    def bound(self, value: Any) -> Any:
        """Return an input value with every `{ref: …}` replaced by what it means, every `{step: …}` by that result."""
        if isinstance(value, dict):
            if set(value) == {"ref"}:
                return self._artefact(str(value["ref"]))
            if set(value) == {"step"}:
                return self._step(value["step"])
            return {key: self.bound(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.bound(inner) for inner in value]
        return value

    def for_run(self, value: Any) -> Any:
        """Return an input value of a run: every `{ref: …}` and `{step: …}` in it replaced by an artefact (spec 3.4)."""
        if isinstance(value, dict):
            if set(value) == {"ref"}:
                return self._referred(str(value["ref"]))
            if set(value) == {"step"}:
                return self.artefact_of(self._named(value["step"]))
            return {key: self.for_run(inner) for key, inner in value.items()}
        return [self.for_run(inner) for inner in value] if isinstance(value, list) else value

    def artefact_of(self, name: str) -> Artefact:
        """Return what a step made: its first artefact, else its bare result."""
        if name in self.artefacts:
            return self.artefacts[name]
        payload = self.results[name].payload
        if isinstance(payload, TablePayload):
            columns = [{"name": column, "type": kind} for column, kind in payload.columns]
            data = {"columns": columns, "rows": [list(row) for row in payload.rows], "n_rows": payload.total}
            return Artefact("table", data, table=payload.parquet)
        return Artefact("json", payload)

    def _artefact(self, written: str) -> Any:
        found = self._referred(written)
        if found.kind == "table":
            columns = tuple((column["name"], column["type"]) for column in found.data["columns"])
            return TablePayload(columns, found.data["rows"], found.data["n_rows"], found.table)
        return found.data

    def _referred(self, written: str) -> Artefact:
        resolved = self._prepared.references[str(Reference.parse(written))]
        data = json.loads(resolved.path.read_bytes())["data"]
        kind = resolved.entry.kind if resolved.entry is not None else ""
        return Artefact(kind, data, resolved.path, resolved.table if kind == "table" else None)

    def _step(self, name: object) -> Any:
        return self.results[self._named(name)].payload

    def _named(self, name: object) -> str:
        """Return the name of a step that was given by its name, the name of its artefact or its number from 1."""
        known = list(self.results)
        if str(name) in known:
            return str(name)
        if isinstance(name, int) and 1 <= name <= len(known):
            return known[name - 1]
        raise UnresolvedReference.of(f"step {name}", "no earlier step has that name or number", self.results)


def _table_result(table: TableResult, sql: str, lang: str) -> StepResult:
    columns = tuple((column.name, column.type) for column in table.columns)
    payload = TablePayload(columns, table.rows, table.n_rows, table.parquet)
    single = table.single_row() or {}
    counts = {"n_rows": table.n_rows, **{name: value for name, value in single.items() if name}}
    return StepResult(payload, table, counts, _answer(table, single, lang), sql)


def _answer(table: TableResult, single: Mapping[str, Any], lang: str) -> str:
    """Return the result in one line: the value of a single cell, `name: value` pairs of a single row, else a count."""
    values = list(single.values())
    if len(values) == 1:
        return "" if values[0] is None else str(values[0])
    if values:
        return "; ".join(f"{name}: {value}" for name, value in single.items())
    return label("table.all", lang, total=format_number(table.n_rows, lang))
