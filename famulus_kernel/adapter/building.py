"""From the results of steps to artefacts: which step writes which, and what each is built from."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from famulus_kernel.artefacts.build import BuildContext, ReportPayload, builders
from famulus_kernel.errors import ArtefactError
from famulus_kernel.harness.binder import Artefact
from famulus_kernel.harness.operations import ARTIFACT_PREFIX
from famulus_kernel.project.bindings import steps_of

if TYPE_CHECKING:
    from pathlib import Path

    from famulus_kernel.adapter.steps import StepResult
    from famulus_kernel.artefacts.build import Builder, Built
    from famulus_kernel.language.preamble import ArtefactSpec
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project

REPORT = "report"


def specs_by_step(block: Block) -> dict[int, list[ArtefactSpec]]:
    """Return which step (by number) writes which artefacts; a subtask writes all of its block's.

    In a chain a single unclaimed artefact belongs to the last step.

    Raises
    ------
    ArtefactError
        For an artefact that no step writes.
    """
    if block.preamble.subtask is not None:
        return {0: list(block.preamble.artefacts)}
    specs = {spec.name: spec for spec in block.preamble.artefacts}
    found = {number: [specs[step.artefact]] for number, step in enumerate(steps_of(block)) if step.artefact}
    claimed = {spec.name for given in found.values() for spec in given}
    left = [spec for spec in block.preamble.artefacts if spec.name not in claimed]
    last = len(steps_of(block)) - 1
    if len(left) == 1 and last not in found:
        found[last] = [left.pop()]
    for spec in left:
        raise ArtefactError.of(spec.name, spec.kind, "no step writes it (give one step artefact: with this name)").at(
            block.place("artefacts")
        )
    return found


def build_artefact(
    project: Project, block: Block, spec: ArtefactSpec, operation: str, result: StepResult, folder: Path
) -> Built:
    """Build one artefact of a step's result below `folder`.

    Raises
    ------
    ArtefactError
        The step builds another kind, or its result has nothing for this one.
    """
    wanted = operation.removeprefix(ARTIFACT_PREFIX) if operation.startswith(ARTIFACT_PREFIX) else spec.kind
    if wanted != spec.kind:
        raise ArtefactError.of(spec.name, spec.kind, f"the step builds {wanted}")
    context = BuildContext(
        name=spec.name,
        kind=spec.kind,
        file=inside_artefacts(spec.file),
        lang=project.language_of(block),
        folder=folder,
        question=block.source.instruction,
        resolve=project.places.own_file,
    )
    return _builder(spec).build(_payload(block, spec, result), context)


def _payload(block: Block, spec: ArtefactSpec, result: StepResult) -> Any:
    """Return what an artefact is built from."""
    if result.payloads is not None:
        if spec.kind not in result.payloads:
            raise ArtefactError.of(spec.name, spec.kind, f"the run gives {', '.join(sorted(result.payloads))}")
        return result.payloads[spec.kind]
    if spec.kind != REPORT or isinstance(result.payload, dict):
        return result.payload
    return ReportPayload(question=block.source.instruction, answer=result.answer, counts=result.counts)


def as_input(spec: ArtefactSpec, built: Built, folder: Path) -> Artefact:
    """Return an artefact of the version in the making as later steps see it; its JSON file is written at the end."""
    tables = [folder / companion for companion in built.companions if companion.endswith(".parquet")]
    return Artefact(spec.kind, built.data, table=tables[0] if tables else None)


def _builder(spec: ArtefactSpec) -> Builder:
    known = builders()
    if spec.kind not in known:
        raise ArtefactError.of(
            spec.name, spec.kind, f"no builder of that kind is installed (there are {', '.join(known)})"
        )
    return known[spec.kind]


def inside_artefacts(file: str) -> str:
    """Return the name of a file below `artefacts/`, whether or not it was written with that folder in front."""
    return PurePosixPath(file.removeprefix("artefacts/")).as_posix()
