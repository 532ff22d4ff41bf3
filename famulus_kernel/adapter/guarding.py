"""The guard: put the text that a block generated before the language institution, with its evidence (spec 6.4)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.adapter.institution_steps import MOST_ROWS, ask_institution, plain_value, table_rows
from famulus_kernel.artefacts.build import ReportPayload, TablePayload
from famulus_kernel.artefacts.values import json_safe
from famulus_kernel.errors import GuardUnreachable, MalformedAnswer, MissingExtra, RemoteError, UnknownMeasure
from famulus_kernel.project.bindings import SCOPE_KEYS
from famulus_kernel.remote import server_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from famulus_kernel.adapter.steps import Chain, StepResult
    from famulus_kernel.adapter.trace import Trace
    from famulus_kernel.language.preamble import Guard
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project
    from famulus_kernel.store.manifest import Verdict
    from famulus_kernel.verdict import Measures

TOOL: Final = "lw_evaluate"
_MOST_FINDINGS: Final = 500
_MOST_WORDS: Final = 500


def guarded(
    verdict: Verdict,
    block: Block,
    project: Project,
    results: Sequence[StepResult],
    measures: Measures,
    chain: Chain,
    trace: Trace,
) -> Verdict:
    """Return a verdict with what the guard found in `observed.guard`; without `guard` in the block, as it was.

    What has no support turns pass into fail. An institution that gives no answer makes the verdict an error; the
    caller keeps the artefacts, and `observed.guard.status` says that they are unverified.

    Raises
    ------
    UnknownMeasure
        `guard.text` names nothing that the result has.
    """
    guard = block.preamble.guard
    if guard is None:
        return verdict
    value: dict[str, Any] = {"status": "none", "task": guard.task, "lang": guard.lang or project.language_of(block)}
    value |= {key: said for key in ("author", "family") if (said := getattr(guard, key)) is not None}
    text = generated_text(guard, results, measures)
    if not text.strip():
        return _with(verdict, {**value, "checked": 0, "findings": []})
    value["server"] = server_name(project.config.institution)
    if text != (results[-1].answer if results else ""):
        value["text"] = text
    evidence, value["evidence"] = _evidence(block, guard, results, text, chain)
    arguments: dict[str, Any] = {key: value[key] for key in ("task", "lang", "author", "family") if key in value}
    try:
        with trace.step("guard", "guard") as record:
            answer = ask_institution(
                project, TOOL, {"text": text, "evidence": evidence, **arguments}, chain.budget, record
            )
            findings = _findings(answer, value["server"])
    except (RemoteError, MissingExtra) as error:
        told = GuardUnreachable.of(block.id, error).at(block.place("guard"))
        found = {**value, "status": "unreachable", "checked": False, "findings": []}
        failed = _with(verdict, found, status="error")
        return failed.model_copy(update={"observed": {**failed.observed, "error": told.as_dict()}})
    passed = answer.get("passed") is not False and all(one["supported"] for one in findings)
    found = {**value, "status": "passed" if passed else "failed", "checked": len(findings)}
    found["findings"] = sorted(findings, key=lambda one: one["supported"])[:_MOST_FINDINGS]
    found["findings"].sort(key=lambda one: one["start"])
    return _with(verdict, found, status="fail" if verdict.status == "pass" and not passed else None)


def _with(verdict: Verdict, guard: dict[str, Any], status: str | None = None) -> Verdict:
    update: dict[str, Any] = {"observed": {**verdict.observed, "guard": guard}}
    return verdict.model_copy(update={**update, "status": status} if status else update)


def generated_text(guard: Guard, results: Sequence[StepResult], measures: Measures) -> str:
    """Return the text to be checked: the field that `guard.text` names, else the answer of the last step.

    The result of a query is no generated text, unless it is one cell of text; nor is a count of rows. Of the
    institution's answers `answer` or `text` is one.
    """
    if guard.text is not None:
        found = measures.find(guard.text)
        if found is None:
            raise UnknownMeasure.of_guard(guard.text, measures.known())
        return _as_text(found.value)
    last = results[-1] if results else None
    if last is None:
        return ""
    if last.payloads is not None:
        return last.answer
    if last.table is not None:
        cells = list((last.table.single_row() or {}).values())
        return cells[0] if len(cells) == 1 and isinstance(cells[0], str) else ""
    payload = last.payload if isinstance(last.payload, dict) else {}
    return str(payload.get("answer") or payload.get("text") or "")


def _as_text(value: object) -> str:
    if value is None or isinstance(value, str | int | float):
        return "" if value is None else str(value)
    if isinstance(value, dict):
        return "\n".join(_as_text(one) for one in value.values())
    return "\n".join(_as_text(one) for one in value)  # type: ignore[attr-defined]  # a list, or a column on the disk


def _evidence(
    block: Block, guard: Guard, results: Sequence[StepResult], text: str, chain: Chain
) -> tuple[Any, dict[str, Any]]:
    """Return what the text is compared with, and what the verdict says of it."""
    if guard.evidence is not None:
        return plain_value(chain.bound(guard.evidence)), {"from": "evidence"}
    rows: list[Any] = []
    total = 0
    counts: dict[str, Any] = {}
    for result in results:
        counts |= result.counts
        for table in _tables(result):
            total += table.total if isinstance(table, TablePayload) else len(table)
            room = MOST_ROWS - len(rows)
            rows += table_rows(table, room) if isinstance(table, TablePayload) else list(table)[:room]
    value = json_safe({"rows": rows, "measures": counts, "asked": _asked(block)})
    named = guard.text.rpartition(".")[2] if guard.text is not None else None
    return _without(value, text.strip(), named), {"from": "rows", "rows": len(rows), "of": total}


def _asked(block: Block) -> dict[str, Any]:
    """Return the scope of the question and its input: an answer may repeat what it was asked for."""
    scope = block.preamble.model_dump(mode="json", include={*SCOPE_KEYS, "input"}, by_alias=True)
    return {key: value for key, value in scope.items() if value not in (None, [], {}, False)}


def _tables(result: StepResult) -> Iterator[TablePayload | Sequence[Any]]:
    """Yield the rows of a step: its table, and of a run all that its artefacts are built from."""
    seen: list[object] = []
    payloads = result.payloads or {}
    for payload in (result.payload, *payloads.values()):
        if isinstance(payload, ReportPayload):
            documents = payload.by_document
            yield payload.findings
            yield [documents] if isinstance(documents, Mapping) else documents
        elif isinstance(payload, TablePayload):
            if not any(payload is one for one in seen):
                yield payload
        elif isinstance(payload, dict):
            yield [{key: inner for key, inner in payload.items() if key not in {"answer", "question", "method"}}]
        elif isinstance(payload, list | tuple):
            yield payload
        seen.append(payload)


def _without(value: Any, text: str, field: str | None) -> Any:
    """Return evidence without the text itself and the field that it came from: nothing bears itself out."""
    if isinstance(value, dict):
        return {key: _without(inner, text, field) for key, inner in value.items() if key != field}
    if isinstance(value, list):
        return [_without(inner, text, field) for inner in value]
    return "" if isinstance(value, str) and value.strip() == text else value


def _findings(answer: Mapping[str, Any], server: str) -> list[dict[str, Any]]:
    """Return the findings of an answer in our form.

    Raises
    ------
    MalformedAnswer
        It has no list of findings, each with `text` and `supported`.
    """
    given = answer.get("findings")
    if not isinstance(given, list):
        raise MalformedAnswer.of(server, TOOL, "it has no list findings")
    found = []
    for one in given:
        if not isinstance(one, dict) or not isinstance(one.get("supported"), bool):
            raise MalformedAnswer.of(server, TOOL, "a finding does not say whether it is supported")
        start, end = (one.get(key) if isinstance(one.get(key), int) else 0 for key in ("start", "end"))
        found.append(
            {
                "kind": str(one.get("kind", ""))[:_MOST_WORDS],
                "text": str(one.get("text", ""))[:_MOST_WORDS],
                "start": start,
                "end": end,
                "supported": one["supported"],
            }
        )
    return found
