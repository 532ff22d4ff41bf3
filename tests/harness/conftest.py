"""Registers in memory, and requests that play what stands in them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from famulus_kernel.harness.partitur import read_partitur
from famulus_kernel.harness.register import Entry, Register
from famulus_kernel.harness.registry import harness
from famulus_kernel.harness.request import RunRequest, RunResult, Surroundings

HEAD = "id: probe\nversion: 1\ngoal_path: test/probe\n"


class Memory:
    """A register of one document."""

    place = "memory"

    def __init__(self, text: str) -> None:
        self.document = read_partitur(text.encode(), "probe.yaml")

    def entries(self) -> tuple[Entry, ...]:
        partitur = self.document.partitur
        return (Entry(partitur.id, partitur.version, partitur.goal_path, self.document.sha256),)

    def text(self, entry: Entry) -> bytes:
        return self.document.text


@dataclass
class Played:
    """A run that came to its end, and what the trace says of it."""

    result: RunResult
    record: dict[str, Any]


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., Played]:
    """Give what plays the body of a partitur with inputs; `record` gets the trace, also of a run that stops."""

    def play_it(body: str, /, record: dict[str, Any] | None = None, **inputs: Any) -> Played:
        kept: dict[str, Any] = {} if record is None else record
        around = Surroundings(collections=tmp_path, folder=tmp_path, root=tmp_path, record=kept)
        limits = inputs.pop("limits", {})
        request = RunRequest(
            "block", "Wie viele?", "probe", inputs=inputs, limits=limits, surroundings=around,
            register=Register(Memory(HEAD + body)),
        )  # fmt: skip
        return Played(harness().run(request), kept)

    return play_it
