"""What the cards of a block's plans allow it: what it may spend, and whether it may write (spec 3.6, 9)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from famulus_kernel.cards.registry import card_of, folders_of
from famulus_kernel.errors import WritesRefused
from famulus_kernel.harness.operations import is_stage_one
from famulus_kernel.project.bindings import steps_of

if TYPE_CHECKING:
    from famulus_kernel.cards.card import Card
    from famulus_kernel.language.preamble import PartiturStep
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project

ALLOW_WRITES: Final = "FAMULUS_ALLOW_WRITES"
"""Set by `run --allow-writes`, so that it holds in the processes that play blocks too."""


def cards_of(block: Block, project: Project) -> tuple[Card | None, ...]:
    """Return the card of each step of a block's plan; None for a step that has none."""
    folders = folders_of(project.places.expand(project.config.cards))
    return tuple(card_of(_plan(block, step), folders) for step in steps_of(block))


def allowance(block: Block, project: Project) -> dict[str, float]:
    """Return what a block may spend by the cards of its plan: their budgets together.

    Empty where a step has no card: nobody knows what it needs.

    Raises
    ------
    WritesRefused
        A card has side effects, and nobody allowed them.
    """
    cards = cards_of(block, project)
    for card in cards:
        if card is not None and card.side_effects != "none" and not os.environ.get(ALLOW_WRITES):
            raise WritesRefused.of(card.id, card.side_effects)
    known = [card.budget for card in cards if card is not None]
    if len(known) < len(cards):
        return {}
    return {
        "max_output_tokens": sum(one.max_output_tokens for one in known),
        "max_tool_calls": sum(one.max_tool_calls for one in known),
        "max_wall_seconds": sum(one.max_wall_seconds for one in known),
    }


def _plan(block: Block, step: PartiturStep) -> str:
    """Return the plan of a step as cards name it: the subtask itself, not the partitur that plays all of them."""
    named = block.preamble.subtask or step.input.get("subtask")
    return named if is_stage_one(step.id) and isinstance(named, str) else step.id
