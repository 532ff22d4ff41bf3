"""The keys of a preamble that is being drafted, each with the reason where it was guessed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from famulus_kernel.language.flow import in_one_line

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a preamble. `lines` stand below it instead of a value in its line; `guess` says why it may be wrong."""

    name: str
    value: Any = None
    guess: str | None = None
    lines: tuple[str, ...] = field(default=())

    def written(self) -> list[str]:
        """Return its lines of YAML, with the guess as a comment."""
        comment = f"  # guessed: {_one_line(self.guess)}" if self.guess else ""
        if self.lines:
            return [f"{self.name}:{comment}", *self.lines]
        return [f"{self.name}: {in_one_line(self.value)}{comment}"]


def preamble_of(keys: Sequence[Key]) -> str:
    """Return keys as the YAML of a preamble."""
    return "\n".join(line for key in keys for line in key.written())


def _one_line(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
