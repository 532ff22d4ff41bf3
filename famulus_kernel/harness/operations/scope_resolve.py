"""`scope.resolve`: from the inputs of a run to a scope and the open collections it means (spec 4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from famulus_kernel.harness.operations.operation import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.scope import Scope
    from famulus_kernel.harness.operations.operation import Stage


class OpenScope(dict[str, Any]):
    """A scope with its collections open for reading until the run ends; for templates, what is in it by name."""

    def __init__(self, told: Mapping[str, Any], scope: Scope, holdings: Holdings, record: dict[str, Any]) -> None:
        super().__init__(told)
        self.scope = scope
        self.holdings = holdings
        self.record = record
        """The trace's record of the stage: who is at the centre is found out later, and belongs there."""


class ScopeResolve:
    """Opens the collections of the run's scope."""

    name = "scope.resolve"
    version = 1

    def play(self, given: Mapping[str, Any], stage: Stage) -> OpenScope:
        """Open the collections that the inputs name; `with` is empty.

        Raises
        ------
        UnboundInput, YearsReversed
            The inputs mean no scope.
        MissingFile, CollectionError
            A collection is not there.
        """
        words(given, self.name, ())
        return opened(stage)


def opened(stage: Stage) -> OpenScope:
    """Return the scope that an earlier stage opened, else open it."""
    from famulus_kernel.corpus.holdings import Holdings, members  # noqa: PLC0415 - a mere status loads no corpus
    from famulus_kernel.corpus.scope import Scope, narrowed  # noqa: PLC0415 - the same

    for value in reversed(stage.values.values()):  # type: ignore[call-overload]
        if isinstance(value, OpenScope):
            return value
    around = stage.surroundings
    scope = narrowed(Scope.of(stage.inputs), stage.request.goal)
    chosen = members(around.collections, scope.collections, scope.evidence)
    holdings = stage.resources.enter_context(
        Holdings(
            chosen,
            around.folder,
            names=around.names,
            viewer=around.viewer,
            progress=around.progress,
            alive=stage.budget.check,
        )
    )
    stage.record["collections"] = [
        {"collection": member.collection.name, "evidence": member.evidence} for member in chosen
    ]
    told = {
        "collections": list(scope.collections),
        "evidence": scope.evidence,
        "years": {"from": scope.first, "to": scope.last},
        "persons": list(scope.persons),
        "lemmata": list(scope.lemmata),
    }
    return OpenScope(told, scope, holdings, stage.record)


OPERATION = ScopeResolve()
