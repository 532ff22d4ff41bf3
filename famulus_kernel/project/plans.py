"""The partituren that a block plays, what of the disk they read, and which of them a manifest keeps (spec 2.5, 3.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from famulus_kernel.errors import FamulusError, PartiturError, UnknownPartitur
from famulus_kernel.harness.embedded import EmbeddedHarness
from famulus_kernel.harness.operations import STAGE_ONE, SUBTASK_PREFIX, is_local, is_stage_one
from famulus_kernel.store.manifest import PartiturInput

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

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
    from famulus_kernel.project.bindings import run_steps  # noqa: PLC0415 - reads preambles, which a mere status need not

    for number, step in run_steps(block):
        try:
            yield Plan(number, step, project.register.lookup(step.id))
        except UnknownPartitur as error:
            if not _may_be_known_elsewhere(project):
                raise error.at(block.place(f"partiturs.{number}.id")) from None


def _may_be_known_elsewhere(project: Project) -> bool:
    """Say whether another harness than ours plays the project: it may know plans that no register has."""
    return project.config.harness not in (None, EmbeddedHarness.name)


def partitur_inputs(block: Block, project: Project) -> tuple[PartiturInput, ...]:
    """Return what a manifest says of the partituren of a block; what is remembered of the block is enough for it.

    The package's own plan of the subtasks is none of them: what it does has a version as an operation.
    """
    kept = {}
    for name in _partituren_of(block.facts.operations) if project.has_register else _named(block.facts.operations):
        try:
            entry, is_shipped = project.register.entry(name)
        except UnknownPartitur:
            if _may_be_known_elsewhere(project):
                continue
            raise
        if not (is_shipped and is_stage_one(entry.id)):
            kept[entry.name] = PartiturInput(id=entry.id, version=entry.version, sha256=entry.sha256)
    return tuple(kept.values())


def plays_partituren(operations: Iterable[str]) -> bool:
    """Say whether a plan that consists of these operations plays a partitur, that of the subtasks included."""
    return bool(_partituren_of(operations))


def _partituren_of(operations: Iterable[str]) -> list[str]:
    """Return the partituren of a plan: those that steps name, else the one that plays its subtask."""
    runs = [name for name in operations if not is_local(name)]
    named = [name for name in runs if not name.startswith(SUBTASK_PREFIX)]
    return named or [STAGE_ONE] * bool(runs)


def _named(operations: Iterable[str]) -> list[str]:
    """Return those that are not the package's plan of the subtasks, which is none where no register is asked."""
    return [name for name in _partituren_of(operations) if not is_stage_one(name)]


def inputs_of(plan: Plan, block: Block, project: Project) -> dict[str, Any]:
    """Return the values that a run would be bound to, defaults included and references as they are written."""
    from famulus_kernel.project.bindings import bound_inputs  # noqa: PLC0415 - see plans_of

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
