"""Take out of a text what claims nothing: addresses, code, the numbers of a list and of notes. Places stay."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Placed(Protocol):
    """Something that stands in a text, from `start` to `end`."""

    @property
    def start(self) -> int:
        """Where it begins."""
        ...

    @property
    def end(self) -> int:
        """Where it has ended."""
        ...


_NO_CLAIM: Final = re.compile(
    r"(?P<fence>^(?P<tick>`{3,}|~{3,}).*?(?:^(?P=tick)|\Z))|`[^`\n]+`|(?<=\])\([^()\s]*(?:\s\"[^\"]*\")?\)"
    r"|https?://\S+|www\.\S+|\bdoi:\S+|\b10\.\d{4,9}/\S+|\[\^[^\[\]\s]+\]|<!--(?:(?!<!--).)*?-->|\{#[^{}\n]+\}|@[\w:.-]*\w",
    re.MULTILINE | re.DOTALL,
)
_ITEM: Final = re.compile(r"^[ ]{0,6}(?P<number>\d{1,3})(?P<mark>[.)])[ ]+(?=\S)", re.MULTILINE)


def composed(text: str) -> tuple[str, Sequence[int]]:
    """Return a text in NFC, and for each of its places (and its end) the place in the text as it was."""
    if unicodedata.is_normalized("NFC", text):
        return text, range(len(text) + 1)
    pieces, places = [], []
    for match in re.finditer(r"[\s\S][\u0300-\u036f\u1dc4-\u1dff]*", text):
        piece = unicodedata.normalize("NFC", match[0])
        pieces.append(piece)
        places += [match.start()] * len(piece)
    return "".join(pieces), [*places, len(text)]


def masked(text: str, spans: Iterable[Placed]) -> str:
    """Return a text with blanks in the place of each span, a NUL first: what stands around it is no one phrase."""
    letters = list(text)
    for span in spans:
        for index in range(span.start, span.end):
            if letters[index] != "\n":
                letters[index] = "\x00" if index == span.start else " "
    return "".join(letters)


def quiet(text: str) -> str:
    """Return a text with blanks in the place of all that claims nothing."""
    plain = _NO_CLAIM.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    items = list(_ITEM.finditer(plain))
    expected = 1
    numbers = []
    for item in items:
        if int(item["number"]) == expected:
            numbers.append(item)
            expected += 1
    if len(numbers) < 2:  # noqa: PLR2004 - one is no list
        return plain
    letters = list(plain)
    for item in numbers:
        start, end = item.span("number")
        letters[start:end] = " " * (end - start)
    return "".join(letters)
