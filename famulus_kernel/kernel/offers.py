"""What is offered at a cursor, and how it is written there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from famulus_kernel.errors import YamlError
from famulus_kernel.language.yaml import load_strict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from famulus_kernel.kernel.position import Spot

MOST: Final = 200
"""So many are offered at most: who sees more types on."""


_WORDS = re.compile(r"[^\W\d_]+(?: [^\W\d_]+)*")
_NO_TEXT = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})


@dataclass(frozen=True, slots=True)
class Offer:
    """One text, and what it is: key, value, block, artefact, reference, command, person, lemma, table, column …"""

    text: str
    type: str
    says: str = ""
    """What a frontend may show beside it."""


@dataclass(frozen=True, slots=True)
class Completion:
    """What may stand in place of the characters `start` to `end` of the cell."""

    offers: tuple[Offer, ...]
    start: int
    end: int

    @property
    def matches(self) -> tuple[str, ...]:
        """The texts alone."""
        return tuple(offer.text for offer in self.offers)

    def __add__(self, other: Completion) -> Completion:
        """Offer what both offer, in the place of the first."""
        known = dict.fromkeys(self.offers) | dict.fromkeys(other.offers)
        return Completion(tuple(known), self.start, self.end)

    def reply(self) -> dict[str, object]:
        """Return the content of a `complete_reply`; the types are told in the way that IPython tells them."""
        types = [
            {"start": self.start, "end": self.end, "text": one.text, "type": one.type, "signature": one.says}
            for one in self.offers
        ]
        return {
            "status": "ok",
            "matches": [*self.matches],
            "cursor_start": self.start,
            "cursor_end": self.end,
            "metadata": {"_jupyter_types_experimental": types},
        }


def offered(kind: str, found: Iterable[str], typed: str, start: int, cursor: int) -> Completion:
    """Return those of the texts that begin with what was typed."""
    matches = dict.fromkeys(text for text in found if text.startswith(typed))
    return Completion(tuple(Offer(text, kind) for text in matches), start, max(cursor, start))


def scalars(
    kind: str, found: Sequence[str] | Mapping[str, str], here: Spot, code: str, cursor: int
) -> Completion:
    """Return those names, blanks and commas in them, that begin with what was typed of the value; case counts not.

    A mapping says what to show beside each. They come written as YAML wants them: in the quotes that are open already,
    else in quotes where they need some.
    """
    typed = code[here.opened : cursor].casefold()
    begun = [name for name in found if name.casefold().startswith(typed)][:MOST]
    told = found if isinstance(found, Mapping) else {}
    offers = [Offer(_quoted(name, here, code[cursor : cursor + 1]), kind, told.get(name, "")) for name in begun]
    return Completion(tuple(offers), here.opened, cursor)


def _quoted(name: str, here: Spot, after: str) -> str:
    if here.quote == "'":
        return name.replace("'", "''") + ("" if after == "'" else "'")
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    if here.quote:
        return escaped + ("" if after == '"' else '"')
    return name if _is_plain(name, in_flow=here.in_flow) else f'"{escaped}"'


def _is_plain(name: str, *, in_flow: bool) -> bool:
    """Say whether a name means itself without quotes: the loader knows best, but takes its time."""
    if _WORDS.fullmatch(name) and name.casefold() not in _NO_TEXT:
        return True
    try:
        return bool(load_strict(f"[{name}]" if in_flow else f"- {name}").value == [name])
    except YamlError:
        return False
