"""A real kernel in a process of its own, and what it says to a cell."""

from __future__ import annotations

import json
import os
import shutil
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from queue import Empty
from typing import TYPE_CHECKING, Any

from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager
from projects import REPOSITORY

from famulus_kernel.resources import kernelspec_dir

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jupyter_client.blocking.client import BlockingKernelClient

MIME = "application/vnd.famulus.artefact+json"
FOREIGN = ("FAMULUS_", "PDAI_", "QUARTO_", "JPY_")
"""Variables that a kernel under test must not inherit: they would tell it of another notebook."""

SLOW_SQL = "SELECT sum(a.i * b.i) AS total FROM range(1000000) a(i), range(10000000) b(i)"


def kernel_manager(place: Path, **options: Any) -> KernelManager:
    """Return a manager of the kernel as the repository's own kernelspec starts it; `place` is a private folder."""
    shutil.copytree(kernelspec_dir(), place / "kernels" / "famulus", dirs_exist_ok=True)
    specs = KernelSpecManager(kernel_dirs=[str(place / "kernels")])
    return KernelManager(
        kernel_name="famulus",
        kernel_spec_manager=specs,
        connection_file=str(place / "connection.json"),
        **options,
    )


def surroundings(**more: str) -> dict[str, str]:
    """Return an environment for a kernel."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(FOREIGN)}
    return kept | {"PYTHONPATH": str(REPOSITORY)} | more


@dataclass(frozen=True)
class Answer:
    """What came of a cell: the reply, and the outputs that all listeners saw."""

    reply: dict[str, Any]
    outputs: list[dict[str, Any]]

    @property
    def status(self) -> str:
        return str(self.reply["status"])

    @property
    def kinds(self) -> list[str]:
        return [one["msg_type"] for one in self.outputs]

    @property
    def data(self) -> dict[str, Any]:
        """The MIME bundle that is seen in the end."""
        shown = [one["content"]["data"] for one in self.outputs if "data" in one["content"]]
        return dict(shown[-1]) if shown else {}

    def text(self, stream: str = "stdout") -> str:
        """What was printed."""
        return "".join(
            one["content"]["text"]
            for one in self.outputs
            if one["msg_type"] == "stream" and one["content"]["name"] == stream
        )


@dataclass
class RunningKernel:
    """A kernel and its client."""

    manager: KernelManager
    client: BlockingKernelClient

    def send(self, code: str, **options: Any) -> str:
        """Send a cell and return the id of the request."""
        return str(self.client.execute(code, **options))

    def answer_to(self, request: str, timeout: float = 30) -> Answer:
        """Wait for what becomes of a request, reply and idle."""
        outputs = []
        end = time.monotonic() + timeout
        while True:
            message = self.client.get_iopub_msg(timeout=max(0, end - time.monotonic()))
            if message["parent_header"].get("msg_id") != request:
                continue
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
            outputs.append(message)
        quiet = {"status", "execute_input"}
        return Answer(self.reply_to(request, timeout), [one for one in outputs if one["msg_type"] not in quiet])

    def reply_to(self, request: str, timeout: float = 30) -> dict[str, Any]:
        """Wait for the reply to a request on the shell channel."""
        while True:
            message = self.client.get_shell_msg(timeout=timeout)
            if message["parent_header"].get("msg_id") == request:
                content: dict[str, Any] = message["content"]
                return content

    def run(self, code: str, timeout: float = 30, **options: Any) -> Answer:
        """Run a cell."""
        return self.answer_to(self.send(code, **options), timeout)

    def ask(self, kind: str, content: dict[str, Any], *, metadata: dict[str, Any] | None = None) -> str:
        """Send any request on the shell channel, well-formed or not, and return its id."""
        message = self.client.session.msg(kind, metadata=metadata)
        message["content"] = json.dumps(content).encode()  # as a browser sends it, lone surrogates too
        self.client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def wait_for_output(self, request: str, kind: str, timeout: float = 15) -> dict[str, Any]:
        """Wait until a cell that still runs has sent a message of a kind."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            try:
                message = self.client.get_iopub_msg(timeout=1)
            except Empty:
                continue
            if message["parent_header"].get("msg_id") == request and message["msg_type"] == kind:
                found: dict[str, Any] = message
                return found
        raise TimeoutError(kind)


@contextmanager
def running_kernel(
    folder: Path, place: Path, env: dict[str, str] | None = None, **options: Any
) -> Iterator[RunningKernel]:
    """Give a kernel that works in `folder`; `place` is a private folder for its connection file."""
    place.mkdir(parents=True, exist_ok=True)
    manager = kernel_manager(place, **options)
    manager.start_kernel(cwd=str(folder), env=surroundings(**(env or {})))
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        yield RunningKernel(manager, client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()
