from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import duckdb
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from famulus_kernel.artefacts import tables
from famulus_kernel.artefacts.build import BuildContext, TablePayload
from famulus_kernel.artefacts.tables import (
    CELL_CHARACTERS,
    FIRST_BYTES,
    FIRST_ROWS,
    first_rows,
    from_lists,
    from_mappings,
    table_part,
    write_full,
)

if TYPE_CHECKING:
    from pathlib import Path


def part_of(columns: dict[str, list[object]]):
    table = from_lists(list(zip(*columns.values(), strict=True)), list(columns))
    return {column.key: column for column in table_part(table, first_rows(table.rows)).columns}


def test_mappings_become_rows_with_gaps_where_a_key_is_missing() -> None:
    table = from_mappings([{"b": 1}, {"a": "x", "b": 2}])
    assert table.columns == (("b", "BIGINT"), ("a", "VARCHAR"))
    assert table.rows == [[1, None], [2, "x"]]
    assert table.total == 2


@pytest.mark.parametrize(
    ("rows", "columns", "why"),
    [([[1, 2]], ["a"], "row 1 has 2 values for 1 columns"), ([[1, 2]], ["a", "a"], "same name")],
)
def test_rows_that_do_not_fit_their_columns_are_refused(rows: list[list[int]], columns: list[str], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        from_lists(rows, columns)


def test_the_first_rows_stop_at_a_thousand_and_at_256_kib() -> None:
    assert len(first_rows([n] for n in range(5000))) == FIRST_ROWS
    long = first_rows(["x" * 10_000] for _ in range(1000))
    assert FIRST_BYTES - 11_000 < sum(len(row[0]) for row in long) <= FIRST_BYTES
    assert len(first_rows([["x" * 1_000_000], ["y"]])) == 1, "the very first row is always there"


def test_a_view_cuts_a_long_cell_and_the_data_do_not() -> None:
    table = from_lists([["x" * 100_000]], ["a"])
    rows = first_rows(table.rows)
    assert len(rows[0][0]) == 100_000
    assert len(table_part(table, rows).rows[0][0]) == CELL_CHARACTERS


def test_numbers_stand_right_and_a_year_is_no_amount() -> None:
    columns = part_of(
        {
            "name": ["a", "b"],
            "year": [1520, 1521],
            "birth_year": [1470, None],
            "letter_id": [1001, 1002],
            "n_pages": [1234, 5],
            "count": [1234, 5],
        }
    )
    assert {key: column.align for key, column in columns.items() if key != "name"} == dict.fromkeys(
        list(columns)[1:], "right"
    )
    assert columns["name"].align == "left"
    assert {key: column.format for key, column in columns.items()} == {
        "name": None,
        "year": "d",
        "birth_year": "d",
        "letter_id": "d",
        "n_pages": None,
        "count": None,
    }


@pytest.mark.parametrize(
    ("values", "fmt"),
    [
        ([0.5, 0.25, 0.125], ",.3f"),
        ([1 / 3, 0.5], ",.4f"),
        ([1.0, 2.0], ",.0f"),
        ([1e-7, 0.5], None),
        ([1e20, 0.5], None),
        ([float("nan"), 0.5], ",.1f"),
        ([None, 0.5], ",.1f"),
        ([0.0, 0.25], ",.2f"),
    ],
)
def test_the_decimals_of_a_column_are_equal_where_that_loses_nothing_large_or_small(
    values: list[float], fmt: str | None
) -> None:
    assert part_of({"share": values})["share"].format == fmt


def test_x_url_links_x_and_url_links_itself_where_all_are_web_addresses() -> None:
    web, other = ["https://example.org/1", None], ["https://example.org/1", "javascript:alert(1)"]
    columns = part_of(
        {"doc": ["a", "b"], "doc_url": web, "url": web, "bad": ["a", "b"], "bad_url": other, "lone_url": web}
    )
    assert {key: column.link for key, column in columns.items()} == {
        "doc": "doc_url",
        "doc_url": None,
        "url": "url",
        "bad": None,
        "bad_url": None,
        "lone_url": None,
    }


def test_parquet_keeps_types_and_every_character(build_context, tmp_path: Path) -> None:
    rows = [["=1+1\x00\u202e", 2**53 + 1, 0.1, True, [1, {"a": 2}]], [None, None, float("nan"), None, None]]
    table = from_lists(rows, ["text", "n", "x", "ok", "nested"])
    full = write_full(table, build_context("table"))
    assert full.parquet.file == "artefacts/probe.parquet"
    assert full.parquet.bytes == (tmp_path / full.parquet.file).stat().st_size
    read = pq.read_table(tmp_path / full.parquet.file)
    assert [str(kind) for kind in read.schema.types] == ["string", "int64", "double", "bool", "string"]
    assert read.to_pylist()[0] == {
        "text": "=1+1\x00\u202e",
        "n": 2**53 + 1,
        "x": 0.1,
        "ok": True,
        "nested": '[1, {"a": 2}]',
    }


def test_an_empty_table_has_its_files_too(build_context, tmp_path: Path) -> None:
    full = write_full(from_lists([], ["a", "b"]), build_context("table"))
    assert pq.read_table(tmp_path / full.parquet.file).column_names == ["a", "b"]
    assert (tmp_path / "artefacts/probe.csv").read_text(encoding="utf-8-sig") == "a,b\n"


def read_csv(path: Path) -> list[list[str]]:
    return list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))


def test_csv_is_for_spreadsheets(build_context, tmp_path: Path) -> None:
    rows = [
        ['Dürer, "A"', "a\nb", -5],
        ['=HYPERLINK("x")', "@SUM(1)", None],
        ["-5 fl.", "\t=1", 7],
        ["+1", "\uff1d1", 8],
    ]
    write_full(from_lists(rows, ["name", "=head", "n"]), build_context("table"))
    path = tmp_path / "artefacts/probe.csv"
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    assert read_csv(path) == [
        ["name", "'=head", "n"],
        ['Dürer, "A"', "a\nb", "-5"],
        ['\'=HYPERLINK("x")', "'@SUM(1)", ""],
        ["'-5 fl.", "'\t=1", "7"],
        ["'+1", "'\uff1d1", "8"],
    ]


@settings(max_examples=20, deadline=None)
@given(texts=st.lists(st.text(), min_size=10, max_size=40))
def test_no_text_of_a_csv_begins_like_a_formula(texts: list[str], tmp_path_factory: pytest.TempPathFactory) -> None:
    context = BuildContext("p", "table", "p.json", "en", tmp_path_factory.mktemp("csv"))
    write_full(from_lists([[text, "end"] for text in texts], ["a", "b"]), context)
    cells = [row[0] for row in read_csv(context.folder / "artefacts/p.csv")[1:]]
    lines = [text.replace("\r\n", "\n").replace("\r", "\n") for text in texts]
    assert all(cell in (line, f"'{line}") for cell, line in zip(cells, lines, strict=True))
    assert not [cell for cell in cells if cell[:1] in set("=+-@\t\r\n\uff1d\uff0b\uff0d\uff20")]


def test_csv_writes_what_duckdb_writes_also_before_year_one(build_context, tmp_path: Path) -> None:
    sink = tmp_path / "a [1] *.parquet"
    sql = "SELECT DATE '0044-03-15 (BC)' AS died, [1, 2] AS list, 1.50::DECIMAL(9,2) AS price, "
    sql += "TIMESTAMPTZ '1520-01-01 00:00:00+00' AS at"
    duckdb.connect().execute(f"COPY ({sql}) TO '{sink}'")
    types = (("died", "DATE"), ("list", "INTEGER[]"), ("price", "DECIMAL(9,2)"), ("at", "TIMESTAMP WITH TIME ZONE"))
    table = TablePayload(types, [["0044-03-15 (BC)", "[1, 2]", "1.50", "1520"]], 1, sink)
    full = write_full(table, build_context("table"))
    assert full.names == ("artefacts/probe.parquet", "artefacts/probe.csv")
    assert (tmp_path / full.parquet.file).read_bytes() == sink.read_bytes()
    assert read_csv(tmp_path / "artefacts/probe.csv")[1] == [
        "0044-03-15 (BC)",
        "[1, 2]",
        "1.50",
        "1520-01-01 00:00:00+00",
    ]


def test_a_table_of_more_than_5000_rows_has_no_csv(build_context, tmp_path: Path) -> None:
    assert write_full(from_lists([[n] for n in range(5001)], ["n"]), build_context("table")).csv is None
    assert not list((tmp_path / "artefacts").glob("*.csv"))


@pytest.mark.parametrize("text", ["x" * 3_000, "0123456789" * 300])
def test_a_table_that_is_too_large_for_a_spreadsheet_has_no_csv(build_context, monkeypatch, text: str) -> None:
    monkeypatch.setattr(tables, "CSV_BYTES", 20_000)
    assert write_full(from_lists([[text]] * 5, ["a"]), build_context("table", "small")).csv is not None
    assert write_full(from_lists([[text]] * 10, ["a"]), build_context("table", "large")).csv is None
