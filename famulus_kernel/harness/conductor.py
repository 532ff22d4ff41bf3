"""The conductor plays a bound partitur: stage after stage, then the contract (spec 3.3)."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from famulus_kernel.artefacts.envelope import utc_now
from famulus_kernel.errors import FamulusError, PartiturError, Where
from famulus_kernel.harness.binder import Bound, bind
from famulus_kernel.harness.contract import violations
from famulus_kernel.harness.limits import Budget, Limits
from famulus_kernel.harness.operations.operation import Checks, Offers, Stage, shown
from famulus_kernel.harness.operations.registry import operation, verbatim
from famulus_kernel.harness.outcome import outcome
from famulus_kernel.harness.templates import references, render

if TYPE_CHECKING:
    from famulus_kernel.harness.partitur import Document, Partitur, StageSpec
    from famulus_kernel.harness.request import RunRequest, RunResult, Surroundings


def check(document: Document, request: RunRequest) -> None:
    """Raise what is wrong with a run as far as that can be seen without any data.

    Raises
    ------
    PartiturError
        A stage names an operation that nobody registered.
    UnboundInput
        An input is missing, unknown or of the wrong type.
    FamulusError
        What an operation finds.
    """
    _bound(document.partitur, request)


def play(document: Document, request: RunRequest) -> RunResult:
    """Play a run.

    What it does is written into the record of the request's surroundings while it plays: `partitur`, `inputs`, `steps`
    and `contract` stay there, however the run ends.

    Raises
    ------
    FamulusError
        Whatever stops it.
    """
    partitur = document.partitur
    around = request.surroundings
    record = around.record if around is not None else {}
    record["partitur"] = {"id": partitur.id, "version": partitur.version, "sha256": document.sha256}
    bound = _bound(partitur, request, around)
    written = record.get("inputs", {})
    record["inputs"] = {
        name: written.get(name, {"value": shown(one.value), "origin": one.origin})
        for name, one in bound.items()
        if one.value is not None
    }
    budget = (around.budget if around is not None else None) or Budget(Limits(**request.limits))  # type: ignore[arg-type]
    inputs = {**dict.fromkeys(partitur.inputs), **{name: one.value for name, one in bound.items()}}
    record["steps"] = steps = []
    offers = Offers()
    values: dict[str, Any] = {}
    last: Any = None
    with ExitStack() as resources:
        for stage in partitur.stages:
            entry: dict[str, Any] = {"id": stage.id, "op": stage.op}
            steps.append(entry)
            budget.check()
            values[stage.id] = None
            if not _is_wanted(stage, inputs, values):
                entry["played"] = False
                continue
            here = Stage(stage.id, request, inputs, values, entry, budget, offers, resources)
            last = values[stage.id] = _timed(stage, here)
        budget.check()
    with budget.ticking():
        broken = violations(partitur.contract, last if isinstance(last, Mapping) else {"value": last})
    record["contract"] = {"reached": not broken, "violations": list(broken)}
    return outcome(request, last, offers, tuple(steps), budget, broken)


def _bound(partitur: Partitur, request: RunRequest, around: Surroundings | None = None) -> dict[str, Bound]:
    """Bind the inputs, and let the operations of all stages that may play look at what they will be given."""
    inputs = {**{name: spec.default for name, spec in partitur.inputs.items()}, **request.inputs}
    accepted: set[str] = set()
    looks = []
    for number, stage in enumerate(partitur.stages):
        if isinstance(stage.when, Mapping) and not _is_wanted(stage, inputs, {}):
            continue
        try:
            chosen = operation(stage.op)
        except PartiturError as error:
            raise error.at(Where(key=f"stages.{number}.op")) from None
        if isinstance(chosen, Checks):
            given = _known_beforehand(stage, inputs)
            accepted.update(chosen.accepts(given, inputs))
            looks.append((chosen, given))
    for chosen, given in looks:
        chosen.check(given, request)
    return bind(partitur, request, around.resolve if around is not None else None, accepted)


def _known_beforehand(stage: StageSpec, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Return what of a stage's `with` does not depend on an earlier stage."""
    given = {
        key: value
        for key, value in stage.with_.items()
        if key in verbatim(stage.op) or all(root == "inputs" for root, _ in references(value))
    }
    return _given(given, stage.op, {"inputs": inputs, "stages": {}})


def _given(with_: Mapping[str, Any], op: str, values: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    literal = verbatim(op)
    return {key: value if key in literal else render(value, values) for key, value in with_.items()}


def _is_wanted(stage: StageSpec, inputs: Mapping[str, Any], values: Mapping[str, Any]) -> bool:
    """Say whether `when` lets a stage play."""
    if isinstance(stage.when, Mapping):
        return all(inputs.get(name) == value for name, value in stage.when.items())
    return bool(render(stage.when, {"inputs": inputs, "stages": values}))


def _timed(stage: StageSpec, here: Stage) -> Any:
    entry, chosen = here.record, operation(stage.op)
    entry["started"] = utc_now()
    began = time.perf_counter()
    try:
        given = _given(stage.with_, stage.op, {"inputs": here.inputs, "stages": here.values})
        if given:
            entry["with"] = {key: shown(value) for key, value in given.items()}
        return chosen.play(given, here)
    except FamulusError as error:
        entry["error"] = error.as_dict()
        raise
    finally:
        entry["duration_s"] = round(time.perf_counter() - began, 6)
