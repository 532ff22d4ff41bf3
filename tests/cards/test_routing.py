from __future__ import annotations

from pathlib import Path

import pytest

from famulus_kernel.cards.answering import ability
from famulus_kernel.cards.registry import Registry, load
from famulus_kernel.cards.routing import Router
from famulus_kernel.errors import RouteError

HERE = Path(__file__).parent / "registry"


@pytest.fixture(scope="module")
def router() -> Router:
    return Router(load(HERE))


@pytest.mark.parametrize(
    ("question", "card"),
    [
        ("was steht auf deren website zu den kosten", "web-reader"),
        ("bitte neuen kontakt anlegen", "crm-writer"),
        ("gibt es eine anleitung fuer den drucker", "docs-finder"),
    ],
)
def test_the_nearest_examples_decide(router: Router, question: str, card: str) -> None:
    assert router.route(question).card == card


def test_every_example_finds_its_own_card(router: Router) -> None:
    for number, line in router.examples:
        assert router.route(line).card == router.registry.cards[number].id


def test_a_question_nearer_to_a_counter_example_is_out_and_the_veto_is_named(router: Router) -> None:
    found = router.route("welche nummer hat denn herr weber")
    writer = next(one for one in found.candidates if one.card == "crm-writer")
    assert writer.veto == "welche nummer hat herr weber"
    assert found.card != "crm-writer"


def test_a_veto_takes_nothing_from_a_score(router: Router) -> None:
    near = router.space.near(["welche nummer hat denn herr weber"])[0]
    freed = [*near[: len(router.examples)], *[0.0] * len(router.counter_examples)]
    vetoed, standing = (
        next(one for one in router.decided("", given).candidates if one.card == "crm-writer") for given in (near, freed)
    )
    assert vetoed.veto is not None
    assert standing.veto is None
    assert vetoed.score == standing.score > 0


@pytest.mark.parametrize("question", ["", "42", "zum mond fliegen", "\N{SNOWMAN}", "qwertz"])
def test_what_nobody_asks_for_goes_nowhere(router: Router, question: str) -> None:
    found = router.route(question)
    assert found.outcome == "none"
    with pytest.raises(RouteError, match="no card is near"):
        found.demand()


def test_two_cards_that_are_as_near_are_both_named() -> None:
    cards = load(HERE).cards
    twin = cards[1].model_copy(update={"id": "docs-twin"})
    found = Router(Registry((*cards, twin))).route("gibt es eine anleitung zum onboarding")
    assert found.outcome == "ambiguous"
    assert {one.card for one in found.candidates[:2]} == {"docs-finder", "docs-twin"}
    with pytest.raises(RouteError, match="docs-finder or of docs-twin"):
        found.demand()


def test_a_registry_of_one_card_can_be_asked() -> None:
    found = Router(Registry(load(HERE).cards[:1])).route("neuen kontakt anlegen")
    assert found.card == "crm-writer"


def test_can_answers_with_what_a_card_does_not_do(router: Router) -> None:
    yes = ability(router, "kannst du einen neuen kontakt anlegen")
    assert (yes.verdict, [card.id for card in yes.cards]) == ("yes", ["crm-writer"])
    assert "Löscht nichts." in yes.as_dict()["cards"][0]["does_not"]
    assert ability(router, "zum mond fliegen").verdict == "no"
