from __future__ import annotations

import json
import shutil
import unicodedata

import pytest
from store_making import commit_version, edit_manifest

from famulus_kernel.errors import ForbiddenPath, NewerFormat, StoreError, UnresolvedReference
from famulus_kernel.store.store import BlockStore, version_name, version_number


def test_a_block_without_versions_has_no_newest_one(store):
    folder = store.block_folder("work", "letters")
    assert store.newest(folder) is None
    assert store.versions(folder) == []
    assert store.numbers(folder) == []


def test_what_was_committed_is_read_back(store):
    written = commit_version(store, data={"n": 75}, counts={"n": 75})
    read = store.newest(store.block_folder("work", "letters"))
    assert read == written
    assert read.name == "v0001"
    assert read.envelope("rows").data == {"n": 75}
    assert read.envelope("rows").famulus.version == "v0001"
    assert read.verdict().status == "pass"
    assert read.trace() == {"steps": []}
    assert read.report()["data"]["counts"] == {"n": 75}


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"data": 5}'])
def test_a_report_that_is_none_is_an_error_that_names_the_file(store, text: str):
    version = commit_version(store)
    (version.folder / "report.json").write_text(text)
    with pytest.raises(StoreError, match=r"v0001/report\.json"):
        version.report()


def test_versions_are_ordered_by_number_when_the_clock_goes_back(store):
    commit_version(store, created="2026-03-01T10:00:00+00:00")
    commit_version(store, created="1999-12-31T23:59:59+00:00")
    folder = store.block_folder("work", "letters")
    assert store.newest(folder).name == "v0002"
    assert [version.number for version in store.versions(folder)] == [1, 2]


def test_v10000_follows_v9999(store):
    first = commit_version(store)
    folder = first.folder.parent
    for number in (9999, 10000):
        shutil.copytree(first.folder, folder / version_name(number))
    assert store.newest(folder).number == 10000
    assert commit_version(store).name == "v10001"


@pytest.mark.parametrize("name", ["v001", "v00001", "v0000", "v\u0660\u0660\u0660\u0661", "enfold", ""])
def test_only_a_canonical_name_is_a_version(name):
    assert version_number(name) is None


@pytest.mark.parametrize("number", [1, 42, 9999, 10000, 123456])
def test_a_versions_name_and_number_belong_together(number):
    assert version_number(version_name(number)) == number


def test_a_folder_without_manifest_is_no_version(store):
    commit_version(store)
    folder = store.block_folder("work", "letters")
    (folder / "v0007").mkdir()
    assert store.newest(folder).number == 1
    assert store.version(folder, 7) is None


def test_the_number_of_a_folder_without_manifest_is_not_given_out_again(store):
    commit_version(store)
    (store.block_folder("work", "letters") / "v0007").mkdir()
    assert commit_version(store).number == 8


def test_an_unreadable_manifest_is_an_error_and_no_reason_to_take_an_older_version(store):
    commit_version(store)
    newest = commit_version(store)
    (newest.folder / "manifest.json").write_text('{"format": 1, "proj')
    with pytest.raises(StoreError, match=r"v0002/manifest\.json") as caught:
        store.newest(newest.folder.parent)
    assert "verify" in caught.value.hint


def test_a_manifest_nested_beyond_all_measure_is_damage(store):
    version = commit_version(store)
    (version.folder / "manifest.json").write_text("[" * 100_000)
    with pytest.raises(StoreError, match="manifest"):
        store.newest(version.folder.parent)


def test_a_manifest_of_a_newer_release_is_named_as_such(store):
    version = commit_version(store)
    edit_manifest(version, format=2, something_new=True)
    with pytest.raises(NewerFormat, match="format 2"):
        store.newest(version.folder.parent)


def test_an_unknown_key_in_our_own_format_is_damage_not_a_newer_format(store):
    version = commit_version(store)
    edit_manifest(version, something_new=True)
    with pytest.raises(StoreError, match="something_new") as caught:
        store.newest(version.folder.parent)
    assert not isinstance(caught.value, NewerFormat)


def test_a_missing_artefact_names_what_the_version_holds(store):
    version = commit_version(store)
    with pytest.raises(UnresolvedReference) as caught:
        version.artefact_path("letters")
    assert "rows" in caught.value.hint


@pytest.mark.parametrize("file", ["../../../secret", "/etc/passwd", "a\\b", ""])
def test_a_manifest_that_points_outside_is_refused(store, file):
    version = commit_version(store)
    entry = json.loads((version.folder / "manifest.json").read_text())["artefacts"][0] | {"file": file}
    edit_manifest(version, artefacts=[entry])
    with pytest.raises(StoreError, match="outside"):
        store.newest(version.folder.parent).artefact_path("rows")


def test_a_block_lies_in_its_notebooks_folder_or_where_log_says(store):
    assert store.relative(store.block_folder("briefe.zahl", "letters")) == "_famulus/store/briefe.zahl/letters"
    assert store.relative(store.block_folder("briefe.zahl", "letters", "logs/here")) == "logs/here/letters"


@pytest.mark.parametrize("log", ["/tmp/elsewhere", "../elsewhere", "a/../../b", "C:\\logs", "..\\b"])
def test_log_does_not_leave_the_project(store, log):
    with pytest.raises(ForbiddenPath):
        store.block_folder("work", "letters", log)


@pytest.mark.parametrize("name", ["", ".", "..", ".hidden", "a/b", "a\\b", "a\0b"])
def test_an_id_is_one_folder(store, name):
    with pytest.raises(ForbiddenPath):
        store.block_folder("work", name)
    with pytest.raises(ForbiddenPath):
        store.block_folder(name, "letters")


def test_a_folder_is_named_by_the_nfc_form_of_the_id(store):
    decomposed = unicodedata.normalize("NFD", "café")
    assert store.block_folder("work", decomposed).name == unicodedata.normalize("NFC", "café")


def test_reading_goes_on_while_the_only_version_seen_is_replaced_and_pruned(store, monkeypatch):
    first = commit_version(store)
    folder = first.folder.parent
    read = BlockStore.version

    def replaced_meanwhile(self, folder, number):
        monkeypatch.undo()
        commit_version(store)
        shutil.rmtree(first.folder)
        return read(self, folder, number)

    monkeypatch.setattr(BlockStore, "version", replaced_meanwhile)
    assert store.newest(folder).number == 2


def test_block_folders_are_those_of_all_notebooks(store):
    for notebook, block in (("b", "x"), ("a", "y"), ("a", "x")):
        commit_version(store, block, notebook=notebook)
    (store.ours / "store" / ".DS_Store").write_bytes(b"")
    names = [store.relative(folder).removeprefix("_famulus/store/") for folder in store.block_folders()]
    assert names == ["a/x", "a/y", "b/x"]
