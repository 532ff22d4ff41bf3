"""The cells of a project, kept from kernel to kernel."""

from __future__ import annotations

import logging
import sqlite3
from pathlib import Path

import pytest

from famulus_kernel.kernel.history import History


def filled(history: History, *cells: str) -> History:
    for line, code in enumerate(cells, start=1):
        history.add(line, code, f"<{code}>")
    return history


def lines(history: History, access: str, **how: object) -> list[tuple[int, int]]:
    return [(entry.session, entry.line) for entry in history.find(access, **how)]  # type: ignore[arg-type]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "_famulus" / "history.sqlite"


def test_cells_are_found_by_their_end_by_lines_and_by_pattern(file: Path) -> None:
    history = filled(History(lambda: file), "roster", "zahl", "roster", "%status")
    assert lines(history, "tail", n=2) == [(1, 3), (1, 4)]
    assert lines(history, "tail", n=None) == [(1, 1), (1, 2), (1, 3), (1, 4)]
    assert lines(history, "range", session=0, start=2, stop=4) == [(1, 2), (1, 3)]
    assert lines(history, "range", session=1, start=2) == [(1, 2), (1, 3), (1, 4)]
    assert lines(history, "range", session=7, start=1, stop=9) == []
    assert lines(history, "search", pattern="ros*") == [(1, 1), (1, 3)]
    assert lines(history, "search", pattern="ros*", unique=True) == [(1, 3)]
    assert lines(history, "search", pattern="*", n=1) == [(1, 4)]
    first = history.find("tail", n=4)[0]
    assert first.row(output=True) == (1, 1, ("roster", "<roster>"))
    assert first.row(output=False) == (1, 1, "roster")
    history.close()


def test_a_later_kernel_finds_the_cells_of_an_earlier_one(file: Path) -> None:
    filled(History(lambda: file), "roster", "zahl").close()
    history = filled(History(lambda: file), "roster")
    assert lines(history, "tail", n=9) == [(1, 1), (1, 2), (2, 1)]
    assert lines(history, "range", session=-1, start=1, stop=9) == [(1, 1), (1, 2)]
    assert lines(history, "search", pattern="roster", unique=True) == [(2, 1)]
    history.close()
    with sqlite3.connect(file) as database:
        sessions = database.execute("SELECT session, num_cmds FROM sessions ORDER BY session").fetchall()
        assert sessions == [(1, 2), (2, 1)]
    database.close()


def test_two_kernels_keep_their_cells_apart_in_one_file(file: Path) -> None:
    first, second = History(lambda: file), History(lambda: file)
    first.add(1, "a", None)
    second.add(1, "b", None)
    first.add(2, "c", None)
    assert lines(first, "range", session=0) == [(1, 1), (1, 2)]
    assert lines(second, "range", session=0) == [(2, 1)]
    first.close()
    second.close()


def test_a_file_that_is_no_database_is_left_alone_and_the_cells_are_kept_in_memory(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file.parent.mkdir()
    file.write_bytes(b"not a database, and somebody's own" * 100)
    with caplog.at_level(logging.WARNING):
        history = filled(History(lambda: file), "roster")
    assert lines(history, "tail", n=1) == [(1, 1)]
    assert "cannot be used" in caplog.text
    assert file.read_bytes().startswith(b"not a database")
    history.close()


def test_a_file_that_is_taken_away_costs_no_cell(file: Path) -> None:
    history = filled(History(lambda: file), "roster")
    with sqlite3.connect(file) as database:
        database.execute("DROP TABLE history")
    database.close()
    history.add(2, "zahl", None)
    assert history.find("tail", n=1)[0].code == "zahl"
    history.close()


def test_text_that_is_no_text_is_kept_as_far_as_it_goes(file: Path) -> None:
    history = History(lambda: file)
    history.add(1, "a", "half \ud800 a pair")
    assert history.find("tail", n=1)[0].output == "half ? a pair"
    history.close()
