"""One run of a subtask: bind its inputs, hand them to the harness, take what comes of it (spec 3.2, 3.4)."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.steps import StepResult
from famulus_kernel.harness.registry import harness
from famulus_kernel.harness.request import RunRequest, Surroundings
from famulus_kernel.project.bindings import bound_inputs

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from famulus_kernel.adapter.prepare import Prepared
    from famulus_kernel.corpus import Progress
    from famulus_kernel.language.preamble import PartiturStep
    from famulus_kernel.project.project import Project


def play_run(
    prepared: Prepared,
    project: Project,
    step: PartiturStep,
    folder: Path,
    record: dict[str, Any],
    *,
    bind: Callable[[Any], Any],
    on_progress: Callable[[Progress], None] | None = None,
) -> StepResult:
    """Play one run and write into `record` what the trace says of it.

    Parameters
    ----------
    folder
        Where the results of the run lie until the artefacts are built; it is made.
    bind
        Replaces `{ref: …}` in a value by the artefact.

    Raises
    ------
    FamulusError
        Whatever stops it.
    """
    block = prepared.block
    bound = bound_inputs(block, step, project.places)
    record["inputs"] = {name: {"value": one.value, "origin": one.origin} for name, one in bound.items()}
    record["model"] = {"client": block.preamble.client, "called": False}
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    request = RunRequest(
        goal_id=block.id,
        goal=prepared.goal,
        partitur=step.id,
        model=block.preamble.client,
        inputs={name: bind(one.value) if one.origin == "input" else one.value for name, one in bound.items()},
        limits=block.preamble.limits.model_dump(exclude_none=True),
        kinds=frozenset(spec.kind for spec in block.preamble.artefacts) if block.preamble.subtask else None,
        surroundings=Surroundings(
            collections=project.places.collections,
            folder=folder,
            names=project.config.column_map,
            viewer=project.config.viewer,
            lang=project.language_of(block),
            progress=on_progress,
        ),
    )
    result = harness(project.config.harness).run(request)
    record["steps"] = list(result.trace)
    record["status"] = result.status
    return StepResult(
        payload=result.payloads.get("table", result.result),
        counts=dict(result.result.get("counts", {})),
        answer=str(result.result.get("answer", "")),
        method=tuple(result.result.get("method", ())),
        payloads=result.payloads,
        asked=result.measures,
        found_nothing=result.is_empty,
    )
