"""Killed at any instant, the store holds the old version or the new one, whole (spec 2.4)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from store_making import commit_version

from famulus_kernel.store.index import read_index
from famulus_kernel.store.store import BlockStore
from famulus_kernel.store.verify import verify

KILLING = Path(__file__).with_name("killing.py")


@pytest.fixture
def store():
    """A store in memory where there is such a disk: a kill, unlike a power cut, does not care, and it is quicker."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as place:
        yield BlockStore(Path(place))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(("writers", "commits"), [(1, 120), (3, 120)])
def test_killed_writers_lose_tear_and_mix_nothing(store, writers, commits):
    command = [sys.executable, str(KILLING), str(store.root), str(writers), str(commits), "7"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["kills"] > 10

    folder = store.block_folder("work", "letters")
    versions = store.versions(folder)
    assert [version.number for version in versions] == list(range(1, len(versions) + 1))
    by_name = {version.name: version for version in versions}
    for name, (writer, count) in said["written"].items():
        data = by_name[name].envelope("rows").data
        assert (data["writer"], data["count"]) == (writer, count)
    # A writer may be killed between the version and its report, but then nobody relied on it.
    assert len(versions) - len(said["written"]) <= said["kills"] + writers

    result = verify(store)
    assert result.clean, result.findings
    assert {finding.kind for finding in result.findings} <= {"behind"}

    last = commit_version(store)
    assert last.number == len(versions) + 1
    assert [path.name for path in folder.iterdir() if path.name.startswith((".new-", ".old-"))] == []
    assert read_index(store).blocks["letters"].newest == last.name
    assert verify(store, repair=True).findings == ()


def test_two_processes_that_run_one_block_make_two_versions_each_whole(store):
    code = (
        f"import sys; sys.path[:0] = [{str(KILLING.parent)!r}, {str(KILLING.parent.parent.parent)!r}]\n"
        "from pathlib import Path\nfrom store_making import commit_version\n"
        "from famulus_kernel.store.store import BlockStore\n"
        f"store = BlockStore(Path({str(store.root)!r}))\n"
        "print([commit_version(store, data=sys.argv[1]).number for _ in range(10)])"
    )
    processes = [
        subprocess.Popen([sys.executable, "-c", code, name], stdout=subprocess.PIPE, text=True) for name in "ab"
    ]
    numbers = [json.loads(process.communicate(timeout=60)[0]) for process in processes]
    assert sorted(numbers[0] + numbers[1]) == list(range(1, 21))
    for name, own in zip("ab", numbers, strict=True):
        folder = store.block_folder("work", "letters")
        assert {store.version(folder, number).envelope("rows").data for number in own} == {name}
    assert verify(store).findings == ()
