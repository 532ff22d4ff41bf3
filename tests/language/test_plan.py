from __future__ import annotations

import pytest

from famulus_kernel.errors import PlanChoice, PreambleError
from famulus_kernel.language.block import parse_block
from famulus_kernel.language.preamble import Preamble, check_plan, parse_preamble

AUSSAGE = "aussage: {koerper: a, objekt: b, groesse: c, methode: d, wert: 1, toleranz: 0}"


def preamble(text: str) -> Preamble:
    """The preamble whose YAML begins in line 11 of a file."""
    return parse_preamble(parse_block(f"---\n{text}\n---\nx", line=10, file="a.fam"))


@pytest.mark.parametrize(
    "text",
    ["subtask: x", "partiturs: [{id: duckdb-read}]", "ziel: entfalten\nform: thema\nrest_max: 0.1", "request: true",
     "pruefen: satz\nsatz: {paper: a, hash: b, text: c}",
     f"pruefen: messwert\n{AUSSAGE}", "subtask: x\nrequest: false"],
)  # fmt: skip
def test_one_plan_is_right(text: str) -> None:
    check_plan(preamble(f"id: a\n{text}"))


@pytest.mark.parametrize(
    ("text", "named"),
    [("collections: [a]", ["plan"]), ("request: false", ["plan"]),
     ("subtask: x\npartiturs: [{id: y}]", ["subtask", "partiturs"]),
     ("ziel: entfalten\npruefen: satz", ["ziel", "pruefen"]), ("subtask: x\nrequest: true", ["subtask", "request"])],
)  # fmt: skip
def test_no_plan_or_two_name_the_rule(text: str, named: list[str]) -> None:
    with pytest.raises(PlanChoice) as caught:
        check_plan(preamble(f"id: a\n{text}"))
    assert all(f"**{key}**" in caught.value.message for key in named)


@pytest.mark.parametrize(
    ("text", "key"),
    [("pruefen: satz", "satz"), ("pruefen: messwert", "aussage"), ("subtask: x\nslots: {}", "slots"),
     ("request: true\nrest_max: 0.2", "rest_max"),
     ("subtask: x\nsatz: {paper: a, hash: b, text: c}", "satz"),
     (f"pruefen: messwert\n{AUSSAGE}\nsatz: {{paper: a, hash: b, text: c}}", "satz")],
)  # fmt: skip
def test_a_plan_has_what_it_needs_and_nothing_of_another(text: str, key: str) -> None:
    with pytest.raises(PreambleError) as caught:
        check_plan(preamble(f"id: a\n{text}"))
    assert caught.value.where.key == key
