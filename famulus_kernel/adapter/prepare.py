"""Everything that can be wrong before the plan is played (spec 3.1), and what the plan is played with.

Order: static checks, references, data. Each stop is one error of :mod:`famulus_kernel.errors` with its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from famulus_kernel.corpus import Attachment
from famulus_kernel.errors import FamulusError, NotAvailable, PreambleError, UnknownPartitur, YearsReversed
from famulus_kernel.harness.models.tags import resolve as resolve_model
from famulus_kernel.harness.operations import INSTITUTION_PREFIX, is_stage_one
from famulus_kernel.harness.registry import harness
from famulus_kernel.harness.request import RunRequest
from famulus_kernel.language.preamble import check_plan
from famulus_kernel.language.references import Reference, replace_placeholders
from famulus_kernel.project.bindings import bound_inputs, run_steps, step_key, stop_key
from famulus_kernel.project.reads import Reads, reads_of
from famulus_kernel.project.resolve import Resolved, resolve
from famulus_kernel.verdict import check_oracle

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from famulus_kernel.harness.binder import Bound
    from famulus_kernel.language.preamble import PartiturStep
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project


@dataclass(frozen=True)
class Prepared:
    """A block that may be played: its goal with placeholders replaced, its data and the artefacts it refers to."""

    block: Block
    goal: str
    reads: Reads
    resolved: tuple[Resolved, ...]
    attachments: tuple[Attachment, ...]

    @property
    def references(self) -> Mapping[str, Resolved]:
        """The resolved references by their written form."""
        return {str(one.need.reference): one for one in self.resolved if one.entry is not None}

    @property
    def tables(self) -> tuple[Path, ...]:
        """The Parquet files of other blocks that this one attaches."""
        return tuple(one.table for one in self.resolved if one.need.kind == "table")


def check(block: Block, project: Project) -> None:
    """Raise the first thing that is wrong with a block itself, without looking at the store or the data.

    Raises
    ------
    FamulusError
        With the block's file and line.
    """
    try:
        _check(block, project)
    except FamulusError as error:
        raise error.at(block.place(error.where.key)) from None


def _check(block: Block, project: Project) -> None:
    preamble = block.preamble
    check_plan(preamble)
    years = preamble.years
    if years.from_ is not None and years.to is not None and years.from_ > years.to:
        raise YearsReversed.of(years.from_, years.to).at(block.place("years"))
    if preamble.oracle:
        check_oracle(preamble.oracle)
    if preamble.client is not None:
        models = {tag: endpoint.model_dump() for tag, endpoint in project.config.models.items()}
        _with_place(block, "client", lambda: resolve_model(str(preamble.client), models))
    _check_plays(block, project)
    _check_targets(block)


def _check_plays(block: Block, project: Project) -> None:
    """Raise for a plan that no one here plays."""
    preamble = block.preamble
    player = harness(project.config.harness)
    for number, step in run_steps(block):
        bound = _bound(block, number, step, project)
        request = RunRequest(
            block.id,
            block.source.instruction,
            step.id,
            inputs={name: one.value for name, one in bound.items()},
            origins={name: one.origin for name, one in bound.items()},
            register=project.register,
        )
        key = step_key(block, number)
        try:
            player.check(request)
        except UnknownPartitur as error:
            raise error.at(block.place(f"{key}.id")) from None
        except FamulusError as error:
            raise error.at(block.place(stop_key(block, number, error))) from None
    for key in ("ziel", "request", "pruefen"):
        if getattr(preamble, key):
            raise NotAvailable.of(
                f"{key}: {getattr(preamble, key)}", player.name, "duckdb-read and artifact:<kind> steps"
            ).at(block.place(key))
    for number, step in enumerate(preamble.partiturs or ()):
        _check_institution(block, step, number)


def _check_institution(block: Block, step: PartiturStep, number: int) -> None:
    """Raise for a step that names no tool, or for keys that only a tool of the institution has."""
    asks = step.id.startswith(INSTITUTION_PREFIX)
    if step.id == INSTITUTION_PREFIX:
        place = block.place(f"partiturs.{number}.id")
        raise PreambleError.bad_value("id", step.id, "lwgrammar:<tool>, such as lwgrammar:lw_evaluate", place)
    for key in ("text_from", "rows_from"):
        if getattr(step, key) is not None and not asks:
            raise PreambleError.without_plan(key, "lwgrammar:<tool>", block.place(f"partiturs.{number}.{key}"))
    if step.text_from is not None and number == 0:
        place = block.place(f"partiturs.{number}.text_from")
        raise PreambleError.bad_value("text_from", step.text_from, "a step before it that gives the column", place)


def _with_place(block: Block, key: str, call: Callable[[], object]) -> None:
    try:
        call()
    except FamulusError as error:
        raise error.at(block.place(key)) from None


def _bound(block: Block, number: int, step: PartiturStep, project: Project) -> dict[str, Bound]:
    try:
        return bound_inputs(block, step, project)
    except FamulusError as error:
        key = f"partiturs.{number}.setting" if step.setting is not None else f"partiturs.{number}"
        raise error.at(block.place(key)) from None


def _check_targets(block: Block) -> None:
    """Raise for a step that writes an artefact which another step writes already."""
    written: set[str] = set()
    for number, step in enumerate(block.preamble.partiturs or ()):
        if step.artefact is None:
            continue
        if step.artefact in written:
            place = block.place(f"partiturs.{number}.artefact")
            raise PreambleError.bad_value("artefact", step.artefact, "an artefact that no other step writes", place)
        written.add(step.artefact)


def prepare(block: Block, project: Project) -> Prepared:
    """Check a block, resolve what it refers to and open the list of what it reads.

    Raises
    ------
    FamulusError
        The first thing that stands in the way, with its place.
    """
    check(block, project)
    resolved = tuple(resolve(project, need, block) for need in project.graph.needs[block.id])
    reads = reads_of(block, project)
    by_reference = {str(one.need.reference): one for one in resolved if one.entry is not None}
    tables = tuple(
        Attachment(
            alias=entry.alias, path=by_reference[str(Reference.parse(entry.ref))].table, kind="parquet", glob=None
        )
        for entry in block.preamble.duckdb
        if entry.ref is not None
    )
    goal = replace_placeholders(block.source.instruction, lambda reference: str(by_reference[str(reference)].path))
    return Prepared(block, goal, reads, resolved, _in_order(block, (*reads.attachments, *tables)))


def _in_order(block: Block, attachments: tuple[Attachment, ...]) -> tuple[Attachment, ...]:
    by_alias = {one.alias: one for one in attachments}
    return tuple(by_alias[entry.alias] for entry in block.preamble.duckdb)


def step_name(step: PartiturStep, number: int) -> str:
    """Return how a step is called in trace and messages: its artefact, else its number from 1."""
    subtask = step.input.get("subtask")
    return step.artefact or (str(subtask) if is_stage_one(step.id) and subtask else str(number + 1))
