"""Paths as written, as on the disk, and as a manifest keeps them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.errors import MissingFile
from famulus_kernel.project.places import Places, collections_root

PLACES = Places(Path("/work/letters"), Path("/mnt/collections"))
NAMES = st.text(
    st.characters(codec="utf-8", exclude_characters="/\0$~", categories=["L", "N", "P"]), min_size=1
).filter(lambda name: name not in {".", ".."} and not name.startswith("-"))


def test_relative_paths_start_at_the_project() -> None:
    assert PLACES.expand("data/a.duckdb") == Path("/work/letters/data/a.duckdb")


def test_the_collections_are_expanded_in_either_spelling() -> None:
    assert PLACES.expand("$PDAI_COLLECTIONS/x/x.duckdb") == Path("/mnt/collections/x/x.duckdb")
    assert PLACES.expand("${PDAI_COLLECTIONS}/x/x.duckdb") == Path("/mnt/collections/x/x.duckdb")


def test_the_home_folder_is_expanded() -> None:
    assert PLACES.expand("~/a.duckdb") == Path.home() / "a.duckdb"


@given(st.lists(NAMES, min_size=1, max_size=4))
def test_what_is_kept_leads_back_to_the_same_file(parts: list[str]) -> None:
    for folder in (PLACES.root, PLACES.collections, Path("/elsewhere")):
        path = folder.joinpath(*parts)
        assert Path(PLACES.actual(PLACES.portable(path))) == path


def test_a_kept_path_says_nothing_of_the_machine() -> None:
    assert PLACES.portable(Path("/work/letters/data/a.duckdb")) == "data/a.duckdb"
    assert PLACES.portable(Path("/mnt/collections/x/x.duckdb")) == "$PDAI_COLLECTIONS/x/x.duckdb"


def test_a_file_that_is_not_there_is_told_as_written_and_as_expanded() -> None:
    with pytest.raises(MissingFile) as caught:
        PLACES.existing("$PDAI_COLLECTIONS/x/x.duckdb")
    assert "$PDAI_COLLECTIONS/x/x.duckdb" in str(caught.value)
    assert "/mnt/collections/x/x.duckdb" in str(caught.value)


def test_a_link_that_leads_out_is_not_readable(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "secret.csv").write_text("n\n1\n")
    (root / "link.csv").symlink_to(tmp_path / "secret.csv")
    (root / "own.csv").write_text("n\n1\n")
    places = Places(root, tmp_path / "collections")
    assert places.readable(root / "own.csv")
    assert not places.readable(root / "link.csv")
    assert not places.readable(root / "_famulus" / "store" / "a" / "b.json")


def test_famulus_yml_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PDAI_COLLECTIONS", "/from/environment")
    assert collections_root(tmp_path, None) == Path("/from/environment")
    assert collections_root(tmp_path, "/from/file") == Path("/from/file")
    assert collections_root(tmp_path, "corpora") == tmp_path / "corpora"
    monkeypatch.delenv("PDAI_COLLECTIONS")
    assert collections_root(tmp_path, None) == Path("/Volumes/PDAI-1/pdai-collections")


@pytest.mark.parametrize("written", ["~nobody-of-that-name/a.csv", "a" * 5000, "a\0b"])
def test_an_impossible_name_is_not_there(tmp_path: Path, written: str) -> None:
    with pytest.raises(MissingFile):
        Places(tmp_path, tmp_path).existing(written)


def test_a_folder_or_a_pipe_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe"):
        with pytest.raises(MissingFile, match="no file"):
            Places(tmp_path, tmp_path).existing_file(name)
