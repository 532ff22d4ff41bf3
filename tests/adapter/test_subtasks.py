"""Blocks with a subtask, from the notebook to the version."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import pytest
from collections_made import Letter, make_collection
from projects import ProjectFolder

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.project.project import Project
from famulus_kernel.project.staleness import project_status
from famulus_kernel.store.store import StoredVersion

LETTERS = [Letter("L1", "w", "a", "1520-05-03", doc="d1"), Letter("L2", "b", "w", "1521-01-01"), Letter("L3", "w", "a")]
PERSONS = [("w", "Willibald Wirt", "person"), ("a", "Albrecht Maler", "person"), ("b", "Beata Vogt", "person")]
ARTEFACTS = """artefacts:
  - {name: roster, kind: roster-table}
  - {name: netz, kind: d3-graph}
  - {name: jahre, kind: timeline}
  - {name: report, kind: report}
  - {name: liste, kind: table}
  - {name: roh, kind: json}"""


@pytest.fixture
def letters(project: ProjectFolder) -> ProjectFolder:
    """Give a project with a collection `haus` of three letters."""
    project.write("famulus.yml", "id: probe\ncollections_root: data\ncollections: [haus]\nviewer: https://v.example\n")
    make_collection(
        project.root / "data", "haus", letters=LETTERS, persons=PERSONS, status={"person": "w", "credit": "Das Haus"}
    )
    return project


def block(preamble: str, question: str = "Wie viele?") -> str:
    return f"---\nid: block\n{preamble}\n---\n{question}"


def run(project: ProjectFolder, body: str) -> StoredVersion:
    project.blocks("a.fam", body)
    opened = Project.open(project.root)
    return Adapter(opened).run(opened.block("block"))


def error_of(version: StoredVersion) -> Any:
    return version.verdict().observed["error"]


def test_one_run_makes_every_artefact_of_its_block(letters: ProjectFolder) -> None:
    version = run(letters, block(f"subtask: correspondence-count\noracle: {{n_correspondents: 2}}\n{ARTEFACTS}"))
    assert version.verdict().status == "pass"
    data = {entry.name: version.envelope(entry.name).data for entry in version.manifest.artefacts}
    assert [one["name"] for one in data["roster"]["entries"]] == ["Albrecht Maler", "Beata Vogt"]
    assert (data["netz"]["n_nodes"], data["netz"]["n_edges"]) == (3, 2)
    assert sum(event["count"] for event in data["jahre"]["events"]) == 2
    assert data["roh"]["counts"]["n_letters"] == 3
    assert data["report"]["n_findings"] == 3


def test_the_report_of_a_version_has_answer_method_counts_and_findings(letters: ProjectFolder) -> None:
    report = run(letters, block("subtask: correspondence-count\nyears: {from: 1520, to: 1521}")).report()["data"]
    assert report["answer"].startswith("Willibald Wirt had 2 correspondents from 1520 to 1521, in 2 letters")
    assert report["counts"]["n_undated"] == 1
    assert any("unnamed" in rule for rule in report["method"])
    assert report["findings"][0]["url"] == "https://v.example/haus/d1"
    assert report["provenance"]["credits"] == [{"credit": "Das Haus"}]
    assert {file["path"] for file in report["provenance"]["files"]} == {
        "data/haus/haus.duckdb",
        "data/haus/status.json",
    }


def test_the_trace_says_where_each_input_came_from_and_what_was_asked(letters: ProjectFolder) -> None:
    version = run(letters, block("subtask: correspondence-count\nclient: gemini-3.5-flash-lite\nlocked: true"))
    (step,) = version.trace()["steps"]
    origins = {name: one["origin"] for name, one in step["inputs"].items()}
    assert (origins["collections"], origins["locked"], origins["subtask"]) == ("famulus.yml", "block", "input")
    assert step["model"] == {"client": "gemini-3.5-flash-lite", "called": False}
    assert step["steps"][0]["centre"] == {"name": "Willibald Wirt", "ids": ["w"]}
    assert str(letters.root) not in json.dumps(version.trace())


def test_an_oracle_asks_counts_fields_entries_and_names(letters: ProjectFolder) -> None:
    oracle = "{n_letters: {min: 3}, answer_contains: WIRT, ent_id: [b], partner: {all: [Albrecht Maler, Beata Vogt]}}"
    version = run(letters, block(f"subtask: correspondence-roster\noracle: {oracle}"))
    assert version.verdict().observed["score"] == 1.0


def test_a_changed_collection_makes_its_blocks_stale_and_another_file_does_not(letters: ProjectFolder) -> None:
    letters.blocks("a.fam", block("subtask: correspondence-count"))
    assert letters.cli("run").status == 0
    letters.write("data/haus/notes.txt", "x")
    assert letters.states() == {"block": "fresh"}
    with duckdb.connect(str(letters.root / "data/haus/haus.duckdb")) as connection:
        connection.execute("DELETE FROM letters_resolved WHERE letter_id = 'L2'")
    assert letters.states() == {"block": "stale"}
    assert "data/haus/haus.duckdb changed" in letters.reasons("block")


def test_a_chain_plays_a_subtask_with_a_setting_and_builds_of_its_result(letters: ProjectFolder) -> None:
    letters.write("settings/a.setting.yaml", "collections: [haus]\nyears: {from: 1521, to: 1521}\nruntime: here\n")
    chain = """partiturs:
  - id: query/historical/stage-one
    setting: settings/a.setting.yaml
    input: {subtask: correspondence-roster}
    artefact: roster
  - id: artifact:d3-graph
    artefact: netz
artefacts: [{name: roster, kind: roster-table}, {name: netz, kind: d3-graph}]"""
    version = run(letters, block(f"{chain}\ncollections: [nirgends]"))
    assert version.manifest.status == "pass", error_of(version)
    assert version.envelope("roster").data["n_entries"] == 1
    assert version.envelope("netz").data["n_edges"] == 1
    assert "settings/a.setting.yaml" in {file.path for file in version.manifest.inputs.files}


STOPS = [
    ("subtask: correspondence-count\ncollections: [hans]", "collection", "haus", "collections"),
    ("subtask: correspondence-count\npersons: [Wilibald Wirt]", "person-unknown", "Willibald Wirt", "persons"),
    ("subtask: correspondence-count\nyears: {from: 1600}", "empty", "n_correspondents: 0", None),
    ("subtask: correspondence-count\nyears: {from: 1600}\noracle: {note: keiner}", "empty", "n_correspondents", None),
    ("subtask: terminology-find\nlemmata: [pax]", "counting-mode-missing", "block", "subtask"),
    ("subtask: source-attestation\ninput: {source: [pax, deus]}", "counting-mode-missing", "block", "subtask"),
    ("subtask: correspondence-count\ninput: {texd: x}", "input-unbound", "certainty", "input.texd"),
    ("subtask: correspondence-count\nartefacts: [{name: k, kind: kwic}]", "artefact", "roster-table", "subtask"),
    ("subtask: correspondence-count\ninput: {years: {from: early}}", "preamble", "years", "years.from"),
    ("partiturs: [{id: query/historical/stage-one}]", "input-unbound", "subtask", "partiturs.0"),
    ("partiturs: [{id: query/modern}]", "partitur-unknown", "query/modern", "partiturs.0.id"),
]


@pytest.mark.parametrize(("preamble", "code", "names", "key"), STOPS)
def test_what_stops_a_subtask_names_the_thing_and_leaves_no_artefact(
    letters: ProjectFolder, preamble: str, code: str, names: str, key: str | None
) -> None:
    version = run(letters, block(preamble))
    error = error_of(version)
    assert (version.manifest.status, error["code"]) == ("error", code)
    assert names in f"{error['message']} {error['hint']}"
    assert version.manifest.artefacts == ()
    assert list((version.folder / "artefacts").iterdir()) == []
    assert key is None or error["where"]["key"] == key


def test_nothing_is_an_answer_where_the_oracle_expects_it(letters: ProjectFolder) -> None:
    version = run(letters, block("subtask: correspondence-count\nyears: {from: 1600}\noracle: {n_letters: 0}"))
    assert version.verdict().status == "pass"


def test_an_argument_may_be_the_artefact_of_another_block(letters: ProjectFolder) -> None:
    other = (
        "---\nid: namen\npartiturs: [{id: artifact:json, input: {name: Albrecht Maler}, artefact: j}]\n"
        "artefacts: [{name: j, kind: json}]\n---\nx"
    )
    letters.blocks("a.fam", other, block("subtask: correspondence-count\ninput: {certainty: {ref: namen.j}}"))
    opened = Project.open(letters.root)
    Adapter(opened).run(opened.block("namen"))
    error = error_of(Adapter(opened).run(opened.block("block")))
    assert (error["code"], "certainty" in error["message"]) == ("input-unbound", True)


def test_an_alias_that_stands_for_another_subtask_makes_its_blocks_stale(letters: ProjectFolder) -> None:
    letters.write(
        "famulus.yml", "id: probe\ncollections_root: data\ncollections: [haus]\nagent_memory: memory.duckdb\n"
    )

    def register(other: str) -> None:
        with duckdb.connect(str(letters.root / "memory.duckdb")) as connection:
            connection.execute(f"CREATE OR REPLACE TABLE subtasks AS SELECT 'kreis' AS subtask, '{other}' AS alias_of")

    register("correspondence-count")
    version = run(letters, block("subtask: kreis\noracle: {n_letters: 3}"))
    assert version.verdict().status == "pass"
    assert version.manifest.inputs.aliases == {"kreis": "correspondence-count"}
    (before,) = project_status(Project.open(letters.root))
    register("correspondence-roster")
    (after,) = project_status(Project.open(letters.root))
    assert (before.state, after.state) == ("fresh", "stale")
    assert after.reasons == (
        "the subtask kreis stands for correspondence-roster now, and no longer for correspondence-count",
    )
