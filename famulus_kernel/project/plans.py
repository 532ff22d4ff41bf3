"""The partituren that a block plays, what of the disk they read, and which of them a manifest keeps (spec 2.5, 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from famulus_kernel.errors import FamulusError, PartiturError, UnknownPartitur
from famulus_kernel.harness.embedded import EmbeddedHarness
from famulus_kernel.harness.operations import is_stage_one
from famulus_kernel.project.bindings import bound_inputs, run_steps
from famulus_kernel.store.manifest import PartiturInput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from famulus_kernel.harness.partitur import Partitur, StageSpec
    from famulus_kernel.harness.register import Found
    from famulus_kernel.language.preamble import PartiturStep
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project


class Plan(NamedTuple):
    """A run of a block: its number in the chain, its step, and the partitur that it plays."""

    number: int
    step: PartiturStep
    found: Found

    @property
    def partitur(self) -> Partitur:
        """The partitur."""
        return self.found.document.partitur


def plans_of(block: Block, project: Project) -> Iterator[Plan]:
    """Yield the runs of a block. One that only another harness than ours knows is passed over.

    Raises
    ------
    UnknownPartitur
        Nobody has the partitur that a step names.
    RegisterError, RemoteError
        The register cannot be read.
    """
    for number, step in run_steps(block):
        try:
            yield Plan(number, step, project.register.lookup(step.id))
        except UnknownPartitur as error:
            if project.config.harness in (None, EmbeddedHarness.name):
                raise error.at(block.place(f"partiturs.{number}.id")) from None


def partitur_inputs(block: Block, project: Project) -> tuple[PartiturInput, ...]:
    """Return what a manifest says of the partituren of a block.

    The package's own plan of the subtasks is none of them: what it does has a version as an operation.
    """
    found = {}
    for plan in plans_of(block, project) if project.has_register or _names_partituren(block) else ():
        if not (plan.found.is_shipped and is_stage_one(plan.partitur.id)):
            document = plan.found.document
            found[document.name] = PartiturInput(
                id=plan.partitur.id, version=plan.partitur.version, sha256=document.sha256
            )
    return tuple(found.values())


def _names_partituren(block: Block) -> bool:
    return any(not is_stage_one(step.id) for _, step in run_steps(block))


def inputs_of(plan: Plan, block: Block, project: Project) -> dict[str, Any]:
    """Return the values that a run would be bound to, defaults included and references as they are written."""
    defaults = {name: spec.default for name, spec in plan.partitur.inputs.items()}
    given = bound_inputs(block, plan.step, project)
    return {**defaults, **{name: bound.value for name, bound in given.items() if bound.value is not None}}


def stages_of(plan: Plan, operation: str) -> Iterator[tuple[int, StageSpec]]:
    """Yield number and text of every stage that plays an operation."""
    return ((number, stage) for number, stage in enumerate(plan.partitur.stages) if stage.op == operation)


def subtask_of(stage: StageSpec, inputs: dict[str, Any]) -> str | None:
    """Return the subtask that a stage will play, where that depends on inputs only."""
    from famulus_kernel.harness.templates import references, render  # noqa: PLC0415 - not for a mere status

    named = stage.with_.get("subtask")
    if any(root == "stages" for root, _ in references(named)):
        return None
    try:
        value = render(named, {"inputs": inputs, "stages": {}})
    except (FamulusError, PartiturError):
        return None
    return str(value) if value is not None else None
