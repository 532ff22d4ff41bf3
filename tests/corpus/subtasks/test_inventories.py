"""Manuscripts and registers, against counts made by hand."""

from __future__ import annotations

from pathlib import Path

import duckdb
from collections_made import Asking, make_collection, rows_of

from famulus_kernel.corpus.edtf import parse_edtf
from famulus_kernel.errors import NotEdtf

DATES = [
    "1520", "1520~", "1520?", "0000", "-0043", "1520-02", "1520-02%", "1521-13", "1521-23", "1520-02-29", "1521-02-29",
    "1520-2-1", " 1520 ", "1520-02-03?", "152X", "[1519,1522]", "../1520", "1541/", "1541-07-18/", "Y17E3", "1520~?",
    "1751-12-Ende", "", "9999-12-31", "1520-00",
]  # fmt: skip


def test_manuscripts_are_listed_with_date_extent_and_title(ask: Asking) -> None:
    found = ask("manuscript-inventory")
    assert (found.counts["n_manuscripts"], found.counts["n_pages"], found.counts["n_undated"]) == (3, 20, 1)
    assert rows_of(found.entries, "name", "canonical", "date", "count") == [
        ("Reden", "Cod. 2", "1519/1521", 8),
        ("Briefe", "Cod. 1", "1520", 12),
        ("Ohne Datum", None, None, None),
    ]


def test_manuscripts_of_some_years_are_certain_possible_or_undated(ask: Asking) -> None:
    counts = ask("manuscript-inventory", years={"from": 1520, "to": 1520}).counts
    assert counts == {"n_manuscripts": 1, "n_pages": 12, "n_possible": 1, "n_undated": 1}


def test_the_only_register_is_listed_entry_by_entry(ask: Asking) -> None:
    found = ask("register-inventory", lang="de")
    assert found.counts == {"n_entries": 2}
    assert found.sentence == "Das Register orte hat 2 Einträge."
    assert rows_of(found.entries, "name", "canonical", "count", "doc_ids") == [
        ("Nürnberg", "o1", 2, ["d1", "d2"]),
        ("Padua", "o2", 1, ["d1"]),
    ]
    assert rows_of(found.findings, "page")[1] == 2


def test_dates_read_in_sql_are_those_of_edtf(tmp_path: Path) -> None:
    rows = [(f"m{number}", "x", date, 1, None) for number, date in enumerate(DATES)]
    make_collection(tmp_path / "root", "haus", manuscripts=rows)
    (tmp_path / "out").mkdir()
    found = Asking(tmp_path / "root", tmp_path / "out")("manuscript-inventory").findings
    with duckdb.connect() as connection:
        days = f"SELECT date, first_day::VARCHAR, last_day::VARCHAR FROM '{found.parquet}'"
        read = {date: list(bounds) for date, *bounds in connection.execute(days).fetchall()}
    assert read == {date: _days(date) for date in DATES}


def _days(date: str) -> list[str | None]:
    try:
        bounds = parse_edtf(date)
    except NotEdtf:
        return [None, None]
    return [day.to_duckdb() if day else None for day in (bounds.earliest, bounds.latest)]
