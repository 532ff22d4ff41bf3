"""Blocks in worker processes: what one process gives, whatever dies; and Ctrl-C leaves nothing (spec 3.8)."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from executing import (
    ENDLESS,
    PATIENCE_S,
    drafts,
    interrupted_in_the_middle,
    is_alive,
    nothing_is_left,
    reads_until,
    starts,
)
from projects import ProjectFolder, read_block

from famulus_kernel.adapter.executors.crew import Crew, Task, WorkerDefect
from famulus_kernel.adapter.executors.executor import open_executor
from famulus_kernel.adapter.executors.processes import Processes
from famulus_kernel.adapter.runner import Outcome, Runner
from famulus_kernel.errors import ExecutorError, FamulusError
from famulus_kernel.project.project import Project

A_WHILE = "SELECT count(*) AS n FROM range(30000000) a(i) WHERE hash(i) % 7 = 1"


def runs(folder: ProjectFolder, *, jobs: int) -> dict[str, Outcome]:
    """Play a project's stale blocks in worker processes."""
    project = Project.open(folder.root)
    return {one.block: one for one in Runner(project, Processes(project, jobs)).run(project.blocks)}


@contextmanager
def killed(folder: ProjectFolder, block: str, times: int) -> Iterator[list[int]]:
    """Kill what plays a block as soon as it does, so many times; give the processes that were killed."""
    victims: list[int] = []

    def hunt() -> None:
        deadline = time.monotonic() + PATIENCE_S
        while len(victims) < times and time.monotonic() < deadline:
            for pid in drafts(folder, block).values():
                if pid not in victims and is_alive(pid):
                    os.kill(pid, signal.SIGKILL)
                    victims.append(pid)
            time.sleep(0.005)

    hunter = threading.Thread(target=hunt)
    hunter.start()
    yield victims
    hunter.join()


def test_a_worker_that_is_killed_costs_its_block_a_second_attempt_and_nothing_else(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("lang", A_WHILE), read_block("kurz", "SELECT 1 AS n"))
    with killed(project, "lang", times=1) as victims:
        found = runs(project, jobs=2)
    assert len(victims) == 1
    assert {name: (one.status, one.version) for name, one in found.items()} == {
        "lang": ("pass", "v0001"),
        "kurz": ("pass", "v0001"),
    }
    assert not drafts(project, "lang"), "what the dead one left was swept"


def test_a_block_that_kills_its_workers_is_an_error_and_the_others_go_on(project: ProjectFolder) -> None:
    project.blocks(
        "a.fam",
        read_block("lang", ENDLESS),
        read_block("kurz", "SELECT 1 AS n"),
        read_block("danach", "SELECT * FROM b", extra="duckdb: [{alias: b, ref: lang.tab}]"),
        read_block("auch", "SELECT n + 1 AS n FROM b", extra="duckdb: [{alias: b, ref: kurz.tab}]"),
    )
    with killed(project, "lang", times=2):
        found = runs(project, jobs=2)
    assert {name: one.action for name, one in found.items()} == {
        "lang": "played",
        "kurz": "played",
        "danach": "blocked",
        "auch": "played",
    }
    assert found["lang"].status == "error"
    error = project.verdict("lang")["observed"]["error"]
    assert error["code"] == "worker-died"
    assert "SIGKILL" in error["message"]
    assert "memory" in error["hint"]
    assert {file.name for file in project.version("lang").iterdir()} >= {"manifest.json", "trace.json", "report.json"}
    assert project.states()["lang"] == "error"


def test_a_process_that_leaves_on_its_own_is_told_with_its_status(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("famulus_kernel.adapter.executors.crew.WORKER", "keyword")  # a module that does nothing
    crew = Crew()
    with pytest.raises(FamulusError, match="ended with status 0, and so did the second one"):
        crew.play(Task(".", "a", {}))
    crew.dismiss()


def test_errors_of_the_project_arrive_whole_and_the_worker_goes_on(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    crew = Crew()
    try:
        with pytest.raises(FamulusError, match="fort") as caught:
            crew.play(Task(str(project.root), "fort", {}))
        assert caught.value.code != "error"
        assert crew.play(Task(str(project.root), "a", {"FAMULUS_X": "1"})) == "v0001"
        with pytest.raises(WorkerDefect, match="TypeError"):
            crew.play(Task(str(project.root), ["a"], {}))  # type: ignore[arg-type]
    finally:
        crew.dismiss()


def test_a_lone_notebook_plays_in_workers_too(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path / "lone")
    folder.blocks("eins.fam", read_block("a", "SELECT 1 AS n"), read_block("b", "SELECT 2 AS n"))
    folder.blocks("zwei.fam", read_block("c", "SELECT 1 AS n"))
    project = Project.open(folder.root / "eins.fam")
    found = list(Runner(project, Processes(project, 2)).run(project.blocks))
    assert {one.block: one.status for one in found} == {"a": "pass", "b": "pass"}


@pytest.mark.parametrize("written", ["spark", "spark=1", "processes=", "processes=0", "processes=-1", "dask="])
def test_an_executor_that_is_none_is_told_with_what_there_is(project: ProjectFolder, written: str) -> None:
    with pytest.raises(ExecutorError, match=written.partition("=")[0]) as caught:
        open_executor(written, Project.open(project.root))
    assert "dask" in caught.value.hint or "processes" in caught.value.hint


def test_jobs_and_executor_exclude_one_another(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    ran = project.cli("run", ".", "--jobs", "2", "--executor", "processes=2")
    assert ran.status == 2
    assert "either --jobs or --executor" in ran.err


def test_outcomes_of_a_program_stand_in_the_order_of_the_graph(project: ProjectFolder) -> None:
    names = [f"b{number}" for number in range(6)]
    slow_first = [read_block(name, A_WHILE if name == "b0" else "SELECT 1 AS n") for name in names]
    project.blocks("a.fam", *slow_first)
    ran = project.cli("run", ".", "--jobs", "2", "--json")
    assert [one["block"] for one in ran.json["blocks"]] == names


def test_ctrl_c_shows_progress_until_then_and_leaves_nothing(project: ProjectFolder) -> None:
    nothing_is_left(project, interrupted_in_the_middle(project, "--jobs", "2"))


def test_workers_end_when_the_run_that_started_them_is_killed(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("eins", ENDLESS), read_block("zwei", "SELECT 1 AS n"))
    process, terminal = starts(project, "--jobs", "2")
    try:
        reads_until(terminal, r"eins  [^,\n]*\d+ s")
        at_work = {"eins": drafts(project, "eins")}
        process.kill()
        process.wait()
        nothing_is_left(project, at_work)
    finally:
        os.close(terminal)
