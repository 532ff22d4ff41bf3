"""Stages play in order; `when` leaves some out; the contract decides; whatever happens stands in the trace."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from famulus_kernel.errors import BudgetExceeded, FamulusError, PartiturError, TemplateError, UnboundInput

COUNT = "- {id: zahl, op: sql, with: {sql: 'SELECT 3 AS n', parameters: {}}}\n"
ENDLESS = "SELECT count(*) AS n FROM range(1000000000000) a, range(1000000) b"


def test_a_stage_finds_what_the_earlier_ones_gave_and_the_last_one_gives_the_result(play: Callable[..., Any]) -> None:
    played = play(
        "inputs: {was: {type: string, default: Briefe}}\n"
        f"stages:\n{COUNT}"
        "- {id: satz, op: template.answer, with: {text: 'Es sind {{ stages.zahl.rows[0].n }} {{ inputs.was }}.',"
        " counts: {n: '{{ stages.zahl.rows[0].n }}'}}}\n"
        "contract: {required: [answer, counts], properties: {counts: {properties: {n: {minimum: 1}}}}}"
    )
    result = played.result
    assert result.status == "reached"
    assert result.result == {"counts": {"n": 3}, "answer": "Es sind 3 Briefe."}
    assert result.payloads["markdown"] == {"content": "Es sind 3 Briefe."}
    assert result.payloads["report"].answer == "Es sind 3 Briefe."
    assert result.payloads["table"].total == 1
    assert result.measures.find("n").value == 3


def test_the_trace_says_what_was_played_with_what_and_how_long(play: Callable[..., Any]) -> None:
    body = (
        "inputs: {n: {type: integer}}\nstages:\n"
        "- {id: a, op: sql, with: {sql: 'SELECT $n AS n', parameters: {n: '{{ inputs.n }}'}}}\n"
        "- {id: b, op: template.answer, when: '{{ inputs.n > 5 }}', with: {text: viele}}\n"
        "- {id: c, op: template.answer, when: {n: 2}, with: {text: zwei}}\n"
        "- {id: d, op: template.answer, when: false, with: {text: nie}}\n"
    )
    played = play(body, n=2)
    assert played.result.result["answer"] == "zwei"
    record = json.loads(json.dumps(played.record))
    assert record["partitur"]["id"] == "probe"
    assert record["inputs"]["n"] == {"value": 2, "origin": "input"}
    first, *others = record["steps"]
    assert (first["sql"], first["parameters"], first["rows"]) == ("SELECT $n AS n", {"n": 2}, 1)
    assert first["duration_s"] > 0
    assert first["started"].endswith("Z")
    assert [one.get("played", True) for one in others] == [False, True, False]
    assert record["contract"] == {"reached": True, "violations": []}


def test_a_contract_that_is_not_reached_keeps_every_violated_clause(play: Callable[..., Any]) -> None:
    contract = "contract: {required: [answer, quelle], properties: {n_rows: {minimum: 5}}}"
    played = play(f"stages:\n{COUNT}{contract}")
    assert played.result.status == "not-reached"
    assert len(played.result.violations) == 3
    assert played.record["contract"] == {"reached": False, "violations": list(played.result.violations)}
    assert any("$.n_rows" in one for one in played.result.violations)


def test_a_run_that_stops_leaves_what_it_did_in_the_trace(play: Callable[..., Any]) -> None:
    record: dict[str, Any] = {}
    body = f"stages:\n{COUNT}- {{id: b, op: sql, with: {{sql: 'SELECT x FROM nirgends'}}}}\n"
    with pytest.raises(FamulusError, match="nirgends"):
        play(body, record=record)
    first, second = record["steps"]
    assert first["rows"] == 1
    assert second["error"]["code"] == "sql-failed"
    assert second["duration_s"] >= 0


@pytest.mark.parametrize(
    ("stage", "error", "names"),
    [
        ("{id: a, op: sqll}", PartiturError, "sql"),
        ("{id: a, op: sql, with: {sqk: x, sql: SELECT 1}}", UnboundInput, "sqk"),
        ("{id: a, op: sql}", UnboundInput, "sql"),
        ("{id: a, op: sql, with: {sql: 'SELECT $m'}}", UnboundInput, "m"),
        ("{id: a, op: sql, with: {sql: DROP TABLE x}}", FamulusError, "DROP"),
        ("{id: a, op: template.answer}", UnboundInput, "text"),
        ("{id: a, op: template.answer, with: {text: x, result: y}}", UnboundInput, "result"),
        ("{id: a, op: artefact.build, with: {kind: bild}}", FamulusError, "bild"),
        ("{id: a, op: mcp.call, with: {server: 'python -c 1', tool: t}}", UnboundInput, "http"),
        ("{id: a, op: mcp.call, with: {server: 'file:///etc', tool: t}}", UnboundInput, "http"),
        ("{id: a, op: mcp.call, with: {server: 'http://127.0.0.1:9', tool: t, timeout: 0}}", UnboundInput, "timeout"),
        ("{id: a, op: mcp.call, with: {server: 'http://u:p@127.0.0.1:9/m?k=geheim', tool: t}}", FamulusError, ":9/m"),
        ("{id: a, op: subtask, with: {subtask: attestation}}", FamulusError, "attestation"),
        ("{id: a, op: template.answer, with: {text: '{{ inputs.instruction.x }}'}}", TemplateError, "x"),
    ],
)
def test_a_stage_that_cannot_play_is_an_error_that_names_the_thing(
    play: Callable[..., Any], stage: str, error: type[FamulusError], names: str
) -> None:
    record: dict[str, Any] = {}
    with pytest.raises(error) as found:
        play(f"inputs: {{instruction: {{}}}}\nstages: [{stage}]", record=record)
    assert names in f"{found.value.message} {found.value.hint}"
    assert "geheim" not in json.dumps(record)
    assert "u:p" not in json.dumps(record)


def test_artefacts_of_a_kind_are_built_from_what_a_stage_says(play: Callable[..., Any]) -> None:
    played = play("stages: [{id: a, op: artefact.build, with: {kind: markdown, content: 'Ein *Satz*.'}}]")
    assert played.result.payloads["markdown"] == {"content": "Ein *Satz*."}


def test_the_wall_clock_stops_a_query_that_would_go_on(play: Callable[..., Any]) -> None:
    record: dict[str, Any] = {}
    began = time.monotonic()
    with pytest.raises(BudgetExceeded, match="max_wall_seconds"):
        play(f"stages: [{{id: a, op: sql, with: {{sql: '{ENDLESS}'}}}}]", record=record, limits={"max_wall_seconds": 1})
    assert time.monotonic() - began < 20
    assert record["steps"][0]["error"]["code"] == "budget"


def test_a_call_past_the_limit_is_refused_before_it_is_made(play: Callable[..., Any]) -> None:
    call = "{id: a, op: mcp.call, with: {server: 'http://127.0.0.1:9/mcp', tool: t}}"
    with pytest.raises(BudgetExceeded, match="max_tool_calls"):
        play(f"stages: [{call}]", limits={"max_tool_calls": 0})


def test_a_sql_text_is_no_template_and_its_values_are_literals(play: Callable[..., Any]) -> None:
    sql = """SELECT $a AS a, '$a {{ x }}' AS b, "c"."$a" AS c, $l[2] AS l, $n AS n, $m ->> 'k' AS m -- $weg
        FROM (SELECT 1 AS "$a") AS c /* $weg */ WHERE $$ $weg $$ <> '' AND $w"""
    values = {"a": "O'Hara\"; DROP TABLE x; --", "l": ["x", "y"], "n": None, "m": {"k": "v"}, "w": True}
    stage = {"id": "a", "op": "sql", "with": {"sql": sql, "parameters": "{{ inputs.v }}"}}
    body = f"inputs: {{v: {{}}}}\nstages: [{json.dumps(stage)}]"
    row = play(body, v=values).result.result["rows"][0]
    assert row == {"a": values["a"], "b": "$a {{ x }}", "c": 1, "l": "y", "n": None, "m": "v"}
