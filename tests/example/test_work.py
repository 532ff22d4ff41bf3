"""The example as a work: its verdicts, and the promise of its first page that no number in the prose is typed in."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from famulus_kernel.adapter.goldens.memory import AgentMemory
from famulus_kernel.adapter.refreshing import refresh_status
from famulus_kernel.adapter.runner import Outcome, Runner
from famulus_kernel.artefacts.build import builders
from famulus_kernel.project.project import Project
from famulus_kernel.store.index import read_index

if TYPE_CHECKING:
    from types import ModuleType

EXAMPLE = Path(__file__).parents[2] / "example-project"
NOTEBOOKS = sorted(EXAMPLE.glob("*.fam"))
MEANT_TO_FAIL = {"partner-1520-1530-aeltere-zahl", "ein-satz-ohne-halt"}
MEANT_TO_ERR = "briefe-verschrieben"
MEANT_TO_BE_UNCHECKED = "briefe-ohne-erwartung"
MEANT_TO_BE_STALE = "erste-zaehlung"

NOT_PROSE = re.compile(
    r"\A---\n.*?\n---\n"  # front matter
    r"|^```.*?^```$"  # blocks
    r"|\{\{<.*?>\}\}"  # values and artefacts
    r"|\]\([^)]*\)|\{[#.][^}]*\}|`[^`\n]*`",  # targets of links, identifiers of headings and classes, code
    re.DOTALL | re.MULTILINE,
)
NO_COUNT = re.compile(
    r"WPBw\\? \d+(?:(?:,| und)\s\d+)*"  # numbers of letters in the edition
    r"|\b(?:1[459]|20)\d\d\b"  # years
    r"|\bCC0\b"
)


@pytest.fixture(scope="module")
def project(build: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Project:
    work = tmp_path_factory.mktemp("work")
    for file in [*NOTEBOOKS, EXAMPLE / "famulus.yml", EXAMPLE / "_quarto.yml"]:
        shutil.copy(file, work)
    for folder in ("settings", "archiv", "register"):
        shutil.copytree(EXAMPLE / folder, work / folder)
    build.build(work)
    project = Project.open(work)
    assert project.errors == ()
    return project


@pytest.fixture(scope="module")
def outcomes(project: Project) -> dict[str, Outcome]:
    return {outcome.block: outcome for outcome in Runner(project).run(project.selection())}


@pytest.fixture(scope="module")
def data(project: Project, outcomes: dict[str, Outcome]) -> dict[str, Any]:
    """Return the data of the artefacts that stand alone in their block."""
    found = {}
    for block, outcome in outcomes.items():
        folder = project.root / "_famulus/store" / outcome.notebook / block / str(outcome.version)
        files = list((folder / "artefacts").glob("*.json"))
        if len(files) == 1:
            found[block] = json.loads(files[0].read_bytes())["data"]
    return found


def test_every_block_passes_but_those_that_are_meant_not_to(outcomes: dict[str, Outcome]) -> None:
    assert {block for block, outcome in outcomes.items() if outcome.status == "fail"} == MEANT_TO_FAIL
    assert {block for block, outcome in outcomes.items() if outcome.is_error} == {MEANT_TO_ERR}
    assert {outcome.status for outcome in outcomes.values()} == {"pass", "fail", "error"}


def test_the_sentence_that_is_meant_to_fail_does_so_for_what_no_row_says(
    project: Project, outcomes: dict[str, Outcome]
) -> None:
    outcome = outcomes["ein-satz-ohne-halt"]
    folder = project.root / "_famulus/store" / outcome.notebook / outcome.block / str(outcome.version)
    observed = json.loads((folder / "verdict.json").read_bytes())["observed"]
    assert observed["n_rows"]["ok"] is True
    assert [one["text"] for one in observed["guard"]["findings"] if not one["supported"]] == ["Siebzehn", "1526"]


def test_only_pages_that_say_so_let_a_block_err(project: Project) -> None:
    lenient = {notebook.id for notebook in project.notebooks if notebook.is_lenient}
    assert lenient == {project.block(MEANT_TO_ERR).notebook}


def test_every_other_block_is_compared_with_an_expectation_but_the_one_that_shows_how_it_is_without(
    outcomes: dict[str, Outcome],
) -> None:
    unchecked = {block for block, outcome in outcomes.items() if not outcome.checked}
    assert unchecked - {MEANT_TO_ERR} == {MEANT_TO_BE_UNCHECKED}


def test_the_count_in_the_archive_is_stale_and_what_is_not_meant_to_err_fresh(
    project: Project, outcomes: dict[str, Outcome]
) -> None:
    states = {one.block: one.state for one in refresh_status(project) if one.block in outcomes}
    assert {block: state for block, state in states.items() if state != "fresh"} == {
        MEANT_TO_BE_STALE: "stale",
        MEANT_TO_ERR: "error",
    }
    index = read_index(project.store)
    assert index is not None
    assert index.blocks[MEANT_TO_BE_STALE].folder == "archiv/erste-zaehlung"


def test_every_kind_is_on_a_page() -> None:
    text = "\n".join(file.read_text(encoding="utf-8") for file in NOTEBOOKS)
    kinds = set(re.findall(r"kind: ([\w-]+)\}", text))
    assert kinds == builders().keys() - {"report"}


def test_the_golden_row_expects_what_its_block_expects(project: Project) -> None:
    preamble = project.block("briefpartner-zahl").preamble
    row = AgentMemory.of(project).rows()[str(preamble.golden)]
    assert row.expected() == preamble.oracle
    assert row.question == project.block("briefpartner-zahl").source.instruction
    assert (row.subtask, row.collections) == (preamble.subtask, ("pirckheimer",))


def test_the_network_has_him_and_42_partners_and_an_edge_for_each_direction(data: dict[str, Any]) -> None:
    network = data["briefnetz"]
    assert (network["n_nodes"], network["n_edges"]) == (43, 42 + 23)
    assert sum("Pirckheimer" in str(node["label"]) for node in network["nodes"]) > 1
    assert {edge["weight"] for edge in network["edges"]} >= {12, 6}


def test_the_timeline_has_every_letter_111_of_them_in_one_year(data: dict[str, Any]) -> None:
    events = data["briefe-in-der-zeit"]["events"]
    assert sum(event["count"] for event in events) == 116
    assert sum(event["count"] for event in events if event["from"] and event["from"] == event["to"]) == 111
    assert sum(event["count"] for event in events if event["from"] is None) == 2


def test_the_roster_names_28_partners_in_german(data: dict[str, Any]) -> None:
    entries = data["briefpartner-liste"]["entries"]
    assert len(entries) == 28
    assert entries[0]["name"] == "Erasmus von Rotterdam"
    assert [entry["name"] for entry in entries if " the " in entry["name"]] == []


def test_a_plan_of_the_register_compares_what_two_blocks_found(project: Project, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes["briefpartner-vorher"]
    folder = project.root / "_famulus/store/abfragen/briefpartner-vorher" / str(outcome.version)
    found = json.loads((folder / "artefacts/abgleich.json").read_bytes())["data"]
    before = json.loads((folder / "artefacts/vorher.json").read_bytes())["data"]
    assert found["counts"]["in_beiden"] + found["counts"]["nur_im_ersten"] == len(before["entries"]) == 32
    assert found["counts"]["in_beiden"] + found["counts"]["nur_im_zweiten"] == 28
    assert {one["name"]: one["steht"] for one in found["personen"]}["Konrad Celtis"] == "nur im ersten"


def test_every_attestation_is_shown_with_its_word(data: dict[str, Any]) -> None:
    rows = data["amicitia-belege"]["rows"]
    assert [row["keyword"].casefold()[:8] for row in rows] == ["amicitia"] * 11
    assert len(data["amicitia-virtus"]["rows"]) == 4


def test_a_word_is_asked_of_its_own_collection_only(project: Project, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes["amicitia-belege"]
    folder = project.root / "_famulus/store" / outcome.notebook / outcome.block / str(outcome.version)
    manifest = (folder / "manifest.json").read_text(encoding="utf-8")
    assert "data/laelius/" in manifest
    assert "data/pirckheimer/" not in manifest


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_no_count_in_the_prose_is_typed_in(notebook: Path) -> None:
    prose = NO_COUNT.sub("", NOT_PROSE.sub("", notebook.read_text(encoding="utf-8")))
    assert re.findall(r"[^\n]*\d[^\n]*", prose) == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_links_between_pages_lead_somewhere(notebook: Path) -> None:
    for page, heading in re.findall(r"\]\((\w+\.fam)(?:#([\w-]+))?\)", notebook.read_text(encoding="utf-8")):
        target = (EXAMPLE / page).read_text(encoding="utf-8")
        assert not heading or f"{{#{heading}}}" in target
