"""What a block gives to the inputs of a run, and who gave each value (spec 3.4).

Order: explicit `input`, then the setting file, then the block's own keys, which are its Setting. The defaults of the
partitur come last, and the binder of the harness adds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import FamulusError, ProjectError, Where
from famulus_kernel.harness.binder import Bound
from famulus_kernel.harness.operations import STAGE_ONE, SUBTASK_PREFIX, is_local
from famulus_kernel.language.preamble import PartiturStep
from famulus_kernel.language.scope import Scope
from famulus_kernel.language.validation import validated
from famulus_kernel.language.yaml import load_strict
from famulus_kernel.project.blocks import read_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.places import Places
    from famulus_kernel.project.project import Project

RUNTIME: Final = "runtime"
LOCAL: Final = "local"
"""The runtime of this machine."""
SCOPE_KEYS: Final = (
    "collections", "locked", "reading_doc", "documents", "evidence", "language", "years", "persons", "lemmata",
    "counting_mode", "person_id", "project",
)  # fmt: skip


def steps_of(block: Block) -> tuple[PartiturStep, ...]:
    """Return the steps of a block's plan: those of its chain, or the one that plays its subtask."""
    preamble = block.preamble
    if preamble.subtask is None:
        return preamble.partiturs or ()
    return (PartiturStep(id=STAGE_ONE, input={"subtask": preamble.subtask, **preamble.input}),)


def step_key(block: Block, number: int) -> str:
    """Return the key of the preamble in which a step of :func:`steps_of` is written."""
    return "subtask" if block.preamble.subtask else f"partiturs.{number}"


def stop_key(block: Block, number: int, error: FamulusError) -> str:
    """Return the key of the preamble that an error is about where the block has it, else that of its step."""
    return next((key for key in error.about if key in block.source.key_lines), step_key(block, number))


def run_steps(block: Block) -> Iterator[tuple[int, PartiturStep]]:
    """Yield number and step of every run of a partitur; the others are steps that the adapter plays itself."""
    return ((number, step) for number, step in enumerate(steps_of(block)) if not is_local(step.id))


def bound_inputs(block: Block, step: PartiturStep, project: Project) -> dict[str, Bound]:
    """Return the inputs of a run of a partitur by name; a subtask under the name by which it is played.

    Raises
    ------
    MissingFile
        The setting file is not there, or the agent_memory that famulus.yml names.
    ProjectError, YamlError
        It is no mapping in strict YAML.
    """
    scope = block.preamble.model_dump(mode="json", include=set(SCOPE_KEYS), by_alias=True)
    origins = block.effective.origin
    bound = {key: Bound(scope[key], origins[key]) for key in SCOPE_KEYS if scope.get(key) is not None}
    if step.setting is not None:
        setting = _checked(read_setting(step.setting, project.places), step.setting)
        bound |= {key: Bound(value, "setting") for key, value in setting.items()}
    bound |= {key: Bound(value, "input") for key, value in _checked(step.input).items()}
    if (named := bound.get("subtask")) is not None and isinstance(named.value, str):
        bound["subtask"] = Bound(played_name(named.value, project), named.origin)
    return bound


def played_aliases(block: Block, project: Project) -> dict[str, str]:
    """Return the subtasks that a block names by an alias of the project's agent_memory, each with what it stands for.

    Raises
    ------
    MissingFile
        famulus.yml names an agent_memory that is not there.
    """
    named = (name.removeprefix(SUBTASK_PREFIX) for name in block.facts.operations if name.startswith(SUBTASK_PREFIX))
    return {name: played for name in named if (played := played_name(name, project)) != name}


def played_name(subtask: str, project: Project) -> str:
    """Return what an alias of the project's agent_memory stands for; any other name as it is."""
    from famulus_kernel.corpus.subtasks import names  # noqa: PLC0415 - a block without a subtask needs none

    if project.config.agent_memory is None or subtask in names():
        return subtask
    from famulus_kernel.corpus.registered import subtask_aliases  # noqa: PLC0415 - the same

    try:
        path = project.places.existing_file(project.config.agent_memory)
    except FamulusError as error:
        raise error.at(Where("famulus.yml", key="agent_memory")) from None
    return subtask_aliases(path).get(subtask, subtask)


def _checked(given: Mapping[str, Any], file: str | None = None) -> dict[str, Any]:
    """Return inputs with those of the scope held to what a preamble may say; a reference is looked at when it is read.

    Raises
    ------
    PreambleError
        A key of the scope holds what it cannot hold.
    """
    own = {key: value for key, value in given.items() if key in SCOPE_KEYS and not _is_reference(value)}
    scope = validated(Scope, own, yaml=None, where=Where(file))
    plain = scope.model_dump(mode="json", include=set(own), by_alias=True)
    return {**given, **plain}


def _is_reference(value: object) -> bool:
    return isinstance(value, Mapping) and set(value) == {"ref"}


def read_setting(written: str, places: Places) -> dict[str, Any]:
    """Return what a setting file says, except `runtime`, which is about where a run plays and not about what.

    Raises
    ------
    MissingFile, ProjectError, YamlError
    """
    return {key: value for key, value in _setting(written, places).items() if key != RUNTIME}


def runtimes(block: Block, places: Places) -> dict[str, str]:
    """Return where a block's settings would have it play, by their files; what is remembered of the block is enough.

    Nobody follows that by itself: a project may come from a stranger, and whoever runs a block must not reach a machine
    that somebody else chose.

    Raises
    ------
    MissingFile, ProjectError, YamlError
    """
    steps = block.facts.claims.get("partiturs") or ()
    named = dict.fromkeys(str(step["setting"]) for step in steps if step.get("setting") is not None)
    found = {written: _setting(written, places).get(RUNTIME) for written in named}
    return {written: runtime for written, runtime in found.items() if runtime is not None}


def _setting(written: str, places: Places) -> dict[str, Any]:
    path = places.own_file(written)
    value = load_strict(read_text(path, written), file=written).value
    if not isinstance(value, Mapping):
        raise ProjectError(f"the setting **{written}** is no mapping", hint="write collections: […] and the like in it")
    if not isinstance(value.get(RUNTIME), str | None):
        raise ProjectError(
            f"{RUNTIME} of the setting **{written}** is no text", hint="write local, or what --executor is given"
        )
    return {str(key): one for key, one in value.items()}
