"""The process that Quarto's engine talks to, as a process; and the kernel in which it plays blocks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from kernels import SLOW_SQL
from projects import REPOSITORY, ProjectFolder, read_block

if TYPE_CHECKING:
    from collections.abc import Iterator

QUICK = read_block("quick", "SELECT 1 AS n", extra="oracle: {n: 1}")
OPTIONS = {"run": True, "echo": False, "output": True, "include": True}
NOISY = """
from famulus_kernel.render import worker
installed = worker.installed
worker.installed = lambda: (print("noise"), installed())[1]
worker.main()
"""


class Worker:
    """A worker process, and the lines that went to and fro."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *(arguments or ("-P", "-m", "famulus_kernel.render.worker"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        )

    def tell(self, **request: Any) -> None:
        """Send a request."""
        assert self.process.stdin
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()

    def hear(self) -> dict[str, Any]:
        """Return the next line."""
        assert self.process.stdout
        message: dict[str, Any] = json.loads(self.process.stdout.readline())
        return message

    def page(self, file: Path, **more: Any) -> None:
        """Ask for a page as it lies on the disk."""
        known = {"op": "page", "first_place": 0, "options": OPTIONS, "play": True, "lenient": False, "handled": []}
        page = {"file": str(file), "markdown": file.read_text(encoding="utf-8"), "origins": [[1, str(file), 1]]}
        self.tell(**known, **page, **more)

    def end(self) -> str:
        """Close its stdin, wait until it is gone, and return what it wrote to stderr."""
        _, errors = self.process.communicate(timeout=30)
        return errors.decode()


@pytest.fixture
def worker() -> Iterator[Worker]:
    """Give a worker."""
    started = Worker()
    yield started
    if started.process.returncode is None:
        started.end()


@pytest.fixture
def folder(tmp_path: Path) -> ProjectFolder:
    """Give an empty project whose blocks are really played."""
    folder = ProjectFolder(tmp_path / "probe")
    folder.write("famulus.yml", "id: probe\n")
    return folder


def test_a_page_is_answered_after_what_was_played_for_it(worker: Worker, folder: ProjectFolder) -> None:
    file = folder.blocks("a.fam", QUICK)
    worker.page(file)
    event = worker.hear()
    assert (event["event"], event["block"], event["version"], event["status"]) == ("played", "quick", "v0001", "pass")
    answer = worker.hear()
    assert answer["problems"] == []
    assert "{{< famulus quick card at=1 cell=true >}}" in answer["markdown"]
    worker.page(file)
    assert worker.hear() == answer, "it is fresh now"
    assert worker.end() == "", "nothing is left to say"


def test_a_document_that_cannot_be_read_is_an_error_with_its_line(worker: Worker, folder: ProjectFolder) -> None:
    worker.page(folder.write("a.fam", "---\ntitle: x\nfamulus: {on-eror: warn}\n---\n"))
    error = worker.hear()["error"]
    assert error["place"] == "a.fam:3"
    assert "on-eror" in error["message"]
    worker.tell(op="check")
    assert worker.hear()["path"] == sys.executable, "the next request is answered"


def test_a_defect_is_an_answer_and_its_traceback_is_shown(worker: Worker) -> None:
    worker.tell(op="page", file="a.fam")
    assert "KeyError" in worker.hear()["error"]["message"]
    assert "Traceback" in worker.end()


def test_what_a_library_prints_does_not_reach_the_engine() -> None:
    worker = Worker("-c", NOISY)
    worker.tell(op="check")
    assert set(worker.hear()) == {"famulus", "duckdb", "python", "path"}
    assert worker.end() == "noise\n"


def test_the_worker_and_its_kernel_end_with_the_engine(worker: Worker, folder: ProjectFolder) -> None:
    worker.page(folder.blocks("a.fam", read_block("slow", SLOW_SQL)))
    kernel = kernel_that_plays(worker, folder, "slow")
    assert worker.end() == ""
    assert worker.process.returncode == 130
    assert not is_kernel(kernel)
    assert not folder.version("slow").exists()


def test_a_kernel_that_dies_takes_its_block_and_not_the_page(worker: Worker, folder: ProjectFolder) -> None:
    file = folder.blocks("a.fam", read_block("slow", SLOW_SQL))
    worker.page(file)
    os.kill(kernel_that_plays(worker, folder, "slow"), signal.SIGKILL)
    answer = worker.hear()
    [problem] = answer["problems"]
    assert problem["place"] == "a.fam:2"
    assert problem["message"] == "block slow: the kernel ended while it played slow"
    assert "famulus-cell" in answer["markdown"]
    worker.page(folder.blocks("b.fam", QUICK))
    assert worker.hear()["block"] == "quick", "another kernel plays the next page"


def kernel_that_plays(worker: Worker, folder: ProjectFolder, block: str) -> int:
    """Return the process id of the worker's kernel once it has begun to play a block."""
    drafts = folder.version(block).parent
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if drafts.is_dir() and any(place.is_dir() for place in drafts.iterdir()):
            time.sleep(0.5)
            tasks = Path(f"/proc/{worker.process.pid}/task").iterdir()
            children = [int(child) for task in tasks for child in (task / "children").read_text().split()]
            return next(child for child in children if is_kernel(child))
        time.sleep(0.05)
    raise AssertionError("no kernel plays")


def is_kernel(process: int) -> bool:
    command = Path(f"/proc/{process}/cmdline")
    return command.exists() and b"famulus_kernel.kernel" in command.read_bytes()
