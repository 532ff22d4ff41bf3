"""`subtask`: a registered form of question, asked of the open collections (spec 4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import MissingCountingMode, UnboundInput
from famulus_kernel.harness.binder import SCOPE_INPUTS
from famulus_kernel.harness.operations.operation import words
from famulus_kernel.harness.operations.scope_resolve import opened

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from famulus_kernel.corpus.subtasks import Answer
    from famulus_kernel.harness.operations.operation import Stage
    from famulus_kernel.harness.request import RunRequest

_ARGUMENTS: Final = frozenset({"certainty", "answer"})
"""The entries of `input` that every subtask knows."""
_ANSWERS: Final = ("template", "model")


class PlaySubtask:
    """Plays the subtask that `subtask` names; its arguments are the run's inputs."""

    name = "subtask"
    version = 1

    def accepts(self, given: Mapping[str, Any], inputs: Mapping[str, Any]) -> Collection[str]:  # noqa: ARG002 - Checks
        """Return the arguments of the subtask."""
        from famulus_kernel.corpus.subtasks import subtask  # noqa: PLC0415 - a mere status loads no corpus

        return _ARGUMENTS | subtask(str(given["subtask"])).arguments if given.get("subtask") else ()

    def check(self, given: Mapping[str, Any], request: RunRequest) -> None:
        """Raise what is wrong with the inputs.

        Raises
        ------
        UnknownSubtask
            No subtask has that name.
        UnboundInput
            An input is missing, unknown or of no use.
        MissingCountingMode
            Lemmata are counted, and the block does not say how.
        """
        from famulus_kernel.corpus.subtasks import subtask  # noqa: PLC0415 - a mere status loads no corpus

        words(given, self.name, ("subtask",))
        if given.get("subtask") is None:
            return  # an earlier stage will say which, or the binder misses the input
        name, inputs = str(given["subtask"]), request.inputs
        played = subtask(name)
        counts_lemmata = played.counts_lemmata or isinstance(inputs.get("source"), list)
        if counts_lemmata and inputs.get("counting_mode") is None:
            raise MissingCountingMode.of(request.goal_id)
        if inputs.get("answer", "template") not in _ANSWERS:
            raise UnboundInput.bad_value("answer", name, " or ".join(_ANSWERS))

    def play(self, given: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
        """Answer the question of the run.

        Returns
        -------
        dict
            subtask, answer, counts, method and what further fields the subtask has.

        Raises
        ------
        FamulusError
            What the collections do not bear.
        """
        from famulus_kernel.corpus.subtasks import Question, subtask  # noqa: PLC0415 - see check

        words(given, self.name, ("subtask",), ("subtask",))
        name = str(given["subtask"])
        scope = opened(stage)
        arguments = {
            key: value for key, value in stage.inputs.items() if key not in SCOPE_INPUTS and value is not None
        }
        question = Question(
            stage.request.goal, scope.scope, scope.holdings, arguments, stage.surroundings.lang, stage.request.kinds
        )
        answer = subtask(name).answer(question)
        scope.record.update(answer.notes)
        stage.record.update(subtask=name, queries=scope.holdings.queries)
        return _offered(name, answer, stage)


def _offered(name: str, answer: Answer, stage: Stage) -> dict[str, Any]:
    """Leave what artefacts and oracle want, and return the result."""
    from famulus_kernel.artefacts.build import ReportPayload  # noqa: PLC0415 - see PlaySubtask.check
    from famulus_kernel.corpus.subtasks.payloads import payload  # noqa: PLC0415 - the same
    from famulus_kernel.verdict import Measures  # noqa: PLC0415 - the same

    result = {
        "subtask": name,
        "answer": answer.sentence,
        "counts": dict(answer.counts),
        "method": list(answer.method),
        **answer.fields,
    }
    table = answer.entries if answer.entries is not None else answer.findings
    report = ReportPayload(
        question=stage.request.goal,
        answer=answer.sentence,
        method=answer.method,
        counts=answer.counts,
        findings=payload(answer.findings),
        by_document=answer.by_document,
    )
    stage.offers.payloads |= {"report": report, "table": payload(table), **answer.payloads}
    stage.offers.measures = Measures(
        counts=answer.counts,
        fields=result,
        entries={column.name: table.column(column.name) for column in table.columns},
        labels=answer.labels.column("label") if answer.labels is not None else None,
    )
    stage.offers.is_empty = answer.is_empty
    return result


OPERATION = PlaySubtask()
