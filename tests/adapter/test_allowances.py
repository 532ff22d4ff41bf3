"""What a card allows a block: a budget that the trace shows, and no side effects unless they are allowed."""

from __future__ import annotations

import pytest
from projects import ProjectFolder, read_block

CARD = """
id: {id}
summary: Reads.
plan: {plan}
examples: [a b, b c, c d, d e, e f, f g, g h, h i]
counter_examples: [x y, y z, z x]
returns: {{required: [n_rows]}}
tools: [sql]
{more}
"""


def write_card(project: ProjectFolder, more: str, plan: str = "duckdb-read", name: str = "duckdb-read") -> None:
    project.write(f"registry/{name}.card.yaml", CARD.format(id=name, plan=plan, more=more))


@pytest.fixture
def reading(project: ProjectFolder) -> ProjectFolder:
    project.blocks("a.fam", read_block("zahl", "SELECT 42 AS n", extra="oracle: {n: 42}"))
    return project


def usage(project: ProjectFolder, block: str = "zahl") -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = project.cli("log", ".", block, "--trace", "--json").json["usage"]
    return found


def test_a_block_may_spend_what_the_card_of_its_plan_says_and_the_trace_shows_it(reading: ProjectFolder) -> None:
    assert reading.cli("run").status == 0
    found = usage(reading)
    assert (found["wall_seconds"]["allowed"], found["tool_calls"]) == (600, {"used": 0, "allowed": 8})
    assert found["output_tokens"] == {"used": 0, "allowed": 800}


def test_the_block_s_own_limits_stand_above_its_card(reading: ProjectFolder) -> None:
    block = read_block("zahl", "SELECT 42 AS n", extra="limits: {max_tool_calls: 1}")
    reading.blocks("a.fam", block)
    assert reading.cli("run").status == 0
    found = usage(reading)
    assert (found["wall_seconds"]["allowed"], found["tool_calls"]["allowed"]) == (600, 1)


def test_a_project_s_own_card_goes_before_ours_and_its_wall_clock_ends_a_run(project: ProjectFolder) -> None:
    write_card(project, "budget: {max_wall_seconds: 1}")
    endless = "SELECT count(*) AS n FROM range(1000000000000) a, range(1000000) b WHERE hash(a.range + b.range) = 1"
    project.blocks("a.fam", read_block("zahl", endless))
    ran = project.cli("run")
    assert ran.status == 1
    assert "the budget of max_wall_seconds is used up" in ran.err


def test_steps_of_a_chain_spend_the_budgets_of_their_cards_together(project: ProjectFolder) -> None:
    steps = "partiturs: [{id: duckdb-read, input: {sql: 'SELECT 1 AS von, 2 AS an'}}, {id: 'artifact:d3-graph'}]"
    project.blocks("a.fam", f"---\nid: netz\n{steps}\nartefacts: [{{name: netz, kind: d3-graph}}]\n---\nEin Netz?")
    assert project.cli("run").status == 0
    assert usage(project, "netz")["tool_calls"]["allowed"] == 12


def test_a_plan_without_a_card_has_no_limits(project: ProjectFolder) -> None:
    write_card(project, "budget: {max_tool_calls: 3}", plan="correspondence-count", name="something-else")
    steps = "partiturs: [{id: nobodys-plan}]"
    project.blocks("a.fam", f"---\nid: b\n{steps}\nlimits: {{max_tool_calls: 5}}\n---\nWas?")
    project.cli("run")
    assert set(usage(project, "b")) <= {"tool_calls", "wall_seconds"}


@pytest.mark.parametrize("effects", ["writes", "irreversible"])
def test_a_card_with_side_effects_never_plays_without_leave(reading: ProjectFolder, effects: str) -> None:
    write_card(reading, f"side_effects: {effects}")
    ran = reading.cli("run")
    assert ran.status == 1
    assert f"the card duckdb-read has the side effects {effects}" in ran.err
    assert "--allow-writes" in ran.err
    assert reading.verdict("zahl")["observed"]["error"]["code"] == "side-effects"
    assert not list((reading.version("zahl") / "artefacts").iterdir())
    assert reading.cli("run", "--allow-writes").status == 0


def test_leave_to_write_reaches_the_processes_that_play(reading: ProjectFolder) -> None:
    write_card(reading, "side_effects: writes")
    assert reading.cli("run", "--jobs", "2").status == 1
    assert reading.cli("run", "--jobs", "2", "--allow-writes").status == 0


def test_a_broken_card_of_another_plan_stops_no_block(reading: ProjectFolder) -> None:
    reading.write("registry/broken.card.yaml", "id: [")
    assert reading.cli("run").status == 0
