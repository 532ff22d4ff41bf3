"""The register: one lookup, the same document from the disk and from a server, and what is wrong with a register."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import duckdb
import pytest

from famulus_kernel.errors import FamulusError, RegisterError, RemoteError, UnknownPartitur
from famulus_kernel.harness.partitur import Document, read_partitur
from famulus_kernel.harness.register import Register, open_register
from famulus_kernel.harness.register_file import RegisterFile

ODD = "\ufeff# Größe\r\n"
"""A beginning that careless hands would change: a BOM, a comment, CRLF."""

SPY = (
    "CREATE VIEW partituren AS SELECT 'zahl' AS id, '1' AS version, 'a/b' AS goal_path, content AS document, "
    "'x' AS sha256, now() AS created FROM read_text('/etc/hostname')"
)


def document(version: str = "1", *, name: str = "zahl", goal: str = "probe/zahl", rest: str = "") -> Document:
    text = f'{ODD}id: {name}\r\nversion: "{version}"\r\ngoal_path: {goal}\r\nstages: [{{id: a, op: sql}}]\r\n{rest}'
    return read_partitur(text.encode())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a register of three versions."""
    path = tmp_path / "partitur_register.duckdb"
    RegisterFile(path).add([document("1.9"), document("1.10"), document("1.2")])
    return path


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[[Path], str]]:
    """Give what serves a register file, each in a process of its own that ends with the test."""
    running: list[subprocess.Popen[str]] = []

    def start(path: Path) -> str:
        folder = tmp_path / f"served{len(running)}"
        folder.mkdir()
        (folder / "famulus.yml").write_text(f"id: served\nregister: {path}\n", encoding="utf-8")
        words = ["register", "serve", "--port", "0", "--project", str(folder)]
        command = [sys.executable, "-m", "famulus_kernel.cli", *words]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        running.append(process)
        timer = threading.Timer(60, process.kill)
        timer.start()
        assert process.stdout is not None
        line = process.stdout.readline()
        timer.cancel()
        assert "http://" in line, line
        return line.split()[-1]

    yield start
    for process in running:
        process.terminate()
        process.wait(10)
        assert process.stdout is not None
        process.stdout.close()


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("zahl", "1.10"), ("probe/zahl", "1.10"), ("zahl@1.9", "1.9"), ("zahl@v1.2", "1.2"), ("probe/zahl@1.2", "1.2"),
    ],
)  # fmt: skip
def test_a_partitur_is_found_by_id_version_and_goal_path_and_the_newest_without_version(
    path: Path, name: str, version: str
) -> None:
    found = open_register(path).lookup(name)
    assert found.document.partitur.version == version
    assert found.document.text == document(version).text
    assert not found.is_shipped


def test_what_the_register_does_not_have_the_package_answers_and_the_register_goes_first(path: Path) -> None:
    assert open_register(path).lookup("query/historical/stage-one").is_shipped
    RegisterFile(path).add([document("9", name="ai-query-phase1", goal="query/historical/stage-one")])
    register = open_register(path)
    assert register.lookup("ai-query-phase1").document.partitur.version == "9"
    listed = [entry.name for _, entry in register.entries()]
    assert listed == ["ai-query-phase1@9", "zahl@1.10", "zahl@1.9", "zahl@1.2"]


def test_an_unknown_name_offers_the_nearest_and_an_unknown_version_those_that_there_are(path: Path) -> None:
    register = open_register(path)
    with pytest.raises(UnknownPartitur, match="zahk") as found:
        register.lookup("zahk")
    assert "zahl" in found.value.hint
    with pytest.raises(UnknownPartitur, match="3") as found:
        register.lookup("zahl@3")
    assert "1.2, 1.9, 1.10" in found.value.hint


def test_a_version_never_changes_and_adding_is_all_or_nothing(path: Path) -> None:
    register = RegisterFile(path)
    assert register.add([document("1.9"), document("2")]) == ["zahl@2"]
    with pytest.raises(RegisterError, match=r"zahl@1\.9.*other content"):
        register.add([document("3"), document("1.9", rest="# mehr\r\n")])
    assert {entry.version for entry in register.entries()} == {"1.2", "1.9", "1.10", "2"}


def _sql(path: Path, sql: str) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute(sql)


@pytest.mark.parametrize(
    ("sql", "error", "names"),
    [
        ("UPDATE register_format SET format = 2", RegisterError, "format 2"),
        ("UPDATE partituren SET document = document || ' '", RegisterError, "not the one that was put in"),
        ("UPDATE partituren SET version = 'eins' WHERE version = '1.9'", RegisterError, "eins"),
        ("UPDATE partituren SET id = 'ziel'", UnknownPartitur, "zahl"),
        ("ALTER TABLE partituren DROP COLUMN created", RegisterError, "created"),
        ("DROP TABLE partituren", RegisterError, "partituren"),
        (f"DROP TABLE partituren; {SPY}", FamulusError, ""),
    ],
)
def test_a_register_that_cannot_be_read_says_why(
    path: Path, sql: str, error: type[FamulusError], names: str
) -> None:
    _sql(path, sql)
    with pytest.raises(error) as found:
        open_register(path).lookup("zahl")
    assert names in found.value.message


def test_a_register_of_another_program_without_a_format_is_read(path: Path) -> None:
    _sql(path, "DROP TABLE register_format; ALTER TABLE partituren ALTER created TYPE VARCHAR")
    assert open_register(path).lookup("zahl").document.partitur.version == "1.10"


def test_a_register_that_is_not_there_or_no_database_is_an_error_and_makes_no_file(tmp_path: Path) -> None:
    missing = tmp_path / "nichts.duckdb"
    with pytest.raises(FamulusError, match="not there"):
        open_register(missing).lookup("zahl")
    assert not missing.exists()
    missing.write_text("kein DuckDB", encoding="utf-8")
    with pytest.raises(FamulusError, match="nichts"):
        open_register(missing).lookup("zahl")


def test_a_served_register_gives_the_same_documents_byte_for_byte(
    path: Path, serve: Callable[[Path], str]
) -> None:
    url = serve(path)
    served, own = open_register(url), open_register(path)
    for name in ("zahl", "zahl@1.2", "probe/zahl", "ai-query-phase1"):
        assert served.lookup(name).document.text == own.lookup(name).document.text
    assert not served.lookup("zahl").is_shipped
    there = {entry.name: entry for _, entry in own.entries()}
    assert {entry.name: entry for _, entry in served.entries()} == there
    RegisterFile(path).add([document("4")])  # the server does not keep it from being written
    assert open_register(url).lookup("zahl").document.partitur.version == "4"


def test_a_server_that_is_not_there_is_named_and_asked_once() -> None:
    register: Register = open_register("http://127.0.0.1:9/mcp")
    with pytest.raises(RemoteError, match=r"127\.0\.0\.1:9") as first:
        register.lookup("zahl")
    with pytest.raises(RemoteError) as second:
        register.lookup("zahl")
    assert second.value is first.value
