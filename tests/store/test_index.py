from __future__ import annotations

import json
import logging
import shutil

import pytest
from store_making import commit_version, edit_manifest

from famulus_kernel.errors import NewerFormat
from famulus_kernel.store.index import (
    Index,
    adopt,
    describe_project,
    entry_of,
    read_index,
    rebuilt,
    record_version,
    update_index,
)


def test_there_is_no_index_before_the_first_version(store):
    assert read_index(store) is None


def test_the_index_has_the_form_that_pages_read(store):
    commit_version(store)
    assert json.loads(store.index_path.read_text()) == {
        "format": 1,
        "project": "p",
        "uses": {},
        "blocks": {
            "letters": {
                "notebook": "work",
                "folder": "_famulus/store/work/letters",
                "newest": "v0001",
                "status": "pass",
                "checked": False,
                "created": "2026-03-01T10:00:00+00:00",
            }
        },
        "aliases": {},
    }


def test_each_block_is_one_line_in_order_of_name(store):
    commit_version(store, "b")
    commit_version(store, "a")
    lines = [line for line in store.index_path.read_text().splitlines() if line.startswith("  ")]
    assert [line.split(":")[0].strip() for line in lines] == ['"a"', '"b"']


def test_what_is_written_is_read_back(store):
    version = commit_version(store, 'odd "name" ü')
    index = Index(project="p", uses={"q": "../q"}, blocks={"x": entry_of(store, version)}, aliases={"a": "b"})
    assert Index.model_validate_json(index.to_bytes()) == index
    assert Index.model_validate_json(Index().to_bytes()) == Index()


def test_the_words_of_the_project_outlive_a_commit(store):
    describe_project(store, "demo", {"other": "../other"}, {"old-id": "letters"})
    commit_version(store)
    index = read_index(store)
    assert index.uses == {"other": "../other"}
    assert index.aliases == {"old-id": "letters"}
    assert "letters" in index.blocks


def test_saying_the_same_of_the_project_again_writes_nothing(store):
    describe_project(store, "demo", {}, {})
    before = store.index_path.stat().st_mtime_ns, store.index_path.stat().st_ino
    describe_project(store, "demo", {}, {})
    assert (store.index_path.stat().st_mtime_ns, store.index_path.stat().st_ino) == before


def test_a_slower_writer_does_not_put_an_older_version_into_the_index(store):
    first = commit_version(store)
    commit_version(store)
    record_version(store, first)
    assert read_index(store).blocks["letters"].newest == "v0002"


def test_a_damaged_index_is_written_anew_with_all_blocks_by_the_next_commit(store, caplog):
    commit_version(store, "a")
    commit_version(store, "b")
    store.index_path.write_text('{"format": 1, "blo')
    with caplog.at_level(logging.WARNING):
        commit_version(store, "c")
    assert sorted(read_index(store).blocks) == ["a", "b", "c"]


def test_an_index_of_a_newer_release_is_not_overwritten(store):
    commit_version(store)
    newer = '{"format": 2, "blocks": []}'
    store.index_path.write_text(newer)
    with pytest.raises(NewerFormat):
        read_index(store)
    commit_version(store)
    assert store.index_path.read_text() == newer


def test_a_version_that_came_with_the_text_is_put_into_the_index(store):
    commit_version(store, "here")
    elsewhere = commit_version(store, "there").folder.parent.rename(store.root / "archive")
    store.index_path.unlink()
    update_index(store, lambda index: index)
    assert read_index(store).blocks.keys() == {"here"}
    adopt(store, [elsewhere, store.root / "nothing"])
    assert read_index(store).blocks["there"].folder == "archive"


def test_the_index_can_be_rebuilt_from_the_versions_with_a_log_elsewhere(store):
    commit_version(store, "a")
    folder = store.block_folder("work", "b", "logs")
    commit_version(store, "b", folder=folder)
    store.index_path.unlink()
    assert sorted(rebuilt(store).blocks) == ["a"]
    index = rebuilt(store, [folder])
    assert index.blocks["b"].folder == "logs/b"
    assert index.project == "p"


def test_a_block_in_two_notebooks_is_found_where_the_project_says_or_where_it_is_newer(store):
    old = commit_version(store, notebook="before", created="2026-01-01T00:00:00+00:00").folder.parent
    commit_version(store, notebook="after", created="2026-02-01T00:00:00+00:00")
    assert rebuilt(store).blocks["letters"].notebook == "after"
    assert rebuilt(store, [old]).blocks["letters"].notebook == "before"
    assert rebuilt(store, [old, *store.block_folders()]).blocks["letters"].notebook == "before"


def test_a_damaged_block_keeps_its_entry_and_does_not_hinder_the_others(store):
    version = commit_version(store, "a")
    commit_version(store, "b")
    before = read_index(store)
    edit_manifest(version, status="splendid")
    assert rebuilt(store).blocks == before.blocks


def test_a_block_whose_folder_is_gone_leaves_the_rebuilt_index(store):
    version = commit_version(store, "a")
    commit_version(store, "b")
    shutil.rmtree(version.folder.parent)
    assert sorted(rebuilt(store).blocks) == ["b"]


def test_an_update_that_changes_nothing_writes_nothing(store):
    commit_version(store)
    inode = store.index_path.stat().st_ino
    update_index(store, lambda index: index)
    assert store.index_path.stat().st_ino == inode
