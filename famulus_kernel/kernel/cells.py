"""What a cell is: nothing, a block, a question about a name, an expression, or a command."""

from __future__ import annotations

import re
from dataclasses import dataclass

PARAMS = "params"
"""The command whose words are one piece of JSON."""

_ONE_WORD = re.compile(r"(?:fam:)?[^\s:?%{}\"'`]+(?::[^\s?%{}\"'`]+)?")


@dataclass(frozen=True, slots=True)
class EmptyCell:
    """Blank: answered with nothing. Quarto asks for inline values with such a cell."""


@dataclass(frozen=True, slots=True)
class BlockCell:
    """A block, or what was meant as one."""

    body: str


@dataclass(frozen=True, slots=True)
class Expression:
    """`roster`, `roster.table`, `roster.table:n_rows`, each also with `@v3`: what the store holds of it."""

    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """`oracle?` or `?roster.table`: what is known of a name."""

    name: str


@dataclass(frozen=True, slots=True)
class Command:
    """`%status roster`: one of :mod:`famulus_kernel.kernel.commands`."""

    name: str
    words: tuple[str, ...]


Cell = EmptyCell | BlockCell | Expression | Question | Command


def read_cell(code: str) -> Cell:
    """Return what a cell is. Only a single line can be anything else than a block."""
    text = code.strip().removeprefix("\ufeff")
    if not text:
        return EmptyCell()
    if "\n" in text or "\r" in text:
        return BlockCell(code)
    if text.startswith("%"):
        name, *words = text[1:].split() or [""]
        rest = text[1:].strip().removeprefix(name).strip()
        return Command(name, (rest,) if rest and name == PARAMS else tuple(words))
    name = text.removeprefix("?").removesuffix("?").strip()
    if name != text and _ONE_WORD.fullmatch(name):
        return Question(name)
    if _ONE_WORD.fullmatch(text) and not text.startswith(("-", "#")):
        return Expression(text)
    return BlockCell(code)
