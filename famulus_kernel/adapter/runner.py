"""A project of blocks: what is stale is played, in order, and what cannot be is told (spec 2.5)."""

from __future__ import annotations

from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Literal, Protocol

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.errors import FamulusError, Interrupted, NeverRun, StoreError
from famulus_kernel.project.project import Project
from famulus_kernel.project.staleness import BlockStatus, State, block_status
from famulus_kernel.store.store import version_number

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator
    from pathlib import Path

    from famulus_kernel.corpus import Progress
    from famulus_kernel.project.blocks import Block
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


class Executor(Protocol):
    """Where blocks are played. The graph, the order and the verdicts are the runner's and are the same everywhere."""

    def submit(self, block: Block) -> Future[str]:
        """Begin to play a block; the future gives the version's name."""
        ...

    def close(self) -> None:
        """Let everything go."""
        ...


class InProcess:
    """Plays each block here and now."""

    def __init__(self, project: Project, on_progress: Callable[[Progress], None] | None = None) -> None:
        self._adapter = Adapter(project, on_progress)

    def submit(self, block: Block) -> Future[str]:
        """Play the block before returning."""
        done: Future[str] = Future()
        try:
            done.set_result(self._adapter.run(block).name)
        except (FamulusError, KeyboardInterrupt) as error:
            done.set_exception(error)
        return done

    def close(self) -> None:
        """Nothing is held."""


class Processes:
    """Plays blocks side by side in worker processes, each with the project as it is on the disk."""

    def __init__(self, root: Path, jobs: int) -> None:
        self._root = root
        self._pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"))

    def submit(self, block: Block) -> Future[str]:
        """Hand the block to a worker."""
        return self._pool.submit(_play_in_worker, str(self._root), block.id)

    def close(self) -> None:
        """End the workers; what has not begun is dropped."""
        self._pool.shutdown(wait=True, cancel_futures=True)


def _play_in_worker(root: str, block: str) -> str:
    project = Project.open(root)
    return Adapter(project).run(project.block(block)).name


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
                yield from self._collect(running, statuses)
        except KeyboardInterrupt:
            raise Interrupted.of("the run") from None
        finally:
            self._executor.close()

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
        self, running: dict[Future[str], tuple[str, BlockStatus]], statuses: dict[str, BlockStatus]
    ) -> Iterator[Outcome]:
        if not running:
            return
        done, _ = wait(running, return_when=FIRST_COMPLETED)
        for future in done:
            name, before = running.pop(future)
            block = self._project.blocks[name]
            number = version_number(future.result())
            version = self._project.store.version(self._project.folder_of(block), number or 0)
            if version is None:  # pruned by somebody within milliseconds
                raise StoreError.of(self._project.folder_of(block), "the version just written is gone")
            outcome = _played(version, before)
            statuses[name] = _status_after(version)
            yield outcome


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
