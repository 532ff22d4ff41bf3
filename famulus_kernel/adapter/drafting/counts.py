"""Which of the numbers that a plan answers with a question asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from famulus_kernel.adapter.drafting.heard import heard

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.cards.card import Card

_NOUNS: Final[Mapping[str, str]] = {
    "n_correspondents": r"\w*partner\w*|korrespondent\w*|correspondents?|leuten?|personen|people|women|we[mr]|whom?",
    "n_letters": r"briefe?n?|schreiben|post|letters?|mail",
    "n_sentences": r"s(?:\u00e4|ae)tzen?|sentences?",
    "n_documents": r"dokument\w*|documents?|texten?|texts?",
    "n_pages": r"seiten?|pages?",
}
"""The words of questions that ask for a number, in the order in which they are looked for."""


def asked_count(card: Card, question: str) -> str | None:
    """Return the number that a question asks for, by its name in an oracle; None where the plan counts nothing."""
    counted = [name for name in card.returns.required if name.startswith("n_")]
    said = heard(question)
    named = (name for name, words in _NOUNS.items() if name in counted and said.says(words))
    return next(named, counted[0] if counted else None)
