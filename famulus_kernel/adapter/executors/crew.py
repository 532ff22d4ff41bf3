"""The worker processes of one run on one machine: started when needed, used again, replaced when they die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Self

from famulus_kernel.corpus import Progress
from famulus_kernel.errors import FamulusError, Interrupted, WorkerDied
from famulus_kernel.language.parameters import GIVEN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project

WORKER = "famulus_kernel.adapter.executors.worker"
PATIENCE_S = 5.0
"""How long a process that was told to stop may take to clear away; a query notices within a second."""

TAKEN_ALONG = ("ORCH_PROVIDER", GIVEN)
"""Variables that decide what a block gives. Keys are not among them: they do not travel."""


@dataclass(frozen=True, slots=True)
class Task:
    """One block to be played by a process that knows nothing yet: plain values, fit for JSON and for a network."""

    project: str
    block: str
    environment: Mapping[str, str | None]

    @classmethod
    def of(cls, project: Project, block: Block) -> Self:
        """Return the task of playing this block."""
        environment = {name: os.environ.get(name) for name in TAKEN_ALONG}
        environment["PDAI_COLLECTIONS"] = str(project.places.collections)
        return cls(str(project.only or project.root), block.id, environment)


class WorkerDefect(RuntimeError):
    """A defect of this program that showed in a worker; the message is its traceback there."""


class WorkerProcess:
    """One process that plays blocks, one at a time. It is in a session of its own: Ctrl-C is for its starter."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own module by this Python
            [sys.executable, "-P", "-m", WORKER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )

    def play(self, task: Task, on_progress: Callable[[Progress], None] | None = None) -> str:
        """Play a block and return the version's name.

        Raises
        ------
        WorkerDied
            The process ended before it answered.
        WorkerDefect
            What it met is no error of the project.
        FamulusError
            As :meth:`Adapter.run` raises it.
        """
        assert self._process.stdin is not None  # noqa: S101 - it is a pipe
        assert self._process.stdout is not None  # noqa: S101
        with suppress(OSError, ValueError):  # dead or dismissed: the answer that does not come says so
            self._process.stdin.write(json.dumps(asdict(task)).encode("ascii") + b"\n")
            self._process.stdin.flush()
        for line in self._process.stdout:
            if not line.endswith(b"\n"):
                break
            answer = json.loads(line)
            if "progress" in answer:
                if on_progress is not None:
                    on_progress(Progress(**answer["progress"]))
                continue
            if "error" in answer:
                raise FamulusError.from_dict(answer["error"])
            if "defect" in answer:
                raise WorkerDefect(answer["defect"])
            return str(answer["version"])
        raise WorkerDied.of(task.block, _how_ended(self._process.wait()))

    def dismiss(self) -> None:
        """Tell the process to end, also in the middle of a block, which then leaves nothing."""
        if self._process.stdin is not None:
            with suppress(OSError):
                self._process.stdin.close()

    def wait(self) -> None:
        """Wait until it has ended; after `PATIENCE_S` seconds it is killed."""
        try:
            self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


class Crew:
    """The worker processes of a run. Any number of threads may play at once, each with a process of its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: set[WorkerProcess] = set()
        self._idle: list[WorkerProcess] = []
        self._dismissed = False

    def play(self, task: Task, on_progress: Callable[[Progress], None] | None = None) -> str:
        """Play a block; a process that dies is replaced once.

        Raises
        ------
        Interrupted
            The crew was dismissed.
        WorkerDied
            The second process died too.
        WorkerDefect, FamulusError
            See :meth:`WorkerProcess.play`.
        """
        try:
            return self._play(task, on_progress)
        except WorkerDied:
            return self._play(task, on_progress)

    def _play(self, task: Task, on_progress: Callable[[Progress], None] | None) -> str:
        process = self._take(task.block)
        try:
            version = process.play(task, on_progress)
        except WorkerDied:
            self._drop(process)
            if self._dismissed:
                raise Interrupted.of(task.block) from None
            raise
        except (FamulusError, WorkerDefect):
            self._give_back(process)
            raise
        self._give_back(process)
        return version

    def rest(self) -> None:
        """End the processes that have nothing to play; others are started when they are needed."""
        with self._lock:
            ending = list(self._idle)
            self._idle.clear()
            self._all.difference_update(ending)
        _end(ending)

    def dismiss(self) -> None:
        """End all processes and wait for them; from now on nothing is played."""
        with self._lock:
            self._dismissed = True
            ending = list(self._all)
        _end(ending)

    def _take(self, block: str) -> WorkerProcess:
        with self._lock:
            if self._dismissed:
                raise Interrupted.of(block)
            process = self._idle.pop() if self._idle else WorkerProcess()
            self._all.add(process)
            return process

    def _give_back(self, process: WorkerProcess) -> None:
        with self._lock:
            self._idle.append(process)

    def _drop(self, process: WorkerProcess) -> None:
        with self._lock:
            self._all.discard(process)
        _end([process])


def _end(processes: Iterable[WorkerProcess]) -> None:
    ending = list(processes)
    for process in ending:
        process.dismiss()
    for process in ending:
        process.wait()


def _how_ended(status: int) -> str:
    if status >= 0:
        return f"ended with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"was killed ({name})"
