"""What the guard found in a text, as a value that every surface draws alike (spec 6.4).

From `observed.guard` of verdict.json: what was checked, what has no support, and where that stands in the text. The
page draws the same with `guard.lua`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from famulus_kernel.artefacts.cells import GLYPHS, Status
from famulus_kernel.artefacts.characters import one_line
from famulus_kernel.artefacts.labels import has_label, label
from famulus_kernel.artefacts.numbers import format_number

BADGES: Final[dict[str, Status]] = {"passed": "pass", "failed": "fail", "unreachable": "unverified"}
MOST: Final = 20
"""Findings that are told one by one."""

_AROUND: Final = 40
"""Characters that are shown on each side of a finding."""


@dataclass(frozen=True)
class Claim:
    """A number, date or quotation of a text. `start` and `end` are its place there; None where it is not there."""

    kind: str
    text: str
    supported: bool
    start: int | None = None
    end: int | None = None
    before: str = ""
    after: str = ""

    def kind_text(self, lang: str) -> str:
        """Return what kind of claim it is, in words."""
        known = has_label(f"guard.kind.{self.kind}")
        return label(f"guard.kind.{self.kind}", lang) if known else one_line(self.kind)

    def place_text(self, lang: str) -> str:
        """Return where it stands, in words; "" where that is not known."""
        if self.start is None or self.end is None:
            return ""
        first, last = format_number(self.start + 1, lang), format_number(self.end, lang)
        return label("guard.place", lang, **{"from": first, "to": last})


@dataclass(frozen=True)
class GuardResult:
    """What the guard found.

    Attributes
    ----------
    status : str
        passed, failed, unreachable or none: there was no text.
    task : str
        The task form.
    claims : tuple of Claim
        In the text's order.
    length : int
        Of the text, in characters.
    """

    status: str
    task: str
    claims: tuple[Claim, ...]
    length: int

    @property
    def badge(self) -> Status:
        """The badge: what was not checked never looks passed."""
        badge = BADGES.get(self.status, "unchecked")
        return badge if self.claims or badge != "pass" else "unchecked"

    @property
    def open(self) -> tuple[Claim, ...]:
        """The claims without support."""
        return tuple(one for one in self.claims if not one.supported)

    def badge_text(self, lang: str) -> str:
        """Return the word of the badge."""
        return label("guard.none" if self.badge == "unchecked" else f"guard.{self.status}", lang)

    def count_texts(self, lang: str) -> list[str]:
        """Return how much was checked, how much of it has no support, and under which task form."""
        words = []
        if self.claims:
            words.append(label("guard.checked", lang, count=format_number(len(self.claims), lang)))
        if self.open:
            words.append(label("guard.unsupported", lang, count=format_number(len(self.open), lang)))
        return [*words, *([one_line(self.task)] if self.task else [])]

    def bar_text(self, lang: str) -> str:
        """Return what the bar shows, in words."""
        count, checked = (format_number(len(some), lang) for some in (self.open, self.claims))
        return label("guard.bar", lang, count=count, checked=checked)

    def bar(self, width: int = 60) -> str:
        """Return the text from its beginning to its end as a line: ▪ where a claim has support, ✗ where it has not."""
        placed = [one for one in self.claims if one.start is not None]
        if not placed or self.length <= 0:
            return ""
        cells = ["·"] * width
        for one in sorted(placed, key=lambda claim: not claim.supported):
            cells[min(width - 1, (one.start or 0) * width // self.length)] = "▪" if one.supported else GLYPHS["fail"]
        return "".join(cells)

    def lines(self, lang: str) -> list[str]:
        """Return it in words: what came of it in one line, then what has no support, each in its context."""
        head = f"{label('guard', lang)}: {GLYPHS[self.badge]} {self.badge_text(lang)}"
        said = [" · ".join([head, *self.count_texts(lang)])]
        for one in self.open[:MOST]:
            place = f" ({one.place_text(lang)})" if one.start is not None else ""
            said.append(f"{one.kind_text(lang)}: {one.before}[{one.text}]{one.after}{place}")
        if len(self.open) > MOST:
            said.append(f"… {label('card.evidence-more', lang, count=format_number(len(self.open) - MOST, lang))}")
        return said


def guard_result(verdict: Mapping[str, Any], answer: str) -> GuardResult | None:
    """Return what a verdict says of its guard; None where no guard looked.

    Parameters
    ----------
    verdict
        The content of verdict.json, from whatever hand.
    answer
        The block's answer: the text that was checked, unless the guard names another.
    """
    found = (verdict.get("observed") or {}).get("guard")
    if not isinstance(found, Mapping):
        return None
    given = found.get("findings")
    whole = found["text"] if isinstance(found.get("text"), str) else answer
    claims = [_claim(one, whole) for one in given if isinstance(one, Mapping)] if isinstance(given, list) else []
    task = found.get("task")
    return GuardResult(
        status=str(found.get("status", "none")),
        task=task if isinstance(task, str) else "",
        claims=tuple(claims),
        length=len(whole),
    )


def _claim(given: Mapping[str, Any], whole: str) -> Claim:
    start, end = given.get("start"), given.get("end")
    kind, supported = str(given.get("kind", "")), given.get("supported") is True
    if not isinstance(start, int) or not isinstance(end, int) or not 0 <= start < end <= len(whole):
        return Claim(kind, one_line(str(given.get("text", ""))), supported)
    before, after = one_line(whole[:start][-_AROUND:]), one_line(whole[end : end + _AROUND])
    if start > _AROUND:  # whole words only
        before = f"… {before.partition(' ')[2]}"
    if end + _AROUND < len(whole):
        after = f"{after.rpartition(' ')[0]} …"
    before += " " if whole[start - 1 : start].isspace() else ""
    after = f" {after}" if whole[end : end + 1].isspace() else after
    return Claim(kind, one_line(whole[start:end]), supported, start, end, before, after)
