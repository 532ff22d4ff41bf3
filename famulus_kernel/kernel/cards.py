"""What the card of a subtask says, where a subtask is named in a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from famulus_kernel.cards.registry import card_of, folders_of
from famulus_kernel.corpus.subtasks import ALIASES

if TYPE_CHECKING:
    from famulus_kernel.cards.card import Card
    from famulus_kernel.project.project import Project

EXAMPLES: Final = 3
"""How many wordings are shown of a card."""


def card_named(subtask: str, project: Project | None) -> Card | None:
    """Return the card of a subtask or its alias, the project's own before ours; None where it has none."""
    own = project.places.expand(project.config.cards) if project is not None else None
    return card_of(ALIASES.get(subtask, subtask), folders_of(own))


def summary(subtask: str, project: Project | None) -> str:
    """Return what a subtask does, in a line; empty where no card says so."""
    card = card_named(subtask, project)
    return " ".join(card.summary.split()) if card is not None else ""


def described(subtask: str, project: Project | None) -> str | None:
    """Return in markdown what a subtask does and does not, and how people ask for it; None where no card says so."""
    card = card_named(subtask, project)
    if card is None:
        return None
    does_not = "\n".join(f"- {line}" for line in card.does_not)
    asked = "\n".join(f"- {line}" for line in card.examples[:EXAMPLES])
    parts = [f"**{subtask}**: {' '.join(card.summary.split())}", does_not, f"Asked as:\n\n{asked}"]
    return "\n\n".join(part for part in parts if part)


def counted(plan: str, project: Project | None) -> tuple[str, ...]:
    """Return the numbers that a plan answers with, under their names in an oracle; empty where no card says so."""
    card = card_named(plan, project)
    return tuple(name for name in card.returns.required if name.startswith("n_")) if card is not None else ()
