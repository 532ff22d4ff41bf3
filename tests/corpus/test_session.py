"""A session: which files it opens, how it is stopped, what it leaves behind."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest

from famulus_kernel.corpus import DataSession, Progress
from famulus_kernel.errors import Interrupted, MissingFile, QueryFailed

if TYPE_CHECKING:
    from pathlib import Path

ENDLESS = "SELECT count(*) FROM range(10000000) a(i), range(10000000) b(j) WHERE i * j % 7 = 3"
DEAF = "SELECT len(list_sort(range(6000000), 'DESC'))"
"""One value that takes some seconds to make: DuckDB looks up only between values."""


class TestFilesOfTheSql:
    def test_relative_names_start_at_the_folder_and_not_at_the_working_directory(self, desk, monkeypatch):
        (desk.out / "data").mkdir()
        (desk.out / "data" / "a.csv").write_text("x,y\n0,0\n")
        monkeypatch.chdir(desk.out)
        assert desk.rows("FROM read_csv('data/a.csv')") == [(1, 2)]

    @pytest.mark.parametrize(
        ("sql", "rows"),
        [
            ("FROM read_csv('data/*.csv') ORDER BY x", [(1, 2), (3, 4)]),
            ("FROM read_csv(['data/b.csv', 'data/a.csv'])", [(3, 4), (1, 2)]),
            ("FROM read_csv('data/[b-z].csv', header = true)", [(3, 4)]),
            ("FROM read_json('data/n.json')", [(1,)]),
            ("FROM read_json_auto('data/n.json')", [(1,)]),
            ("FROM read_parquet('**/p.parquet')", [(7,)]),
            ("SELECT content FROM read_text('data/a.csv')", [("x,y\n1,2\n",)]),
            ("SELECT size FROM read_blob('./data/../data/a.csv')", [(8,)]),
            ("SELECT count(*) FROM glob('data/*')", [(4,)]),
            ("SELECT a.x + t.id FROM read_csv('data/a.csv') a, letters.t ORDER BY ALL", [(1,), (2,), (3,)]),
        ],
    )
    def test_files_that_the_sql_names_are_read(self, desk, sql, rows):
        assert desk.rows(sql) == rows

    def test_a_file_of_the_caller_may_be_read_wherever_it_lies(self, desk):
        with desk.session(allowed_paths=[desk.secret], allowed_directories=[]) as session:
            result = session.run(f"FROM read_csv('{desk.secret}')", desk.out / "result.parquet")
        assert result.rows == ((9, 9),)

    def test_a_view_may_read_what_the_caller_allows(self, desk, template):
        with desk.session(allowed_paths=[template / "secret.csv"]) as session:
            assert session.run("FROM letters.reads_secret", desk.out / "result.parquet").rows == ((9, 9),)

    def test_a_later_query_may_name_other_files(self, desk):
        with desk.session() as session:
            for name, row in (("a", (1, 2)), ("b", (3, 4)), ("a", (1, 2))):
                assert session.run(f"FROM read_csv('data/{name}.csv')", desk.out / f"{name}.parquet").rows == (row,)

    def test_a_missing_file_is_named_as_written_and_whole(self, desk):
        with pytest.raises(MissingFile) as caught:
            desk.run("FROM read_csv('data/nothing.csv')")
        assert "data/nothing.csv" in caught.value.message
        assert str(desk.project) in caught.value.message

    def test_a_wrong_name_is_told_with_its_line_in_the_sql(self, desk):
        with pytest.raises(QueryFailed, match=r"LINE 2:\s+FROM letters.nothing"):
            desk.run("SELECT *\nFROM letters.nothing\nWHERE true")


class TestWhatIsLeft:
    def test_only_the_result_is(self, desk):
        desk.run("FROM letters.t")
        assert desk.left() == ["result.parquet"]

    def test_after_an_error_nothing_is(self, desk):
        for sql in ("SELECT error('boom')", "FROM letters.nothing", "DROP TABLE t", "SELECT CAST('x' AS INTEGER)"):
            with pytest.raises(Exception):  # noqa: B017, PT011 - whatever it is
                desk.run(sql)
        assert desk.left() == []

    def test_an_error_keeps_the_former_result(self, desk):
        desk.run("SELECT 1 AS a")
        with pytest.raises(QueryFailed):
            desk.run("SELECT CASE WHEN i = 90000 THEN error('late') END FROM range(100000) r(i)")
        assert desk.stored() == [(1,)]

    def test_what_does_not_fit_into_memory_lies_beside_the_result_and_goes(self, desk):
        seen: set[str] = set()
        over = threading.Event()

        def look() -> None:
            while not over.wait(0.01):
                seen.update(path.name for path in desk.out.glob(".reading-*/*"))

        looker = threading.Thread(target=look)
        looker.start()
        with desk.session(memory_limit="50MB", threads=1) as session:
            sql = "SELECT i FROM range(5000000) r(i) ORDER BY hash(i)"
            assert session.run(sql, desk.out / "result.parquet").n_rows == 5_000_000
        over.set()
        looker.join()
        assert seen - {"result.parquet"}, "nothing was spilled"
        assert desk.left() == ["result.parquet"]

    def test_too_little_memory_is_an_error_that_says_so(self, desk):
        with desk.session(memory_limit="20MB", threads=1) as session, pytest.raises(QueryFailed) as caught:
            session.run("SELECT list(i) FROM range(20000000) r(i)", desk.out / "result.parquet")
        assert "memory" in caught.value.hint

    def test_a_folder_that_is_not_there_is_an_error_of_the_caller(self, desk):
        with desk.session() as session, pytest.raises(FileNotFoundError):
            session.run("SELECT 1", desk.out / "missing" / "result.parquet")


class TestStopping:
    def test_interrupt_from_another_thread_ends_the_query_within_a_second(self, desk):
        begun: list[float] = []
        with desk.session() as session:

            def stop() -> None:
                begun.append(time.monotonic())
                session.interrupt()

            threading.Timer(0.5, stop).start()
            with pytest.raises(Interrupted):
                session.run(ENDLESS, desk.out / "result.parquet")
            assert time.monotonic() - begun[0] < 1
        assert desk.left() == []

    def test_a_session_that_was_stopped_runs_nothing_more(self, desk):
        with desk.session() as session:
            session.interrupt()
            with pytest.raises(Interrupted):
                session.run("SELECT 1", desk.out / "result.parquet")
        assert desk.left() == []

    @pytest.mark.parametrize("sql", [ENDLESS, DEAF])
    def test_ctrl_c_ends_the_process_and_leaves_nothing(self, desk, sql):
        with subprocess.Popen(
            [sys.executable, "-c", _SCRIPT.format(out=str(desk.out), sql=sql)], stderr=subprocess.PIPE, text=True
        ) as process:
            _wait_for(lambda: any(desk.out.glob(".reading-*")))
            time.sleep(0.5)
            process.send_signal(signal.SIGINT)
            begun = time.monotonic()
            _, errors = process.communicate(timeout=30)
            assert time.monotonic() - begun < 3
        assert "KeyboardInterrupt" in errors
        assert desk.left() == []

    def test_an_error_of_the_callback_ends_the_query(self, desk):
        def fail(progress: Progress) -> None:
            raise RuntimeError("full")

        with desk.session() as session, pytest.raises(RuntimeError, match="full"):
            session.run(ENDLESS, desk.out / "result.parquet", progress=fail)
        assert desk.left() == []

    def test_a_query_that_does_not_heed_is_left_alone_and_leaves_nothing_when_it_ends(self, desk):
        with desk.session() as session:
            threading.Timer(0.2, session.interrupt).start()
            begun = time.monotonic()
            with pytest.raises(Interrupted):
                session.run(DEAF, desk.out / "result.parquet")
            # A second after the interrupt, and one more for a machine that is busy with others.
            assert time.monotonic() - begun < 2.2
            assert desk.left() == []
            deaf = [thread for thread in threading.enumerate() if thread.name == "famulus-query"]
            assert deaf, "it did heed: this test needs another query"
        assert desk.rows("SELECT 1") == [(1,)]
        for thread in deaf:
            thread.join()
        assert desk.left() == ["result.parquet"]


class TestProgress:
    def test_a_long_query_tells_how_far_it_is_and_never_goes_back(self, desk):
        told: list[Progress] = []
        with desk.session() as session:
            timer = threading.Timer(2.5, session.interrupt)
            timer.start()
            with pytest.raises(Interrupted):
                session.run(
                    "SELECT i, hash(i) FROM range(10000000000) r(i)", desk.out / "result.parquet", progress=told.append
                )
        assert len(told) >= 2
        assert told[0].elapsed >= 1
        fractions = [one.fraction for one in told if one.fraction is not None]
        assert fractions == sorted(fractions)
        assert 0 <= fractions[0] <= fractions[-1] <= 1
        assert told[-1].written > 0
        assert told[-1].rows == 10_000_000_000

    def test_a_short_query_tells_nothing(self, desk):
        told: list[Progress] = []
        desk.run("SELECT 1", progress=told.append)
        assert told == []


_SCRIPT = """
from pathlib import Path
from famulus_kernel.corpus import DataSession
with DataSession([]) as session:
    session.run({sql!r}, Path({out!r}) / "result.parquet")
"""


def _wait_for(condition, seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < until, "it did not begin"
        time.sleep(0.02)


def test_a_session_without_attachments_computes(tmp_path: Path):
    with DataSession([]) as session:
        assert session.run("SELECT 40 + 2 AS n", tmp_path / "r.parquet").single_row() == {"n": 42}
