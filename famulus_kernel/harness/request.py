"""What a harness is asked and what it answers (spec 3.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

Outcome = Literal["reached", "not-reached", "gap", "error"]


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One run of one partitur.

    Parameters
    ----------
    goal_id : str
        The block's id.
    goal : str
        The instruction, placeholders replaced.
    partitur : str
        A register id, `id@version` or goal_path.
    model : str or None
        The block's `client`; None lets the harness take its default.
    inputs : mapping
        Bound inputs by name: instruction, scope keys, then the entries of `input`.
    setting : path or None
        A setting file.
    limits : mapping
        Any of max_output_tokens, max_tool_calls, max_wall_seconds (seconds).
    """

    goal_id: str
    goal: str
    partitur: str
    model: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    setting: Path | None = None
    limits: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunResult:
    """What came of a run: `result` is the contract object, `trace` one record a step, `usage` counts what was spent."""

    status: Outcome
    result: Mapping[str, Any]
    trace: tuple[Mapping[str, Any], ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)


class Harness(Protocol):
    """Plays partiturs. Others plug in through the entry-point group `famulus.harness`."""

    name: str

    def subtasks(self) -> tuple[str, ...]:
        """Return the subtasks that this harness knows, playable or not."""
        ...

    def check(self, request: RunRequest) -> None:
        """Raise the error that a run of this request would end with before its first step, or return."""
        ...

    def run(self, request: RunRequest) -> RunResult:
        """Play the request."""
        ...
