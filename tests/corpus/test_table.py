"""The table that a query becomes: all rows in the Parquet file, the first ones at hand."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from decimal import Decimal

import pyarrow.parquet as pq
import pytest
from desk import Desk

from famulus_kernel.corpus import ResultColumn
from famulus_kernel.errors import QueryFailed

# DuckDB's value; its type; the type in the Parquet file; the cell.
TYPES = [
    ("true", "BOOLEAN", "BOOLEAN", True),
    ("1::TINYINT", "TINYINT", "TINYINT", 1),
    ("255::UTINYINT", "UTINYINT", "UTINYINT", 255),
    ("9007199254740992", "BIGINT", "BIGINT", 2**53),
    ("9007199254740993", "BIGINT", "BIGINT", "9007199254740993"),
    ("-9223372036854775807 - 1", "BIGINT", "BIGINT", "-9223372036854775808"),
    ("18446744073709551615::UBIGINT", "UBIGINT", "UBIGINT", "18446744073709551615"),
    ("7::HUGEINT", "HUGEINT", "DECIMAL(38,0)", 7),
    ("99999999999999999999999999999999999999::HUGEINT", "HUGEINT", "DECIMAL(38,0)", "9" * 38),
    ("170141183460469231731687303715884105727::HUGEINT", "HUGEINT", "VARCHAR", str(2**127 - 1)),
    ("340282366920938463463374607431768211455::UHUGEINT", "UHUGEINT", "VARCHAR", str(2**128 - 1)),
    ("1.10::DECIMAL(4,2)", "DECIMAL(4,2)", "DECIMAL(4,2)", 1.1),
    ("3::DECIMAL(4,2)", "DECIMAL(4,2)", "DECIMAL(4,2)", 3),
    ("0.12345678901234567890::DECIMAL(30,20)", "DECIMAL(30,20)", "DECIMAL(30,20)", "0.12345678901234567890"),
    ("0.1::FLOAT", "FLOAT", "FLOAT", 0.1),
    ("0.1::DOUBLE", "DOUBLE", "DOUBLE", 0.1),
    ("'nan'::DOUBLE", "DOUBLE", "DOUBLE", "nan"),
    ("'-inf'::FLOAT", "FLOAT", "FLOAT", "-inf"),
    ("'text'", "VARCHAR", "VARCHAR", "text"),
    ("''", "VARCHAR", "VARCHAR", ""),
    ("'a' || chr(0) || 'b'", "VARCHAR", "VARCHAR", "a\0b"),
    ("NULL", "NULL", '"NULL"', None),
    ("NULL::DATE", "DATE", "DATE", None),
    ("DATE '1520-02-29'", "DATE", "DATE", "1520-02-29"),
    ("DATE '0044-03-15 (BC)'", "DATE", "DATE", "0044-03-15 (BC)"),
    ("DATE '9999-12-31' + 1", "DATE", "DATE", "10000-01-01"),
    ("'infinity'::DATE", "DATE", "DATE", "infinity"),
    ("TIME '12:34:56.123456'", "TIME", "TIME", "12:34:56.123456"),
    ("'12:00:00+02'::TIMETZ", "TIME WITH TIME ZONE", "VARCHAR", "12:00:00+02"),
    ("TIMESTAMP '0001-01-01 (BC) 00:00:00'", "TIMESTAMP", "TIMESTAMP", "0001-01-01 (BC) 00:00:00"),
    ("'-infinity'::TIMESTAMP", "TIMESTAMP", "TIMESTAMP", "-infinity"),
    ("'2020-01-01 00:00:01'::TIMESTAMP_S", "TIMESTAMP_S", "TIMESTAMP", "2020-01-01 00:00:01"),
    ("'2020-01-01 00:00:00.000000001'::TIMESTAMP_NS", "TIMESTAMP_NS", "TIMESTAMP_NS", "2020-01-01 00:00:00.000000001"),
    ("TIMESTAMPTZ '1520-01-01 00:00:00+01'", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP WITH TIME ZONE",
     "1519-12-31 23:00:00+00"),
    ("INTERVAL '1 month 2 days 03:04:05.000006'", "INTERVAL", "VARCHAR", "1 month 2 days 03:04:05.000006"),
    ("'\\xAA\\x00b'::BLOB", "BLOB", "BLOB", "\\xAA\\x00b"),
    ("'0101'::BIT", "BIT", "VARCHAR", "0101"),
    ("'550e8400-e29b-41d4-a716-446655440000'::UUID", "UUID", "UUID", "550e8400-e29b-41d4-a716-446655440000"),
    ("'b'::ENUM('a', 'b')", "ENUM('a', 'b')", "VARCHAR", "b"),
    ("""'{"a": 1}'::JSON""", "JSON", "JSON", '{"a": 1}'),
    ("[1, NULL]", "INTEGER[]", "INTEGER[]", "[1, NULL]"),
    ("[1, 2]::INTEGER[2]", "INTEGER[2]", "INTEGER[]", "[1, 2]"),
    ("{'a': 1, 'b c': 'x'}", 'STRUCT(a INTEGER, "b c" VARCHAR)', 'STRUCT(a INTEGER, "b c" VARCHAR)',
     "{'a': 1, 'b c': x}"),
    ("MAP {'k': 1}", "MAP(VARCHAR, INTEGER)", "MAP(VARCHAR, INTEGER)", "{k=1}"),
    ("union_value(n := 2)", "UNION(n INTEGER)", "VARCHAR", "2"),
    ("[7::HUGEINT]", "HUGEINT[]", "DECIMAL(38,0)[]", "[7]"),
    ("{'i': INTERVAL 1 DAY, 'e': ['a'::ENUM('a')]}", "STRUCT(i INTERVAL, e ENUM('a')[])",
     "STRUCT(i VARCHAR, e VARCHAR[])", "{'i': 1 day, 'e': [a]}"),
    ("MAP {'a'::ENUM('a'): 1::UHUGEINT}", "MAP(ENUM('a'), UHUGEINT)", "MAP(VARCHAR, DECIMAL(38,0))", "{a=1}"),
    ("[INTERVAL 1 DAY]::INTERVAL[1]", "INTERVAL[1]", "VARCHAR[]", "[1 day]"),
    # DuckDB 2
    ("123456789012345678901234567890123456789::BIGNUM", "BIGNUM", "VARCHAR", "123456789012345678901234567890123456789"),
    ("(1, INTERVAL 1 DAY)", "TUPLE(INTEGER, INTERVAL)", "STRUCT(element1 INTEGER, element2 VARCHAR)",
     "{'element1': 1, 'element2': 1 day}"),
    ("{'a': [1]}::VARIANT", "VARIANT", "JSON", '{"a":[1]}'),
    ("[1::VARIANT]", "VARIANT[]", "JSON[]", "[1]"),
    ("'POINT(1 2)'::GEOMETRY", "GEOMETRY", "VARCHAR", "POINT (1 2)"),
    ("{}", "STRUCT", "VARCHAR", "{}"),
    ("'12:34:56.123456789'::TIME_NS", "TIME_NS", "TIME_NS", "12:34:56.123456789"),
]  # fmt: skip


@pytest.fixture(scope="module")
def shared_desk(shared_desk: Desk) -> Iterator[Desk]:
    """Give the desk with a session that stays open: what is tested here is what comes out of it."""
    with shared_desk.session() as shared_desk.kept:
        yield shared_desk


@pytest.mark.parametrize(("value", "kind", "stored", "cell"), TYPES, ids=[row[0] for row in TYPES])
def test_every_type_is_kept_or_converted_as_the_table_says(shared_desk, value, kind, stored, cell):
    result = shared_desk.run(f"SELECT {value} AS v")
    assert result.columns == (ResultColumn("v", kind),)
    assert result.rows == ((cell,),)
    assert type(result.rows[0][0]) is type(cell)
    assert shared_desk.stored("SELECT typeof(v) FROM result") == [(stored,)]


def test_all_types_that_duckdb_has_can_be_written_and_shown(shared_desk):
    result = shared_desk.run("FROM test_all_types()")
    assert result.n_rows == len(result.rows) == 3
    json.dumps(result.rows, allow_nan=False)
    assert all(value is None for value in result.rows[2])
    for name in ("uhugeint", "interval", "union", "timestamp_tz"):
        assert len(list(result.column_values(name))) == 3


def test_the_time_zone_of_the_machine_does_not_matter(desk, monkeypatch):
    monkeypatch.setenv("TZ", "Asia/Kathmandu")
    assert desk.rows("SELECT TIMESTAMPTZ '1520-01-01 00:00:00+00'") == [("1520-01-01 00:00:00+00",)]


class TestColumns:
    def test_names_that_occur_twice_are_told_apart_in_table_and_file(self, shared_desk):
        result = shared_desk.run("SELECT 1 AS a, 2 AS A, 3 AS a, 4 AS a_1")
        names = [column.name for column in result.columns]
        assert len({name.lower() for name in names}) == 4
        assert result.rows == ((1, 2, 3, 4),)
        assert pq.read_schema(result.parquet).names == names

    @pytest.mark.parametrize("name", [" ", 'a"b', "a.b", "ä€𝄞", "c0", "t", "select", "a\nb", "x" * 1000, "--", "%s"])
    def test_odd_names_stay_as_they_are(self, shared_desk, name):
        quoted = name.replace('"', '""')
        result = shared_desk.run(f'SELECT 1 AS "{quoted}", 2 AS other')
        assert result.single_row() == {name: 1, "other": 2}
        assert list(result.column_values(name)) == [1]

    def test_a_thousand_columns_work(self, shared_desk):
        result = shared_desk.run("SELECT " + ", ".join(f"{number} AS c{number}" for number in range(1000)))
        assert result.rows == (tuple(range(1000)),)

    def test_unnamed_expressions_are_named_by_duckdb(self, shared_desk):
        assert [column.name for column in shared_desk.run("SELECT 1, count(*)").columns] == ["1", "count_star()"]


class TestRows:
    def test_no_rows_leave_columns_and_types(self, shared_desk):
        result = shared_desk.run("SELECT 1 AS a, DATE '2020-01-01' AS d WHERE false")
        assert (result.n_rows, result.rows, result.single_row()) == (0, (), None)
        assert [column.type for column in result.columns] == ["INTEGER", "DATE"]
        assert pq.read_table(result.parquet).num_rows == 0

    @pytest.mark.parametrize("sql", ["SELECT 1 -- end", "SELECT 1 /* end */", "SELECT 1;", "SELECT 1; -- ; end\n"])
    def test_what_stands_after_the_query_does_no_harm(self, shared_desk, sql):
        assert shared_desk.rows(sql) == [(1,)]

    def test_at_most_so_many_rows_are_at_hand(self, shared_desk):
        result = shared_desk.run("FROM range(5000)")
        assert (result.n_rows, len(result.rows)) == (5000, 1000)
        assert shared_desk.run("FROM range(5000)", view_rows=10).rows == tuple((number,) for number in range(10))

    def test_rows_at_hand_hold_at_most_so_many_bytes(self, shared_desk):
        result = shared_desk.run("SELECT repeat('ü', 50000) AS t FROM range(100)")
        assert [len(row[0]) for row in result.rows] == [50_000, 50_000]
        assert result.n_rows == 100

    def test_a_long_cell_is_shown_whole_where_it_fits(self, shared_desk):
        assert len(shared_desk.rows("SELECT repeat('x', 200000)")[0][0]) == 200_000

    def test_a_first_row_that_is_too_long_is_cut_where_it_is_and_whole_as_the_single_row(self, shared_desk):
        result = shared_desk.run("SELECT 1 AS n, repeat('ü', 10000000) AS t")
        number, text = result.rows[0]
        assert number == 1
        assert len(text.encode()) < 256 * 1024
        assert text.endswith("… (10000000 characters)")
        single = result.single_row()
        assert single
        assert len(single["t"]) == 10_000_000

    def test_a_single_row_has_numbers_of_python(self, shared_desk):
        result = shared_desk.run(
            "SELECT sum(i) AS s, 1.50::DECIMAL(9,2) AS d, 0.5 ** 1 AS f, true AS b FROM range(9) r(i)"
        )
        assert result.single_row() == {"s": 36, "d": Decimal("1.50"), "f": 0.5, "b": True}
        assert type(result.single_row()["s"]) is int

    def test_two_rows_are_no_single_row(self, shared_desk):
        assert shared_desk.run("VALUES (1), (2)").single_row() is None

    def test_an_integer_too_wide_in_a_later_row_turns_the_whole_column_to_text(self, shared_desk):
        result = shared_desk.run("VALUES (1::HUGEINT), (170141183460469231731687303715884105727)")
        assert result.rows == ((1,), (str(2**127 - 1),))
        assert shared_desk.stored("SELECT DISTINCT typeof(col0) FROM result") == [("VARCHAR",)]

    def test_a_conversion_that_fails_in_the_query_itself_is_an_error(self, shared_desk):
        with pytest.raises(QueryFailed, match="Conversion"):
            shared_desk.run("SELECT '1' || i || 'x' AS t, (t || 'y')::INTEGER, sum(i) OVER () FROM range(3) r(i)")


class TestTheFile:
    def test_it_is_parquet_with_zstd(self, shared_desk):
        result = shared_desk.run("SELECT 'a' AS t FROM range(10)")
        assert pq.ParquetFile(result.parquet).metadata.row_group(0).column(0).compression == "ZSTD"

    def test_the_same_query_writes_the_same_bytes(self, shared_desk):
        sql = "SELECT i, hash(i) AS h FROM range(500000) r(i) WHERE i % 3 = 0"
        found = {hashlib.sha256(shared_desk.run(sql).parquet.read_bytes()).hexdigest() for _ in range(3)}
        assert len(found) == 1

    def test_order_by_is_kept_in_five_million_rows(self, shared_desk):
        result = shared_desk.run("SELECT i % 1000003 AS k, i FROM range(5000000) r(i) ORDER BY k DESC, i")
        assert result.rows[0] == (1000002, 1000002)
        out_of_order = f"""
            SELECT count(*) FROM (
                SELECT k > lag(k) OVER w OR (k = lag(k) OVER w AND i < lag(i) OVER w) AS wrong
                FROM read_parquet('{result.parquet}', file_row_number = true) WINDOW w AS (ORDER BY file_row_number)
            ) WHERE wrong"""
        assert shared_desk.stored(out_of_order) == [(0,)]

    def test_the_order_of_a_table_is_kept_without_order_by(self, shared_desk):
        result = shared_desk.run("SELECT i FROM range(1000000) r(i) WHERE i % 2 = 0 LIMIT 300000")
        assert result.n_rows == 300_000
        assert shared_desk.stored("SELECT sum(i), max(i) FROM result") == [(299_999 * 300_000, 599_998)]
        assert list(result.column_values("i"))[:3] == [0, 2, 4]

    def test_limit_and_offset_are_kept(self, shared_desk):
        sql = "SELECT i FROM range(100000) r(i) ORDER BY i DESC LIMIT 2 OFFSET 1"
        assert shared_desk.rows(sql) == [(99998,), (99997,)]


class TestColumnValues:
    def test_they_are_numbers_or_text_and_come_in_order(self, shared_desk):
        sql = "SELECT * FROM (VALUES (1::HUGEINT, DATE '0044-03-15 (BC)', 0.1::FLOAT), (2, NULL, 0.5)) t(n, d, f)"
        result = shared_desk.run(sql)
        assert list(result.column_values("n")) == [1, 2]
        assert list(result.column_values("d")) == ["0044-03-15 (BC)", None]
        assert list(result.column_values("f")) == [0.1, 0.5]

    def test_they_can_be_read_again(self, shared_desk):
        column = shared_desk.run("FROM range(3)").column("range")
        assert list(column) == list(column) == [0, 1, 2]

    @pytest.mark.parametrize(
        ("values", "wanted", "found"),
        [
            ("(1), (2), (2)", [2, 3], {2}),
            ("('cafe' || chr(769)), ('x')", ["café"], {"cafe\u0301"}),
            ("(1.50::DECIMAL(9,2)), (2)", [1.5], {Decimal("1.50")}),
            ("(0.1::FLOAT)", [0.1], {0.1}),
            ("(true), (false)", [True], {True}),
            ("(DATE '1520-01-01')", ["1520-01-01"], {"1520-01-01"}),
            ("(NULL), (1)", [None], {None}),
            ("('it''s')", ["it's"], {"it's"}),
            ("(1)", [], set()),
        ],
    )
    def test_those_that_match_are_found_without_reading_all(self, shared_desk, values, wanted, found):
        column = shared_desk.run(f"SELECT * FROM (VALUES {values}) t(v)").column("v")
        assert set(column.matching(wanted)) == found
