"""What a run of a block now would be made from: the manifest's inputs (spec 2.3, 2.5).

The adapter writes this value, staleness compares it, `accept` records its fingerprint: one function for the three.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.store.manifest import FileInput, GlobInput, Inputs

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project
    from famulus_kernel.project.reads import Reads
    from famulus_kernel.project.resolve import Resolved
    from famulus_kernel.store.stat_cache import StatCache


def gather_inputs(
    block: Block, project: Project, reads: Reads, resolved: Iterable[Resolved], cache: StatCache, started_ns: int
) -> Inputs:
    """Return the inputs of a run that starts at `started_ns` (nanoseconds since the epoch)."""
    from famulus_kernel.project.bindings import played_aliases  # noqa: PLC0415 - not for a mere status
    from famulus_kernel.project.plans import partitur_inputs  # noqa: PLC0415 - the same

    places = project.places
    return Inputs(
        preamble=dict(block.facts.claims),
        instruction=block.facts.instruction,
        operations=dict(block.facts.operations),
        files=tuple(file_input(path, places.portable(path), cache, started_ns) for path in reads.files),
        globs=tuple(
            GlobInput(pattern=one.written, matches=tuple(places.portable(match) for match in one.matches))
            for one in reads.globs
        ),
        references=tuple(one.as_input() for one in resolved if one.entry is not None),
        partiturs=partitur_inputs(block, project),
        aliases=played_aliases(block, project),
    )


def file_input(path: Path, kept: str, cache: StatCache, started_ns: int) -> FileInput:
    """Return the record of one file, hashed unless the stat cache knows it."""
    facts = cache.facts(path, run_started_ns=started_ns)
    return FileInput(path=kept, size=facts.size, mtime_ns=facts.mtime_ns, sha256=facts.sha256)
