"""What a Dask worker does for a run: plays blocks in processes of its own.

A task of Dask's is a thread, which cannot be stopped and takes the whole worker along when the code under it crashes.
A process of ours can be told to stop, clears away what it began, and may die alone.
"""

from __future__ import annotations

import asyncio
import threading
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from famulus_kernel.adapter.executors.crew import Crew
from famulus_kernel.errors import ExecutorError
from famulus_kernel.version import __version__

if TYPE_CHECKING:
    from famulus_kernel.adapter.executors.crew import Task
    from famulus_kernel.corpus import Progress

_crews: dict[str, Crew] = {}
_lock = threading.Lock()


def topic(run: str) -> str:
    """Return the topic under which the progress of a run is told."""
    return f"famulus-{run}"


def check_version(worker: str, found: object, needed: str) -> None:
    """Raise ExecutorError where the famulus of a worker (`found`; an exception: none) is not that of the run."""
    if found != needed:
        has = "has no famulus-kernel" if isinstance(found, Exception) else f"has famulus-kernel {found}"
        why = f"{has}, but the run is one of {needed}"
        raise ExecutorError.unfit(worker, why, f"install famulus-kernel {needed} in the environment of every worker")


def sees(path: str, content: str) -> bool:
    """Return whether a file is there and holds just that."""
    try:
        return Path(path).read_text(encoding="ascii") == content
    except (OSError, ValueError):
        return False


def play(run: str, needed: str, task: Task, *, tell: bool) -> str:
    """Play a block and return the version's name; the task that the scheduler deals out.

    Parameters
    ----------
    run
        Which run it belongs to.
    needed
        The version of famulus that started it.
    tell
        Whether somebody listens to the progress.

    Raises
    ------
    ExecutorError
        This worker has another version.
    FamulusError, WorkerDefect
        See :meth:`Crew.play`.
    """
    from distributed import get_worker  # noqa: PLC0415 - an extra, which whoever calls this has

    worker = get_worker()
    check_version(worker.address, __version__, needed)

    def advance(progress: Progress) -> None:
        worker.log_event(topic(run), {"block": task.block, "progress": asdict(progress)})

    return _crew(run).play(task, advance if tell else None)


async def dismiss(run: str) -> None:
    """Stop what this worker plays of a run, and let it play no more of it."""
    await asyncio.to_thread(_crew(run).dismiss)


def _crew(run: str) -> Crew:
    with _lock:
        if run not in _crews:
            for other in _crews.values():
                other.rest()  # a run that was killed never dismissed its crew
            _crews[run] = Crew()
        return _crews[run]
