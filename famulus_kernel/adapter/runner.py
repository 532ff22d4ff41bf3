"""A project of blocks: what is stale is played, in order, and what cannot be is told (spec 2.5)."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.adapter.executors.in_process import InProcess
from famulus_kernel.errors import FamulusError, Interrupted, NeverRun, StoreError, WorkerDied
from famulus_kernel.project.staleness import BlockStatus, State, block_status
from famulus_kernel.store.draft import clear_away
from famulus_kernel.store.store import version_number

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator

    from famulus_kernel.adapter.executors.executor import Executor
    from famulus_kernel.project.project import Project
    from famulus_kernel.store.store import StoredVersion

Action = Literal["played", "kept", "blocked", "refused"]


@dataclass(frozen=True)
class Outcome:
    """What became of one block in a run.

    `action` is "played" (there is a new version), "kept" (the newest one still holds), "blocked" (what it needs ended
    in error) or "refused" (it may not be played: `error` says why). `status` is the verdict of the version at hand,
    `state` what was found of the block before; None where it was played.
    """

    block: str
    notebook: str
    action: Action
    status: str | None
    checked: bool = False
    version: str | None = None
    reasons: tuple[str, ...] = ()
    duration_s: float | None = None
    error: FamulusError | None = None
    state: State | None = None

    @property
    def is_error(self) -> bool:
        """True where the block has no usable result."""
        return self.status == "error" or self.action in {"blocked", "refused"}


class Runner:
    """Brings blocks up to date.

    Parameters
    ----------
    project
        The project.
    executor
        Where blocks are played; default: this process.
    force
        Play the asked-for blocks even where they are fresh. What they need is played only where it is stale.
    on_begin
        Called with the id of each block when it begins to play.
    settled
        Blocks that were played already in what the caller takes for one run: they are left as they are, even where
        they ended in error or say `rerun: always`.
    """

    def __init__(
        self,
        project: Project,
        executor: Executor | None = None,
        *,
        force: bool = False,
        on_begin: Callable[[str], None] | None = None,
        settled: Container[str] = frozenset(),
    ) -> None:
        self._project = project
        self._executor = executor or InProcess(project)
        self._force = force
        self._on_begin = on_begin or (lambda _block: None)
        self._settled = settled

    def run(self, names: Iterable[str]) -> Iterator[Outcome]:
        """Yield an outcome for each asked-for block and for what it needs, as they become known.

        Raises
        ------
        Interrupted
            The user stopped it; versions that were finished before stay.
        CycleError
            When blocks wait for one another.
        """
        asked = list(names)
        graph = self._project.graph
        waiting = {name: set(graph.upstream[name]) for name in graph.with_upstream(asked)}
        forced = set(asked) if self._force else set()
        statuses: dict[str, BlockStatus] = {}
        running: dict[Future[str], tuple[str, BlockStatus]] = {}
        try:
            while waiting or running:
                for name in [name for name, needed in waiting.items() if needed <= statuses.keys()]:
                    del waiting[name]
                    outcome = self._begin(name, statuses, running, forced=name in forced)
                    if outcome is not None:
                        yield outcome
                    yield from self._collect([future for future in running if future.done()], running, statuses)
                wait(running, return_when=FIRST_COMPLETED)
                yield from self._collect([future for future in running if future.done()], running, statuses)
        except KeyboardInterrupt:
            raise Interrupted.of("the run") from None
        finally:
            self._executor.close()
            for name, _ in running.values():
                clear_away(self._project.folder_of(self._project.blocks[name]))

    def _begin(
        self,
        name: str,
        statuses: dict[str, BlockStatus],
        running: dict[Future[str], tuple[str, BlockStatus]],
        *,
        forced: bool,
    ) -> Outcome | None:
        """Start a block, or return what it is when there is nothing to play."""
        block = self._project.blocks[name]
        with self._project.stats as cache:
            upstream = [statuses[above] for above in sorted(self._project.graph.upstream[name])]
            status = block_status(self._project, block, cache, upstream)
        if name in self._settled:
            statuses[name] = status
            return _outcome(status, "kept")
        if status.state == "blocked":
            statuses[name] = status
            return _outcome(status, "blocked")
        rerun = block.preamble.rerun
        if rerun == "never" and not forced:
            statuses[name] = status
            if status.version is None:
                return _outcome(status, "refused", NeverRun.of(name).at(block.place("rerun")))
            return _outcome(status, "kept")
        if not forced and rerun != "always" and status.is_fine:
            statuses[name] = status
            return _outcome(status, "kept")
        self._on_begin(name)
        running[self._executor.submit(block)] = (name, status)
        return None

    def _collect(
        self,
        done: Iterable[Future[str]],
        running: dict[Future[str], tuple[str, BlockStatus]],
        statuses: dict[str, BlockStatus],
    ) -> Iterator[Outcome]:
        for future in done:
            name, before = running[future]
            version = self._version(name, future)
            del running[future]
            statuses[name] = _status_after(version)
            yield _played(version, before)

    def _version(self, name: str, future: Future[str]) -> StoredVersion:
        """Return the version that a block has got; where its worker died, one that says so."""
        block = self._project.blocks[name]
        try:
            number = version_number(future.result())
        except WorkerDied as error:
            return Adapter(self._project).give_up(block, error)
        version = self._project.store.version(self._project.folder_of(block), number or 0)
        if version is None:  # pruned by somebody within milliseconds
            raise StoreError.of(self._project.folder_of(block), "the version just written is gone")
        return version


def _outcome(status: BlockStatus, action: Action, error: FamulusError | None = None) -> Outcome:
    return Outcome(
        status.block,
        status.notebook,
        action,
        status.verdict,
        status.checked,
        status.version,
        status.reasons,
        error=error,
        state=status.state,
    )


def _played(version: StoredVersion, before: BlockStatus) -> Outcome:
    manifest = version.manifest
    error = version.verdict().observed.get("error") if manifest.status == "error" else None
    return Outcome(
        manifest.block,
        manifest.notebook,
        "played",
        manifest.status,
        manifest.checked,
        version.name,
        before.reasons,
        manifest.duration_s,
        FamulusError.from_dict(error) if isinstance(error, dict) else None,
    )


def _status_after(version: StoredVersion) -> BlockStatus:
    manifest = version.manifest
    state: Literal["error", "fresh"] = "error" if manifest.status == "error" else "fresh"
    return BlockStatus(
        manifest.block, manifest.notebook, state, (), version.name, manifest.status, manifest.checked, manifest.created
    )
