"""Routing: placing the lines of a thousand cards, taking up the kept index, asking it a question; in processor time."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

from benchmarks.measuring import Result
from famulus_kernel.cards.card import Card, Contract
from famulus_kernel.cards.evaluation import evaluate
from famulus_kernel.cards.registry import Registry, load
from famulus_kernel.cards.routing import Router
from famulus_kernel.resources import registry_dir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXAMPLES, COUNTER_EXAMPLES, QUESTIONS = 20, 4, 50


def measure(work: Path, *, quick: bool) -> Iterator[Result]:
    """Route in a registry of 1,000 cards with 20 examples each, and evaluate our own."""
    ours = load(registry_dir())
    number = 100 if quick else 1000
    registry = Registry(tuple(_cards(number, ours)), ours.lexicon)
    cache = work / "cards"
    for kept in cache.glob("*.npz"):
        kept.unlink()
    Router(ours)  # the libraries are loaded before the clock starts
    began = time.process_time()
    router = Router(registry, cache=cache)
    yield Result(f"index of {number} cards x {EXAMPLES} examples, made", f"{time.process_time() - began:.2f} s")
    began = time.process_time()
    router = Router(registry, cache=cache)
    yield Result(f"index of {number} cards, taken up again", f"{1000 * (time.process_time() - began):.1f} ms")
    asked = [card.examples[0] + " bitte" for card in registry.cards[:QUESTIONS]]
    times = []
    for question in asked:
        began = time.process_time()
        router.route(question)
        times.append(time.process_time() - began)
    yield Result(f"a question to {number} cards, median", f"{1000 * (sorted(times)[len(times) // 2]):.1f} ms")
    yield Result(f"a question to {number} cards, slowest of {QUESTIONS}", f"{1000 * (max(times)):.1f} ms")
    began = time.process_time()
    found = evaluate(Router(ours))
    yield Result("our own cards evaluated", f"{time.process_time() - began:.2f} s")
    yield Result("our own cards, accuracy leaving one out", f"{found.accuracy:.3f}")


def _cards(number: int, ours: Registry) -> Iterator[Card]:
    """Yield cards whose lines are mixed of the words of ours and of words of their own."""
    chance = random.Random(9)  # noqa: S311 - the same cards every time
    known = sorted({word for card in ours.cards for line in card.examples for word in line.split()})
    syllables = ["ka", "lo", "mi", "ru", "ten", "bar", "sch", "ei", "or", "an", "ver", "li", "to", "ne", "gra", "pu"]
    for card in range(number):
        own = ["".join(chance.choices(syllables, k=chance.randint(2, 4))) for _ in range(12)]
        lines = [
            " ".join([*chance.choices(own, k=chance.randint(1, 3)), *chance.choices(known, k=chance.randint(2, 5))])
            for _ in range(EXAMPLES + COUNTER_EXAMPLES)
        ]
        yield Card(
            id=f"card-{card}",
            summary="Made for measuring.",
            examples=tuple(lines[:EXAMPLES]),
            counter_examples=tuple(lines[EXAMPLES:]),
            returns=Contract(),
            tools=(),
        )
