"""Chains of register ids: settings, references, steps, contracts and budgets, from the notebook to the version."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
from projects import ProjectFolder, read_block

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.harness.partitur import read_partitur
from famulus_kernel.harness.register_file import RegisterFile
from famulus_kernel.project.project import Project
from famulus_kernel.store.store import StoredVersion

ZAHL = """id: zahl
version: 1
goal_path: probe/zahl
inputs:
  mindestens: {type: integer, default: 1}
  jahr: {type: integer, required: true}
  wort: {type: string}
stages:
  - id: frage
    op: sql
    with:
      sql: SELECT sender, count(*) AS n FROM m.letters WHERE year >= $jahr GROUP BY ALL HAVING n >= $n ORDER BY sender
      parameters: {jahr: "{{ inputs.jahr }}", n: "{{ inputs.mindestens }}"}
  - id: satz
    op: template.answer
    with:
      text: "{{ stages.frage.n_rows }} Absender seit {{ inputs.jahr }}."
      counts: {n_absender: "{{ stages.frage.n_rows }}"}
contract: {required: [answer], properties: {counts: {properties: {n_absender: {maximum: 2}}}}}
"""
FOLGE = """id: folge
version: 1
goal_path: probe/folge
inputs:
  tabelle: {type: table, required: true}
  namen: {type: list}
  previous: {type: artefact}
stages:
  - id: satz
    op: template.answer
    with:
      text: "{{ inputs.tabelle.data.n_rows }}: {{ inputs.namen | join(', ') }} ({{ inputs.previous.kind }})"
contract: {required: [answer]}
"""
ENDLESS = "SELECT count(*) AS n FROM range(1000000000000) a, range(1000000) b"


@pytest.fixture
def chained(project: ProjectFolder) -> ProjectFolder:
    """Give a project with a register of two partituren and a database of letters."""
    data = "duckdb: [{alias: m, path: data/letters.duckdb}]"
    project.write("famulus.yml", f"id: probe\nregister: plaene.duckdb\n{data}\n")
    RegisterFile(project.root / "plaene.duckdb").add([read_partitur(ZAHL.encode()), read_partitur(FOLGE.encode())])
    project.database()
    return project


def run(project: ProjectFolder, preamble: str, *others: str) -> StoredVersion:
    project.blocks("a.fam", *others, f"---\nid: block\n{preamble}\n---\nWie viele?")
    opened = Project.open(project.root)
    for name in opened.graph.with_upstream(["block"]):
        version = Adapter(opened).run(opened.block(name))
    return version


def error_of(version: StoredVersion) -> Any:
    assert version.manifest.status == "error"
    assert version.manifest.artefacts == ()
    return version.verdict().observed["error"]


CHAIN = """partiturs:
  - {id: probe/zahl, setting: settings/a.setting.yaml, input: {jahr: 1506}, artefact: zahlen}
  - id: folge
    input: {tabelle: {step: zahlen}, namen: {ref: vorher.namen}}
    artefact: satz
artefacts: [{name: zahlen, kind: table}, {name: satz, kind: markdown}]
oracle: {n_absender: 2, answer_contains: Dürer}"""
BEFORE = read_block("vorher", "SELECT DISTINCT sender FROM m.letters ORDER BY ALL LIMIT 2", artefact="namen")


def test_each_run_finds_the_artefacts_of_those_before_it(chained: ProjectFolder) -> None:
    chained.write("settings/a.setting.yaml", "mindestens: 1\njahr: 1900\nruntime: here\n")
    chained.database(sql="CREATE TABLE letters AS SELECT 'Dürer' AS sender, 1506 AS year UNION ALL SELECT 'Eck', 1520")
    version = run(chained, CHAIN, BEFORE)
    assert version.manifest.status == "pass", version.verdict().observed
    assert version.envelope("satz").data["content"] == "2: Dürer, Eck (table)"
    assert version.envelope("zahlen").data["n_rows"] == 2
    first, second = version.trace()["steps"]
    assert {name: (one["value"], one["origin"]) for name, one in first["inputs"].items() if "jahr" in name} == {
        "jahr": (1506, "input")
    }
    assert first["inputs"]["mindestens"]["origin"] == "setting"
    assert second["inputs"]["namen"] == {"value": {"ref": "vorher.namen"}, "origin": "input"}
    assert second["inputs"]["previous"] == {"value": "zahlen", "origin": "previous step"}
    assert first["steps"][0]["parameters"] == {"jahr": 1506, "n": 1}
    assert str(chained.root) not in json.dumps(version.trace())
    inputs = version.manifest.inputs
    assert [(one.id, one.version) for one in inputs.partiturs] == [("zahl", "1"), ("folge", "1")]
    assert {file.path for file in inputs.files} == {"data/letters.duckdb", "settings/a.setting.yaml"}


def test_a_contract_that_is_not_reached_ends_the_chain_and_leaves_the_trace(chained: ProjectFolder) -> None:
    version = run(chained, CHAIN.replace("setting: settings/a.setting.yaml, ", ""), BEFORE)
    error = error_of(version)
    assert error["code"] == "contract"
    assert "n_absender" in error["message"]
    (step,) = version.trace()["steps"]
    assert step["contract"]["reached"] is False
    assert step["steps"][0]["rows"] == 3
    assert "artefacts" not in step


def test_artefacts_of_the_steps_before_the_one_that_fails_stay_in_the_trace(chained: ProjectFolder) -> None:
    late = CHAIN.replace("jahr: 1506", "jahr: 1515").replace("setting: settings/a.setting.yaml, ", "")
    version = run(chained, late.replace("{step: zahlen}", "7"), BEFORE)
    assert error_of(version)["code"] == "input-unbound"
    early = "{id: duckdb-read, input: {sql: SELECT 1 AS n}, artefact: zahlen}\n  - {id: zahl,"
    late = late.replace("{id: probe/zahl,", early)
    version = run(chained, late.replace("jahr: 1515}, artefact: zahlen", "jahr: 1506}"), BEFORE)
    assert error_of(version)["code"] == "contract"
    first, second = version.trace()["steps"]
    data = {"columns": [{"name": "n", "type": "INTEGER"}], "rows": [[1]], "n_rows": 1}
    assert first["artefacts"] == [{"name": "zahlen", "kind": "table", "data": data}]
    assert "artefacts" not in second


STOPS = [
    ("partiturs: [{id: zahk, input: {jahr: 1}}]", "partitur-unknown", "zahl", "partiturs.0.id"),
    ("partiturs: [{id: zahl@7, input: {jahr: 1}}]", "partitur-unknown", "it has: 1", "partiturs.0.id"),
    ("partiturs: [{id: zahl}]", "input-unbound", "jahr", "partiturs.0"),
    ("partiturs: [{id: zahl, input: {jahr: '1506'}}]", "input-unbound", "a whole number", "partiturs.0"),
    ("partiturs: [{id: zahl, input: {jahr: 1, jahre: 2}}]", "input-unbound", "jahr", "partiturs.0"),
    ("partiturs: [{id: folge, input: {tabelle: {step: 3}}}]", "reference-unresolved", "step 3", "partiturs.0"),
    ("partiturs: [{id: zahl, input: {jahr: 1}, setting: nichts.yaml}]", "file-missing", "nichts.yaml", "partiturs.0"),
]


@pytest.mark.parametrize(("preamble", "code", "names", "key"), STOPS, ids=[one[0][12:50] for one in STOPS])
def test_what_stops_a_chain_is_named_where_it_stands(
    chained: ProjectFolder, preamble: str, code: str, names: str, key: str
) -> None:
    error = error_of(run(chained, preamble))
    assert error["code"] == code
    assert names in f"{error['message']} {error['hint']}"
    assert error["where"]["key"].startswith(key)
    assert error["where"]["line"] == 4


def test_a_register_of_a_newer_format_stops_the_block_and_nothing_else(chained: ProjectFolder) -> None:
    chained.database("plaene.duckdb", "CREATE TABLE register_format AS SELECT 9 AS format")
    error = error_of(run(chained, "partiturs: [{id: zahl, input: {jahr: 1}}]"))
    assert error["code"] == "register"
    assert "format 9" in error["message"]
    assert "plaene.duckdb" in error["message"]
    chained.blocks("a.fam", read_block("lesen", "SELECT 1 AS n"))
    assert chained.cli("run").status == 0


def test_a_new_version_of_a_partitur_makes_its_blocks_stale_and_a_pinned_one_does_not(chained: ProjectFolder) -> None:
    body = "---\nid: {0}\npartiturs: [{{id: {1}, input: {{jahr: 1515}}}}]\n---\nWie viele?"
    chained.blocks("a.fam", body.format("frei", "probe/zahl"), body.format("fest", "zahl@1"))
    assert chained.cli("run").status == 0
    assert chained.states() == {"frei": "fresh", "fest": "fresh"}
    newer = read_partitur(ZAHL.replace("version: 1", "version: 1.10").encode())
    assert RegisterFile(chained.root / "plaene.duckdb").add([newer]) == ["zahl@1.10"]
    assert chained.states() == {"frei": "stale", "fest": "fresh"}
    assert "moved from version 1 to 1.10" in chained.reasons("frei")


@pytest.mark.parametrize("plan", [f"{{id: duckdb-read, input: {{sql: '{ENDLESS}'}}}}", "{id: endlos}"])
def test_the_wall_clock_ends_a_block_and_the_trace_says_what_was_used(chained: ProjectFolder, plan: str) -> None:
    text = f"id: endlos\nversion: 1\ngoal_path: a/b\nstages: [{{id: a, op: sql, with: {{sql: '{ENDLESS}'}}}}]"
    RegisterFile(chained.root / "plaene.duckdb").add([read_partitur(text.encode())])
    began = time.monotonic()
    version = run(chained, f"partiturs: [{plan}]\nlimits: {{max_wall_seconds: 1}}")
    assert time.monotonic() - began < 30
    error = error_of(version)
    assert error["code"] == "budget"
    used = version.trace()["usage"]["wall_seconds"]
    assert used["allowed"] == 1
    assert 1 <= used["used"] < 30
    assert version.trace()["steps"][0]["error"]["code"] == "budget"


def test_limits_do_not_make_a_block_stale(chained: ProjectFolder) -> None:
    plan = "partiturs: [{id: zahl, input: {jahr: 1515}}]"
    body = f"---\nid: block\n{plan}\nlimits: {{max_wall_seconds: 100}}\n---\nWie viele?"
    chained.blocks("a.fam", body)
    assert chained.cli("run").status == 0
    assert chained.cli("log", ".", "block", "--trace", "--json").json["usage"]["wall_seconds"]["allowed"] == 100
    chained.blocks("a.fam", body.replace("100", "200"))
    assert chained.states() == {"block": "fresh"}


def test_a_trace_is_readable_as_a_tree(chained: ProjectFolder) -> None:
    chained.blocks("a.fam", "---\nid: block\npartiturs: [{id: zahl, input: {jahr: 1515}}]\n---\nWie viele?")
    assert chained.cli("run").status == 0
    shown = chained.cli("log", ".", "block", "--trace").out
    for words in ("jahr (input): 1515", "mindestens (default): 1", "sql  frage", "parameters", "1 Absender seit 1515."):
        assert words in shown
