from __future__ import annotations

import hashlib
import os
import sqlite3
import time
from pathlib import Path

import pytest

from famulus_kernel.errors import MissingFile
from famulus_kernel.store import stat_cache as module
from famulus_kernel.store.stamps import SETTLE_NS, Stamp
from famulus_kernel.store.stat_cache import StatCache

OLD_NS = 1_700_000_000_000_000_000


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def opened(monkeypatch):
    """The files that were hashed, in order."""
    paths = []
    real = module.hash_content
    monkeypatch.setattr(module, "hash_content", lambda path: (paths.append(Path(path).name), real(path))[1])
    return paths


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "a.parquet"
    write(path, b"content")
    return path


def write(path, content: bytes, mtime_ns: int = OLD_NS) -> None:
    path.write_bytes(content)
    os.utime(path, ns=(mtime_ns, mtime_ns))


@pytest.fixture
def cache_path(tmp_path):
    return tmp_path / "ours" / "stat-cache.sqlite"


def known(path, content: bytes, started_ns: int | None = None) -> dict:
    """What a manifest says of a file that it read when it had this content."""
    stat = path.stat()
    return {
        "size": len(content), "mtime_ns": stat.st_mtime_ns, "sha256": sha(content),
        "run_started_ns": stat.st_mtime_ns + SETTLE_NS if started_ns is None else started_ns,
    }


def test_facts_are_size_time_and_hash(file, cache_path):
    with StatCache(cache_path) as cache:
        facts = cache.facts(file)
    assert (facts.size, facts.mtime_ns, facts.sha256) == (7, OLD_NS, sha(b"content"))


def test_a_file_is_hashed_once_for_all_processes(file, cache_path, opened):
    for _ in range(3):
        with StatCache(cache_path) as cache:
            assert cache.sha256_of(file) == sha(b"content")
            assert cache.sha256_of(str(file)) == sha(b"content")
    assert opened == ["a.parquet"]


@pytest.mark.parametrize("how", ["size", "time", "replaced"])
def test_a_file_whose_stat_differs_is_hashed_again(file, cache_path, opened, how):
    with StatCache(cache_path) as cache:
        cache.facts(file)
    if how == "size":
        write(file, b"content and more")
    elif how == "time":
        write(file, b"CONTENT", OLD_NS + 1)
    else:  # another file of the same size and time takes its name
        other = file.with_name("other")
        write(other, b"CONTENT")
        other.replace(file)
    with StatCache(cache_path) as cache:
        assert cache.sha256_of(file) == sha(file.read_bytes())
    assert len(opened) == 2


def test_a_change_of_same_size_within_the_tick_of_the_clock_is_seen(file, cache_path):
    now = time.time_ns()
    write(file, b"content", now)
    with StatCache(cache_path) as cache:
        assert cache.sha256_of(file) == sha(b"content")
        inode = file.stat().st_ino
        write(file, b"CONTENT", now)
        assert file.stat().st_ino == inode
        assert cache.sha256_of(file) == sha(b"CONTENT")
    write(file, b"cOnTeNt", now)
    with StatCache(cache_path) as cache:
        assert cache.sha256_of(file) == sha(b"cOnTeNt")


@pytest.mark.parametrize(
    ("before_start_ns", "is_trusted"), [(SETTLE_NS + 1, True), (SETTLE_NS, True), (SETTLE_NS - 1, False), (-1, False)]
)
def test_a_time_within_two_seconds_of_the_runs_start_is_not_trusted(
    file, cache_path, opened, before_start_ns, is_trusted
):
    started = OLD_NS + before_start_ns
    for _ in range(2):
        with StatCache(cache_path) as cache:
            cache.facts(file, run_started_ns=started)
    assert len(opened) == (1 if is_trusted else 2)
    assert Stamp(0, OLD_NS, 0).was_settled(started) is is_trusted


def test_a_time_in_the_future_is_never_trusted(file, cache_path, opened):
    write(file, b"content", time.time_ns() + 3600 * 10**9)
    for _ in range(2):
        with StatCache(cache_path) as cache:
            cache.facts(file)
    assert len(opened) == 2


def test_a_file_with_the_manifests_size_and_time_is_not_opened(file, cache_path, opened):
    with StatCache(cache_path) as cache:
        assert cache.changed(file, **known(file, b"content")) is None
    assert opened == []
    assert not cache_path.exists()


def test_a_manifest_does_not_vouch_for_a_file_changed_as_its_run_began(file, cache_path, opened):
    recorded = known(file, b"content", started_ns=OLD_NS + SETTLE_NS - 1)
    write(file, b"CONTENT")
    with StatCache(cache_path) as cache:
        assert cache.changed(file, **recorded).sha256 == sha(b"CONTENT")


def test_a_checkout_that_resets_times_makes_no_work_beyond_one_hash(file, cache_path, opened):
    recorded = known(file, b"content")
    write(file, b"content", OLD_NS + 10**12)
    for _ in range(3):
        with StatCache(cache_path) as cache:
            assert cache.changed(file, **recorded) is None
    assert opened == ["a.parquet"]


def test_a_checkout_of_an_older_file_is_seen_though_its_time_lies_before(file, cache_path):
    recorded = known(file, b"content")
    write(file, b"CONTENT", OLD_NS - 10**15)
    with StatCache(cache_path) as cache:
        change = cache.changed(file, **recorded)
    assert (change.size, change.sha256) == (7, sha(b"CONTENT"))


def test_a_file_that_is_gone_has_neither_size_nor_hash(file, cache_path):
    recorded = known(file, b"content")
    file.unlink()
    with StatCache(cache_path) as cache:
        change = cache.changed(file, **recorded)
        assert (change.size, change.sha256) == (None, None)
        with pytest.raises(MissingFile):
            cache.facts(file)


def test_a_name_that_no_disk_can_have_is_of_a_file_that_is_gone(file, cache_path):
    recorded = known(file, b"content")
    with StatCache(cache_path) as cache:
        assert cache.changed(f"{file}\0", **recorded).size is None


def test_rows_in_the_log_of_a_database_are_a_change(tmp_path, cache_path):
    path = tmp_path / "a.duckdb"
    write(path, b"content")
    recorded = known(path, b"content")
    with StatCache(cache_path) as cache:
        assert cache.changed(path, **recorded) is None
        write(tmp_path / "a.duckdb.wal", b"log")
        assert cache.changed(path, **recorded).size == 10


def test_a_cache_that_was_deleted_is_made_again(file, cache_path, opened):
    for _ in range(2):
        with StatCache(cache_path) as cache:
            cache.facts(file)
        cache_path.unlink()
    assert len(opened) == 2


@pytest.mark.parametrize("damage", ["text", "empty", "cut", "page", "no table", "other schema"])
def test_a_damaged_cache_is_made_anew(tmp_path, cache_path, opened, damage):
    files = [tmp_path / f"{n}.parquet" for n in range(300)]
    for path in files:
        write(path, path.name.encode())
    with StatCache(cache_path) as cache:
        for path in files:
            cache.facts(path)
    harm(cache_path, damage)
    with StatCache(cache_path) as cache:
        assert all(cache.sha256_of(path) == sha(path.name.encode()) for path in files)
    opened.clear()
    with StatCache(cache_path) as cache:
        for path in files:
            cache.facts(path)
    assert opened == []


def harm(path, damage):
    content = bytearray(path.read_bytes())
    if damage == "text":
        path.write_text("this is not a database at all" * 100)
    elif damage == "empty":
        path.write_bytes(b"")
    elif damage == "cut":
        path.write_bytes(content[: len(content) // 2])
    elif damage == "page":
        content[4096 : 4096 + 200] = b"\xff" * 200
        path.write_bytes(content)
    else:
        with sqlite3.connect(path) as database:
            database.execute("DROP TABLE files" if damage == "no table" else "PRAGMA user_version = 99")
        database.close()


def test_a_cache_that_cannot_be_written_is_only_in_memory(file, tmp_path, opened):
    (tmp_path / "ours").write_bytes(b"a file where the folder should be")
    with StatCache(tmp_path / "ours" / "stat-cache.sqlite") as cache:
        assert cache.sha256_of(file) == cache.sha256_of(file) == sha(b"content")
    assert opened == ["a.parquet"]
    with StatCache(None) as cache:
        assert cache.sha256_of(file) == sha(b"content")


def test_another_process_that_holds_the_cache_costs_only_what_was_learnt(file, cache_path, monkeypatch):
    monkeypatch.setattr(module, "_BUSY_S", 0.05)
    other = file.with_name("other.parquet")
    write(other, b"other")
    with StatCache(cache_path) as cache:
        cache.facts(file)
    holder = sqlite3.connect(cache_path, isolation_level=None)
    holder.execute("BEGIN EXCLUSIVE")
    with StatCache(cache_path) as cache:
        assert cache.sha256_of(other) == sha(b"other")
    holder.execute("ROLLBACK")
    holder.close()
    with StatCache(cache_path) as cache:
        assert cache.sha256_of(file) == sha(b"content")


def test_names_that_are_not_utf8_and_names_with_signs_of_sql_are_known_too(tmp_path, cache_path, opened):
    names = [os.fsdecode(b"caf\xe9.parquet"), "a'b\"c;--.parquet", "ä %3F?.parquet"]
    for name in names:
        write(tmp_path / name, name.encode("utf-8", "surrogateescape"))
    for _ in range(2):
        with StatCache(cache_path) as cache:
            for name in names:
                assert cache.sha256_of(tmp_path / name) == sha(name.encode("utf-8", "surrogateescape"))
    assert len(opened) == len(names)


def test_a_file_that_is_written_while_it_is_read_is_read_again(file, cache_path, monkeypatch):
    real = module.hash_content

    def hashed_while_written(path):
        result = real(path)
        monkeypatch.undo()
        write(file, b"content at last", OLD_NS + 1)
        return result

    monkeypatch.setattr(module, "hash_content", hashed_while_written)
    with StatCache(cache_path) as cache:
        assert cache.sha256_of(file) == sha(b"content at last")


def test_five_thousand_unchanged_files_cost_little_more_than_their_stat(tmp_path, cache_path):
    files = [tmp_path / f"{n}.parquet" for n in range(500)]
    for path in files:
        write(path, b"x")
    manifest = {"size": 1, "mtime_ns": OLD_NS, "sha256": sha(b"x"), "run_started_ns": OLD_NS + SETTLE_NS}
    paths = [str(path) for path in files] * 10

    def cost(action):
        best = float("inf")
        for _ in range(5):
            start = time.process_time()
            action()
            best = min(best, time.process_time() - start)
        return best

    with StatCache(cache_path) as cache:
        looked = cost(lambda: [cache.changed(path, **manifest) for path in paths])
    bare = cost(lambda: [os.stat(path) for path in paths])  # noqa: PTH116 - as cheap as it gets
    assert looked < 3 * bare + 0.01
