"""The answer to "can you do that?": from a card's summary and what it does not do, and from its neighbours (spec 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from famulus_kernel.cards.card import Card
    from famulus_kernel.cards.routing import Route, Router

NEIGHBOURS = 2
"""How many other cards an answer names."""


@dataclass(frozen=True, slots=True)
class Ability:
    """Whether something can be done.

    Attributes
    ----------
    verdict : {"yes", "perhaps", "no"}
        `perhaps`: two cards may be meant.
    cards : tuple of Card
        Those that are meant; with "no", the nearest ones.
    neighbours : tuple of Card
        Others that are near.
    route : Route
    """

    verdict: str
    cards: tuple[Card, ...]
    neighbours: tuple[Card, ...]
    route: Route

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        told = [
            {"card": card.id, "summary": card.summary.strip(), "does_not": list(card.does_not)} for card in self.cards
        ]
        return {
            "question": self.route.question,
            "answer": self.verdict,
            "cards": told,
            "neighbours": [{"card": card.id, "summary": card.summary.strip()} for card in self.neighbours],
        }


def ability(router: Router, question: str) -> Ability:
    """Say whether a card does what a question asks."""
    route = router.route(question)
    ranked = tuple(router.registry.card(one.card) for one in route.candidates if one.score > 0)
    meant = {"card": 1, "ambiguous": 2, "none": 0}[route.outcome]
    verdict = {"card": "yes", "ambiguous": "perhaps", "none": "no"}[route.outcome]
    return Ability(verdict, ranked[: meant or NEIGHBOURS], ranked[meant : meant + NEIGHBOURS] if meant else (), route)
