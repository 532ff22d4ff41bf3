"""Blocks played on a Dask cluster whose workers see the same files: `--executor dask=<scheduler>` (spec 3.8).

The scheduler deals out blocks; a worker hands each to a process of its own (`dask_worker`), so that a query can be
stopped and a process that dies costs its block a second attempt, just as on one machine. A worker that dies itself is
replaced by the scheduler, as often as its `allowed-failures` says (default: 3).
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from concurrent.futures import Future
from functools import partial
from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.executors import dask_worker
from famulus_kernel.adapter.executors.crew import Task
from famulus_kernel.corpus import Progress
from famulus_kernel.errors import ExecutorError, MissingExtra, WorkerDied
from famulus_kernel.store.durable import make_folders
from famulus_kernel.store.store import version_number
from famulus_kernel.version import __version__

if TYPE_CHECKING:
    from famulus_kernel.adapter.executors.executor import OnProgress
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project

FORM = "dask=<address of the scheduler>, such as dask=tcp://127.0.0.1:8786"
CONNECT_S = 10.0
"""How long the scheduler may take to answer."""
WORKERS_S = 10.0
"""How long a scheduler may be without a worker."""
SEEN_S = 60.0
"""How long a network file system may take to show here what a worker wrote."""
_LOOK_S = 0.1

_log = logging.getLogger(__name__)
_client_log = logging.getLogger("distributed.client")


class DaskCluster:
    """Plays blocks on the workers of one scheduler.

    Parameters
    ----------
    address
        Of the scheduler, as Dask writes it: `tcp://host:8786`.

    Raises
    ------
    MissingExtra
        Without the library distributed.
    ExecutorError
        Nobody answers there, there are no workers, or a worker cannot play this project.
    """

    def __init__(self, project: Project, address: str, on_progress: OnProgress | None = None) -> None:
        if not address:
            raise ExecutorError.malformed("dask=", FORM)
        self._project = project
        self._address = address
        self._on_progress = on_progress
        self._run = secrets.token_hex(8)
        self._running: dict[Future[str], Any] = {}
        self._client = _connected(address)
        self._log_level = _client_log.level
        _client_log.setLevel(logging.CRITICAL)  # what it logs of a lost scheduler we raise, in our own words
        try:
            self._check_workers()
        except BaseException:
            self._leave()
            raise
        if on_progress is not None:
            self._client.subscribe_topic(dask_worker.topic(self._run), self._advance)

    def submit(self, block: Block) -> Future[str]:
        """Hand the block to the scheduler."""
        result: Future[str] = Future()
        task = Task.of(self._project, block)
        key = f"famulus-{self._run}-{block.id}"
        remote = self._client.submit(
            dask_worker.play, self._run, __version__, task, tell=self._on_progress is not None, key=key, pure=False
        )
        self._running[result] = remote
        remote.add_done_callback(partial(self._settle, block, result))
        return result

    def close(self) -> None:
        """Drop what has not begun, stop what plays, end the processes of this run, and leave the cluster alone."""
        try:
            if self._client.status == "running":
                self._client.cancel([remote for result, remote in self._running.items() if not result.done()])
                self._client.run(dask_worker.dismiss, self._run, on_error="ignore")
        except OSError as error:  # the scheduler went away just now: its workers notice that themselves
            _log.warning("the scheduler %s is gone: %s", self._address, error)
        finally:
            self._leave()

    def _leave(self) -> None:
        self._client.close()
        _client_log.setLevel(self._log_level)

    def _check_workers(self) -> None:
        """Raise for a cluster that cannot play this project; ask with what every Python has until the versions agree.

        A worker that comes later is asked for its version when it gets its first block.
        """
        try:
            self._client.wait_for_workers(1, timeout=WORKERS_S)
        except TimeoutError:
            raise ExecutorError.no_workers(self._address, WORKERS_S) from None
        from importlib.metadata import version  # noqa: PLC0415 - beside its use: it is sent as it is

        for worker, found in self._client.run(version, "famulus-kernel", on_error="return").items():
            dask_worker.check_version(worker, found, __version__)
        ours = self._project.store.ours
        make_folders(ours)
        sign = ours / f".seen-{self._run}"
        sign.write_text(self._run, encoding="ascii")
        try:
            for worker, sees in self._client.run(dask_worker.sees, str(sign), self._run).items():
                if not sees:
                    raise ExecutorError.unfit(
                        worker,
                        f"does not see the files of {self._project.root}",
                        "the project and its collections must have the same paths on every worker, on a shared disk",
                    )
        finally:
            sign.unlink(missing_ok=True)

    def _settle(self, block: Block, result: Future[str], remote: Any) -> None:
        """Carry what came of a block on the cluster over to the runner's future; in a thread of Dask's."""
        from distributed import KilledWorker  # noqa: PLC0415 - an extra, loaded with the first instance

        try:
            if remote.cancelled() or remote.status == "lost":
                result.set_exception(ExecutorError.lost(self._address, [block.id]))
                return
            version = remote.result()
            self._await_sight(block, version)
            result.set_result(version)
        except KilledWorker as error:
            tries = error.allowed_failures + 1
            result.set_exception(WorkerDied.on_cluster(block.id, str(error.last_worker.address), tries))
        except Exception as error:
            result.set_exception(error)

    def _await_sight(self, block: Block, version: str) -> None:
        folder = self._project.folder_of(block)
        deadline = time.monotonic() + SEEN_S
        while self._project.store.version(folder, version_number(version) or 0) is None:
            if time.monotonic() > deadline:
                raise ExecutorError.unfit(
                    "that played it", f"wrote {version} of {block.id} where it is not seen here", "share the disk"
                )
            time.sleep(_LOOK_S)

    def _advance(self, event: tuple[float, dict[str, Any]]) -> None:
        told = event[1]
        if self._on_progress is not None:
            self._on_progress(told["block"], Progress(**told["progress"]))


def _connected(address: str) -> Any:
    """Return a client of the scheduler.

    A client of Dask's that does not come about goes on trying after its constructor has raised, so the scheduler is
    asked for its name first.
    """
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingExtra.of("distributed", "distributed") from None
    try:
        kind = asyncio.run(_kind_of_server(address))
    except (OSError, ValueError) as error:
        raise ExecutorError.unreachable(address, str(error) or f"nothing within {CONNECT_S:g} s") from None
    if kind != "Scheduler":
        raise ExecutorError.unreachable(address, f"a {kind} answers there")
    return Client(address, timeout=CONNECT_S, set_as_default=False)


async def _kind_of_server(address: str) -> str:
    from distributed.core import rpc  # noqa: PLC0415 - an extra

    async with rpc(address, timeout=CONNECT_S) as server:
        found = await asyncio.wait_for(server.identity(), CONNECT_S)
    return str(found["type"])
