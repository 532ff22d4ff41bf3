from __future__ import annotations

import errno
import json
import logging
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from filelock import FileLock
from store_making import commit_version

from famulus_kernel.errors import StoreError
from famulus_kernel.store.draft import FOREIGN_AGE_S, NEW
from famulus_kernel.store.index import read_index
from famulus_kernel.store.verify import verify

HOLD_A_DRAFT = """
import sys, time
sys.path[:0] = [{tests!r}, {root!r}]
from pathlib import Path
from famulus_kernel.store.store import BlockStore
store = BlockStore(Path({project!r}))
with store.draft(store.block_folder("work", "letters")) as draft:
    draft.write("artefacts/half.json", b"{{")
    print(draft.folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(store):
    """A process that has begun a version and does not go on."""
    here = Path(__file__).parent
    code = HOLD_A_DRAFT.format(tests=str(here), root=str(here.parent.parent), project=str(store.root))
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        folder = Path(process.stdout.readline().strip())
        assert folder.is_dir()
        yield process, folder
        process.kill()


def test_a_version_holds_exactly_what_its_manifest_names(store):
    version = commit_version(
        store, companions={"rows.parquet": b"PAR1"}, extra={"enfold/enfolding.json": b"{}", "notes.txt": b"x"}
    )
    named = {file for file, _ in version.manifest.all_files()} | {"manifest.json"}
    there = {path.relative_to(version.folder).as_posix() for path in version.folder.rglob("*") if path.is_file()}
    assert there == named
    assert "artefacts/rows.parquet" in named


def test_leaving_a_draft_without_commit_leaves_nothing(store):
    folder = store.block_folder("work", "letters")
    with store.draft(folder) as draft:
        draft.write("artefacts/x.json", b"{}")
    assert [path.name for path in folder.iterdir()] == [".lock"]


def test_an_error_while_finishing_uses_up_no_number(store):
    folder = store.block_folder("work", "letters")

    def fail(version):
        raise KeyError(version)

    with pytest.raises(KeyError), store.draft(folder) as draft:
        draft.commit(fail)
    assert commit_version(store).name == "v0001"


def test_an_errored_run_makes_a_version_without_artefacts(store):
    commit_version(store)
    version = commit_version(store, status="error")
    assert store.newest(version.folder.parent) == version
    assert version.manifest.artefacts == ()
    assert version.verdict().status == "error"


def test_a_version_that_lacks_a_file_it_must_have_is_not_committed(store):
    with (
        pytest.raises(ValueError, match=r"report\.json, trace\.json, verdict\.json"),
        store.draft(store.block_folder("work", "letters")) as draft,
    ):
        draft.commit(lambda name: commit_version(store, "other").manifest.model_copy(update={"artefacts": ()}))


def test_json_is_written_to_be_read_by_people(store):
    version = commit_version(store, data={"b": 0.1, "a": "ä"})
    text = (version.folder / "artefacts" / "rows.json").read_text(encoding="utf-8")
    assert '"b": 0.1,\n' in text
    assert "ä" in text
    assert text.endswith("}\n")
    assert list(json.loads(text)) == ["famulus", "data", "view"]


def test_permissions_are_those_that_other_files_get(store):
    version = commit_version(store)
    mask = os.umask(0)
    os.umask(mask)
    assert version.folder.stat().st_mode & 0o777 == 0o777 & ~mask
    assert (version.folder / "manifest.json").stat().st_mode & 0o777 == 0o666 & ~mask


def test_the_newest_enfolding_is_copied_where_it_is_looked_for(store):
    commit_version(store, extra={"enfold/enfolding.json": b'{"a": 1}'})
    version = commit_version(store, extra={"enfold/enfolding.json": b'{"a": 2}'})
    commit_version(store)
    assert (version.folder.parent / "enfold" / "enfolding.json").read_bytes() == b'{"a": 2}'


def test_the_folder_of_a_killed_run_is_swept_by_the_next_one(store, holder):
    process, folder = holder
    process.kill()
    process.wait()
    assert folder.is_dir()
    assert verify(store).findings == ()
    commit_version(store)
    assert not folder.exists()


def test_the_folder_of_a_run_that_goes_on_is_never_swept(store, holder):
    process, folder = holder
    process.send_signal(signal.SIGSTOP)
    old = time.time() - 10 * FOREIGN_AGE_S
    os.utime(folder, (old, old))
    for _ in range(3):
        commit_version(store)
    assert verify(store, repair=True).clean
    assert (folder / "artefacts" / "half.json").is_file()


def test_only_age_tells_that_the_folder_of_another_computer_is_dead(store):
    folder = commit_version(store).folder.parent
    young, old = folder / f"{NEW}elsewhere.17.abc", folder / f"{NEW}elsewhere.18.abc"
    for one in (young, old):
        one.mkdir()
    past = time.time() - FOREIGN_AGE_S - 60
    os.utime(old, (past, past))
    commit_version(store)
    assert young.exists()
    assert not old.exists()


def test_a_draft_names_computer_and_process(store):
    with store.draft(store.block_folder("work", "letters")) as draft:
        host, pid, _ = draft.folder.name.removeprefix(NEW).split(".")
    assert int(pid) == os.getpid()
    assert host.startswith(platform.node()[:5].replace(".", "-"))


def test_threads_that_run_one_block_get_a_version_each(store):
    made = []
    threads = [threading.Thread(target=lambda: made.append(commit_version(store).number)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == list(range(1, 9))
    assert verify(store).findings == ()


def test_a_hanging_holder_of_the_lock_is_named(store, holder, monkeypatch):
    monkeypatch.setattr("famulus_kernel.store.durable.LOCK_PATIENCE_S", 0.2)
    process, folder = holder
    with FileLock(folder.parent / ".lock"), pytest.raises(StoreError, match=f"process {process.pid}"):
        threaded(lambda: commit_version(store))


def threaded(action):
    """Run `action` in a thread of its own, as a second process would, and raise here what it raises."""
    caught = []

    def run():
        try:
            action()
        except StoreError as error:
            caught.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if caught:
        raise caught[0]


def test_a_version_stands_when_only_the_index_cannot_be_written(store, caplog):
    commit_version(store)
    store.index_path.unlink()
    store.index_path.mkdir()
    with caplog.at_level(logging.WARNING):
        version = commit_version(store)
    assert store.newest(version.folder.parent) == version
    assert "verify --repair" in caplog.text


def test_a_full_disk_while_artefacts_are_built_is_the_stores_error(store):
    with pytest.raises(StoreError, match="disk is full") as caught, store.draft(store.block_folder("w", "x")):
        raise OSError(errno.ENOSPC, "No space left on device")
    assert "free some space" in caught.value.hint


def test_other_errors_of_the_system_pass_a_draft_unchanged(store):
    with pytest.raises(FileNotFoundError), store.draft(store.block_folder("w", "x")):
        Path("/nowhere/at/all").read_bytes()


def test_a_commit_renews_the_index(store):
    commit_version(store)
    commit_version(store, status="error")
    entry = read_index(store).blocks["letters"]
    assert (entry.newest, entry.status, entry.folder) == ("v0002", "error", "_famulus/store/work/letters")


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc to name what a descriptor is")
def test_every_file_and_folder_is_synced_before_the_version_appears(store, monkeypatch):
    synced = []
    sync = os.fsync
    monkeypatch.setattr(os, "fsync", lambda fd: (synced.append(Path(f"/proc/self/fd/{fd}").readlink()), sync(fd)))
    version = commit_version(store, extra={"enfold/enfolding.json": b"{}"})
    temporary = next(path for path in synced if path.name.startswith(NEW))
    own = [path for path in synced if path.is_relative_to(temporary)]
    written = {temporary / path.relative_to(version.folder) for path in version.folder.rglob("*")}
    assert written <= set(own)
    # The manifest names what is there, so it and the folder come last; then the folder that holds the new name.
    assert own[-1] == temporary
    assert version.folder.parent in synced[len(synced) - synced[::-1].index(temporary) :]
