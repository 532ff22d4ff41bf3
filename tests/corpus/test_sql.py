"""Which files a query names, and how their paths get into it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from famulus_kernel.corpus import SqlFiles, check_query, expand_collections, files_in_sql
from famulus_kernel.corpus.sql import with_files
from famulus_kernel.corpus.syntax import parse
from famulus_kernel.errors import NotOneQuery


@pytest.mark.parametrize(
    "call",
    ["read_json_auto('f')", "read_json('f')", "read_parquet('f')", "read_csv('f')", "read_csv_auto('f')",
     "read_text('f')", "read_blob('f')", "glob('f')", "parquet_scan('f')", "read_ndjson('f')", "sniff_csv('f')",
     "READ_CSV('f', delim = ';')", "\"read_csv\"('f')", "main.read_csv('f')", "read_csv(['f'])",
     "read_csv(ARRAY['f'])", "read_csv(list_value('f'))", "read_csv(('f'))", "read_csv($$f$$)", "read_csv(E'\\x66')"],
)  # fmt: skip
def test_every_function_that_reads_files_names_them(call):
    assert files_in_sql(f"SELECT * FROM {call}") == SqlFiles(("f",), ())


@pytest.mark.parametrize(
    "sql",
    ["WITH x AS (FROM read_csv('f')) FROM x", "SELECT (SELECT max(a) FROM read_csv('f'))",
     "FROM t JOIN read_csv('f') ON 1",
     "SELECT 1 UNION FROM read_csv('f')", "FROM t, LATERAL (FROM read_csv('f'))", "SUMMARIZE FROM read_csv('f')",
     "SELECT 1 WHERE EXISTS (FROM read_csv('f'))", "FROM (PIVOT read_csv('f') ON a IN (1) USING count(*))"],
)  # fmt: skip
def test_files_are_found_wherever_they_stand(sql):
    assert files_in_sql(sql).paths == ("f",)


def test_paths_and_globs_come_apart_in_order_and_once():
    sql = "FROM read_csv(['b.csv', 'a.csv', 'c*.csv']), glob('d/**'), read_text('a.csv'), glob('[x]?')"
    found = files_in_sql(sql)
    assert set(found.paths) == {"a.csv", "b.csv"}
    assert set(found.globs) == {"c*.csv", "d/**", "[x]?"}
    assert len(found.paths) == 2


@pytest.mark.parametrize(
    "sql", ["SELECT 'read_csv(''f'')'", "SELECT a AS read_text FROM parquet_scan", "-- glob('f')\nSELECT 1"]
)
def test_what_only_looks_like_a_call_names_nothing(sql):
    assert files_in_sql(sql) == SqlFiles((), ())


def test_the_variable_of_the_collections_is_kept_as_written():
    assert files_in_sql("FROM read_csv('$PDAI_COLLECTIONS/a/b.csv')").paths == ("$PDAI_COLLECTIONS/a/b.csv",)


def test_sql_that_is_no_query_is_refused_where_it_could_read_a_file():
    with pytest.raises(NotOneQuery):
        files_in_sql("COPY (FROM read_csv('f')) TO 'g'")
    with pytest.raises(NotOneQuery):
        check_query("COPY (SELECT 1) TO 'g'")


def test_sql_that_names_no_file_does_not_load_duckdb():
    script = (
        "import sys; from famulus_kernel.corpus import files_in_sql, DataSession; "
        "files_in_sql('SELECT 1'); sys.exit('duckdb' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


class TestExpandCollections:
    @pytest.mark.parametrize("written", ["$PDAI_COLLECTIONS/x", "${PDAI_COLLECTIONS}/x"])
    def test_both_spellings_are_replaced(self, written):
        assert expand_collections(f"FROM read_csv('{written}')", Path("/c")) == "FROM read_csv('/c/x')"

    def test_a_longer_name_is_another_variable(self):
        assert expand_collections("$PDAI_COLLECTIONS_OLD/x", "/c") == "$PDAI_COLLECTIONS_OLD/x"

    def test_a_backslash_in_the_root_stays_one(self):
        assert expand_collections("$PDAI_COLLECTIONS", r"C:\1\g<0>") == r"C:\1\g<0>"

    def test_a_quotation_mark_in_the_root_does_not_end_a_literal(self):
        sql = expand_collections("FROM read_csv('$PDAI_COLLECTIONS/x')", "/it's", in_sql=True)
        assert files_in_sql(sql).paths == ("/it's/x",)


class TestWithFiles:
    def test_names_are_replaced_and_nothing_else(self):
        query = parse("SELECT 'ä.csv', read AS \"é\" -- ä.csv\nFROM read_csv('ä.csv', delim = 'ä.csv') t(read)")
        text = with_files(query, {"ä.csv": [Path("/p/it's.csv")]})
        assert text == (
            "SELECT 'ä.csv', read AS \"é\" -- ä.csv\nFROM read_csv('/p/it''s.csv', delim = 'ä.csv') t(read)"
        )

    def test_a_glob_becomes_a_list(self):
        query = parse("FROM glob('*')")
        assert with_files(query, {"*": [Path("/a"), Path("/b")]}) == "FROM glob(['/a', '/b'])"

    def test_a_glob_in_a_list_becomes_members_of_it(self):
        query = parse("FROM read_csv(['x', '*'])")
        paths = {"x": [Path("/x")], "*": [Path("/a"), Path("/b")]}
        assert with_files(query, paths) == "FROM read_csv(['/x', '/a', '/b'])"
