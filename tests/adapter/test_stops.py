"""Every situation that stops a block before its plan (spec 3.1): what it names, where, and what it leaves behind."""

from __future__ import annotations

import os

import pytest
from projects import ProjectFolder, read_block

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.project.project import Project

PLAN = "partiturs: [{id: duckdb-read, input: {sql: SELECT 1 AS n}, artefact: t}]\nartefacts: [{name: t, kind: table}]"

STOPS = [
    pytest.param("subtask: correspondence-count\n" + PLAN, "plan", "are both set", id="subtask and partiturs"),
    pytest.param("artefacts: []", "plan", "exactly one of", id="no plan"),
    pytest.param("subtask: attestation", "subtask-unknown", "attestation", id="attestation"),
    pytest.param("subtask: correspondence-cuont", "subtask-unknown", "correspondence-count", id="misspelt subtask"),
    pytest.param("subtask: correspondence-count", "input-unbound", "collections", id="subtask without a collection"),
    pytest.param("depends_on: [nichts]\n" + PLAN, "dependency-missing", "nichts", id="depends_on without a block"),
    pytest.param("depends_on: [vorher]\n" + PLAN, "dependency-missing", "vorher", id="depends_on never run"),
    pytest.param(
        "duckdb: [{alias: a, ref: vorher.tab}]\n" + PLAN, "reference-unresolved", "vorher.tab", id="reference"
    ),
    pytest.param(
        "duckdb: [{alias: a, path: data/fehlt.duckdb}]\n" + PLAN, "file-missing", "data/fehlt.duckdb", id="file"
    ),
    pytest.param(
        "duckdb: [{alias: a, path: $PDAI_COLLECTIONS/x/x.duckdb}]\n" + PLAN,
        "file-missing",
        "PDAI_COLLECTIONS",
        id="collections not mounted",
    ),
    pytest.param("subtask: cooccurrence\nlemmata: [pax]", "counting-mode-missing", "block", id="no counting_mode"),
    pytest.param("partiturs: [{id: duckdb-read}]", "input-unbound", "sql", id="no sql"),
    pytest.param("partiturs: [{id: duckdb-read, input: {sqll: x}}]", "input-unbound", "sqll", id="unknown input"),
    pytest.param(PLAN.replace("SELECT 1 AS n", "DROP TABLE x"), "sql-not-a-query", "DROP", id="not a query"),
    pytest.param("years: {from: 1530, to: 1520}\n" + PLAN, "years-reversed", "1530", id="years reversed"),
    pytest.param(PLAN + "\noracle: {m: 1}", "oracle-key", "n_rows", id="oracle key"),
    pytest.param(PLAN.replace("AS n", "AS n WHERE false"), "empty", "duckdb-read", id="silent empty result"),
    pytest.param(PLAN + "\nguard: {text: answr}", "oracle-key", "answr", id="guard of no field"),
    pytest.param(PLAN.replace("artefact: t", "artefact: u"), "preamble", "'u'", id="undeclared artefact"),
]


@pytest.mark.parametrize("name", ["data", "data/pipe", "~nobody-of-that-name/x", "a" * 5000])
@pytest.mark.parametrize("key", ["sql", "path", "setting"])
def test_what_is_no_file_stops_a_block_before_it_is_opened(project: ProjectFolder, key: str, name: str) -> None:
    (project.root / "data").mkdir()
    os.mkfifo(project.root / "data" / "pipe")
    body = read_block("block", "SELECT 1 AS n")
    body = {
        "sql": read_block("block", f"FROM read_text('{name}')"),
        "path": read_block("block", "SELECT 1 AS n", extra=f"duckdb: [{{alias: m, path: '{name}'}}]"),
        "setting": body.replace("    input:", f"    setting: '{name}'\n    input:"),
    }[key]
    project.blocks("a.fam", body)
    opened = Project.open(project.root)
    error = Adapter(opened).run(opened.block("block")).verdict().observed["error"]
    assert error["code"] == "file-missing"
    assert error["where"]["line"] > 1


@pytest.mark.parametrize(("preamble", "code", "names"), STOPS)
def test_a_stop_writes_an_error_version_without_artefact(
    project: ProjectFolder, preamble: str, code: str, names: str
) -> None:
    project.blocks("a.fam", f"---\nid: block\n{preamble}\n---\nFrage?", read_block("vorher", "SELECT 1 AS n"))
    opened = Project.open(project.root)
    if code == "preamble":  # a preamble that says nothing valid has no effective form, and so no version
        assert names in str(opened.errors[0])
        return
    version = Adapter(opened).run(opened.block("block"))
    assert version.manifest.status == "error"
    assert version.manifest.artefacts == ()
    error = version.verdict().observed["error"]
    assert isinstance(error, dict)
    assert error["code"] == code
    assert names in f"{error['message']} {error['hint']}"
    assert "**" in error["message"]
    assert error["where"]["file"] == "a.fam"
    assert error["where"]["line"] >= 2
    assert error["where"]["block"] == "block"


def test_the_years_of_an_error_are_found_at_their_line(project: ProjectFolder) -> None:
    project.blocks("a.fam", f"---\nid: block\nyears: {{from: 1530, to: 1520}}\n{PLAN}\n---\nFrage?")
    opened = Project.open(project.root)
    error = Adapter(opened).run(opened.block("block")).verdict().observed["error"]
    assert isinstance(error, dict)
    assert error["where"]["line"] == 4


def test_an_empty_result_that_the_oracle_expects_is_a_pass(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("leer", "SELECT 1 AS n WHERE false", extra="oracle: {n_rows: 0}"))
    opened = Project.open(project.root)
    assert Adapter(opened).run(opened.block("leer")).manifest.status == "pass"


def test_a_reference_to_an_errored_version_does_not_resolve(project: ProjectFolder) -> None:
    project.blocks(
        "a.fam",
        read_block("kaputt", "SELECT x FROM nichts"),
        read_block("danach", "SELECT * FROM k", extra="duckdb: [{alias: k, ref: kaputt.tab}]"),
    )
    opened = Project.open(project.root)
    Adapter(opened).run(opened.block("kaputt"))
    error = Adapter(opened).run(opened.block("danach")).verdict().observed["error"]
    assert isinstance(error, dict)
    assert "ended in error" in error["message"]


def test_an_unresolved_reference_says_what_the_newest_version_holds(project: ProjectFolder) -> None:
    project.blocks(
        "a.fam",
        read_block("eins", "SELECT 1 AS n"),
        read_block("zwei", "SELECT 1 AS n", instruction="Siehe {{ref:eins.fehlt}}."),
    )
    opened = Project.open(project.root)
    Adapter(opened).run(opened.block("eins"))
    error = Adapter(opened).run(opened.block("zwei")).verdict().observed["error"]
    assert isinstance(error, dict)
    assert error["code"] == "reference-unresolved"
    assert "eins.fehlt" in error["message"]
    assert error["hint"] == "that version holds: tab"


def test_a_double_id_names_both_places(project: ProjectFolder) -> None:
    project.blocks("a.fam", read_block("Brief", "SELECT 1 AS n"))
    project.blocks("b.fam", read_block("brief", "SELECT 1 AS n"))
    ran = project.cli("check")
    assert ran.status == 2
    assert "a.fam:2" in ran.err
    assert "b.fam:2" in ran.err


def test_a_missing_id_is_told_and_makes_no_folder(project: ProjectFolder) -> None:
    project.blocks("a.fam", f"---\n{PLAN}\n---\nFrage?")
    ran = project.cli("run")
    assert ran.status == 2
    assert "has no id" in ran.err
    assert not (project.root / "_famulus" / "store").exists()


def test_a_cycle_is_printed(project: ProjectFolder) -> None:
    project.blocks(
        "a.fam",
        read_block("a", "SELECT 1 AS n", extra="depends_on: [b]"),
        read_block("b", "SELECT 1 AS n", extra="depends_on: [c]"),
        read_block("c", "SELECT 1 AS n", extra="depends_on: [a]"),
    )
    ran = project.cli("status")
    assert ran.status == 2
    assert "→" in ran.err
    for name in "abc":
        assert name in ran.err
