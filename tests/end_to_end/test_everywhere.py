"""Every form of plan in one work, played in one process, in two and on a Dask cluster: the same everywhere."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from clusters import Cluster, dask_cluster
from collections_made import Letter, make_collection
from executing import comparable
from projects import ProjectFolder
from servers import institution

from famulus_kernel.harness.partitur import read_partitur
from famulus_kernel.harness.register_file import RegisterFile

pytest.importorskip("distributed", reason="the extra distributed is not installed")

COUNT = """id: zahl
version: 1
goal_path: probe/zahl
inputs: {ab: {type: integer, required: true}}
stages:
  - {id: frage, op: sql, with: {sql: "SELECT unnest(range($ab, $ab + 3)) AS n", parameters: {ab: "{{ inputs.ab }}"}}}
  - {id: satz, op: template.answer, with: {text: "{{ stages.frage.n_rows }} Zeilen."}}
contract: {required: [answer]}
"""
NEXT = """id: folge
version: 1
goal_path: probe/folge
inputs: {namen: {type: list, required: true}}
stages: [{id: satz, op: template.answer, with: {text: "Namen: {{ inputs.namen | join(', ') }}."}}]
contract: {required: [answer]}
"""
BLOCKS = {
    "partner": """subtask: correspondence-count
collections: [haus]
persons: [Willibald Wirt]
years: {from: 1520, to: 1530}
oracle: {n_correspondents: 1, n_letters: 2}""",
    "namen": """partiturs: [{id: duckdb-read, input: {sql: "SELECT 'Eck' AS name"}, artefact: namen}]
artefacts: [{name: namen, kind: table}]
oracle: {name: Eck}""",
    "kette": """partiturs:
  - {id: probe/zahl, setting: settings/a.yaml, artefact: zahlen}
  - {id: folge, input: {namen: {ref: namen.namen}}, artefact: satz}
artefacts: [{name: zahlen, kind: table}, {name: satz, kind: markdown}]
oracle: {answer_contains: Eck}""",
    "geprueft": """partiturs:
  - {id: duckdb-read, input: {sql: "SELECT 'Es sind 76 Briefe.' AS text"}}
  - {id: "lwgrammar:lw_evaluate", text_from: text, input: {evidence: ["75 Briefe"], lang: de}, rows_from: findings,
     artefact: befund}
artefacts: [{name: befund, kind: table}]
oracle: {n_findings: 1}""",
    "belegt": """partiturs:
  - {id: duckdb-read, input: {sql: SELECT 75 AS n}}
  - {id: duckdb-read, input: {sql: "SELECT 'Es sind 75 Briefe.' AS text"}}
guard: {lang: de}
oracle: {text_contains: Briefe}""",
    "unbelegt": """partiturs:
  - {id: duckdb-read, input: {sql: SELECT 75 AS n}}
  - {id: duckdb-read, input: {sql: "SELECT 'Es sind 76 Briefe.' AS text"}}
guard: {lang: de}
oracle: {text_contains: Briefe}""",
    "ohne-text": """partiturs: [{id: duckdb-read, input: {sql: SELECT 75 AS n}}]
guard: {lang: de}
oracle: {n: 75}""",
}
UNREACHABLE = ("belegt",)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with dask_cluster(tmp_path_factory.mktemp("cluster"), 2) as started:
        yield started


@pytest.fixture(scope="module")
def work(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A project with a collection, a register, a setting and a server of the institution."""
    folder = ProjectFolder(tmp_path_factory.mktemp("work"))
    letters = [
        Letter("1", "w", "e", "1521-01-01"),
        Letter("2", "e", "w", "1522-01-01"),
        Letter("3", "w", "e", "1540-01-01"),
    ]
    persons = [("w", "Willibald Wirt", "person"), ("e", "Emma Eck", "person")]
    make_collection(folder.root / "data", "haus", letters=letters, persons=persons)
    RegisterFile(folder.root / "plaene.duckdb").add([read_partitur(COUNT.encode()), read_partitur(NEXT.encode())])
    folder.write("settings/a.yaml", "ab: 7\n")
    folder.blocks("a.fam", *(f"---\nid: {name}\n{preamble}\n---\nFrage?" for name, preamble in BLOCKS.items()))
    with institution("--collections", str(folder.root / "data"), cwd=folder.root) as url:
        known = "id: probe\ncollections_root: data\nregister: plaene.duckdb\n"
        folder.write("famulus.yml", f"{known}institution: {url}\n")
        yield folder.root


def played(work: Path, place: Path, *words: str) -> tuple[ProjectFolder, list[Any]]:
    """Run a copy of the work and return it with what became of each block."""
    folder = ProjectFolder(shutil.copytree(work, place))
    ran = folder.cli("run", ".", "--json", *words)
    assert ran.status == 1, ran.err
    return folder, [(one["block"], one["action"], one["status"]) for one in ran.json["blocks"]]


def test_every_plan_and_every_state_of_the_guard_is_the_same_everywhere(
    work: Path, cluster: Cluster, tmp_path: Path
) -> None:
    ways = {"one": (), "two": ("--jobs", "2"), "dask": ("--executor", f"dask={cluster.address}")}
    found = {name: played(work, tmp_path / name, *words) for name, words in ways.items()}
    folder, outcomes = found["one"]
    assert {block: status for block, _, status in outcomes} == {
        **dict.fromkeys(BLOCKS, "pass"),
        "unbelegt": "fail",
    }
    states = {name: folder.verdict(name)["observed"]["guard"]["status"] for name in ("belegt", "unbelegt", "ohne-text")}
    assert states["belegt"] == "passed"
    assert states["unbelegt"] == "failed"
    assert states["ohne-text"] not in {"passed", "failed"}
    assert folder.verdict("geprueft")["observed"]["n_findings"]["value"] == 1
    for name in ("two", "dask"):
        assert found[name][1] == outcomes
        assert comparable(found[name][0].root) == comparable(folder.root)


def test_a_guard_that_nobody_answers_is_the_same_error_everywhere(work: Path, cluster: Cluster, tmp_path: Path) -> None:
    alone = ProjectFolder(tmp_path / "alone")
    alone.write("famulus.yml", "id: probe\ninstitution: http://127.0.0.1:9/mcp\n")
    alone.blocks("a.fam", f"---\nid: belegt\n{BLOCKS['belegt']}\n---\nFrage?")
    found = []
    for name, words in {"one": (), "two": ("--jobs", "2"), "dask": ("--executor", f"dask={cluster.address}")}.items():
        folder, outcomes = played(alone.root, tmp_path / name, *words)
        assert outcomes == [("belegt", "played", "error")]
        assert folder.verdict("belegt")["observed"]["guard"]["status"] == "unreachable"
        found.append(comparable(folder.root))
    assert found[0] == found[1] == found[2]
