"""From a question to the card that is meant: the nearest examples decide, a nearer counter-example vetoes (spec 9)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from famulus_kernel.cards.keeping import placed
from famulus_kernel.cards.local import LocalEmbedding
from famulus_kernel.errors import RouteError

if TYPE_CHECKING:
    from pathlib import Path

    from famulus_kernel.cards.embedding import Embedding, Space
    from famulus_kernel.cards.registry import Registry

Outcome = Literal["card", "ambiguous", "none"]

NEAREST: Final = (0.5, 0.3, 0.2)
"""What the nearest examples of a card have to say: one alone may be near by chance."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A card as it stands to a question.

    Attributes
    ----------
    card : str
    score : float
        How near its nearest examples are, 0 to 1.
    example : str
        The nearest of them.
    veto : str, optional
        The counter-example that is nearer than any example; the card is out then, whatever its score.
    """

    card: str
    score: float
    example: str
    veto: str | None = None


@dataclass(frozen=True, slots=True)
class Route:
    """Where a question goes. `candidates` are all cards, the best first, those that are out last."""

    question: str
    outcome: Outcome
    candidates: tuple[Candidate, ...]

    @property
    def card(self) -> str | None:
        """The id of the card that is meant; None where it is none, or not clear which."""
        return self.candidates[0].card if self.outcome == "card" else None

    def demand(self) -> str:
        """Return the id of the card that is meant.

        Raises
        ------
        RouteError
            None is near, or two are as near.
        """
        if self.outcome == "none":
            raise RouteError.none(self.question)
        if self.outcome == "ambiguous":
            raise RouteError.several(self.question, *(one.card for one in self.candidates[:2]))
        return self.candidates[0].card

    def as_dict(self, most: int = 5) -> dict[str, Any]:
        """Return the form that `--json` prints, with so many candidates."""
        return {
            "question": self.question,
            "outcome": self.outcome,
            "card": self.card,
            "candidates": [
                {"card": one.card, "score": round(one.score, 4), "example": one.example, "veto": one.veto}
                for one in self.candidates[:most]
            ],
        }


class Router:
    """The examples and counter-examples of a registry, placed so that questions can be compared with them."""

    def __init__(self, registry: Registry, embedding: Embedding | None = None, cache: Path | None = None) -> None:
        """Place the lines of all cards, or take an index that was kept.

        Parameters
        ----------
        registry
            The cards.
        embedding
            How lines are placed; the local one when missing.
        cache
            Folder where indexes are kept; None: none is.
        """
        self.registry = registry
        self.embedding: Embedding = embedding or LocalEmbedding(registry.lexicon)
        self.examples = [(n, line) for n, card in enumerate(registry.cards) for line in card.examples]
        self.counter_examples = [(n, line) for n, card in enumerate(registry.cards) for line in card.counter_examples]
        self.lines = [line for _, line in (*self.examples, *self.counter_examples)]
        numbers = [n for n, _ in self.examples] + [-1] * len(self.counter_examples)
        self.space: Space = placed(self.embedding, self.lines, numbers, cache)
        self._examples = _Lines.of([number for number, _ in self.examples])
        self._counter_examples = _Lines.of([number for number, _ in self.counter_examples])

    def route(self, question: str) -> Route:
        """Say which card a question is for, or that none is, or that it may be two."""
        return self.decided(question, self.space.near([question])[0])

    def decided(self, question: str, near: Any, without: int | None = None) -> Route:
        """Decide by how near a question is to each line.

        Parameters
        ----------
        near
            A number a line, examples first.
        without
            The number of a line that does not count: the question itself, when the router is evaluated.
        """
        import numpy as np  # noqa: PLC0415 - with an extra

        near = np.array(near, dtype=np.float64)
        if without is not None:
            near[without] = -1.0
        split = len(self.examples)
        order, first = self._examples.sorted(near[:split]), self._examples.starts
        score = sum(share * near[order[first + place]] for place, share in enumerate(NEAREST))
        best = order[first]
        worst = split + self._counter_examples.sorted(near[split:])[self._counter_examples.starts]
        out = near[worst] > near[best]
        ranking = np.lexsort((-score, out))
        scores = np.maximum(score, 0.0)[ranking].tolist()
        examples, vetoes = best[ranking].tolist(), np.where(out, worst, -1)[ranking].tolist()
        candidates = tuple(
            Candidate(self.registry.cards[n].id, value, self.lines[example], self.lines[veto] if veto >= 0 else None)
            for n, value, example, veto in zip(ranking.tolist(), scores, examples, vetoes, strict=True)
        )
        return Route(question, self._outcome(candidates), candidates)

    def _outcome(self, candidates: tuple[Candidate, ...]) -> Outcome:
        standing = [one for one in candidates[:2] if one.veto is None]
        if not standing or standing[0].score < self.embedding.near_enough:
            return "none"
        if len(standing) > 1 and standing[0].score - standing[1].score < self.embedding.margin:
            return "ambiguous"
        return "card"


@dataclass(frozen=True, slots=True)
class _Lines:
    """Which card each line of an index belongs to, and where the lines of each card begin."""

    cards: Any
    starts: Any

    @classmethod
    def of(cls, numbers: list[int]) -> _Lines:
        import numpy as np  # noqa: PLC0415 - with an extra

        cards = np.array(numbers)
        return cls(cards, np.flatnonzero(np.diff(cards, prepend=-1)))

    def sorted(self, near: Any) -> Any:
        """Return the numbers of the lines, card by card and in each the nearest first."""
        import numpy as np  # noqa: PLC0415 - with an extra

        return np.lexsort((-near, self.cards))
