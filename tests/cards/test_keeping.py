from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from famulus_kernel.cards.keeping import MOST_KEPT, cache_folder
from famulus_kernel.cards.local import LocalEmbedding, LocalSpace
from famulus_kernel.cards.registry import Registry, load
from famulus_kernel.cards.routing import Router

HERE = Path(__file__).parent / "registry"


@dataclass(frozen=True)
class Counting(LocalEmbedding):
    """The local embedding, which tells how often it had to place lines."""

    placings: list[int] = field(default_factory=list)

    def place(self, texts: Sequence[str], cards: Sequence[int]) -> LocalSpace:
        self.placings.append(len(texts))
        return LocalEmbedding.place(self, texts, cards)


def test_an_index_is_made_once_and_says_the_same_when_it_is_taken_up_again(tmp_path: Path) -> None:
    registry = load(HERE)
    embedding = Counting()
    first = Router(registry, embedding, tmp_path)
    again = Router(registry, embedding, tmp_path)
    assert len(embedding.placings) == 1
    question = ["anleitung fuer den drucker"]
    np.testing.assert_array_equal(first.space.near(question), again.space.near(question))


def test_another_line_on_a_card_makes_another_index(tmp_path: Path) -> None:
    registry = load(HERE)
    embedding = Counting()
    Router(registry, embedding, tmp_path)
    changed = registry.cards[0].model_copy(update={"examples": (*registry.cards[0].examples, "kunden anlegen")})
    Router(Registry((changed, *registry.cards[1:])), embedding, tmp_path)
    assert len(embedding.placings) == 2


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no archive", b"\x93NUMPY"])
def test_a_damaged_index_is_made_anew(tmp_path: Path, damage: bytes) -> None:
    registry = load(HERE)
    Router(registry, cache=tmp_path)
    file = next(tmp_path.glob("*.npz"))
    whole = file.read_bytes()
    file.write_bytes(damage or whole[: len(whole) // 2])
    assert Router(registry, cache=tmp_path).route("neuen kontakt anlegen").card == "crm-writer"
    assert len(file.read_bytes()) == len(whole)


def test_a_cache_that_cannot_be_written_costs_time_only(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    router = Router(load(HERE), cache=tmp_path / "file" / "below")
    assert router.route("neuen kontakt anlegen").card == "crm-writer"


def test_old_indexes_go(tmp_path: Path) -> None:
    for number in range(MOST_KEPT + 3):
        file = tmp_path / f"{number:032}.npz"
        file.write_bytes(b"")
        os.utime(file, (number, number))
    Router(load(HERE), cache=tmp_path)
    left = sorted(file.name for file in tmp_path.glob("*.npz"))
    assert len(left) == MOST_KEPT
    assert f"{0:032}.npz" not in left


def test_the_cache_lies_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.delenv("FAMULUS_CACHE", raising=False)
    assert cache_folder() == tmp_path / "xdg" / "famulus" / "cards"
    monkeypatch.setenv("FAMULUS_CACHE", str(tmp_path / "own"))
    assert cache_folder() == tmp_path / "own" / "cards"
