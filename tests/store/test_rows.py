from __future__ import annotations

import json
from collections import Counter

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from famulus_kernel.store.rows import compare_lists, compare_parquet


def parquet(path, query):
    with duckdb.connect() as database:
        database.execute(f"COPY ({query}) TO '{path}' (FORMAT parquet)")
    return path


@pytest.fixture
def compare(tmp_path):
    def run(old, new, most=20):
        return compare_parquet(parquet(tmp_path / "old", old), parquet(tmp_path / "new", new), most)

    return run


def test_equal_tables_differ_in_nothing_whatever_the_order(compare):
    assert compare("SELECT * FROM range(1000) t(a)", "SELECT 999 - a AS a FROM range(1000) t(a)").is_empty


def test_rows_that_came_and_went_are_counted_and_shown(compare):
    diff = compare("VALUES (1, 'a'), (2, 'b')", "VALUES (2, 'b'), (3, 'c'), (4, 'd')")
    assert (diff.added, diff.removed) == (2, 1)
    assert diff.added_rows == ((3, "c"), (4, "d"))
    assert diff.removed_rows == ((1, "a"),)


def test_a_row_that_stands_several_times_counts_that_often(compare):
    diff = compare("SELECT 1 AS a FROM range(5)", "SELECT 1 AS a FROM range(2)")
    assert (diff.added, diff.removed) == (0, 3)


def test_nothing_and_not_a_number_equal_themselves(compare):
    values = "SELECT NULL::INT AS a, 'nan'::DOUBLE AS b, [1, NULL] AS c, {'x': NULL} AS d"
    assert compare(values, values).is_empty


def test_columns_that_came_and_went_are_named_and_the_others_compared(compare):
    diff = compare("SELECT 1 AS a, 2 AS gone", "SELECT 1 AS a, 3 AS came UNION ALL SELECT 5, 6")
    assert (diff.columns, diff.columns_added, diff.columns_removed) == (("a",), ("came",), ("gone",))
    assert diff.added_rows == ((5,),)


def test_tables_without_a_column_in_common_are_not_compared_by_rows(compare):
    diff = compare("SELECT 1 AS a", "SELECT 1 AS b")
    assert (diff.columns, diff.added, diff.removed) == ((), 0, 0)
    assert not diff.is_empty


def test_a_column_of_another_type_is_compared_as_text(compare):
    diff = compare("SELECT 1 AS a UNION ALL SELECT 2", "SELECT '1' AS a UNION ALL SELECT 'x'")
    assert (diff.added_rows, diff.removed_rows) == ((("x",),), (("2",),))


def test_values_that_json_lacks_are_shown_as_text(compare):
    one = "SELECT DATE '1500-01-01' AS d, 1.50::DECIMAL(5, 2) AS m, [1, 2] AS l, TIMESTAMPTZ '2020-01-01 00:00Z' AS t"
    diff = compare(f"{one} WHERE false", one)
    assert diff.added_rows[0][:3] == ("1500-01-01", "1.50", "[1, 2]")
    assert isinstance(diff.added_rows[0][3], str)


def test_only_the_first_rows_are_given_but_all_are_counted(compare):
    diff = compare("SELECT 0 AS a", "SELECT a FROM range(1, 5001) t(a)", most=3)
    assert (diff.added, len(diff.added_rows)) == (5000, 3)


@pytest.mark.parametrize("name", ['a"b', "famulus times", "famulus side", "ä ö", "select"])
def test_names_of_columns_are_taken_as_they_are(compare, name):
    quoted = '"' + name.replace('"', '""') + '"'
    assert compare(f"SELECT 1 AS {quoted}", f"SELECT 2 AS {quoted}").added_rows == ((2,),)


JSON_CELL = st.none() | st.booleans() | st.integers(-2, 2) | st.sampled_from(["", "1"]) | st.lists(st.just(1))
RECORDS = st.lists(st.fixed_dictionaries({"a": JSON_CELL, "b": JSON_CELL}), max_size=6)


@settings(max_examples=60, deadline=None)
@given(RECORDS, RECORDS)
def test_what_went_and_came_turns_the_old_list_into_the_new_one(old, new):
    diff = compare_lists(old, new, most=100)

    def multiset(rows):
        return Counter(repr(row) for row in rows)

    def cells(records):
        rows = [[record[column] for column in diff.columns] for record in records]
        return [tuple(json.dumps(cell) if isinstance(cell, list) else cell for cell in row) for row in rows]

    assert multiset(cells(old)) - multiset(diff.removed_rows) + multiset(diff.added_rows) == multiset(cells(new))
    assert (diff.added, diff.removed) == (len(diff.added_rows), len(diff.removed_rows))


def test_lists_tell_a_number_from_its_text_and_from_truth():
    diff = compare_lists([1, "1"], [True, 1], most=9)
    assert (diff.added_rows, diff.removed_rows) == (((True,),), (("1",),))


def test_an_empty_list_has_no_columns_to_lose():
    diff = compare_lists([], [{"a": 1}], most=9)
    assert (diff.columns, diff.columns_added, diff.added) == (("a",), (), 1)
