from __future__ import annotations

import hashlib
import os

import duckdb
import pytest

from famulus_kernel.store.content import hash_content, hash_file, stamp_with_log


def test_the_hash_is_the_one_that_sha256sum_prints(tmp_path):
    path = tmp_path / "a.parquet"
    content = b"x" * 3_000_001
    path.write_bytes(content)
    assert hash_file(path) == hash_content(str(path)) == hashlib.sha256(content).hexdigest()


def test_a_log_beside_a_database_is_part_of_it(tmp_path):
    path, log = tmp_path / "a.duckdb", tmp_path / "a.duckdb.wal"
    path.write_bytes(b"db")
    alone, size = hash_content(str(path)), stamp_with_log(str(path))[0]
    log.write_bytes(b"log")
    with_log = hash_content(str(path))
    assert with_log != alone
    assert stamp_with_log(str(path))[0] == size + 3
    log.write_bytes(b"gol")
    assert hash_content(str(path)) not in {alone, with_log}


def test_an_empty_log_holds_nothing(tmp_path):
    path = tmp_path / "a.duckdb"
    path.write_bytes(b"db")
    before = hash_content(str(path)), stamp_with_log(str(path))
    (tmp_path / "a.duckdb.wal").write_bytes(b"")
    assert (hash_content(str(path)), stamp_with_log(str(path))) == before


def test_a_log_beside_another_file_is_nothing_to_it(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b"a,b")
    before = hash_content(str(path)), stamp_with_log(str(path))
    (tmp_path / "a.csv.wal").write_bytes(b"log")
    assert (hash_content(str(path)), stamp_with_log(str(path))) == before


def test_rows_that_duckdb_has_only_in_its_log_change_the_hash(tmp_path):
    path = tmp_path / "a.duckdb"
    with duckdb.connect(str(path)) as database:
        database.execute("SET checkpoint_threshold = '1GB'")
        database.execute("CREATE TABLE t AS SELECT 1 AS a")
        database.execute("CHECKPOINT")
        before, file = hash_content(str(path)), hash_file(path)
        database.execute("INSERT INTO t VALUES (2)")
        assert hash_file(path) == file
        assert hash_content(str(path)) != before


def test_the_later_time_of_database_and_log_counts(tmp_path):
    path, log = tmp_path / "a.duckdb", tmp_path / "a.duckdb.wal"
    path.write_bytes(b"db")
    log.write_bytes(b"log")
    os.utime(path, ns=(1, 5_000))
    os.utime(log, ns=(1, 9_000))
    assert stamp_with_log(str(path))[1] == 9_000


def test_a_missing_file_has_no_stat(tmp_path):
    with pytest.raises(FileNotFoundError):
        stamp_with_log(str(tmp_path / "nowhere.duckdb"))
