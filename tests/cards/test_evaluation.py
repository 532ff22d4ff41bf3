from __future__ import annotations

from pathlib import Path

from famulus_kernel.cards.evaluation import UNCLEAR, evaluate
from famulus_kernel.cards.registry import Registry, load
from famulus_kernel.cards.routing import Router

HERE = Path(__file__).parent / "registry"


def test_a_line_is_routed_as_if_it_were_not_there() -> None:
    cards = load(HERE).cards
    odd = cards[0].model_copy(update={"examples": (*cards[0].examples, "qwertz uiop")})
    found = evaluate(Router(Registry((odd, *cards[1:]))))
    assert "qwertz uiop" in {miss.line for miss in found.misses}


def test_two_cards_that_say_the_same_are_found_out() -> None:
    cards = load(HERE).cards
    twin = cards[1].model_copy(update={"id": "docs-twin"})
    found = evaluate(Router(Registry((*cards, twin))))
    pairs = {frozenset((meant, got)) for meant, got, _ in found.confusion}
    assert frozenset(("docs-finder", "docs-twin")) in pairs or frozenset(("docs-finder", UNCLEAR)) in pairs
    assert any(words.startswith("docs-twin: accuracy") for words in found.shortfalls())


def test_an_example_beside_a_counter_example_of_its_own_card_is_a_false_veto() -> None:
    cards = load(HERE).cards
    line = cards[1].examples[0]
    self_vetoing = cards[1].model_copy(update={"counter_examples": (*cards[1].counter_examples, f"{line} bitte")})
    found = evaluate(Router(Registry((cards[0], self_vetoing, cards[2]))))
    assert line in {one.line for one in found.false_vetoes}
    assert any("false vetoes" in words for words in found.shortfalls())


def test_the_numbers_agree_with_one_another() -> None:
    found = evaluate(Router(load(HERE)))
    assert found.n_right + len(found.misses) == found.n_examples == 29
    assert found.n_counter_examples == 11
    assert sum(count for _, _, count in found.confusion) == len(found.misses)
    assert found.as_dict()["accuracy"] == round(found.n_right / 29, 4)
