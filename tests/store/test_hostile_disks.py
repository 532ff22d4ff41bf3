"""Full, small and read-only disks: the old state stays whole, and the error says what to do (spec 2.4)."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from store_making import commit_version

from famulus_kernel.errors import StoreError
from famulus_kernel.store.accepted import Acceptance, accept
from famulus_kernel.store.index import describe_project
from famulus_kernel.store.prune import prune
from famulus_kernel.store.status_file import write_status
from famulus_kernel.store.store import BlockStore
from famulus_kernel.store.verify import verify

HERE = Path(__file__).parent
PAGE = 4096


@pytest.fixture
def small_disk(tmp_path):
    """A file system of half a megabyte; only root can have one."""
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(place)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("cannot mount a small disk here")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def attempt(action) -> str:
    """Return what the store says when it cannot do it, else "written"."""
    try:
        action()
    except StoreError as error:
        return f"{error.message} ({error.hint})"
    return "written"


def leave_free(place: Path, pages: int) -> None:
    filler = place / "filler"
    filler.unlink(missing_ok=True)
    free = os.statvfs(place).f_bavail * os.statvfs(place).f_bsize
    filler.write_bytes(b"\0" * max(0, free - pages * PAGE))


def test_a_disk_that_is_full_at_any_step_leaves_the_old_state_whole(small_disk):
    store = BlockStore(small_disk / "project")
    folder = store.block_folder("work", "letters")
    written = [commit_version(store).number]
    failed = 0
    for pages in range(16):
        leave_free(small_disk, pages)
        said = attempt(lambda: commit_version(store, data="x" * 3 * PAGE, companions={"t.csv": b"y" * PAGE}))
        assert said == "written" or ("disk is full" in said and "free some space" in said)
        written += [written[-1] + 1] if said == "written" else []
        failed += said != "written"
        (small_disk / "filler").unlink()
        assert store.numbers(folder) == written
        assert verify(store).clean
        assert not list(folder.glob(".new-*"))
    assert failed > 3
    assert len(written) > 1
    assert commit_version(store).number == written[-1] + 1
    assert verify(store, repair=True).findings == ()


def test_the_stat_cache_does_without_a_full_disk(small_disk):
    store = BlockStore(small_disk / "project")
    commit_version(store)
    path = small_disk / "data.csv"
    path.write_bytes(b"a,b")
    leave_free(small_disk, 0)
    with store.stat_cache() as cache:
        assert len(cache.sha256_of(path)) == 64


def change_everything(store: BlockStore) -> list[str]:
    """Try every way to write and return what each says."""
    inputs = store.newest(store.block_folder("work", "letters")).manifest.inputs
    acceptance = Acceptance(block="letters", version="v0001", when="", who="", why="", inputs=inputs)
    actions = (
        lambda: commit_version(store),
        lambda: commit_version(store, "another"),
        lambda: prune(store, [store.block_folder("work", "letters")], keep=1),
        lambda: write_status(store, {}, "2026-03-01"),
        lambda: describe_project(store, "q", {}, {}),
        lambda: accept(store, acceptance),
    )
    return [attempt(action) for action in actions]


def read_everything(store: BlockStore, data: Path) -> None:
    assert store.newest(store.block_folder("work", "letters")).number == 2
    assert verify(store).findings == ()
    with store.stat_cache() as cache:
        assert len(cache.sha256_of(data)) == 64


def make_project(place: Path) -> BlockStore:
    store = BlockStore(place / "project")
    commit_version(store)
    commit_version(store)
    (place / "data.csv").write_bytes(b"a,b")
    with store.stat_cache() as cache:
        cache.facts(place / "data.csv")
    return store


def test_a_read_only_disk_is_read_and_says_that_it_cannot_be_written(small_disk):
    store = make_project(small_disk)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    read_everything(store, small_disk / "data.csv")
    said = change_everything(store)
    assert all("read-only" in words and "copy that can be written" in words for words in said), said


def test_a_store_without_the_right_to_write_is_read_and_says_so():
    with tempfile.TemporaryDirectory(prefix="famulus-store-") as place:
        make_project(Path(place))
        for path in [Path(place), *Path(place).rglob("*")]:
            path.chmod(0o555 if path.is_dir() else 0o444)
        here = f"import sys; sys.path[:0] = [{str(HERE)!r}, {str(HERE.parent.parent)!r}]\n"
        code = here + "from test_hostile_disks import without_rights; without_rights(sys.argv[1])"
        command = [sys.executable, "-c", code, place]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        for path in [Path(place), *Path(place).rglob("*")]:
            path.chmod(0o755)


def without_rights(place: str) -> None:
    """Be nobody (root may write everywhere) and try; runs in a process of its own."""
    from famulus_kernel.store import draft, soundness, stat_cache  # noqa: F401, PLC0415 - nobody cannot load them

    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    store = BlockStore(Path(place) / "project")
    read_everything(store, Path(place) / "data.csv")
    said = change_everything(store)
    assert all("may not be written" in words and "right to write" in words for words in said), said


def test_a_limit_of_file_size_is_an_error_and_not_the_end_of_the_process(store):
    commit_version(store)
    here = f"import sys; sys.path[:0] = [{str(HERE)!r}, {str(HERE.parent.parent)!r}]\n"
    code = here + "from test_hostile_disks import with_small_files; with_small_files(sys.argv[1])"
    done = subprocess.run(
        [sys.executable, "-c", code, str(store.root)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    folder = store.block_folder("work", "letters")
    assert store.numbers(folder) == [1, 2]
    assert not list(folder.glob(".new-*"))
    assert verify(store).findings == ()


def with_small_files(project: str) -> None:
    """Write a large file where only small ones are allowed; runs in a process of its own."""
    import resource  # noqa: PLC0415 - Unix only

    resource.setrlimit(resource.RLIMIT_FSIZE, (64 * 1024, 64 * 1024))
    store = BlockStore(Path(project))
    with pytest.raises(StoreError, match="beyond the size") as caught:
        commit_version(store, companions={"rows.parquet": b"x" * 100_000})
    assert "ulimit -f" in caught.value.hint
    assert commit_version(store).number == 2
