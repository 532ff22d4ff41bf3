"""`goldens` as a subprocess: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
from typing import Any

import duckdb
import pytest
import typer
from projects import ProjectFolder, read_block

from famulus_kernel.adapter.goldens.memory import AgentMemory
from famulus_kernel.cli.goldens import read_words
from famulus_kernel.project.project import Project


@pytest.fixture
def golden(project: ProjectFolder) -> ProjectFolder:
    """Give a project with one row and a block that names it."""
    AgentMemory.of(Project.open(project.root))
    insert(project, ("golden-c7", {"n": 75}))
    body = read_block("zahl", "SELECT 75 AS n", extra="golden: golden-c7\noracle: {n: 75}")
    project.blocks("a.fam", body)
    return project


def insert(project: ProjectFolder, *rows: tuple[str, Any]) -> None:
    """Put rows into the database, as somebody else would."""
    with duckdb.connect(str(project.root / "_famulus" / "agent_memory.duckdb")) as connection:
        connection.executemany(
            "INSERT INTO golden_ground (golden_id, question, expected_answer, collections, subtask)"
            " VALUES (?, 'Wie viele?', ?, ['haus'], 'correspondence-count')",
            [(name, json.dumps(answer)) for name, answer in rows],
        )


def test_the_list_says_which_block_names_a_row(golden: ProjectFolder) -> None:
    (row,) = golden.cli("goldens", ".", "--json").json["rows"]
    assert (row["golden_id"], row["expected_answer"], row["blocks"]) == ("golden-c7", {"n": 75}, ["zahl"])
    assert (row["status"], row["collections"]) == ("candidate", ["haus"])
    line = golden.cli("goldens").out.splitlines()[1]
    assert "golden-c7" in line
    assert "zahl" in line


def test_a_row_goes_the_whole_way_to_golden(golden: ProjectFolder) -> None:
    refused = golden.cli("goldens", "promote", "golden-c7")
    assert (refused.status, "never run" in refused.err) == (1, True)
    assert golden.cli("run").status == 0
    promoted = golden.cli("goldens", ".", "promote", "golden-c7", "--json")
    assert promoted.status == 0, promoted.err
    assert (promoted.json["block"], promoted.json["version"]) == ("zahl", "v0001")
    assert golden.cli("goldens", ".", "--json").json["rows"][0]["status"] == "golden"


def test_a_difference_is_shown_and_ends_with_1(golden: ProjectFolder) -> None:
    file = golden.root / "a.fam"
    file.write_text(file.read_text().replace("oracle: {n: 75}", "oracle: {n: 77}"))
    ran = golden.cli("goldens", ".", "--compare")
    assert ran.status == 1
    assert "the row has 75, the oracle 77" in ran.out
    assert golden.cli("goldens", ".", "--compare", "--json").json["differences"] == [
        {"block": "zahl", "golden_id": "golden-c7", "key": "n", "row": 75, "oracle": 77}
    ]


def test_blocks_are_written_and_what_cannot_be_written_is_told(golden: ProjectFolder) -> None:
    insert(golden, ("golden-c8", {"n_letters": 3}), ("kaputt", [3]))
    ran = golden.cli("goldens", "--into", "neu.fam")
    assert ran.status == 1
    assert "golden-c8 → block golden-c8" in ran.out
    assert "kaputt" in ran.err
    assert (golden.root / "neu.fam").read_text().count("{famulus}") == 1
    again = golden.cli("goldens", ".", "--into", "neu.fam", "--json").json
    assert (again["written"], again["skipped"]) == ([], ["golden-c7", "golden-c8"])


def test_an_id_that_no_row_has_is_told_with_the_nearest(golden: ProjectFolder) -> None:
    ran = golden.cli("goldens", "promote", "golden-c8")
    assert ran.status == 2
    assert "golden-c7" in ran.err


def test_two_things_at_a_time_are_wrong_usage(project: ProjectFolder) -> None:
    ran = project.cli("goldens", ".", "--compare", "--into", "x.fam")
    assert (ran.status, "one at a time" in ran.err) == (2, True)


def test_the_project_may_be_left_out_before_promote() -> None:
    assert read_words("promote", "g", None) == (".", "promote", "g")
    assert read_words("work", "promote", "g") == ("work", "promote", "g")
    assert read_words("work", None, None) == ("work", None, None)
    for words in (("promote", None, None), (".", "promote", None), (".", "befördern", "g")):
        with pytest.raises(typer.BadParameter):
            read_words(*words)
