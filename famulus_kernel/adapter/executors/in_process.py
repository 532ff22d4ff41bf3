"""Blocks played here and now."""

from __future__ import annotations

from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.errors import FamulusError

if TYPE_CHECKING:
    from famulus_kernel.adapter.executors.executor import OnProgress
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project


class InProcess:
    """Plays each block before the next one is begun."""

    def __init__(self, project: Project, on_progress: OnProgress | None = None) -> None:
        self._project = project
        self._on_progress = on_progress

    def submit(self, block: Block) -> Future[str]:
        """Play the block before returning."""
        done: Future[str] = Future()
        told = partial(self._on_progress, block.id) if self._on_progress is not None else None
        try:
            done.set_result(Adapter(self._project, told).run(block).name)
        except (FamulusError, KeyboardInterrupt) as error:
            done.set_exception(error)
        return done

    def close(self) -> None:
        """Nothing is held."""
