"""What an executor is, and how one is named on the command line: `name=argument` (spec 3.8).

An executor only plays. Which blocks, in what order, and what their verdicts mean is the runner's and is the same
everywhere. Others plug in through the entry-point group `famulus.executors`, which holds callables such as
`make(project, argument, on_progress)`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from famulus_kernel.errors import ExecutorError

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future

    from famulus_kernel.corpus import Progress
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project

    OnProgress = Callable[[str, Progress], None]
    """Told of a block (its id) how far its query is; from any thread."""

GROUP = "famulus.executors"


class Executor(Protocol):
    """Where blocks are played."""

    def submit(self, block: Block) -> Future[str]:
        """Begin to play a block; the future gives the version's name.

        Notes
        -----
        The future raises WorkerDied where the process that played died: the runner makes that an error of the block.
        Every other exception ends the run.
        """
        ...

    def close(self) -> None:
        """Let everything go. What still plays is stopped and leaves nothing."""
        ...


class MakeExecutor(Protocol):
    """What the entry points of the group `famulus.executors` name."""

    def __call__(self, project: Project, argument: str, on_progress: OnProgress | None) -> Executor:
        """Return the executor for a run of this project; `argument` is what stands after `=`."""
        ...


def open_executor(written: str, project: Project, on_progress: OnProgress | None = None) -> Executor:
    """Return the executor that `written` names, such as `dask=tcp://127.0.0.1:8786` or `processes=4`.

    Raises
    ------
    ExecutorError
        Nothing of that name is installed, or it cannot be used like that.
    MissingExtra
        What it needs is not installed.
    """
    from importlib.metadata import entry_points  # noqa: PLC0415 - who plays here need not load it

    name, _, argument = written.partition("=")
    found = {point.name: point for point in entry_points(group=GROUP)}
    if name not in found:
        raise ExecutorError.unknown(name, found)
    make: MakeExecutor = found[name].load()
    return make(project, argument, on_progress)
