"""What a run of a block now would be made from: the manifest's inputs (spec 2.3, 2.5).

The adapter writes this value, staleness compares it, `accept` records its fingerprint: one function for the three.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.harness.operations import version_of
from famulus_kernel.store.manifest import FileInput, GlobInput, Inputs

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project
    from famulus_kernel.project.reads import Reads
    from famulus_kernel.project.resolve import Resolved
    from famulus_kernel.store.stat_cache import StatCache

PAGE_ONLY_KEYS = frozenset({"output", "rerun", "log", "limits"})
"""Keys that decide what a page shows, or when and where a block runs, but not what its result is."""


def operations_of(block: Block) -> dict[str, int]:
    """Return the version of every operation that the block's plan uses."""
    return {step.id: version_of(step.id) for step in block.preamble.partiturs or ()}


def preamble_of(block: Block) -> dict[str, object]:
    """Return the keys of the effective preamble that are set and that the result depends on."""
    return {key: value for key, value in block.preamble.set_items().items() if key not in PAGE_ONLY_KEYS}


def gather_inputs(
    block: Block, project: Project, reads: Reads, resolved: Iterable[Resolved], cache: StatCache, started_ns: int
) -> Inputs:
    """Return the inputs of a run that starts at `started_ns` (nanoseconds since the epoch)."""
    places = project.places
    return Inputs(
        preamble=preamble_of(block),
        instruction=block.source.instruction,
        operations=operations_of(block),
        files=tuple(file_input(path, places.portable(path), cache, started_ns) for path in reads.files),
        globs=tuple(
            GlobInput(pattern=one.written, matches=tuple(places.portable(match) for match in one.matches))
            for one in reads.globs
        ),
        references=tuple(one.as_input() for one in resolved if one.entry is not None),
    )


def file_input(path: Path, kept: str, cache: StatCache, started_ns: int) -> FileInput:
    """Return the record of one file, hashed unless the stat cache knows it."""
    facts = cache.facts(path, run_started_ns=started_ns)
    return FileInput(path=kept, size=facts.size, mtime_ns=facts.mtime_ns, sha256=facts.sha256)
