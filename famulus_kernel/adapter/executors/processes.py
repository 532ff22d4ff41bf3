"""Blocks played side by side on this machine: `--jobs N`, or `--executor processes=N` (spec 3.8)."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

from famulus_kernel.adapter.executors.crew import Crew, Task
from famulus_kernel.errors import ExecutorError

if TYPE_CHECKING:
    from famulus_kernel.adapter.executors.executor import OnProgress
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project


class Processes:
    """Plays blocks in worker processes, each with the project as it is on the disk.

    A process of the standard library's pool that dies takes the pool along; here it costs its block a second attempt
    and nothing else.

    Parameters
    ----------
    jobs
        How many blocks play at once.
    """

    def __init__(self, project: Project, jobs: int, on_progress: OnProgress | None = None) -> None:
        self._project = project
        self._on_progress = on_progress
        self._crew = Crew()
        self._waiting = ThreadPoolExecutor(jobs, thread_name_prefix="famulus-worker")

    @classmethod
    def named(cls, project: Project, argument: str, on_progress: OnProgress | None) -> Processes:
        """Return the executor for `processes=<number>`.

        Raises
        ------
        ExecutorError
            The argument is no number from 1.
        """
        if not argument.isdecimal() or int(argument) < 1:
            raise ExecutorError.malformed(f"processes={argument}", "processes=<number from 1>")
        return cls(project, int(argument), on_progress)

    def submit(self, block: Block) -> Future[str]:
        """Hand the block to the next process that is free."""
        told = partial(self._on_progress, block.id) if self._on_progress is not None else None
        return self._waiting.submit(self._crew.play, Task.of(self._project, block), told)

    def close(self) -> None:
        """End the processes; what has not begun is dropped, what plays is stopped."""
        self._waiting.shutdown(wait=False, cancel_futures=True)
        self._crew.dismiss()
        self._waiting.shutdown(wait=True)
