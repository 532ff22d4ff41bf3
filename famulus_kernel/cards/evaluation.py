"""How well a registry routes its own lines when each is left out (spec 9): a card's examples are its test as well."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.cards.routing import Route, Router

MIN_ACCURACY: Final = 0.90
MIN_OF_CARD: Final = 0.75
MAX_FALSE_VETOES: Final = 0.02
NONE: Final = "(none)"
UNCLEAR: Final = "(unclear)"


@dataclass(frozen=True, slots=True)
class Miss:
    """A line that went elsewhere: `meant` its card, `got` another one, `(none)` or `(unclear)`."""

    line: str
    meant: str
    got: str


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What came of routing every line without itself. Shares are from 0 to 1.

    Attributes
    ----------
    n_examples, n_counter_examples : int
    n_right : int
        Examples that went to their card. One that was unclear did not.
    n_held : int
        Counter-examples that did not go to the card which they guard.
    per_card : mapping
        The share of its examples that went to each card.
    confusion : list of (meant, got, how often)
        Those of examples, most often first.
    misses : tuple of Miss
        The examples themselves.
    false_vetoes : tuple of Miss
        Examples that a counter-example of their own card kept from it.
    """

    n_examples: int
    n_counter_examples: int
    n_right: int
    n_held: int
    per_card: Mapping[str, float]
    confusion: tuple[tuple[str, str, int], ...]
    misses: tuple[Miss, ...]
    false_vetoes: tuple[Miss, ...]

    @property
    def accuracy(self) -> float:
        """The share of examples that went to their card."""
        return self.n_right / max(1, self.n_examples)

    @property
    def accuracy_of_all(self) -> float:
        """The share of all lines that went right, counter-examples included."""
        return (self.n_right + self.n_held) / max(1, self.n_examples + self.n_counter_examples)

    @property
    def false_veto_rate(self) -> float:
        """The share of examples that were vetoed."""
        return len(self.false_vetoes) / max(1, self.n_examples)

    def shortfalls(self) -> list[str]:
        """Return in words where the registry is below what is asked of one; empty where nowhere."""
        found = []
        if self.accuracy < MIN_ACCURACY:
            found.append(f"accuracy is {self.accuracy:.3f}, at least {MIN_ACCURACY:.2f} is needed")
        found += [
            f"{card}: accuracy is {share:.3f}, at least {MIN_OF_CARD:.2f} is needed"
            for card, share in self.per_card.items()
            if share < MIN_OF_CARD
        ]
        if self.false_veto_rate > MAX_FALSE_VETOES:
            found.append(f"false vetoes are {self.false_veto_rate:.3f}, at most {MAX_FALSE_VETOES:.2f} may be")
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            "examples": self.n_examples,
            "counter_examples": self.n_counter_examples,
            "accuracy": round(self.accuracy, 4),
            "accuracy_of_all": round(self.accuracy_of_all, 4),
            "false_vetoes": round(self.false_veto_rate, 4),
            "per_card": {card: round(share, 4) for card, share in self.per_card.items()},
            "confusion": [{"meant": meant, "got": got, "count": count} for meant, got, count in self.confusion],
            "misses": [{"line": one.line, "meant": one.meant, "got": one.got} for one in self.misses],
            "vetoed": [{"line": one.line, "card": one.meant, "veto": one.got} for one in self.false_vetoes],
            "shortfalls": self.shortfalls(),
        }


def evaluate(router: Router) -> Evaluation:
    """Route every example and counter-example of a registry as if it were not on its card."""
    ids = [card.id for card in router.registry.cards]
    near = router.space.near(router.lines)
    lines = [*router.examples, *router.counter_examples]
    routes = [router.decided(line, near[at], without=at) for at, (_, line) in enumerate(lines)]
    split = len(router.examples)
    misses, vetoes = [], []
    right: Counter[str] = Counter()
    for (number, line), route in zip(lines[:split], routes[:split], strict=True):
        own = ids[number]
        veto = next(one.veto for one in route.candidates if one.card == own)
        if veto is not None:
            vetoes.append(Miss(line, own, veto))
        if route.card == own:
            right[own] += 1
        else:
            misses.append(Miss(line, own, _got(route)))
    held = sum(route.card != ids[number] for (number, _), route in zip(lines[split:], routes[split:], strict=True))
    sizes = Counter(ids[number] for number, _ in router.examples)
    pairs = Counter((one.meant, one.got) for one in misses)
    return Evaluation(
        n_examples=split,
        n_counter_examples=len(lines) - split,
        n_right=sum(right.values()),
        n_held=held,
        per_card={card: right[card] / sizes[card] for card in ids},
        confusion=tuple((meant, got, count) for (meant, got), count in pairs.most_common()),
        misses=tuple(misses),
        false_vetoes=tuple(vetoes),
    )


def _got(route: Route) -> str:
    return route.card or (NONE if route.outcome == "none" else UNCLEAR)
