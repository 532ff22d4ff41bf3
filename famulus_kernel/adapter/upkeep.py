"""Verify, prune and accept for a whole project: what the store cannot know by itself comes from here."""

from __future__ import annotations

import getpass
import shutil
import subprocess
import time
from typing import TYPE_CHECKING

from famulus_kernel.adapter.refreshing import describe
from famulus_kernel.artefacts.envelope import utc_now
from famulus_kernel.errors import FamulusError, StoreError
from famulus_kernel.project.inputs import gather_inputs
from famulus_kernel.project.reads import reads_of
from famulus_kernel.project.resolve import resolve
from famulus_kernel.project.staleness import project_status
from famulus_kernel.store.accepted import Acceptance
from famulus_kernel.store.accepted import accept as write_acceptance
from famulus_kernel.store.prune import prune
from famulus_kernel.store.verify import verify

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from famulus_kernel.project.project import Project
    from famulus_kernel.store.prune import PruneResult
    from famulus_kernel.store.verify import Verification


def block_folders(project: Project) -> list[Path]:
    """Return the folder of every block that the project has or the store holds."""
    own = [project.folder_of(block) for block in project.blocks.values()]
    return list(dict.fromkeys([*own, *project.store.block_folders()]))


def pinned_versions(project: Project) -> set[tuple[str, int]]:
    """Return the (block, version) pairs that references name, in this project and in those it uses."""
    pinned: set[tuple[str, int]] = set()
    for home in (project, *_partners(project)):
        for block in home.blocks.values():
            for need in block.facts.needs:
                if need.reference.version is not None and (need.project or home.id) == project.id:
                    pinned.add((need.block, need.reference.version))
    return pinned


def _partners(project: Project) -> Iterator[Project]:
    for name in project.uses:
        try:
            yield project.partner(name)
        except FamulusError:
            continue  # a partner that is not on this machine can pin nothing here


def prune_project(project: Project, *, keep: int, dry_run: bool = False) -> PruneResult:
    """Remove all but the newest `keep` versions of each block, sparing what a reference with a version names."""
    return prune(project.store, block_folders(project), keep=keep, pinned=pinned_versions(project), dry_run=dry_run)


def verify_project(project: Project, *, repair: bool = False) -> Verification:
    """Hash the store again; with `repair`, write anew what is derived."""
    result = verify(project.store, block_folders(project), repair=repair)
    if repair:
        describe(project)
    return result


def accept_blocks(project: Project, names: Iterable[str], *, why: str, who: str | None) -> list[Acceptance]:
    """Record that the newest versions of stale blocks still hold for the inputs as they are now.

    A block whose newest version was made from them needs nobody's word, and is left out.

    Raises
    ------
    FamulusError
        For a block without a version, or one whose newest version ended in error.
    """
    made = []
    for status in project_status(project, list(names)):
        block = project.block(status.block)
        if status.version is None or status.verdict == "error":
            raise StoreError.of(block.id, "there is no result to accept", "run the block first").at(block.place())
        if status.state == "fresh" and not status.reasons:
            continue
        reads = reads_of(block, project)
        resolved = [resolve(project, need, block) for need in project.graph.needs[block.id]]
        with project.stats as cache:
            inputs = gather_inputs(block, project, reads, resolved, cache, time.time_ns())
        acceptance = Acceptance(
            block=block.id,
            version=status.version,
            when=utc_now(),
            who=who or _person(project.root),
            why=why,
            inputs=inputs,
        )
        write_acceptance(project.store, acceptance)
        made.append(acceptance)
    return made


def _person(folder: Path) -> str:
    """Return who git says the user is, else the login name."""
    git = shutil.which("git")
    if git:
        answer = subprocess.run(  # noqa: S603 - a fixed command
            [git, "config", "user.name"], cwd=folder, capture_output=True, text=True, check=False
        )
        if answer.stdout.strip():
            return answer.stdout.strip()
    return getpass.getuser()
