"""No query can read what is not its own, reach the network, or write a byte."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import TYPE_CHECKING

import duckdb
import pytest
from desk import build

from famulus_kernel.corpus import Attachment
from famulus_kernel.corpus.sandbox import Sandbox
from famulus_kernel.corpus.table import write_result
from famulus_kernel.errors import (
    DatabaseBusy,
    FamulusError,
    ForbiddenPath,
    MissingFile,
    NotOneQuery,
    PreambleError,
    QueryFailed,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk import Desk

module_variable = [{"a": 1}]

READ_ELSEWHERE = """
FROM read_csv('{secret}')
FROM read_csv(['data/a.csv', '{secret}'])
FROM read_csv('data/../../secret.csv')
FROM read_text('../secret.csv')
FROM read_text('{secret}')
FROM read_blob('{secret}')
FROM read_json('{secret}')
FROM read_parquet('{secret}')
FROM glob('{root}/*')
FROM glob('../*')
FROM glob('/etc/*')
FROM parquet_metadata('/etc/passwd')
FROM parquet_schema('/etc/passwd')
FROM sniff_csv('{secret}')
FROM '{secret}'
FROM '/etc/passwd'
FROM "{secret}"
FROM 'secret.csv'
FROM 'x.csv'
FROM 'x.parquet'
FROM 'data/a.csv'
DESCRIBE '{secret}'
SUMMARIZE '{secret}'
SELECT (SELECT max(x) FROM '{secret}')
FROM read_text('/proc/self/environ')
FROM read_text('/dev/stdin')
FROM read_text('file:///etc/passwd')
FROM read_text('file:/etc/passwd')
FROM read_csv('data/link.csv')
FROM read_csv('data/*k.csv')
FROM read_csv('up/secret.csv')
FROM read_csv('*/secret.csv')
FROM read_csv('https://example.com/a.csv')
FROM 'https://example.com/a.csv'
FROM 's3://bucket/a.parquet'
FROM read_parquet('hf://datasets/a/b.parquet')
FROM letters.reads_secret
FROM letters.reads('{secret}')
FROM letters.reads('{project}/data/b.csv')
""".strip().split("\n")

WRITE = """
COPY (SELECT 1) TO '{new}'
COPY (SELECT 1) TO '{allowed}'
COPY (SELECT 1) TO '{allowed}' (USE_TMP_FILE false)
COPY letters.t TO '{database}' (USE_TMP_FILE false)
WITH x AS (COPY (SELECT 1) TO '{allowed}' (USE_TMP_FILE false)) SELECT * FROM x
SELECT * FROM (WITH x AS (COPY (SELECT 1) TO '{allowed}' (USE_TMP_FILE false)) SELECT * FROM x)
SELECT (WITH x AS (COPY (SELECT 1) TO '{allowed}' (USE_TMP_FILE false)) SELECT 1 FROM x)
FROM letters.t, LATERAL (WITH x AS (COPY (SELECT 1) TO '{allowed}' (USE_TMP_FILE false)) FROM x)
SELECT 1 UNION ALL (WITH x AS (COPY (SELECT 1) TO '{allowed}' (USE_TMP_FILE false)) SELECT 1 FROM x)
WITH x AS (INSERT INTO letters.t VALUES (9, 'x') RETURNING id) FROM x
WITH x AS (DELETE FROM letters.t RETURNING id) FROM x
WITH x AS (UPDATE letters.t SET id = 1 RETURNING id) FROM x
INSERT INTO letters.t VALUES (9, 'x')
CREATE TABLE letters.u AS SELECT 1
DROP TABLE letters.t
ATTACH '{new}'
ATTACH '{database}' AS again
EXPORT DATABASE '{new}'
SELECT nextval('letters.numbers')
PREPARE p AS COPY (SELECT 1) TO '{allowed}' (USE_TMP_FILE false)
EXECUTE p
EXPLAIN ANALYZE COPY (SELECT 1) TO '{allowed}' (USE_TMP_FILE false)
FROM query('WITH x AS (COPY (SELECT 1) TO ''{allowed}'' (USE_TMP_FILE false)) FROM x')
FROM json_execute_serialized_sql('{{}}')
PRAGMA enable_profiling
SET temp_directory = '{new}'
CALL enable_logging(storage = 'file', storage_path = '{new}')
INSTALL httpfs
LOAD '{new}'
CREATE PERSISTENT SECRET s (TYPE s3)
CHECKPOINT
""".strip().split("\n")

BREAK_OUT = """
SELECT 1; COPY (SELECT 1) TO '{allowed}' (USE_TMP_FILE false)
SELECT 1) TO '{allowed}' (USE_TMP_FILE false); --
SELECT 1) LIMIT 0; COPY (SELECT 1) TO '{allowed}' (USE_TMP_FILE false); --
SELECT 1) AS t(c0) SELECT c0) TO '{allowed}' (FORMAT csv, USE_TMP_FILE false) --
SELECT 1) AS t(c0) SELECT c0) TO '{allowed}' (FORMAT csv, USE_TMP_FILE false) /*
SELECT '1) AS t(c0) SELECT c0) TO ''{allowed}'' (FORMAT csv, USE_TMP_FILE false) --
SELECT $$1
SELECT 1 /*
""".strip().split("\n")


def _filled(sql: str, desk: Desk) -> str:
    return sql.format(
        root=desk.root,
        project=desk.project,
        secret=desk.secret,
        allowed=desk.project / "data" / "a.csv",
        database=desk.database.path,
        new=desk.root / "new",
    )


@pytest.fixture(scope="module")
def trapped(shared_desk: Desk) -> Desk:
    """Give a project with links that lead out of it."""
    (shared_desk.project / "data" / "link.csv").symlink_to(shared_desk.secret)
    (shared_desk.project / "up").symlink_to(shared_desk.root)
    return shared_desk


@pytest.mark.parametrize("sql", READ_ELSEWHERE)
def test_no_query_reads_another_file(trapped, sql):
    before = trapped.inventory()
    with pytest.raises((ForbiddenPath, MissingFile)):
        trapped.run(_filled(sql, trapped))
    assert trapped.inventory() == before


@pytest.mark.parametrize("sql", WRITE + BREAK_OUT)
def test_no_query_writes_a_byte(shared_desk, sql):
    before = shared_desk.inventory()
    # Each file is one that this very query may read, which is all that DuckDB asks before it writes.
    allowed = [shared_desk.project / "data" / "a.csv", shared_desk.database.path]
    with shared_desk.session(allowed_paths=allowed) as session, pytest.raises((NotOneQuery, QueryFailed)):
        session.run(_filled(sql, shared_desk), shared_desk.out / "result.parquet")
    assert shared_desk.inventory() == before


@pytest.mark.parametrize("name", ["module_variable", "local_variable", "shared_desk", "sql", "self"])
def test_no_query_sees_a_variable_of_python(shared_desk, name):
    local_variable = pandas_like = [{"a": 1}]
    assert local_variable is pandas_like
    with pytest.raises(QueryFailed, match="does not exist"):
        shared_desk.run(f"FROM {name}")


@pytest.fixture(scope="module")
def sandbox(shared_desk: Desk, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    folder = tmp_path_factory.mktemp("private")
    sandbox = Sandbox.open([shared_desk.database], [shared_desk.project / "data" / "a.csv"], folder)
    yield sandbox
    sandbox.close()


class TestTheSecondWall:
    """What the connection refuses even if the check of the syntax let it pass."""

    @pytest.mark.parametrize("sql", WRITE)
    def test_a_statement_in_the_place_of_a_query_writes_nothing(self, shared_desk, sandbox, sql):
        before = shared_desk.inventory()
        with pytest.raises(FamulusError):
            write_result(sandbox.connection, _filled(sql, shared_desk), sandbox.folder / "result.parquet", 10, 1000)
        assert shared_desk.inventory() == before

    @pytest.mark.parametrize(
        "sql",
        ["SET enable_external_access = true", "RESET enable_external_access", "SET lock_configuration = false",
         "SET allowed_paths = ['/etc/passwd']", "SET allowed_directories = ['/']",
         "SET python_enable_replacements = true", "SET threads = 1", "SET home_directory = '/'",
         "LOAD httpfs", "INSTALL httpfs", "ATTACH '/tmp/x.duckdb'",
         "FROM '/etc/passwd'", "COPY (SELECT 1) TO '/tmp/x'"],
    )  # fmt: skip
    def test_the_lock_holds(self, sandbox, sql):
        with pytest.raises(duckdb.Error):
            sandbox.connection.execute(sql)

    @pytest.mark.parametrize(
        "body",
        ["WITH x AS (COPY (SELECT 1) TO '{a}' (USE_TMP_FILE false)) FROM x",
         "FROM query('WITH x AS (COPY (SELECT 1) TO ''{a}'' (USE_TMP_FILE false)) FROM x')",
         "WITH x AS (INSERT INTO t VALUES (1, 'x') RETURNING id) FROM x"],
    )  # fmt: skip
    def test_no_view_or_macro_can_hold_a_writer(self, desk, body):
        """DuckDB refuses it when it is made, and again when it is bound inside of our statement."""
        body = body.format(a=desk.project / "data" / "a.csv")
        with duckdb.connect(str(desk.database.path)) as connection:
            for made in (f"CREATE VIEW v AS {body}", f"CREATE MACRO m() AS TABLE {body}"):
                with pytest.raises(duckdb.Error):
                    connection.execute(made)

    @pytest.mark.parametrize(
        "call",
        ["FROM letters.runner", "FROM letters.runs(json_serialize_sql('{writer}'))",
         "SELECT letters.counts(json_serialize_sql('{writer}'))",
         "WITH x AS MATERIALIZED (FROM letters.runner) SELECT 1 FROM x",
         "FROM letters.asks('FROM letters.runner')"],
    )  # fmt: skip
    def test_no_view_or_macro_can_run_sql_on_a_connection_of_its_own(self, desk, call):
        """DuckDB would let it: json_execute_serialized_sql() takes what a view may not hold."""
        allowed = desk.project / "data" / "a.csv"
        writer = f"WITH x AS (COPY (SELECT 1) TO '{allowed}' (USE_TMP_FILE false)) FROM x".replace("'", "''")
        with duckdb.connect() as connection:
            answer = connection.execute(f"SELECT json_serialize_sql('{writer}')").fetchone()
        serialized = answer[0].replace("'", "''")
        build(
            desk.database.path,
            f"CREATE VIEW runner AS FROM json_execute_serialized_sql('{serialized}')",
            "CREATE MACRO runs(s) AS TABLE FROM json_execute_serialized_sql(s)",
            "CREATE MACRO counts(s) AS (SELECT count(*) FROM json_execute_serialized_sql(s))",
            "CREATE MACRO asks(s) AS TABLE FROM query(s)",
        )
        before = desk.inventory()
        with desk.session(allowed_paths=[allowed]) as session, pytest.raises(NotOneQuery, match="json_execute"):
            session.run(call.format(writer=writer), desk.out / "result.parquet")
        assert desk.inventory() == before


class TestAttachments:
    def test_a_database_is_found_under_its_alias(self, desk):
        assert desk.rows("SELECT title FROM letters.t WHERE id = 2") == [("letter 2",)]
        assert desk.rows("SELECT title FROM letters.main.t WHERE id = 2") == [("letter 2",)]

    def test_views_and_macros_of_a_database_work(self, desk):
        assert desk.rows("FROM letters.first") == [(0, "letter 0")]
        assert desk.rows("SELECT id FROM main.above(1)", _under("main", desk)) == [(2,)]

    @pytest.mark.parametrize("alias", ["main", "Main", "memory", "MEMORY", "famulus main", "a b", 'qu"ote', "select"])
    def test_any_usual_or_odd_alias_can_be_had(self, desk, alias):
        quoted = alias.replace('"', '""')
        assert desk.rows(f'SELECT count(*) FROM "{quoted}".t', _under(alias, desk)) == [(3,)]

    @pytest.mark.parametrize("order", list(itertools.permutations(["letters", "memory", "main"])))
    def test_main_is_the_database_of_that_name_beside_others(self, desk, order):
        build(desk.project / "main.duckdb", "CREATE TABLE only_in_main AS SELECT 1 AS id")
        paths = {"main": desk.project / "main.duckdb"}
        attachments = [Attachment(alias, paths.get(alias, desk.database.path), "duckdb") for alias in order]
        sql = "SELECT count(*) FROM main.only_in_main JOIN letters.t USING (id) JOIN memory.t USING (id)"
        assert desk.rows(sql, *attachments) == [(1,)]

    @pytest.mark.parametrize("alias", ["temp", "system", "TEMP"])
    def test_the_names_that_duckdb_keeps_are_refused_in_words(self, desk, alias):
        with pytest.raises(PreambleError, match=alias):
            desk.run("SELECT 1", _under(alias, desk))

    def test_a_parquet_file_is_a_table(self, desk):
        table = Attachment("p", desk.project / "data" / "p.parquet", "parquet")
        assert desk.rows("SELECT n + 1 FROM p", table) == [(8,)]

    def test_parquet_files_of_a_pattern_are_one_table(self, desk):
        data = desk.project / "data"
        (data / "q.parquet").write_bytes((data / "p.parquet").read_bytes())
        table = Attachment("main", data / "*.parquet", "parquet", glob=str(data / "*.parquet"))
        assert desk.rows("SELECT count(*) FROM main", table) == [(2,)]

    def test_a_pattern_gives_no_right_to_other_files_of_its_folder(self, desk):
        data = desk.project / "data"
        table = Attachment("p", data / "*.parquet", "parquet", glob=str(data / "*.parquet"))
        with desk.session(table, allowed_directories=[]) as session, pytest.raises(ForbiddenPath):
            session.run("FROM read_csv('data/a.csv')", desk.out / "result.parquet")

    def test_paths_with_quotation_marks_and_brackets_work(self, desk):
        folder = desk.root / "it's [1] ü"
        desk.project.rename(folder)
        moved = Attachment("d", folder / "letters.duckdb", "duckdb")
        table = Attachment("p", folder / "data" / "p.parquet", "parquet")
        with desk.session(moved, table, folder=folder, allowed_directories=[folder]) as session:
            sql = "SELECT (SELECT count(*) FROM d.t), (SELECT n FROM p), (SELECT x FROM read_csv('data/a.csv'))"
            assert session.run(sql, desk.out / "result.parquet").rows == ((3, 7, 1),)

    def test_a_missing_database_is_named_and_not_made(self, desk):
        missing = desk.project / "missing.duckdb"
        with pytest.raises(MissingFile, match=r"missing\.duckdb"):
            desk.run("SELECT 1", Attachment("m", missing, "duckdb"))
        assert not missing.exists()

    def test_a_pattern_that_finds_nothing_is_an_error(self, desk):
        pattern = desk.project / "nothing*.parquet"
        with pytest.raises(MissingFile):
            desk.run("SELECT 1", Attachment("m", pattern, "parquet", glob=str(pattern)))

    @pytest.mark.parametrize("kind", ["duckdb", "parquet"])
    def test_a_file_that_is_something_else_is_named(self, desk, kind):
        with pytest.raises(QueryFailed, match=r"secret\.csv"):
            desk.run("SELECT 1", Attachment("m", desk.secret, kind))

    def test_reading_leaves_nothing_beside_the_database(self, desk):
        before = desk.inventory()
        desk.run("SELECT * FROM letters.t")
        after = desk.inventory()
        assert after.pop("out/result.parquet")
        assert after == before

    def test_what_a_killed_writer_left_in_its_log_is_read_and_kept(self, desk):
        script = (
            f"import duckdb, os; c = duckdb.connect({str(desk.database.path)!r}); "
            "c.execute(\"SET checkpoint_threshold = '1TB'\"); "
            "c.execute(\"INSERT INTO t VALUES (3, 'late')\"); os._exit(0)"
        )
        subprocess.run([sys.executable, "-c", script], check=True)
        log = desk.project / "letters.duckdb.wal"
        assert log.exists()
        before = desk.inventory()
        assert desk.rows("SELECT count(*) FROM letters.t") == [(4,)]
        assert before.items() <= desk.inventory().items()

    def test_a_database_open_for_writing_elsewhere_is_busy_and_names_the_process(self, desk):
        script = (
            f"import duckdb, sys; c = duckdb.connect({str(desk.database.path)!r}); "
            "print('open', flush=True); sys.stdin.read()"
        )
        with subprocess.Popen(
            [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as writer:
            assert writer.stdout
            assert writer.stdout.readline() == "open\n"
            with pytest.raises(DatabaseBusy) as caught:
                desk.run("SELECT 1")
            assert "letters.duckdb" in caught.value.message
            assert f"PID {writer.pid}" in caught.value.message
            writer.communicate("")
        assert desk.rows("SELECT 1") == [(1,)]

    def test_a_database_open_for_writing_in_this_process_is_busy(self, desk):
        with duckdb.connect(str(desk.database.path)) as connection:
            connection.execute("INSERT INTO t VALUES (9, 'x')")
            with pytest.raises(DatabaseBusy):
                desk.run("SELECT 1")

    def test_two_sessions_read_one_database_at_once(self, desk):
        with desk.session() as one, desk.session() as other:
            for session in (one, other, one):
                assert session.run("SELECT count(*) FROM letters.t", desk.out / "r.parquet").rows == ((3,),)


def _under(alias: str, desk: Desk) -> Attachment:
    return Attachment(alias, desk.database.path, "duckdb")
