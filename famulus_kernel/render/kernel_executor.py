"""Play blocks in a famulus kernel (spec 7.3): one for all documents of a render, begun with the first stale block.

A block that takes its process along takes the kernel, not the render. Where everything is fresh no kernel starts.
"""

from __future__ import annotations

import sys
from concurrent.futures import Future, ThreadPoolExecutor, wait
from queue import Empty
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import FamulusError, StoreError
from famulus_kernel.resources import kernelspec_dir

if TYPE_CHECKING:
    from jupyter_client.blocking.client import BlockingKernelClient
    from jupyter_client.manager import KernelManager

    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project

_READY_SECONDS = 60
_LOOK_SECONDS = 1.0
_INTERRUPT_SECONDS = 10.0


class KernelHost:
    """Keeps one kernel, from the first block that is played to :meth:`shut_down`.

    One thread speaks with it, so that whoever waits for a block can be interrupted while he waits.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="famulus-kernel")
        self._running: tuple[KernelManager, BlockingKernelClient] | None = None

    def executor(self, project: Project) -> KernelExecutor:
        """Return an executor of a project's blocks, for one run."""
        return KernelExecutor(self, project)

    def submit(self, project: Project, block: Block) -> Future[str]:
        """Play a block when those before it are done; the future gives the version's name."""
        return self._thread.submit(self._play, project, block)

    def interrupt(self) -> None:
        """Stop the block that is being played."""
        if self._running is not None:
            self._running[0].interrupt_kernel()

    def shut_down(self) -> None:
        """End the kernel, if there is one."""
        self._thread.submit(self._end).result()
        self._thread.shutdown()

    def _play(self, project: Project, block: Block) -> str:
        folder = project.folder_of(block)
        before = project.store.newest(folder)
        reply = self._execute(block)
        version = project.store.newest(folder)
        if version is not None and (before is None or version.number > before.number):
            return version.name
        if reply.get("status") == "error":
            raise FamulusError(str(reply.get("evalue"))).at(block.place())
        if version is None:
            raise StoreError.of(folder, "the kernel wrote no version there")
        return version.name  # another process has played it meanwhile

    def _execute(self, block: Block) -> dict[str, Any]:
        manager, client = self._running or self._start()
        content = {
            "code": block.fence.body if block.fence else "",
            "silent": True,  # the page shows what is in the store
            "store_history": False,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,
        }
        metadata = {"famulus": {"file": str(block.file)}}
        request = client.session.msg("execute_request", content, metadata=metadata)
        client.shell_channel.send(request)
        while True:
            try:
                message = client.get_shell_msg(timeout=_LOOK_SECONDS)
            except Empty:
                if manager.is_alive():
                    continue
                self._end()
                error = FamulusError(f"the kernel ended while it played **{block.id}**", hint="was its memory enough?")
                raise error.at(block.place()) from None
            if message["parent_header"].get("msg_id") == request["header"]["msg_id"]:
                reply: dict[str, Any] = message["content"]
                return reply

    def _start(self) -> tuple[KernelManager, BlockingKernelClient]:
        from jupyter_client.kernelspec import KernelSpec  # noqa: PLC0415 - a render of fresh pages needs no kernel
        from jupyter_client.manager import KernelManager  # noqa: PLC0415

        manager = KernelManager(kernel_name="famulus")
        spec = KernelSpec.from_resource_dir(str(kernelspec_dir()))
        spec.argv = [sys.executable, "-P", *spec.argv[1:]]  # the kernel of this Python, whatever else is installed
        manager._kernel_spec = spec  # noqa: SLF001 - the manager looks specs up by name only
        manager.start_kernel()
        client = manager.blocking_client()
        client.start_channels()
        self._running = manager, client
        try:
            client.wait_for_ready(timeout=_READY_SECONDS)
        except RuntimeError as error:
            self._end()
            hint = "see famulus-notebook doctor"
            raise FamulusError(f"the famulus kernel does not start: {error}", hint=hint) from None
        return self._running

    def _end(self) -> None:
        if self._running is None:
            return
        manager, client = self._running
        self._running = None
        client.stop_channels()
        manager.shutdown_kernel(now=True)


class KernelExecutor:
    """The blocks of one run, played in a host's kernel one after another."""

    def __init__(self, host: KernelHost, project: Project) -> None:
        self._host = host
        self._project = project
        self._submitted: list[Future[str]] = []

    def submit(self, block: Block) -> Future[str]:
        """Play a block when those before it are done; the future gives the version's name."""
        future = self._host.submit(self._project, block)
        self._submitted.append(future)
        return future

    def close(self) -> None:
        """Stop what is not done, and leave the kernel to its host."""
        left = [future for future in self._submitted if not future.cancel() and not future.done()]
        if left:
            self._host.interrupt()
            wait(left, _INTERRUPT_SECONDS)
