"""From names to files."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from famulus_kernel.corpus.files import Allowed, expand, is_glob
from famulus_kernel.errors import ForbiddenPath, MissingFile

TREE = [
    "a.csv",
    "b.csv",
    "ab.csv",
    ".hidden.csv",
    "x/a.csv",
    "x/y/a.csv",
    "x/y/z/b.txt",
    "x/.h/a.csv",
    "[1].csv",
    "é.csv",
]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("tree")
    for name in TREE:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("1")
    return root


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as connection:
        yield connection


def _names(pattern: str, folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in expand(pattern, folder)}


PARTS = st.sampled_from(["*", "**", "?", "a*", "*.csv", "[ab]", "[!a]*", "[a-b].csv", "x", "y", "*b*", "a.csv", ".*"])


@settings(max_examples=150, deadline=None)
@given(parts=st.lists(PARTS, min_size=1, max_size=4).filter(lambda parts: parts.count("**") < 2))
def test_a_pattern_finds_what_duckdb_finds(tree, connection, parts):
    pattern = "/".join(parts)
    rows = connection.execute("FROM glob(?)", [f"{tree}/{pattern}"]).fetchall()
    assert set(expand(pattern, tree)) == {Path(name) for (name,) in rows if Path(name).is_file()}


def test_files_come_sorted_and_absolute(tree):
    assert expand("[ab]*.csv", tree) == (tree / "a.csv", tree / "ab.csv", tree / "b.csv")


def test_a_path_is_itself_or_nothing(tree):
    assert expand("x/../a.csv", tree) == (tree / "a.csv",)
    assert expand(str(tree / "a.csv"), Path("/elsewhere")) == (tree / "a.csv",)
    assert expand("x", tree) == expand("nothing.csv", tree) == expand("", tree) == ()


def test_a_file_that_is_called_like_a_pattern_goes_before_the_pattern(tree):
    assert _names("[1].csv", tree) == {"[1].csv"}


def test_a_folder_that_is_called_like_a_pattern_is_a_folder(tmp_path):
    folder = tmp_path / "work [1]"
    folder.mkdir()
    (folder / "a.csv").touch()
    assert _names("*.csv", folder) == {"a.csv"}
    assert _names("a.csv", folder) == {"a.csv"}


def test_a_tilde_is_the_home_and_an_unknown_user_is_nobody(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "a.csv").touch()
    assert expand("~/a.csv", Path("/")) == (tmp_path / "a.csv",)
    assert expand("~nobody-of-that-name/a.csv", tmp_path) == ()


@pytest.mark.parametrize("name", ["a" * 5000, "x/" * 3000, "\0", "a\0*"])
def test_an_impossible_name_finds_nothing(name, tmp_path):
    with contextlib.suppress(ValueError):
        assert expand(name, tmp_path) == ()


def test_a_loop_of_links_ends(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "a.csv").touch()
    assert _names("**/*.csv", tmp_path) == {"a.csv"}


@pytest.mark.parametrize(
    ("name", "answer"), [("a*", True), ("a?", True), ("[a]", True), ("a.csv", False), ("{a}", False)]
)
def test_a_glob_is_what_has_one_of_three_signs(name, answer):
    assert is_glob(name) is answer


class TestAllowed:
    @pytest.fixture
    def allowed(self, tree: Path) -> Allowed:
        return Allowed.of([tree / "a.csv"], [tree / "x"])

    @pytest.mark.parametrize("name", ["a.csv", "x/a.csv", "x/*.csv", "x/**/*.csv", "x/y/../a.csv", "[a].csv"])
    def test_files_named_and_files_below_may_be_read(self, allowed, tree, name):
        assert allowed.files(name, tree)

    @pytest.mark.parametrize(
        "name",
        ["b.csv", "*.csv", "x/../b.csv", "/etc/passwd", "/etc/*", "/**", "../*", "x/*/../../b.csv", "~/x",
         "https://example.com/a.csv", "s3://x/a.csv", "file:///etc/passwd"],
    )  # fmt: skip
    def test_all_else_may_not(self, allowed, tree, name):
        with pytest.raises(ForbiddenPath):
            allowed.files(name, tree)

    def test_a_link_that_leads_out_may_not_be_followed(self, tmp_path):
        inside, outside = tmp_path / "in", tmp_path / "out"
        inside.mkdir()
        outside.mkdir()
        (outside / "a.csv").touch()
        (inside / "file.csv").symlink_to(outside / "a.csv")
        (inside / "folder").symlink_to(outside)
        allowed = Allowed.of([], [inside])
        for name in ("file.csv", "*.csv", "folder/a.csv", "folder/*.csv", "*/a.csv"):
            with pytest.raises(ForbiddenPath):
                allowed.files(name, inside)

    def test_a_link_that_stays_inside_may_be_followed(self, tmp_path):
        (tmp_path / "a.csv").touch()
        (tmp_path / "link.csv").symlink_to("a.csv")
        assert Allowed.of([], [tmp_path]).files("link.csv", tmp_path) == (tmp_path / "link.csv",)

    def test_a_folder_that_is_itself_a_link_may_be_allowed(self, tmp_path):
        (tmp_path / "real").mkdir()
        (tmp_path / "real" / "a.csv").touch()
        (tmp_path / "link").symlink_to("real")
        assert Allowed.of([], [tmp_path / "link"]).files("a.csv", tmp_path / "link")

    def test_nothing_there_is_told_with_the_whole_path(self, allowed, tree):
        with pytest.raises(MissingFile, match="nothing"):
            allowed.files("x/nothing.csv", tree)
        with pytest.raises(MissingFile):
            allowed.files("x/nothing*.csv", tree)

    def test_the_error_names_the_file_that_a_pattern_must_not_find(self, tmp_path):
        (tmp_path / "link.csv").symlink_to("/etc/passwd")
        with pytest.raises(ForbiddenPath, match=r"link\.csv"):
            Allowed.of([], [tmp_path]).files("*.csv", tmp_path)

    def test_what_is_outside_is_not_even_looked_for(self, tmp_path, allowed, monkeypatch):
        monkeypatch.setattr(os, "scandir", lambda *_: pytest.fail("looked"))
        monkeypatch.setattr(os, "walk", lambda *_: pytest.fail("looked"))
        with pytest.raises(ForbiddenPath):
            allowed.files("/etc/**/*.conf", tmp_path)
