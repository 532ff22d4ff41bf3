from __future__ import annotations

import json
import os
import shutil

import pytest
from store_making import commit_version, edit_manifest

from famulus_kernel.errors import NewerFormat
from famulus_kernel.store.index import read_index
from famulus_kernel.store.status_file import write_status
from famulus_kernel.store.verify import verify


@pytest.fixture
def version(store):
    commit_version(store)
    return commit_version(store, data={"n": 75}, companions={"rows.parquet": b"PAR1 and more"})


def found(store, **options):
    return [(one.kind, one.path.name) for one in verify(store, **options).findings]


def rewrite(path, change):
    path.write_text(json.dumps(change(json.loads(path.read_text()))))


def test_a_store_that_nobody_touched_is_clean(store, version):
    commit_version(store, "other", status="error")
    result = verify(store)
    assert result.clean
    assert result.findings == ()
    assert result.versions == 3


def test_an_empty_store_is_clean(store):
    assert verify(store).clean


def test_a_file_with_other_content_of_the_same_size_is_found(store, version):
    path = version.folder / "artefacts" / "rows.parquet"
    path.write_bytes(path.read_bytes().replace(b"more", b"less"))
    result = verify(store)
    assert found(store) == [("altered", "rows.parquet")]
    assert not result.clean
    assert result.as_dict()["findings"][0]["path"] == "_famulus/store/work/letters/v0002/artefacts/rows.parquet"


def test_a_file_of_another_size_says_both_sizes(store, version):
    (version.folder / "artefacts" / "rows.parquet").write_bytes(b"PAR1")
    assert "4 bytes, but had 13" in verify(store).findings[0].message


@pytest.mark.parametrize("file", ["trace.json", "report.json", "artefacts/rows.parquet"])
def test_a_missing_file_is_found(store, version, file):
    (version.folder / file).unlink()
    assert found(store) == [("missing", file.rpartition("/")[2])]


def test_a_file_that_nobody_named_is_found(store, version):
    (version.folder / "artefacts" / "more.csv").write_bytes(b"1")
    (version.folder.parent / "notes.txt").write_bytes(b"1")
    (version.folder / ".DS_Store").write_bytes(b"1")
    assert found(store) == [("unknown", "more.csv"), ("unknown", "notes.txt")]


def test_a_link_in_the_place_of_a_file_is_found(store, version, tmp_path):
    path = version.folder / "artefacts" / "rows.parquet"
    outside = tmp_path / "outside"
    shutil.copyfile(path, outside)
    path.unlink()
    path.symlink_to(outside)
    assert found(store) == [("altered", "rows.parquet")]


def test_an_altered_verdict_is_found(store, version):
    rewrite(version.folder / "verdict.json", lambda verdict: verdict | {"status": "fail"})
    assert found(store) == [("altered", "verdict.json"), ("mismatch", "verdict.json")]


@pytest.mark.parametrize(
    "change",
    [
        {"status": "fail"},
        {"created": "2020-01-01T00:00:00+00:00"},
        {"inputs": {"preamble": {"id": "letters"}, "instruction": "How many letters did she write?"}},
        {"project": "q"},
    ],
)
def test_an_altered_manifest_is_found_by_what_others_repeat_of_it(store, version, change):
    edit_manifest(version, **change)
    assert "mismatch" in {kind for kind, _ in found(store)}


def test_a_version_under_another_name_is_found(store, version):
    shutil.copytree(version.folder, version.folder.parent / "v0009")
    assert ("mismatch", "manifest.json") in found(store)


def test_a_version_in_another_blocks_folder_is_found(store, version):
    shutil.copytree(version.folder, store.block_folder("work", "persons") / "v0002")
    assert ("mismatch", "manifest.json") in found(store)


def test_a_folder_without_manifest_is_torn(store, version):
    (version.folder / "manifest.json").unlink()
    assert ("torn", "v0002") in found(store)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 1}', "\x00\x01"])
def test_a_manifest_that_cannot_be_read_is_found_and_the_rest_is_checked(store, version, text):
    (version.folder / "manifest.json").write_text(text)
    (store.version(version.folder.parent, 1).folder / "trace.json").unlink()
    assert found(store) == [("missing", "trace.json"), ("unreadable", "manifest.json")]


def test_a_manifest_of_a_newer_release_is_no_riddle(store, version):
    edit_manifest(version, format=7)
    assert ("newer", "manifest.json") in found(store)


def test_a_manifest_that_points_outside_is_found(store, version, tmp_path):
    entry = json.loads((version.folder / "manifest.json").read_text())["files"][0] | {"file": "../../../../famulus.yml"}
    edit_manifest(version, files=[entry])
    assert ("unreadable", "manifest.json") in found(store)


def test_a_damaged_artefact_envelope_is_found(store, version):
    (version.folder / "artefacts" / "rows.json").write_text("{")
    assert found(store) == [("altered", "rows.json"), ("unreadable", "rows.json")]


def test_left_over_temporary_folders_are_no_damage(store, version):
    (version.folder.parent / ".new-elsewhere.1.ab" / "artefacts").mkdir(parents=True)
    (version.folder.parent / ".old-v0001.ab").mkdir()
    assert verify(store).findings == ()


def test_an_index_that_is_behind_is_derived_and_repaired(store, version):
    store.index_path.write_text(store.index_path.read_text().replace("v0002", "v0001"))
    result = verify(store)
    assert result.clean
    assert [(one.kind, one.level) for one in result.findings] == [("behind", "derived")]
    repaired = verify(store, repair=True)
    assert repaired.findings == ()
    assert repaired.repaired == (store.index_path,)
    assert read_index(store).blocks["letters"].newest == "v0002"
    assert verify(store).findings == ()


@pytest.mark.parametrize("text", [None, "{", "[]"])
def test_an_index_that_is_gone_or_damaged_is_written_anew(store, version, text):
    if text is None:
        store.index_path.unlink()
    else:
        store.index_path.write_text(text)
    assert [one.level for one in verify(store).findings] == ["derived"]
    assert verify(store, repair=True).findings == ()
    assert "letters" in read_index(store).blocks


def test_an_index_of_a_newer_release_is_left_alone(store, version):
    store.index_path.write_text('{"format": 2}')
    assert ("newer", "index.json") in found(store, repair=True)
    with pytest.raises(NewerFormat):
        read_index(store)


def test_the_copy_of_an_enfolding_is_repaired(store):
    version = commit_version(store, extra={"enfold/enfolding.json": b'{"a": 1}'})
    copy = version.folder.parent / "enfold" / "enfolding.json"
    copy.write_bytes(b"{}")
    assert [one.level for one in verify(store).findings] == ["derived"]
    assert verify(store, repair=True).findings == ()
    assert copy.read_bytes() == b'{"a": 1}'


def test_repair_sweeps_what_dead_runs_left(store, version):
    left = version.folder.parent / ".old-v0001.ab"
    left.mkdir()
    assert verify(store, repair=True).repaired == (left,)
    assert not left.exists()


def test_repair_does_not_hide_damage(store, version):
    (version.folder / "trace.json").unlink()
    store.index_path.unlink()
    result = verify(store, repair=True)
    assert [one.kind for one in result.findings] == ["missing"]
    assert not result.clean


def test_a_block_with_a_log_elsewhere_is_checked(store):
    folder = store.block_folder("work", "b", "logs")
    (commit_version(store, "b", folder=folder).folder / "trace.json").unlink()
    assert found(store) == [("missing", "trace.json")]  # the index knows where it is
    store.index_path.unlink()
    assert ("missing", "trace.json") in [(one.kind, one.path.name) for one in verify(store, [folder]).findings]


def test_damaged_files_of_the_project_are_found(store, version):
    store.accepted_path.write_text("{\n")
    write_status(store, {}, "2026-03-01")
    store.status_path.write_text('{"format": 9}')
    assert found(store) == [("unreadable", "accepted.jsonl"), ("newer", "status.json")]


def test_a_version_that_is_pruned_meanwhile_is_nobodys_fault(store, version):
    older = version.folder.parent / "v0001"

    def prune_at_once(done, of):
        shutil.rmtree(older, ignore_errors=True)

    assert older.is_dir()
    assert verify(store, progress=prune_at_once).findings == ()


def test_a_newest_version_that_somebody_deleted_is_damage_until_a_repair_forgets_it(store, version):
    shutil.rmtree(version.folder)
    result = verify(store)
    assert [(one.kind, one.level) for one in result.findings] == [("missing", "damage"), ("behind", "derived")]
    assert result.findings[0].path == version.folder
    assert version.name in result.findings[0].message
    assert not verify(store, repair=True).clean
    assert verify(store).findings == ()


def test_a_block_whose_folder_somebody_deleted_is_damage(store, version):
    shutil.rmtree(version.folder.parent)
    assert not verify(store).clean


def test_progress_counts_versions(store, version):
    seen = []
    verify(store, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(1, 2), (2, 2)]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read_is_found(store, version):
    (version.folder / "trace.json").chmod(0)
    assert found(store) == [("unreadable", "trace.json")]
