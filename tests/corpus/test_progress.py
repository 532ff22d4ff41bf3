"""How far a query is, in words: shares, rows that are about right, time."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.corpus.progress import Progress, duration, in_words, rows_planned


def planned(sql: str) -> int | None:
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE t AS SELECT i, i % 10 AS k FROM range(20000) r(i)")
        return rows_planned(connection.execute(f"EXPLAIN (FORMAT json) {sql}").fetchall()[0][1])


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("FROM t", 20_000),
        ("FROM t a JOIN t b ON a.i = b.k", 40_000),
        ("SELECT sum(a.i) FROM range(3000) a(i), range(5000) b(j)", 8_000),
        ("SELECT k, count(*) FROM t GROUP BY k ORDER BY k", 20_000),
        ("SELECT 1", None),
    ],
)
def test_a_plan_tells_how_many_rows_its_sources_have(sql: str, rows: int | None) -> None:
    assert planned(sql) == rows


@given(st.text() | st.sampled_from(["[]", "{}", "[1]", '[{"children": []}]', '[{"children": [], "extra_info": 1}]']))
def test_a_plan_that_is_none_tells_nothing(plan: str) -> None:
    assert rows_planned(plan) is None


@pytest.mark.parametrize(
    ("progress", "lang", "words"),
    [
        (Progress(0.42, 0, 3.9, 5_000_000), "en", "42% · about 2.1 of 5.0 million rows · 3 s"),
        (Progress(0.42, 0, 3.9, 5_000_000), "de-AT", "42\u00a0% · etwa 2,1 von 5,0 Millionen Zeilen · 3 s"),
        (Progress(1, 0, 61, 10_234_567_890), "en", "100% · about 10.2 of 10.2 billion rows · 1 min 1 s"),
        (Progress(0.333, 0, 2, 64_321), "de", "33\u00a0% · etwa 21.000 von 64.000 Zeilen · 2 s"),
        (Progress(0.5, 2_300_000, 2, 10), "de", "50\u00a0% · 2,3 MB geschrieben · 2 s"),
        (Progress(None, 0, 2, 64_321), "en", "2 s"),
        (Progress(0.0, 0, 1), "fr", "0% · 1 s"),
    ],
)
def test_progress_says_what_is_known_and_rounds_what_is_estimated(progress: Progress, lang: str, words: str) -> None:
    assert in_words(progress, lang) == words


@pytest.mark.parametrize(("seconds", "words"), [(0.4, "0 s"), (59.9, "59 s"), (3_605, "60 min 5 s")])
def test_a_time_is_told_as_somebody_waits_it(seconds: float, words: str) -> None:
    assert duration(seconds) == words
