from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from famulus_kernel.cards.card import Card, card_schema, parse_card
from famulus_kernel.errors import plain
from famulus_kernel.language.yaml import load_strict
from famulus_kernel.resources import registry_dir

EXAMPLES = [f"wie viele briefe im jahr {year}" for year in range(1520, 1528)]
COUNTER = ["wer schrieb", "worum geht es", "zeichne ein netz"]


def written(**changes: object) -> str:
    """Return a sound card, changed: None takes a field away. JSON is YAML."""
    data = {
        "id": "counting",
        "summary": "Counts.",
        "returns": {"required": ["n"]},
        "tools": ["sql"],
        "examples": EXAMPLES,
        "counter_examples": COUNTER,
    }
    data |= changes
    return "\n".join(f"{key}: {json.dumps(value)}" for key, value in data.items() if value is not None)


def problems(**changes: object) -> list[str]:
    return [
        plain(error.message)
        for error in parse_card(written(**changes), file="counting.card.yaml", plans={"letters"})[1]
    ]


def test_what_a_card_does_not_say_has_the_documented_defaults() -> None:
    card, found = parse_card(written(), file="counting.card.yaml")
    assert isinstance(card, Card)
    assert not found
    assert card.version == "0.0.0"
    assert card.side_effects == "none"
    assert (card.budget.max_output_tokens, card.budget.max_tool_calls, card.budget.max_wall_seconds) == (800, 8, 60)


@pytest.mark.parametrize("field", ["id", "summary", "returns", "tools", "examples", "counter_examples"])
def test_a_required_field_that_is_missing_is_named(field: str) -> None:
    assert problems(**{field: None}) == [f"{field} is missing"]


def test_too_few_lines_are_counted() -> None:
    assert problems(examples=EXAMPLES[:7], counter_examples=COUNTER[:1]) == [
        "examples has 7 entries, at least 8 are needed",
        "counter_examples has 1 entry, at least 3 are needed",
    ]


def test_a_line_in_both_lists_is_found_whatever_its_case_and_blanks() -> None:
    found = problems(counter_examples=[*COUNTER, "  WIE  viele briefe im Jahr 1520 "])
    assert len(found) == 1
    assert found[0].startswith("counter_examples has '  WIE  viele briefe im Jahr 1520 ', which stands in examples too")


def test_a_line_that_stands_twice_is_found_with_the_place_of_the_first() -> None:
    text = "\n".join(
        [
            *("id: counting", "summary: x", "returns: {required: []}", "tools: []", "examples:"),
            *(f"  - {line}" for line in [*EXAMPLES, EXAMPLES[2].upper()]),
            *("counter_examples:", *(f"  - {line}" for line in COUNTER)),
        ]
    )
    _, found = parse_card(text, file="counting.card.yaml")
    assert [(error.where.line, error.where.key) for error in found] == [(14, "examples")]
    assert "first in line 8" in found[0].message


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"exampels": []}, "exampels is no field of a card"),
        (
            {"budget": {"max_output_tokens": 5000}},
            "budget.max_output_tokens is 5000, but needs a number of at most 2000",
        ),
        ({"budget": {"max_calls": 1}}, "budget.max_calls is no field of a card"),
        ({"budget": {"max_wall_seconds": 0}}, "budget.max_wall_seconds is 0, but needs a number greater than 0"),
        ({"side_effects": "maybe"}, "side_effects is 'maybe', but needs one of 'none', 'writes' or 'irreversible'"),
        ({"id": "reading"}, "id is 'reading', but the file is called 'counting'"),
        ({"id": 3}, "id is '3', but the file is called 'counting'"),
        ({"plan": "lettres"}, "plan is 'lettres', which nothing plays"),
        ({"examples": "wie viele"}, "examples is 'wie viele', but needs a list, such as [a, b]"),
        ({"examples": [*EXAMPLES, {"a": 1}]}, "examples.8 is {'a': 1}, but needs text"),
        ({"returns": ["n"]}, "returns is ['n'], but needs a mapping with the keys required"),
        ({"tools": None, "summary": 7}, "tools is missing"),
    ],
)
def test_a_rule_that_is_broken_says_what_is_there_and_what_is_needed(changes: dict[str, object], words: str) -> None:
    found = problems(**changes)
    assert len(found) == 1
    assert found[0].startswith(words)


def test_the_nearest_field_and_plan_are_offered() -> None:
    _, found = parse_card(written(exampels=[], plan="lettres"), file="counting.card.yaml", plans={"letters"})
    assert {error.hint for error in found} == {"did you mean examples?", "did you mean letters?"}


def test_everything_that_is_wrong_with_a_card_is_told_at_once_in_the_order_of_the_file() -> None:
    _, found = parse_card(
        written(
            id="reading", tools=None, examples=EXAMPLES[:3], side_effects="maybe", budget={"max_output_tokens": 5000}
        ),
        file="counting.card.yaml",
    )
    assert {error.where.key for error in found} == {
        *("id", "tools", "examples", "side_effects", "budget.max_output_tokens"),
    }
    assert [error.where.line or 0 for error in found] == sorted(error.where.line or 0 for error in found)
    assert all(error.where.file == "counting.card.yaml" for error in found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the card is empty"),
        ("# only a comment\n", "the card is empty"),
        ("- a\n- b\n", "the card is no mapping"),
        ("id: a\nid: b\n", "the key id stands twice"),
        ("id: [a\n", "did not find expected"),
        ("examples: !!python/object:os.system []\n", "is not allowed"),
    ],
)
def test_what_is_no_card_at_all_is_told_in_words(text: str, words: str) -> None:
    card, found = parse_card(text, file="a.card.yaml")
    assert card is None
    assert len(found) == 1
    assert words in plain(found[0].message)


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm() -> None:
    card, found = parse_card("\ufeff" + written().replace("\n", "\r\n"), file="counting.card.yaml")
    assert card is not None
    assert not found


@given(st.text(max_size=300))
def test_no_text_makes_the_reader_fall(text: str) -> None:
    card, found = parse_card(text, file="a.card.yaml")
    assert (card is None) == bool(found)


def test_the_schema_for_editors_takes_our_cards_and_refuses_a_misspelt_field() -> None:
    check = Draft202012Validator(card_schema())
    for file in registry_dir().glob("*.card.yaml"):
        data = load_strict(file.read_text(encoding="utf-8")).value
        assert not list(check.iter_errors(data)), file.name
        assert list(check.iter_errors(data | {"exampels": []}))
        assert list(check.iter_errors(data | {"examples": data["examples"][:7]}))
