"""One run of a partitur: bind its inputs, hand them to the harness, take what comes of it (spec 3.2, 3.4)."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.steps import StepResult
from famulus_kernel.errors import ContractNotReached, UnknownPartitur
from famulus_kernel.harness.binder import Bound
from famulus_kernel.harness.outcome import payloads_of
from famulus_kernel.harness.registry import harness
from famulus_kernel.harness.request import RunRequest, Surroundings
from famulus_kernel.project.bindings import bound_inputs
from famulus_kernel.verdict import Measures

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from famulus_kernel.adapter.prepare import Prepared
    from famulus_kernel.adapter.steps import Chain
    from famulus_kernel.artefacts.build import ReportPayload
    from famulus_kernel.corpus import Progress
    from famulus_kernel.harness.request import RunResult
    from famulus_kernel.language.preamble import PartiturStep
    from famulus_kernel.project.project import Project

PREVIOUS = "previous"
"""The input that takes what the step before made, where a partitur declares it."""


def play_run(
    prepared: Prepared,
    project: Project,
    step: PartiturStep,
    folder: Path,
    record: dict[str, Any],
    *,
    chain: Chain,
    on_progress: Callable[[Progress], None] | None = None,
) -> StepResult:
    """Play one run and write into `record` what the trace says of it.

    Parameters
    ----------
    folder
        Where the results of the run lie until the artefacts are built; it is made.
    chain
        The steps before it: what `{ref: …}` and `{step: …}` mean, and the block's budget.

    Raises
    ------
    ContractNotReached
        The run gave another result than its contract describes.
    FamulusError
        Whatever stops it.
    """
    block = prepared.block
    bound = {**_previous(project, step, chain), **bound_inputs(block, step, project)}
    record["inputs"] = {name: {"value": one.value, "origin": one.origin} for name, one in bound.items()}
    record["model"] = {"client": block.preamble.client, "called": False}
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    values = {name: chain.for_run(one.value) if one.origin == "input" else one.value for name, one in bound.items()}
    if PREVIOUS in bound and bound[PREVIOUS].origin == "previous step":
        values[PREVIOUS] = chain.artefact_of(bound[PREVIOUS].value)
    request = RunRequest(
        goal_id=block.id,
        goal=prepared.goal,
        partitur=step.id,
        model=block.preamble.client,
        inputs=values,
        origins={name: one.origin for name, one in bound.items()},
        setting=project.places.expand(step.setting) if step.setting is not None else None,
        limits={
            name: value
            for name in ("max_output_tokens", "max_tool_calls", "max_wall_seconds")
            if (value := getattr(chain.budget.limits, name)) is not None
        },
        kinds=frozenset(spec.kind for spec in block.preamble.artefacts) if block.preamble.subtask else None,
        surroundings=_surroundings(prepared, project, folder, record, chain, on_progress),
        register=project.register,
    )
    result = harness(project.config.harness).run(request)
    record.setdefault("steps", list(result.trace))
    record["status"] = result.status
    record["model"] |= {"called": result.model or False}
    return _taken(prepared.goal, step, result)


def _previous(project: Project, step: PartiturStep, chain: Chain) -> dict[str, Bound]:
    """Return the step before as an input, where the partitur declares one of that name."""
    if not chain.results:
        return {}
    try:
        declared = project.register.lookup(step.id).document.partitur.inputs
    except UnknownPartitur:  # another harness may know it
        return {}
    return {PREVIOUS: Bound(next(reversed(chain.results)), "previous step")} if PREVIOUS in declared else {}


def _surroundings(
    prepared: Prepared,
    project: Project,
    folder: Path,
    record: dict[str, Any],
    chain: Chain,
    on_progress: Callable[[Progress], None] | None,
) -> Surroundings:
    config = project.config
    return Surroundings(
        collections=project.places.collections,
        folder=folder,
        names=config.column_map,
        viewer=config.viewer,
        lang=project.language_of(prepared.block),
        progress=on_progress,
        root=project.root,
        attachments=prepared.attachments,
        files=(*prepared.reads.files, *prepared.tables),
        models={tag: endpoint.model_dump() for tag, endpoint in config.models.items()},
        institution=config.institution,
        budget=chain.budget,
        resolve=project.places.own_file,
        record=record,
    )


def _taken(goal: str, step: PartiturStep, result: RunResult) -> StepResult:
    """Return what a run leaves, if it reached its contract."""
    if result.status != "reached":
        why = "; ".join(result.violations) or str(result.result.get("why", result.status))
        raise ContractNotReached.of(step.id, why)
    payloads = payloads_of(goal, result.result, result.payloads)
    report: ReportPayload = payloads["report"]
    return StepResult(
        payload=payloads.get("table", result.result),
        counts=dict(report.counts),
        answer=report.answer,
        method=report.method,
        payloads=payloads,
        asked=result.measures or Measures(counts=report.counts, fields=result.result),
        found_nothing=result.is_empty,
        model=result.model,
    )
