from __future__ import annotations

import pytest
from store_making import commit_version, edit_manifest

from famulus_kernel.errors import StoreError
from famulus_kernel.store.index import read_index
from famulus_kernel.store.prune import prune
from famulus_kernel.store.verify import verify


@pytest.fixture
def folder(store):
    return store.block_folder("work", "letters")


def left(store, folder):
    return [version.number for version in store.versions(folder)]


def test_the_newest_ones_stay(store, folder):
    for _ in range(5):
        commit_version(store)
    result = prune(store, [folder], keep=2)
    assert [one.version for one in result.removed] == ["v0001", "v0002", "v0003"]
    assert result.bytes > 0
    assert left(store, folder) == [4, 5]
    assert verify(store).findings == ()
    assert read_index(store).blocks["letters"].newest == "v0005"


def test_a_version_that_is_named_stays(store, folder):
    for _ in range(4):
        commit_version(store)
    result = prune(store, [folder], keep=1, pinned={("letters", 2), ("persons", 1)})
    assert left(store, folder) == [2, 4]
    assert [one.version for one in result.spared] == ["v0002"]


def test_the_last_good_version_stays_behind_any_number_of_errors(store, folder):
    for status in ("pass", "fail", "error", "error", "error"):
        commit_version(store, status=status)
    prune(store, [folder], keep=1)
    assert left(store, folder) == [2, 5]


def test_errors_do_not_count_among_the_results_that_stay(store, folder):
    for status in ("pass", "error", "fail", "error", "error", "pass", "error", "error", "error"):
        commit_version(store, status=status)
    prune(store, [folder], keep=2)
    assert left(store, folder) == [3, 6, 8, 9]


@pytest.mark.parametrize("keep", [0, -3, 1])
def test_one_version_always_stays_so_that_no_number_is_given_out_twice(store, folder, keep):
    for status in ("pass", "error"):
        commit_version(store, status=status)
    prune(store, [folder], keep=keep)
    assert left(store, folder) == [1, 2]
    assert commit_version(store).number == 3


def test_keeping_more_than_there_are_removes_nothing(store, folder):
    commit_version(store)
    result = prune(store, [folder, store.block_folder("work", "never-run")], keep=7)
    assert result.removed == result.spared == ()
    assert left(store, folder) == [1]


def test_a_dry_run_says_the_same_and_removes_nothing(store, folder):
    for _ in range(3):
        commit_version(store)
    said = prune(store, [folder], keep=1, dry_run=True)
    assert left(store, folder) == [1, 2, 3]
    assert prune(store, [folder], keep=1) == said


def test_versions_are_counted_by_number_beyond_four_digits(store, folder):
    first = commit_version(store)
    first.folder.rename(folder / "v9999")
    edit_manifest(store.version(folder, 9999), version="v9999")
    commit_version(store)
    prune(store, [folder], keep=1)
    assert left(store, folder) == [10000]


def test_nothing_of_a_damaged_block_is_removed(store, folder):
    commit_version(store)
    edit_manifest(commit_version(store), status="splendid")
    commit_version(store)
    with pytest.raises(StoreError):
        prune(store, [folder], keep=1)
    assert store.numbers(folder) == [1, 2, 3]


def test_what_a_killed_prune_left_is_swept_by_the_next_run(store, folder):
    version = commit_version(store)
    commit_version(store)
    version.folder.rename(folder / ".old-v0001.abcd")
    assert verify(store).findings == ()
    commit_version(store)
    assert not (folder / ".old-v0001.abcd").exists()
