"""The harness that ships with famulus: it plays in this process, with no server and no model (spec 3.2).

It plays the subtasks. What it does not play it refuses by name, so that a misspelt subtask is told apart from one that
is not played here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import MissingCountingMode, NotAvailable, UnboundInput
from famulus_kernel.harness.operations import is_stage_one
from famulus_kernel.verdict import Measures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.corpus.subtasks import Answer, Subtask
    from famulus_kernel.harness.request import RunRequest, RunResult

_PLAYS: Final = "subtasks, duckdb-read and artifact:<kind> steps; another harness is named in famulus.yml"
_SCOPE: Final = frozenset(
    {"instruction", "subtask", "documents", "evidence", "years", "persons", "lemmata", "counting_mode", "language",
     "collections", "locked", "reading_doc", "person_id", "project"}
)  # fmt: skip
"""The inputs that every subtask has (spec 3.2)."""

_ARGUMENTS: Final = frozenset({"certainty", "answer"})
"""The entries of `input` that every subtask knows."""


class EmbeddedHarness:
    """Plays subtasks (spec 4.4)."""

    name = "embedded"

    def subtasks(self) -> tuple[str, ...]:
        """Return the registered subtasks, aliases included."""
        from famulus_kernel.corpus.subtasks import names  # noqa: PLC0415 - a mere status loads no corpus

        return names()

    def check(self, request: RunRequest) -> None:
        """Raise what is wrong with a request as far as that can be seen without any data.

        Raises
        ------
        UnknownSubtask
            No subtask has that name.
        NotAvailable
            The partitur is not played here, or a model is asked for.
        UnboundInput
            An input is missing, unknown or of no use.
        MissingCountingMode
            Lemmata are counted, and the block does not say how.
        """
        if not is_stage_one(request.partitur):
            raise NotAvailable.of(request.partitur, self.name, _PLAYS)
        if request.inputs.get("subtask") is None:
            raise UnboundInput.of("subtask", request.partitur)
        self._checked(request)

    def run(self, request: RunRequest) -> RunResult:
        """Play a request: resolve its scope, open its collections, answer.

        Raises
        ------
        FamulusError
            What :meth:`check` raises, and what the data do not bear.
        """
        from famulus_kernel.corpus.holdings import Holdings, members  # noqa: PLC0415 - see subtasks
        from famulus_kernel.corpus.scope import Scope, narrowed  # noqa: PLC0415
        from famulus_kernel.corpus.subtasks import Question  # noqa: PLC0415

        self.check(request)
        around = request.surroundings
        if around is None:
            raise UnboundInput.of("surroundings", request.partitur)
        scope = narrowed(Scope.of(request.inputs), request.goal)
        chosen = members(around.collections, scope.collections, scope.evidence)
        with Holdings(
            chosen, around.folder, names=around.names, viewer=around.viewer, progress=around.progress
        ) as holdings:
            arguments = {key: value for key, value in request.inputs.items() if key not in _SCOPE}
            question = Question(request.goal, scope, holdings, arguments, around.lang, request.kinds)
            answer = self._checked(request).answer(question)
            read = [{"collection": member.collection.name, "evidence": member.evidence} for member in chosen]
            trace = (
                {"op": "scope.resolve", "collections": read, **answer.notes},
                {"op": "subtask", "subtask": request.inputs["subtask"], "queries": holdings.queries},
                {"op": "template.answer", "model": "not called"},
            )
        return _result(request, answer, trace)

    def _checked(self, request: RunRequest) -> Subtask:
        from famulus_kernel.corpus.subtasks import subtask  # noqa: PLC0415 - see subtasks

        name = str(request.inputs["subtask"])
        played = subtask(name)
        known = _SCOPE | _ARGUMENTS | played.arguments
        for key in request.inputs:
            if key not in known:
                raise UnboundInput.unknown(key, name, _ARGUMENTS | played.arguments)
        counts_lemmata = played.counts_lemmata or isinstance(request.inputs.get("source"), list)
        if counts_lemmata and request.inputs.get("counting_mode") is None:
            raise MissingCountingMode.of(request.goal_id)
        if not request.inputs.get("collections"):
            raise UnboundInput.of("collections", name)
        answer = request.inputs.get("answer", "template")
        if answer == "model":
            raise NotAvailable.of("input: {answer: model}", self.name, "answers by template")
        if answer != "template":
            raise UnboundInput.bad_value("answer", name, "template or model")
        return played


def _result(request: RunRequest, answer: Answer, trace: tuple[Mapping[str, Any], ...]) -> RunResult:
    from famulus_kernel.artefacts.build import ReportPayload  # noqa: PLC0415 - see subtasks
    from famulus_kernel.corpus.subtasks.payloads import payload  # noqa: PLC0415
    from famulus_kernel.harness.request import RunResult  # noqa: PLC0415

    result = {
        "subtask": request.inputs["subtask"],
        "answer": answer.sentence,
        "counts": dict(answer.counts),
        "method": list(answer.method),
        **answer.fields,
    }
    report = ReportPayload(
        question=request.goal,
        answer=answer.sentence,
        method=answer.method,
        counts=answer.counts,
        findings=payload(answer.findings),
        by_document=answer.by_document,
    )
    table = answer.entries if answer.entries is not None else answer.findings
    payloads = {
        "report": report,
        "json": result,
        "markdown": {"content": answer.sentence},
        "table": payload(table),
        **answer.payloads,
    }
    return RunResult("reached", result, trace, {}, payloads, _measures(answer, result), answer.is_empty)


def _measures(answer: Answer, result: Mapping[str, Any]) -> Measures:
    table = answer.entries if answer.entries is not None else answer.findings
    labels = answer.labels.column("label") if answer.labels is not None else None
    columns = {column.name: table.column(column.name) for column in table.columns}
    return Measures(counts=answer.counts, fields=result, entries=columns, labels=labels)
