"""Blocks on a Dask cluster of real processes: what this machine gives, and clear words where it cannot (spec 3.8)."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from clusters import Cluster, dask_cluster
from executing import (
    ENDLESS,
    PATIENCE_S,
    comparable,
    drafts,
    interrupted_in_the_middle,
    is_alive,
    nothing_is_left,
    reads_until,
    starts,
)
from projects import ProjectFolder, read_block

from famulus_kernel.adapter.executors.dask_cluster import DaskCluster
from famulus_kernel.adapter.executors.dask_worker import check_version
from famulus_kernel.errors import ExecutorError
from famulus_kernel.project.project import Project

pytest.importorskip("distributed", reason="the extra distributed is not installed")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Give a cluster of two workers that know nothing of the collections."""
    with dask_cluster(tmp_path_factory.mktemp("cluster"), 2, env={"PDAI_COLLECTIONS": "/nowhere"}) as started:
        yield started


def a_small_work(folder: ProjectFolder) -> None:
    """Write blocks that need one another, read the collections, fail their oracle and end in error."""
    folder.database()
    folder.write("../collections/orte.csv", "ort\nNürnberg\n")
    folder.blocks(
        "a.fam",
        read_block(
            "liste",
            "SELECT letter_id, sender FROM main.letters ORDER BY letter_id",
            extra="duckdb: [{alias: main, path: data/letters.duckdb, read_only: true}]",
        ),
        read_block(
            "zahl", "SELECT count(*) AS n FROM b", extra="duckdb: [{alias: b, ref: liste.tab}]\noracle: {n: 3}"
        ),
        read_block("orte", "SELECT * FROM read_csv('$PDAI_COLLECTIONS/orte.csv')", extra="oracle: {n_rows: 2}"),
        read_block("falsch", "SELECT nein FROM range(3)"),
        read_block("danach", "SELECT * FROM b", extra="duckdb: [{alias: b, ref: falsch.tab}]"),
    )


def test_one_process_two_processes_and_a_cluster_give_the_same(
    cluster: Cluster, project: ProjectFolder, tmp_path: Path
) -> None:
    a_small_work(project)
    environment = {"PDAI_COLLECTIONS": str(tmp_path / "collections")}
    found, printed = {}, {}
    for name, words in {"one": (), "two": ("--jobs", "2"), "dask": ("--executor", f"dask={cluster.address}")}.items():
        folder = ProjectFolder(tmp_path / name)
        shutil.copytree(project.root, folder.root)
        ran = folder.cli("run", ".", "--json", *words, env=environment)
        assert ran.status == 1, ran.err
        printed[name] = [(one["block"], one["action"], one["status"], one["reasons"]) for one in ran.json["blocks"]]
        found[name] = comparable(folder.root)
        assert not list((folder.root / "_famulus").glob(".seen-*"))
    assert {name for name, *_ in printed["one"]} == {"liste", "zahl", "orte", "falsch", "danach"}
    assert printed["one"] == printed["two"] == printed["dask"]
    assert len(found["one"]) > 12
    assert found["one"] == found["two"] == found["dask"]


def test_ctrl_c_stops_what_the_workers_play_and_leaves_the_cluster_alone(
    cluster: Cluster, project: ProjectFolder
) -> None:
    at_work = interrupted_in_the_middle(project, "--executor", f"dask={cluster.address}")
    nothing_is_left(project, at_work)
    assert all(worker.poll() is None for worker in cluster.workers)
    project.blocks("b.fam", read_block("kurz", "SELECT 1 AS n"))
    assert project.cli("run", ".", "kurz", "--executor", f"dask={cluster.address}").status == 0


def test_a_process_that_is_killed_twice_is_an_error_of_its_block(cluster: Cluster, project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("lang", ENDLESS), read_block("kurz", "SELECT 1 AS n"))
    process, terminal = starts(project, "--executor", f"dask={cluster.address}")
    victims: set[int] = set()
    deadline = time.monotonic() + PATIENCE_S
    while len(victims) < 2 and time.monotonic() < deadline:
        for pid in set(drafts(project, "lang").values()) - victims:
            os.kill(pid, signal.SIGKILL)
            victims.add(pid)
        time.sleep(0.01)
    assert "SIGKILL" in reads_until(terminal, "SIGKILL")
    assert process.wait(PATIENCE_S) == 1
    os.close(terminal)
    assert project.verdict("lang")["observed"]["error"]["code"] == "worker-died"
    assert project.verdict("kurz")["status"] == "pass"
    assert all(worker.poll() is None for worker in cluster.workers), "Dask's own workers are not touched by it"


def test_a_worker_that_dies_gives_its_block_to_another_one(project: ProjectFolder, tmp_path: Path) -> None:
    project.blocks("a.fam", read_block("lang", ENDLESS))
    with dask_cluster(tmp_path / "cluster", 2) as own:
        process, terminal = starts(project, "--executor", f"dask={own.address}")
        deadline = time.monotonic() + PATIENCE_S
        while not drafts(project, "lang") and time.monotonic() < deadline:
            time.sleep(0.02)
        (first,) = drafts(project, "lang").values()
        parent = int(Path(f"/proc/{first}/stat").read_text().rpartition(")")[2].split()[1])
        victim = next(worker for worker in own.workers if worker.pid == parent)
        victim.kill()
        while set(drafts(project, "lang").values()) <= {first} and time.monotonic() < deadline:
            time.sleep(0.02)
        (second,) = set(drafts(project, "lang").values()) - {first}
        assert not is_alive(first), "it noticed that its starter is gone"
        own.scheduler.kill()
        seen = reads_until(terminal, "is gone")
        assert own.address in seen
        assert "Traceback" not in seen
        assert process.wait(PATIENCE_S) == 2
        os.close(terminal)
    nothing_is_left(project, {"lang": {"": second}})


def test_an_address_where_nobody_or_somebody_else_answers_is_an_error(
    cluster: Cluster, project: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("famulus_kernel.adapter.executors.dask_cluster.CONNECT_S", 1.0)
    opened = Project.open(project.root)
    for address in ("nonsense", "http://127.0.0.1:1", "tcp://127.0.0.1:1"):
        with pytest.raises(ExecutorError, match=address) as caught:
            DaskCluster(opened, address)
        assert "dask scheduler" in caught.value.hint


def test_a_scheduler_without_workers_and_workers_of_another_release_are_told(
    project: ProjectFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.blocks("a.fam", read_block("a", "SELECT 1 AS n"))
    monkeypatch.setattr("famulus_kernel.adapter.executors.dask_cluster.WORKERS_S", 0.5)
    other = tmp_path / "other" / "famulus_kernel-99.9.dist-info"
    other.mkdir(parents=True)
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: famulus-kernel\nVersion: 99.9\n")
    with dask_cluster(tmp_path / "cluster", 0) as cluster:
        with pytest.raises(ExecutorError, match="has no workers") as caught:
            DaskCluster(Project.open(project.root), cluster.address)
        assert f"dask worker {cluster.address}" in caught.value.hint
        cluster.add_worker(env={"PYTHONPATH": str(other.parent)})
        ran = project.cli("run", ".", "--executor", f"dask={cluster.address}")
    assert ran.status == 2
    assert "has famulus-kernel 99.9, but the run is one of" in ran.err
    assert not project.version("a").exists()


def test_a_worker_without_famulus_is_told(project: ProjectFolder) -> None:
    with pytest.raises(ExecutorError, match="has no famulus-kernel"):
        check_version("tcp://x:1", ModuleNotFoundError("famulus_kernel"), "1.0")


@pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="it takes a path that means another folder elsewhere")
def test_workers_that_do_not_see_the_project_are_told(
    cluster: Cluster, project: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.root)
    with pytest.raises(ExecutorError, match="does not see the files of"):
        DaskCluster(Project(Path("/proc/self/cwd")), cluster.address)
