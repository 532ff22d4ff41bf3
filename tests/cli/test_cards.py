"""cards, route, can, new as commands: what they print, and how they end."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from projects import REPOSITORY, ProjectFolder

SEED = REPOSITORY / "tests" / "cards" / "registry"


@pytest.fixture
def registry(project: ProjectFolder) -> Path:
    return Path(shutil.copytree(SEED, project.root / "registry"))


def test_sound_cards_have_a_line_each(project: ProjectFolder, registry: Path) -> None:
    ran = project.cli("cards", "registry/")
    assert ran.status == 0
    assert [re.sub(r" {2,}", "  ", line) for line in ran.out.splitlines()] == [
        "OK  crm-writer  v1.0.0  9 examples  4 counter  2 tools  side_effects=writes",
        "OK  docs-finder  v1.0.0  10 examples  3 counter  1 tools  side_effects=none",
        "OK  web-reader  v1.0.0  10 examples  4 counter  2 tools  side_effects=none",
    ]


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (
            lambda text: re.sub(r"(examples:\n)(  - .*\n){3}", r"\1", text, count=1),
            "ERROR  docs-finder.card.yaml: 'examples' (line 6) has 7 entries, at least 8 are needed",
        ),
        (
            lambda text: text + "budget: {max_output_tokens: 5000}\n",
            "ERROR  docs-finder.card.yaml: 'budget.max_output_tokens' (line 35) is 5000, but needs",
        ),
        (
            lambda text: text.replace(
                "counter_examples:\n", "counter_examples:\n  - anleitung zum onboarding gesucht\n"
            ),
            "ERROR  docs-finder.card.yaml: 'counter_examples' (line 19) has 'anleitung zum onboarding gesucht', which",
        ),
    ],
    ids=["three examples deleted", "too many tokens", "a line in both lists"],
)
def test_a_card_that_is_broken_names_file_and_field(project: ProjectFolder, registry: Path, damage, line: str) -> None:
    file = registry / "docs-finder.card.yaml"
    file.write_text(damage(file.read_text(encoding="utf-8")), encoding="utf-8")
    ran = project.cli("cards", "registry/")
    assert ran.status == 1
    assert next(one for one in ran.out.splitlines() if one.startswith("ERROR")).startswith(line)
    assert sum(one.startswith("OK  ") for one in ran.out.splitlines()) == 2


def test_the_module_does_what_the_command_does(project: ProjectFolder, registry: Path) -> None:
    module = subprocess.run(
        [sys.executable, "-m", "famulus_kernel.cards", "registry/"],
        cwd=project.root, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert module.returncode == 0
    assert module.stdout == project.cli("cards", "registry/").out


def test_problems_are_told_as_json(project: ProjectFolder, registry: Path) -> None:
    (registry / "a.card.yaml").write_bytes(b"")
    ran = project.cli("cards", "registry", "--json")
    assert ran.status == 1
    assert [card["id"] for card in ran.json["cards"]] == ["crm-writer", "docs-finder", "web-reader"]
    assert [problem["where"]["file"] for problem in ran.json["problems"]] == ["a.card.yaml"]


def test_our_cards_pass_their_evaluation(project: ProjectFolder) -> None:
    ran = project.cli("cards", "--eval", "--json", env={"FAMULUS_CACHE": str(project.root / "c")})
    assert ran.status == 0, ran.err
    assert ran.json["accuracy"] >= 0.9
    assert ran.json["false_vetoes"] <= 0.02
    assert min(ran.json["per_card"].values()) >= 0.75


def test_a_registry_that_cannot_tell_its_cards_apart_ends_with_1(project: ProjectFolder, registry: Path) -> None:
    text = (registry / "docs-finder.card.yaml").read_text(encoding="utf-8")
    (registry / "docs-twin.card.yaml").write_text(text.replace("id: docs-finder", "id: docs-twin"), encoding="utf-8")
    ran = project.cli("cards", "registry", "--eval")
    assert ran.status == 1
    assert "too low: docs-twin" in ran.out


def test_route_and_can_know_the_project_s_cards_beside_ours(project: ProjectFolder, registry: Path) -> None:
    cache = {"FAMULUS_CACHE": str(project.root / "c")}
    assert (
        project.cli("route", "welche modelle haben die im shop auf der seite", "--json", env=cache).json["card"]
        == "web-reader"
    )
    assert project.cli("route", "wie viele briefpartner hatte er", env=cache).out.startswith("correspondence-count")
    nothing = project.cli("route", ".", "zum mond fliegen", env=cache)
    assert (nothing.status, nothing.out.startswith("none:")) == (1, True)
    can = project.cli("can", "kannst du handschriften auflisten", env=cache)
    assert can.out.startswith("Yes.")
    assert "Does not read or search the text of a manuscript." in can.out


def test_new_writes_a_block_that_runs(project: ProjectFolder) -> None:
    project.database()
    project.write("famulus.yml", "id: probe\nduckdb: [{alias: main, path: data/letters.duckdb}]\n")
    question = "SELECT count(*) AS n FROM main.letters"
    dry = project.cli("new", question, "--into", "neu.fam", "--card", "duckdb-read", "--dry-run")
    assert dry.status == 0, dry.err
    assert not (project.root / "neu.fam").exists()
    made = project.cli("new", ".", question, "--into", "neu.fam", "--card", "duckdb-read", "--expect", "n=3", "--json")
    assert made.json["written"] is True
    assert set(made.json["guesses"]) == {"duckdb"}
    assert project.cli("check").status == 0
    ran = project.cli("run", "neu.fam")
    assert ran.status == 0, ran.err
    assert "pass" in ran.out


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        (("zum mond fliegen", "--into", "a.fam"), 1, "no card is near"),
        (("wie viele briefe",), 2, "name the notebook"),
        (("wie viele briefe", "--into", "a.txt"), 2, "would be no notebook"),
        (
            ("wie viele briefe", "--into", "a.fam", "--card", "corespondence-count"),
            2,
            "did you mean correspondence-count",
        ),
        (("/nowhere", "wie viele briefe", "--into", "a.fam"), 2, "is neither a folder nor a .fam file"),
        (("wie viele briefe", "--into", "a.fam", "--expect", "=5"), 2, "is not KEY=VALUE"),
        (("wie viele briefe", "--into", "a.fam"), 1, "there is no collection in"),
    ],
)
def test_what_new_cannot_do_it_says(project: ProjectFolder, words: tuple[str, ...], status: int, says: str) -> None:
    ran = project.cli(
        "new", *words, env={"FAMULUS_CACHE": str(project.root / "c"), "PDAI_COLLECTIONS": str(project.root)}
    )
    assert ran.status == status, ran.err
    assert says in ran.err
    assert not list(project.root.glob("a.*"))


def test_a_folder_that_cannot_be_written_is_an_error_and_leaves_nothing(project: ProjectFolder) -> None:
    project.write("b.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    project.write("sub", "a file where a folder is wanted")
    ran = project.cli("new", "füge b.svg ein", "--into", "sub/a.fam", "--card", "artifact")
    assert ran.status == 2
    assert "error [store]" in ran.err


def test_the_schema_of_a_card_is_printed(project: ProjectFolder) -> None:
    found = project.cli("schema", "card").json
    assert found["properties"]["examples"]["minItems"] == 8
    assert found["additionalProperties"] is False
