"""Is a version still what its block would give now, and if not, why (spec 2.5)?

Nothing is opened that need not be: the manifest names the files that were read, so that an unchanged preamble needs no
look at its SQL, and a file whose size and time are unchanged is not hashed.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from famulus_kernel.errors import FamulusError, RemoteError, StoreError, listed, plain
from famulus_kernel.harness.operations import SUBTASK_PREFIX
from famulus_kernel.language.flow import as_written
from famulus_kernel.project.inputs import gather_inputs
from famulus_kernel.project.resolve import resolve
from famulus_kernel.store.accepted import Acceptance, acceptances_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project
    from famulus_kernel.store.manifest import ArtefactEntry, CompanionFile, FileInput, Manifest, PartiturInput
    from famulus_kernel.store.stat_cache import StatCache
    from famulus_kernel.store.store import StoredVersion

State = Literal["fresh", "stale", "missing", "error", "blocked", "unverifiable"]


@dataclass(frozen=True)
class BlockStatus:
    """What `status` says of one block.

    `reasons` are sentences; `verdict` is that of the newest version. `accepted` says by whose word it is fresh although
    something changed.
    """

    block: str
    notebook: str
    state: State
    reasons: tuple[str, ...] = ()
    version: str | None = None
    verdict: str | None = None
    checked: bool = False
    created: str | None = None
    accepted: Acceptance | None = None

    @property
    def is_fine(self) -> bool:
        """True where nothing is to be done: fresh, or unverifiable on this machine."""
        return self.state in {"fresh", "unverifiable"}


def project_status(project: Project, blocks: Iterable[str] | None = None) -> list[BlockStatus]:
    """Return the status of the given blocks (default: all), in the order of the text.

    Raises
    ------
    CycleError
        When blocks wait for one another.
    """
    graph = project.graph
    wanted = list(project.blocks) if blocks is None else list(blocks)
    found: dict[str, BlockStatus] = {}
    with project.stats as cache:
        for name in graph.with_upstream(wanted):
            upstream = [found[above] for above in sorted(graph.upstream[name])]
            found[name] = block_status(project, project.blocks[name], cache, upstream)
    return [found[name] for name in wanted]


def block_status(project: Project, block: Block, cache: StatCache, upstream: Iterable[BlockStatus] = ()) -> BlockStatus:
    """Return the status of one block, given that of the blocks it names."""
    base = BlockStatus(block.id, block.notebook, "missing")
    try:
        newest = project.store.newest(project.folder_of(block))
    except StoreError as error:  # a damaged version is this block's trouble, and no other's
        return replace(base, state="error", reasons=(plain(error.message),))
    if newest is not None:
        manifest = newest.manifest
        base = replace(
            base, version=newest.name, verdict=manifest.status, checked=manifest.checked, created=manifest.created
        )
    stopped = [f"{above.block} is {above.state}" for above in upstream if above.state in {"error", "blocked"}]
    if stopped:
        return replace(base, state="blocked", reasons=tuple(stopped))
    if newest is None:
        return replace(base, reasons=("it was never run",))
    changes = [*changed_inputs(project, block, newest.manifest, cache), *_waits_for(project, block, upstream)]
    state, reasons, acceptance = _judged(project, block, newest, changes, cache)
    return replace(base, state=state, reasons=tuple(reasons), accepted=acceptance)


def _judged(
    project: Project, block: Block, newest: StoredVersion, changes: list[str], cache: StatCache
) -> tuple[State, list[str], Acceptance | None]:
    """Return the state of a block that has a version, given what changed since, the reasons, and who accepted that."""
    if newest.manifest.status == "error":
        return "error", [_error_of(newest), *([f"since then {listed(changes, 3)}"] if changes else [])], None
    altered = list(_altered_files(newest))
    if altered:
        return "stale", [*altered, *changes], None
    if not changes:
        gone = [*_corpora_not_here(project, newest.manifest), *_register_not_here(project, block, newest.manifest)]
        return ("unverifiable" if gone else "fresh"), gone, None
    acceptance = _acceptance(project, block, newest, cache)
    if acceptance is not None:
        return "fresh", [f"accepted by {acceptance.who}: {acceptance.why}"], acceptance
    return "stale", changes, None


def _error_of(version: StoredVersion) -> str:
    error = version.verdict().observed.get("error")
    message = str(error.get("message", "")) if isinstance(error, dict) else ""
    return plain(message.strip().partition("\n")[0]) or "it ended in error"


def _altered_files(version: StoredVersion) -> Iterator[str]:
    """Yield the artefacts that no longer have the size they were written with; `verify` looks at every byte."""
    home = f"{version.folder}/artefacts/"
    for entry in version.manifest.artefacts:
        records: tuple[ArtefactEntry | CompanionFile, ...] = (entry, *entry.companions)
        for record in records:
            try:
                size = os.stat(home + record.file).st_size  # noqa: PTH116 - several times a block
            except OSError:
                yield f"artefacts/{record.file} of {version.name} is gone"
                continue
            if size != record.bytes:
                yield f"artefacts/{record.file} of {version.name} was altered after it was written"


def _waits_for(project: Project, block: Block, upstream: Iterable[BlockStatus]) -> Iterator[str]:
    needs = project.graph.needs.get(block.id, ())
    needed = {need.block for need in needs if need.kind != "order" and need.reference.version is None}
    for above in upstream:
        if above.block in needed and above.state in {"stale", "missing"}:
            yield f"{above.block}, which it refers to, is {above.state}"


def changed_inputs(project: Project, block: Block, manifest: Manifest, cache: StatCache) -> Iterator[str]:
    """Yield a sentence for each input of the version that is not what it was."""
    inputs = manifest.inputs
    yield from _changed_keys(inputs.preamble, block.facts.claims)
    if inputs.instruction != block.facts.instruction:
        yield "the instruction changed"
    for name, version in block.facts.operations.items():
        if name in inputs.operations and inputs.operations[name] != version:
            yield f"the operation {name} moved from version {inputs.operations[name]} to {version}"
    started = manifest.started_ns
    for file in inputs.files:
        yield from _changed_file(project, file, cache, started)
    for pattern in inputs.globs:
        yield from _changed_glob(project, pattern.pattern, pattern.matches)
    yield from _changed_references(project, block, manifest)
    yield from _changed_partituren(project, block, manifest)
    yield from _changed_aliases(project, block, manifest)
    yield from _changed_model(block, manifest)


def _changed_keys(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    for key in sorted(before.keys() | now.keys()):
        if key not in now:
            yield f"the key {key} is gone"
        elif key not in before:
            yield f"the key {key} is new"
        elif before[key] != now[key]:
            yield f"the key {key} changed{_short_change(before[key], now[key])}"


def _short_change(before: object, now: object, most: int = 40) -> str:
    old, new = as_written(before), as_written(now)
    return f" ({old} → {new})" if len(old) <= most and len(new) <= most else ""


def _changed_file(project: Project, file: FileInput, cache: StatCache, started: int) -> Iterator[str]:
    actual = project.places.actual(file.path)
    found = cache.changed(actual, size=file.size, mtime_ns=file.mtime_ns, sha256=file.sha256, run_started_ns=started)
    if found is None:
        return
    if found.size is None:
        if project.places.belongs_to_project(file.path):
            yield f"{file.path} is gone"
    elif found.size != file.size:
        yield f"{file.path} changed ({_bytes(file.size)} → {_bytes(found.size)})"
    else:
        yield f"{file.path} changed (same size, other content)"


def _corpora_not_here(project: Project, manifest: Manifest) -> list[str]:
    kept = [file.path for file in manifest.inputs.files if not project.places.belongs_to_project(file.path)]
    gone = [path for path in kept if not os.path.exists(project.places.actual(path))]  # noqa: PTH110 - once a file
    return [f"not on this machine: {listed(gone, 3)}"] if gone else []


def _register_not_here(project: Project, block: Block, manifest: Manifest) -> list[str]:
    if manifest.inputs.partiturs and _partituren_now(project, block) is None:
        return ["the register of its partitur cannot be asked now"]
    return []


def _changed_glob(project: Project, pattern: str, before: tuple[str, ...]) -> Iterator[str]:
    from famulus_kernel.corpus.files import expand  # noqa: PLC0415 - loads DuckDB, only where a block has a pattern

    places = project.places
    now = {places.portable(match) for match in expand(str(places.expand(pattern)), places.root)}
    if not now and not places.belongs_to_project(before[0] if before else pattern):
        return  # the corpus is not on this machine
    if new := sorted(now - set(before)):
        yield f"{pattern} finds {listed(new, 3)} now"
    if gone := sorted(set(before) - now):
        yield f"{pattern} no longer finds {listed(gone, 3)}"


def _changed_references(project: Project, block: Block, manifest: Manifest) -> Iterator[str]:
    needs = {str(need.reference): need for need in project.graph.needs.get(block.id, ()) if need.kind != "order"}
    for before in manifest.inputs.references:
        need = needs.get(before.ref)
        if need is None:
            continue  # the key that held it changed, which is said already
        try:
            now = resolve(project, need, block).as_input()
        except FamulusError as error:
            yield plain(error.message)
            continue
        if now.version != before.version:
            yield f"the reference {before.ref} moved {before.version} → {now.version}"
        elif now.sha256 != before.sha256:
            yield f"the artefact {before.ref} was altered in {now.version}"


def _changed_partituren(project: Project, block: Block, manifest: Manifest) -> Iterator[str]:
    before = {one.id: one for one in manifest.inputs.partiturs}
    if not before and not (project.has_register and _plays_partituren(block)):
        return
    try:
        now = _partituren_now(project, block)
    except FamulusError as error:
        yield plain(error.message)
        return
    if now is None:
        return  # told apart: nobody can say now
    for name in sorted(before.keys() | now.keys()):
        if name not in before or name not in now:
            yield f"the partitur {name} {'is played from the register now' if name in now else 'is no longer played'}"
        elif before[name].version != now[name].version:
            yield f"the partitur {name} moved from version {before[name].version} to {now[name].version}"
        elif before[name].sha256 != now[name].sha256:
            yield f"the partitur {name} was altered"


def _plays_partituren(block: Block) -> bool:
    from famulus_kernel.project.plans import plays_partituren  # noqa: PLC0415 - only where there is a register

    return plays_partituren(block.facts.operations)


def _changed_aliases(project: Project, block: Block, manifest: Manifest) -> Iterator[str]:
    """Yield where a subtask's name stands for another one now; a name of ours can stand for nothing else."""
    before = manifest.inputs.aliases
    if not before:
        return
    from famulus_kernel.project.bindings import played_aliases  # noqa: PLC0415 - loads DuckDB, only where there are some

    try:
        now = played_aliases(block, project)
    except FamulusError as error:
        yield plain(error.message)
        return
    for name in sorted(before.keys() & {one.removeprefix(SUBTASK_PREFIX) for one in block.facts.operations}):
        if now.get(name, name) != before[name]:
            yield f"the subtask {name} stands for {now.get(name, 'nothing')} now, and no longer for {before[name]}"


def _changed_model(block: Block, manifest: Manifest) -> Iterator[str]:
    """Yield where a block that names no model was answered by a default that is another one now."""
    called = manifest.inputs.model
    if called is None or block.facts.claims.get("client") is not None:
        return  # a changed client is a changed key
    from famulus_kernel.harness.models import default_model  # noqa: PLC0415 - only where a model was called

    if default_model() != called:
        yield f"the default model moved from {called} to {default_model()}"


def _partituren_now(project: Project, block: Block) -> dict[str, PartiturInput] | None:
    """Return the partituren that the block would play now; None where nobody answers for the register."""
    from famulus_kernel.project.plans import partitur_inputs  # noqa: PLC0415 - only where there are some

    try:
        return {one.id: one for one in partitur_inputs(block, project)}
    except RemoteError:
        return None


def _acceptance(project: Project, block: Block, newest: StoredVersion, cache: StatCache) -> Acceptance | None:
    """Return who took the version for good with the inputs as they are now, and why."""
    of_it = acceptances_of(project.store, block.id).get(newest.name, [])
    now = fingerprint_now(project, block, cache) if of_it else None
    return next((one for one in reversed(of_it) if one.inputs.fingerprint() == now), None)


def fingerprint_now(project: Project, block: Block, cache: StatCache) -> str | None:
    """Return the fingerprint of what a run would be made from now; None where something it needs is not there."""
    from famulus_kernel.project.reads import reads_of  # noqa: PLC0415 - loads DuckDB, which a mere status must not

    try:
        reads = reads_of(block, project)
        resolved = [resolve(project, need, block) for need in project.graph.needs.get(block.id, ())]
        return gather_inputs(block, project, reads, resolved, cache, time.time_ns()).fingerprint()
    except FamulusError:
        return None


def _bytes(size: int) -> str:
    value = float(size)
    for unit in ("B", "kB", "MB", "GB"):
        if value < 1000 or unit == "GB":  # noqa: PLR2004 - a unit's step
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    raise AssertionError
