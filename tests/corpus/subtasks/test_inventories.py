"""Manuscripts and registers, against counts made by hand."""

from __future__ import annotations

from collections_made import Asking, rows_of


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
