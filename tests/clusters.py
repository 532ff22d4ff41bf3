"""A Dask cluster of real processes on loopback, for tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

READY_S = 60


@dataclass
class Cluster:
    """A scheduler and its workers; their logs lie in `folder`."""

    folder: Path
    scheduler: subprocess.Popen[bytes]
    address: str
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def add_worker(self, env: dict[str, str] | None = None) -> None:
        """Start a worker that plays one block at a time, with these variables beside the test's own."""
        options = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", f"w{len(self.workers)}")
        self.workers.append(_dask(self.folder, "worker", self.address, *options, env=env))


@contextmanager
def dask_cluster(folder: Path, workers: int, *, env: dict[str, str] | None = None) -> Iterator[Cluster]:
    """Give a cluster; its processes are killed in the end, for nobody waits for what they still say."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "scheduler.json"
    scheduler = _dask(folder, "scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    cluster = Cluster(folder, scheduler, "")
    try:
        deadline = time.monotonic() + READY_S
        while not file.exists() and time.monotonic() < deadline:
            assert scheduler.poll() is None, (folder / "scheduler.log").read_text()
            time.sleep(0.05)
        cluster.address = json.loads(file.read_text())["address"]
        for _ in range(workers):
            cluster.add_worker(env)
        yield cluster
    finally:
        for process in (*cluster.workers, scheduler):
            process.kill()
            process.wait()


def _dask(folder: Path, command: str, *words: str, env: dict[str, str] | None = None) -> subprocess.Popen[bytes]:
    with (folder / f"{command}.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", command, *words, "--host", "127.0.0.1"],
            cwd=folder,
            env={**os.environ, **(env or {})},
            stdout=log,
            stderr=log,
        )
