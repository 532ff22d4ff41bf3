"""Play the block of a cell, with what it needs, and show what came of it."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.bundle import LATEX, bundle_of, latex_of
from famulus_kernel.adapter.executors.in_process import InProcess
from famulus_kernel.adapter.runner import Outcome, Runner
from famulus_kernel.adapter.showing import output_in_cell, shown_version
from famulus_kernel.artefacts.envelope import utc_now
from famulus_kernel.errors import Blocked, FamulusError, GuardUnreachable
from famulus_kernel.kernel.progress import ProgressDisplay

if TYPE_CHECKING:
    from pathlib import Path

    from famulus_kernel.kernel.frontend import Frontend
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project
    from famulus_kernel.store.store import StoredVersion

_MOST_DRAWINGS = 32


class Drawings:
    """What versions look like, kept for those that were shown last: versions do not change.

    Parameters
    ----------
    for_page
        What is shown becomes a page, where the place of a block with `output: none` stays empty; in a notebook it has
        its card.
    """

    def __init__(self, *, for_page: bool = True) -> None:
        self._for_page = for_page
        self._kept: dict[tuple[object, ...], dict[str, Any]] = {}

    def of(self, project: Project, block: Block, version: StoredVersion, home: Path) -> dict[str, Any]:
        """Return the MIME bundle of a version; an empty one where nothing is to be seen."""
        key = (version.folder, version.manifest.created, block.preamble.output, project.language_of(block), home)
        if key not in self._kept:
            if len(self._kept) >= _MOST_DRAWINGS:
                del self._kept[next(iter(self._kept))]
            self._kept[key] = self.anew(project, block, version, home)
        return self._kept[key]

    def anew(
        self, project: Project, block: Block, version: StoredVersion, home: Path, stale_since: str | None = None
    ) -> dict[str, Any]:
        """Return the same, drawn now."""
        output = block.preamble.output if self._for_page else output_in_cell(block)
        shown = shown_version(project, block, version, stale_since, output)
        if shown.card is None and not shown.envelopes:
            return {}
        return bundle_of(shown, home) | ({} if self._for_page else {LATEX: latex_of(shown, home)})


def play(project: Project, block: Block, home: Path, drawings: Drawings, frontend: Frontend) -> None:
    """Play a block, and first what it needs, where they are stale; show what the block's `output` lets be seen.

    Raises
    ------
    FamulusError
        The one that the block ended with, or that kept it from being played.
    """
    progress = ProgressDisplay(frontend, project.language_of(block))
    here = InProcess(project, lambda _block, progress_now: progress.advance(progress_now))
    runner = Runner(project, here, on_begin=progress.begin)
    try:
        outcome = next(one for one in list(runner.run([block.id])) if one.block == block.id)
        version = _version_of(project, block, outcome, home)
    except GuardUnreachable:
        progress.finish(_unverified(project, block, home, drawings))
        raise
    except BaseException:
        progress.stop()
        raise
    if outcome.state != "stale":
        progress.finish(drawings.of(project, block, version, home))
        return
    progress.finish(drawings.anew(project, block, version, home, utc_now()))
    why = "; ".join(outcome.reasons)
    frontend.write(f"{block.id}: {version.name} is kept (rerun: never), but it is stale: {why}\n", "stderr")


def _unverified(project: Project, block: Block, home: Path, drawings: Drawings) -> dict[str, Any]:
    """Return what a version shows that its guard could not check: it is kept, and marked so (spec 6.4)."""
    version = project.store.newest(project.folder_of(block))
    assert version is not None, "the version that ended in this error"  # noqa: S101 - the runner wrote it
    return drawings.anew(project, block, version, home)


def _version_of(project: Project, block: Block, outcome: Outcome, home: Path) -> StoredVersion:
    """Return the version that an outcome left.

    Raises
    ------
    FamulusError
        Where it left none that can be used; a note tells the trace of the version that holds the error.
    """
    version = project.store.newest(project.folder_of(block))
    if outcome.error is not None:
        if version is not None and version.name == outcome.version:
            trace = os.path.relpath(version.folder / "trace.json", home)
            outcome.error.add_note(f"trace: ./{PurePath(trace).as_posix()}")
        raise outcome.error
    if outcome.action == "blocked" or version is None:
        raise Blocked.of(block.id, outcome.reasons).at(block.where)
    if version.manifest.status == "error":
        error = version.verdict().observed.get("error")
        raise FamulusError.from_dict(error if isinstance(error, dict) else {})
    return version
