"""What is one query that only asks, and what is not."""

from __future__ import annotations

import contextlib
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.corpus.sql import quoted
from famulus_kernel.corpus.syntax import parse
from famulus_kernel.errors import ForbiddenPath, NotOneQuery, QueryFailed

QUERIES = """
SELECT 1
FROM t
TABLE t
VALUES (1, 'a'), (2, 'b')
(SELECT 1)
((SELECT 1) UNION (SELECT 2)) ORDER BY 1
SELECT a FROM t UNION ALL BY NAME SELECT b FROM u INTERSECT SELECT 1 EXCEPT SELECT 2 ORDER BY a DESC NULLS LAST LIMIT 3
WITH x AS (SELECT 1 AS a), y AS MATERIALIZED (FROM x) SELECT * FROM x JOIN y USING (a)
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT * FROM n
SELECT (SELECT max(a) FROM t), EXISTS (FROM t), a IN (FROM u), a > ALL (FROM u) FROM t
SELECT * FROM a LEFT JOIN b ON a.x = b.x ASOF JOIN c USING (y) POSITIONAL JOIN d CROSS JOIN e SEMI JOIN f USING (z)
SELECT * FROM t, LATERAL (SELECT t.a + 1), unnest([1, 2]) u(v)
SELECT sum(a) OVER w, row_number() OVER (ORDER BY b) FROM t WINDOW w AS (PARTITION BY c ORDER BY d ROWS 2 PRECEDING)
SELECT a, count(*) FILTER (WHERE b) FROM t GROUP BY ALL HAVING count(*) > 1 QUALIFY row_number() OVER () = 1
SELECT DISTINCT ON (a) * EXCLUDE (b) REPLACE (1 AS c), COLUMNS('x.*') FROM t ORDER BY ALL LIMIT 10% OFFSET 2
SELECT CASE WHEN a THEN 1 END, a BETWEEN 1 AND 2, a::DECIMAL(3,1), TRY_CAST(a AS DATE), a COLLATE nocase, -a FROM t
SELECT [x + 1 FOR x IN l IF x > 1], list_transform(l, lambda x: x), {'type': 'COPY_QUERY_NODE'}, MAP {'a': 1}, l[1:2]
SELECT DATE '0044-03-15 (BC)', INTERVAL 3 DAYS, $$a;b$$, E'\\n', 'it''s', x'AB', 1e5, true, NULL, #1 FROM t
SELECT grouping(a) FROM t GROUP BY GROUPING SETS ((a), ())
FROM t TABLESAMPLE 10%
FROM t SELECT a WHERE b
FROM t PIVOT (sum(b) FOR a IN ('x', 'y') GROUP BY c)
FROM (PIVOT t ON a IN ('x', 'y') USING sum(b))
UNPIVOT t ON a, b INTO NAME n VALUE v
DESCRIBE t
SUMMARIZE t
SHOW TABLES
FROM range(3)
FROM duckdb_tables()
FROM a_macro_of_somebody(1)
FROM information_schema.tables
SELECT 'COPY (SELECT 1) TO ''x''; DROP TABLE t' AS "DROP TABLE t; --"
""".strip().split("\n")

STATEMENTS = """
COPY (SELECT 1) TO 'x.csv'
COPY t FROM 'x.csv'
INSERT INTO t VALUES (1)
UPDATE t SET a = 1
UPDATE EXTENSIONS
DELETE FROM t
MERGE INTO t USING u ON t.a = u.a WHEN MATCHED THEN DELETE
TRUNCATE t
CREATE TABLE x AS SELECT 1
CREATE VIEW x AS SELECT 1
CREATE MACRO x() AS 1
CREATE SECRET x (TYPE s3)
CREATE TYPE x AS ENUM ('a')
DROP TABLE t
ALTER TABLE t ADD COLUMN c INT
COMMENT ON TABLE t IS 'x'
ATTACH 'x.duckdb'
DETACH x
USE x
INSTALL httpfs
LOAD httpfs
FORCE INSTALL httpfs FROM community
PRAGMA version
PRAGMA threads = 1
SET threads = 1
RESET threads
SET VARIABLE x = 1
CALL pragma_version()
CHECKPOINT
VACUUM
ANALYZE
EXPORT DATABASE 'x'
IMPORT DATABASE 'x'
BEGIN
COMMIT
PREPARE p AS SELECT 1
EXECUTE p
DEALLOCATE p
EXPLAIN SELECT 1
EXPLAIN ANALYZE SELECT 1
SELECT 1; SELECT 2
SELECT 1; DROP TABLE t
SELECT 1; COPY t TO 'x'
PIVOT t ON a USING sum(b)
FROM (PIVOT t ON a USING sum(b))
SELECT ?
SELECT $1
SELECT $name
;
-- nothing
""".strip().split("\n")

WRITERS = ["COPY (SELECT 1) TO 'x'", "INSERT INTO t VALUES (1) RETURNING a", "DELETE FROM t RETURNING a",
           "UPDATE t SET a = 1 RETURNING a"]  # fmt: skip
PLACES = """
WITH w AS ({writer}) SELECT 1
WITH w AS ({writer}) SELECT * FROM w
WITH w AS MATERIALIZED ({writer}) FROM w
WITH a AS (SELECT 1), w AS ({writer}) FROM a
WITH a AS (WITH w AS ({writer}) FROM w) FROM a
SELECT * FROM (WITH w AS ({writer}) FROM w)
SELECT (WITH w AS ({writer}) SELECT 1 FROM w)
SELECT EXISTS (WITH w AS ({writer}) SELECT 1 FROM w)
SELECT 1 WHERE 1 IN (WITH w AS ({writer}) SELECT 1 FROM w)
SELECT * FROM t, LATERAL (WITH w AS ({writer}) FROM w)
SELECT * FROM t JOIN (WITH w AS ({writer}) FROM w) ON true
SELECT 1 UNION ALL (WITH w AS ({writer}) SELECT 1 FROM w)
(WITH w AS ({writer}) SELECT 1 FROM w) EXCEPT SELECT 1
SELECT 1 ORDER BY (WITH w AS ({writer}) SELECT 1 FROM w)
SELECT 1 LIMIT (WITH w AS ({writer}) SELECT 1 FROM w)
SELECT sum(a) OVER (ORDER BY (WITH w AS ({writer}) SELECT 1 FROM w)) FROM t
SELECT list_transform([1], lambda x: (WITH w AS ({writer}) SELECT 1 FROM w))
SELECT CASE WHEN true THEN (WITH w AS ({writer}) SELECT 1 FROM w) END
FROM (PIVOT (WITH w AS ({writer}) FROM w) ON a IN (1) USING count(*))
FROM (UNPIVOT (WITH w AS ({writer}) FROM w) ON a)
DESCRIBE WITH w AS ({writer}) FROM w
SUMMARIZE WITH w AS ({writer}) FROM w
FROM range((WITH w AS ({writer}) SELECT 1 FROM w))
VALUES ((WITH w AS ({writer}) SELECT 1 FROM w))
WITH RECURSIVE r AS (SELECT 1 UNION ALL (WITH w AS ({writer}) SELECT 1 FROM w)) FROM r
""".strip().split("\n")

LEAKS = """
SELECT current_setting('allowed_paths')
SELECT CURRENT_SETTING('allowed_paths')
SELECT "current_setting"('allowed_paths')
SELECT 'allowed_paths'.current_setting()
SELECT system.main.current_setting('allowed_paths')
SELECT (SELECT 1 WHERE current_setting('threads') = '1')
SELECT list_transform(['threads'], lambda x: current_setting(x))
SELECT current_query()
SELECT getenv('HOME')
SELECT write_log('x')
SELECT sleep_ms(1)
SELECT nextval('s')
FROM duckdb_settings()
FROM duckdb_databases()
FROM duckdb_databases
FROM pragma_database_list
FROM pg_catalog.pg_settings
FROM duckdb_secrets()
FROM which_secret('x', 's3')
FROM duckdb_extensions()
FROM duckdb_temporary_files()
FROM duckdb_logs
FROM query('SELECT 1')
FROM QUERY('SELECT 1')
FROM "query"('SELECT 1')
FROM system.main.query('SELECT 1')
SELECT * FROM t, LATERAL (FROM query('SELECT 1'))
FROM query_table('t')
FROM json_execute_serialized_sql('{}')
FROM arrow_scan(1, 2, 3)
FROM pandas_scan(1)
FROM read_duckdb('x.duckdb')
FROM checkpoint()
FROM enable_logging()
FROM enable_profiling()
FROM add_grammar_extension('x')
FROM create_external_resource('x')
""".strip().split("\n")


@pytest.mark.parametrize("sql", QUERIES)
def test_a_query_is_one(sql):
    assert parse(sql).files == ()


@pytest.mark.parametrize("sql", STATEMENTS)
def test_any_other_statement_is_refused(sql):
    with pytest.raises((NotOneQuery, QueryFailed)):
        parse(sql)


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("place", PLACES)
def test_what_writes_is_refused_wherever_it_stands(place, writer):
    with pytest.raises((NotOneQuery, QueryFailed)) as caught:
        parse(place.format(writer=writer))
    if isinstance(caught.value, NotOneQuery):
        assert writer.split()[0] in caught.value.message


@pytest.mark.parametrize("place", PLACES)
def test_the_same_places_may_hold_a_query(place):
    parse(place.format(writer="SELECT 1 AS a"))


@pytest.mark.parametrize("sql", LEAKS)
def test_what_tells_of_the_machine_or_runs_other_sql_is_refused(sql):
    with pytest.raises(NotOneQuery):
        parse(sql)


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("DROP TABLE t", "DROP"),
        ("SELECT 1; DROP TABLE t", "2 statements (SELECT, DROP)"),
        ("", "empty"),
        ("WITH w AS (COPY t TO 'x') FROM w", "COPY"),
        ("PIVOT t ON a USING sum(b)", "PIVOT whose columns are not listed"),
        ("SELECT ?", "parameter"),
        ("FROM query('x')", "query()"),
    ],
)
def test_the_error_names_what_the_sql_is(sql, named):
    with pytest.raises(NotOneQuery) as caught:
        parse(sql)
    assert named in caught.value.message


def test_a_pivot_without_its_columns_says_how_to_write_it():
    with pytest.raises(NotOneQuery) as caught:
        parse("PIVOT t ON a USING sum(b)")
    assert "ON year IN (1520, 1521)" in caught.value.hint


@pytest.mark.parametrize("sql", ["SELEC 1", "SELECT 1) , (SELECT 2", "SELECT 'open", "SELECT /* open", "SELECT (1"])
def test_what_does_not_parse_is_told_in_the_words_of_duckdb(sql):
    with pytest.raises(QueryFailed):
        parse(sql)


@pytest.mark.parametrize(
    "sql",
    ["SELECT 1;", "SELECT 1 ; ;", "; SELECT 1", "SELECT 1; -- a comment; with one", "SELECT 1 /* ; */ ;\n\n",
     "SELECT ';' AS \"a;b\", $$;$$;"],
)  # fmt: skip
def test_semicolons_that_separate_nothing_are_taken_away(sql):
    text = parse(sql).text
    assert len(text) == len(sql)
    assert parse(f"SELECT * FROM (\n{text}\n)")


def test_semicolons_inside_of_texts_stay():
    assert parse("SELECT ';ü;', $$;$$ AS \"a;b\" ;").text == "SELECT ';ü;', $$;$$ AS \"a;b\"  "


@pytest.mark.parametrize(
    "sql", ["SELECT " + " || ".join(["'x'"] * 900), "SELECT * FROM " + "(SELECT * FROM " * 900 + "t" + ")" * 900,
            "SELECT " + "(" * 50_000 + "1" + ")" * 50_000]
)  # fmt: skip
def test_a_query_that_is_nested_too_deeply_is_an_error_and_no_crash(sql):
    with pytest.raises(QueryFailed):
        parse(sql)


def test_a_long_query_that_is_flat_is_fine():
    parse("SELECT " + " OR ".join(["a = 'x'"] * 5000) + " FROM t WHERE b IN (" + ", ".join(["1"] * 5000) + ")")


@pytest.mark.parametrize(
    "sql",
    ["FROM read_text('a' || 'b')", "FROM read_text(x)", "FROM t, read_text(t.name)", "FROM read_text((SELECT 'a'))",
     "FROM read_csv(['a', b])", "FROM read_csv('a'::VARCHAR)", "FROM read_csv()", "FROM read_csv(path = 'a')",
     "FROM glob(lower('A'))", "FROM read_text(1)", "FROM t, LATERAL (FROM read_blob(t.name))"],
)  # fmt: skip
def test_a_file_whose_name_is_not_written_out_is_refused(sql):
    with pytest.raises(ForbiddenPath):
        parse(sql)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_a_name_stands_where_the_tree_says(name):
    sql = f"SELECT 'ü' AS ä -- é\nFROM t, read_csv([{quoted(name)}, 'b']) JOIN read_text({quoted(name)}) ON true"
    query = parse(sql)
    assert {literal.text for literal in query.files} == {name, "b"}
    for literal in query.files:
        assert query.text.encode()[literal.start : literal.end].decode() == quoted(literal.text)


@given(st.text())
def test_any_text_is_a_query_or_one_of_our_errors(sql):
    with contextlib.suppress(NotOneQuery, QueryFailed, ForbiddenPath):
        parse(sql)


def test_many_threads_may_parse_at_once():
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(50):
                parse("SELECT a, count(*) FROM t GROUP BY ALL")
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_half_of_a_character_is_an_error():
    with pytest.raises(QueryFailed, match="half of a character"):
        parse("SELECT '\ud800'")
