from __future__ import annotations

import errno
import os

import pytest

from famulus_kernel.errors import StoreError
from famulus_kernel.store.durable import make_folders, replace_file, sync_tree, writing


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EDQUOT, "quota"),
        (errno.EFBIG, "beyond the size"),
        (errno.EROFS, "read-only"),
        (errno.EACCES, "may not be written"),
        (errno.ENAMETOOLONG, "too long"),
        (errno.EIO, "Input/output error"),
    ],
)
def test_the_systems_reason_is_said_in_words_with_a_hint(tmp_path, number, words):
    with pytest.raises(StoreError, match=words) as caught, writing(tmp_path):
        raise OSError(number, os.strerror(number))
    assert str(tmp_path) in caught.value.message
    assert caught.value.hint


def test_a_file_is_replaced_whole_and_nothing_is_left_beside_it(tmp_path):
    path = tmp_path / "index.json"
    replace_file(path, b"old")
    replace_file(path, b"new")
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("index.json", b"new")]


def test_what_a_kill_left_beside_a_file_is_overwritten(tmp_path):
    path = tmp_path / "index.json"
    path.write_bytes(b"old")
    (tmp_path / ".index.json.new").write_bytes(b"ha")
    replace_file(path, b"new")
    assert [one.name for one in tmp_path.iterdir()] == ["index.json"]


def test_a_failed_replacement_leaves_the_old_file(tmp_path):
    path = tmp_path / "index.json"
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        replace_file(path, b"new")
    assert [one.name for one in tmp_path.iterdir()] == ["index.json"]


def test_folders_are_made_with_their_parents(tmp_path):
    make_folders(tmp_path / "a" / "b" / "c")
    make_folders(tmp_path / "a" / "b" / "c")
    assert (tmp_path / "a" / "b" / "c").is_dir()


def test_a_file_where_a_folder_should_be_is_said(tmp_path):
    (tmp_path / "a").write_bytes(b"")
    with pytest.raises(StoreError), writing(tmp_path / "a"):
        make_folders(tmp_path / "a" / "b")


def test_syncing_a_tree_follows_no_links(tmp_path):
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    sync_tree(tmp_path)
