"""Our own cards, measured: with the floors of `cards --eval`, and on questions that stand on no card."""

from __future__ import annotations

from pathlib import Path

import pytest

from famulus_kernel.cards.evaluation import Evaluation, evaluate
from famulus_kernel.cards.registry import load
from famulus_kernel.cards.routing import Router
from famulus_kernel.cards.wording import folded, taken_apart
from famulus_kernel.corpus.subtasks import ALIASES, names
from famulus_kernel.language.yaml import load_strict
from famulus_kernel.resources import registry_dir

WORDINGS: dict[str, list[str]] = load_strict(
    (Path(__file__).parent / "wordings.yaml").read_text(encoding="utf-8")
).value
HELD_BACK_FLOOR = 0.93


@pytest.fixture(scope="module")
def router() -> Router:
    return Router(load(registry_dir()))


@pytest.fixture(scope="module")
def evaluation(router: Router) -> Evaluation:
    return evaluate(router)


def test_there_is_a_card_for_every_subtask_and_for_both_steps(router: Router) -> None:
    plans = {card.plan for card in router.registry.cards}
    assert plans == {*names(), "duckdb-read", "artifact"} - set(ALIASES)


def test_our_cards_write_nothing(router: Router) -> None:
    assert {card.side_effects for card in router.registry.cards} == {"none"}


def test_every_card_speaks_both_languages_with_enough_examples(router: Router) -> None:
    for card in router.registry.cards:
        assert 25 <= len(card.examples) <= 40
        assert len(card.does_not) >= 2


def test_leaving_each_line_out_our_cards_stay_above_the_floors(evaluation: Evaluation) -> None:
    assert evaluation.shortfalls() == []
    assert evaluation.accuracy >= 0.93
    assert evaluation.n_held / evaluation.n_counter_examples >= 0.97


def test_questions_that_stand_on_no_card_find_theirs(router: Router) -> None:
    asked = [(card, line) for card, lines in WORDINGS.items() for line in lines]
    assert len(asked) == 100
    missed = [(line, card, route.card) for card, line in asked if (route := router.route(line)).card != card]
    assert len(missed) <= (1 - HELD_BACK_FLOOR) * len(asked), missed


def test_what_the_lexicon_keeps_from_all_cards_stands_on_none(router: Router) -> None:
    lexicon = router.registry.lexicon
    assert not [line for line in router.lines if "elsewhere" in taken_apart(line, lexicon).meanings]


def test_no_held_back_question_was_put_on_a_card(router: Router) -> None:
    on_cards = {folded(" ".join(line.split())) for line in router.lines}
    assert not [line for lines in WORDINGS.values() for line in lines if folded(" ".join(line.split())) in on_cards]


@pytest.mark.parametrize(
    "question",
    [
        *(
            "was kostet ein kilo äpfel",
            "schick eine mail an meier",
            "wie wird das wetter morgen",
            "book a flight to rome",
        ),
        *("recommend a restaurant", "schreib mir ein gedicht auf den herbst", "stell den wecker auf acht"),
        *("translate this into french", "delete all letters", "trag den kontakt ins crm ein", "hallo", "42"),
    ],
)
def test_what_no_card_does_goes_nowhere(router: Router, question: str) -> None:
    assert router.route(question).card is None
