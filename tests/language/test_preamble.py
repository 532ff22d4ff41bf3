from __future__ import annotations

import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from famulus_kernel.errors import FamulusError, MissingId, PreambleError
from famulus_kernel.language.block import parse_block
from famulus_kernel.language.preamble import (
    BLOCK_KEYS,
    DEFAULT_KEYS,
    KINDS,
    Preamble,
    check_plan,
    effective,
    parse_defaults,
    parse_preamble,
)
from famulus_kernel.language.references import BlockRef, Reference

SEED = """---
id: briefpartner-zahl
collections: [pirckheimer]
locked: true
evidence: grounding
years: {from: 1520, to: 1530}
subtask: correspondence-count
golden: golden-c782fab71c
client: gemini-3.5-flash-lite
artefacts:
  - name: roster
    kind: roster-table
    file: roster.json
oracle:
  n_correspondents: 75
---
Wie viele Briefpartner hatte Pirckheimer zwischen 1520 und 1530?
"""


def preamble(text: str, *, kinds: tuple[str, ...] = ()) -> Preamble:
    """The preamble whose YAML begins in line 11 of a file."""
    return parse_preamble(parse_block(f"---\n{text}\n---\nx", line=10, file="a.fam"), extra_kinds=kinds)


def test_the_seeds_own_block_is_read() -> None:
    found = parse_preamble(parse_block(SEED))
    assert found.set_items() == {
        "id": "briefpartner-zahl", "collections": ["pirckheimer"], "locked": True, "evidence": "grounding",
        "years": {"from": 1520, "to": 1530}, "subtask": "correspondence-count", "golden": "golden-c782fab71c",
        "client": "gemini-3.5-flash-lite", "oracle": {"n_correspondents": 75},
        "artefacts": [{"name": "roster", "kind": "roster-table", "file": "roster.json"}],
    }  # fmt: skip
    check_plan(found)


@pytest.mark.parametrize("text", ["subtask: x", "id:\nsubtask: x", "id: ~", "# nothing"])
def test_a_missing_id_is_its_own_error(text: str) -> None:
    with pytest.raises(MissingId) as caught:
        preamble(text)
    assert (caught.value.where.file, caught.value.where.line, caught.value.where.key) == ("a.fam", 11, "id")


def test_an_unknown_key_offers_the_nearest_and_a_nested_one_that_of_its_mapping() -> None:
    with pytest.raises(PreambleError) as caught:
        preamble("id: a\ncolections: [x]")
    assert "collections" in caught.value.hint
    with pytest.raises(PreambleError) as caught:
        preamble("id: a\nduckdb: [{alias: a, pth: x}]")
    assert caught.value.hint == "did you mean path?"


def test_of_several_mistakes_the_first_in_the_file_is_told() -> None:
    with pytest.raises(PreambleError) as caught:
        preamble("id: a\ngolden: [x]\nlocked: no\nclinet: x\noutput: x")
    assert caught.value.where.line == 12


def test_a_number_for_text_in_an_anchor_leaves_the_number_elsewhere() -> None:
    found = preamble("id: a\ninput: {n: &n 1.10}\nclient: *n\n")
    assert (found.client, found.input) == ("1.1", {"n": 1.1})


def test_defaults_are_those_of_the_table() -> None:
    found = preamble("id: a")
    assert found.set_items() == {"id": "a"}
    assert (found.client, found.depends_on, found.rerun, found.log, found.output, found.input) == (
        None, (), "if-stale", None, "both", {},
    )  # fmt: skip
    assert (found.collections, found.locked, found.reading_doc, found.documents, found.evidence, found.language) == (
        (), False, None, None, "grounding", None,
    )  # fmt: skip
    assert (found.years.from_, found.years.to, found.persons, found.lemmata, found.counting_mode) == (
        None,
        None,
        (),
        (),
        None,
    )
    assert (found.person_id, found.project, found.duckdb, found.artefacts, found.golden, found.oracle, found.guard) == (
        None, None, (), (), None, None, None,
    )  # fmt: skip
    assert (found.budget.zeit_s, found.budget.modellaufrufe, found.budget.kandidaten_max) == (300, 200, 1000)
    assert (found.rest_max, found.annahmegrad_verfasser) == (0.05, "mittel")


def test_a_preamble_is_frozen() -> None:
    with pytest.raises(ValueError, match="frozen"):
        preamble("id: a").id = "b"


def test_a_strangers_kind_is_known_when_named() -> None:
    text = "id: a\nartefacts: [{name: b, kind: sankey}]\npartiturs: [{id: artifact:sankey, artefact: b}]"
    found = preamble(text, kinds=("sankey",))
    assert found.artefact("b").kind == "sankey"
    assert effective({}, found.set_items(), extra_kinds=["sankey"]).preamble == found
    with pytest.raises(PreambleError):
        preamble(text)


def test_the_file_of_an_artefact_is_named_after_it_and_not_counted_as_set() -> None:
    found = preamble("id: a\nartefacts: [{name: b, kind: figure}]")
    assert found.artefact("b").file == "b.json"
    assert found.artefact("c") is None
    assert found.set_items()["artefacts"] == [{"name": "b", "kind": "figure"}]


def test_dependencies_are_blocks_and_references() -> None:
    found = preamble("id: a\ndepends_on: [b@v2, c.d]")
    assert found.dependencies() == (BlockRef("b", 2), Reference("c", "d"))


# --- defaults of the project ---


def test_what_the_block_names_replaces_the_default_whole() -> None:
    defaults = parse_defaults(
        {"collections": ["a", "b"], "years": {"from": 1500, "to": 1600}, "client": "m"}
    ).set_items()
    own = preamble("id: x\ncollections: [c]\nyears: {to: 1530}\nlanguage:").set_items()
    found = effective(defaults, own)
    assert found.preamble.collections == ("c",)
    assert (found.preamble.years.from_, found.preamble.years.to) == (None, 1530)
    assert found.preamble.client == "m"
    assert found.origin["collections"] == found.origin["years"] == found.origin["language"] == "block"
    assert found.origin["client"] == "famulus.yml"
    assert found.origin["evidence"] == "default"
    assert set(found.origin) == set(DEFAULT_KEYS | BLOCK_KEYS)
    assert found.preamble.set_items() == {
        "id": "x", "collections": ["c"], "years": {"to": 1530}, "language": None, "client": "m",
    }  # fmt: skip


@pytest.mark.parametrize("key", sorted(BLOCK_KEYS))
def test_a_key_of_one_block_is_no_default(key: str) -> None:
    with pytest.raises(PreambleError, match="belongs to one block"):
        parse_defaults({key: "x"})


def test_the_keys_of_one_block_are_those_of_the_spec() -> None:
    assert {
        "id", "subtask", "partiturs", "ziel", "request", "pruefen", "depends_on", "artefacts", "golden", "oracle",
        "guard", "input",
    } <= BLOCK_KEYS  # fmt: skip
    assert {"client", "rerun", "log", "output", "limits", "duckdb", "collections", "years", "language"} <= DEFAULT_KEYS


def test_an_unknown_default_is_an_error() -> None:
    with pytest.raises(PreambleError, match="unknown key"):
        parse_defaults({"colections": []})


# --- hostility and speed ---

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
WORDS = st.sampled_from(["a.b", "a", "table", "satz", "both"])
NAMES = st.sampled_from(["ref", "name", "kind", "file", "id", "alias", "path", "from", "to", "x"])
ANY = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(st.sampled_from(sorted(DEFAULT_KEYS | BLOCK_KEYS)), ANY, max_size=4))
def test_any_mapping_is_a_preamble_or_an_error_of_ours(mapping: dict) -> None:
    try:
        found = effective({}, {"id": "a", **mapping}).preamble.set_items()
    except FamulusError:
        return
    assert effective({}, found).preamble.set_items() == found
    json.dumps(found, allow_nan=False)


def test_reading_a_preamble_is_a_matter_of_microseconds() -> None:
    def once() -> float:
        begun = time.perf_counter()
        parse_preamble(parse_block(SEED))
        return time.perf_counter() - begun

    # 0.2 ms on the machine this was written on; ten times that leaves room for a busy one
    assert min(once() for _ in range(200)) < 0.002


def test_every_kind_of_the_spec_is_known() -> None:
    assert set(KINDS) == {
        "report", "roster-table", "kwic", "citation-list", "d3-graph", "proof-structure", "markdown", "table", "json",
        "figure", "entfaltung-teil", "timeline",
    }  # fmt: skip
