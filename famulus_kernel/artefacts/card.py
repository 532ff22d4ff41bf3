"""The card of a block: question, answer, verdict, and what the verdict rests on (spec 5.6, 6.2).

A card is drawn from the report of a version and what the version says of itself. It is a value, so that the
kernel, the terminal and the viewer say the same of a block; their drawing is in `html`, `markdown` and
`text`.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from famulus_kernel.artefacts.cells import GLYPHS, Status, cell_text
from famulus_kernel.artefacts.characters import cut, one_line, visible
from famulus_kernel.artefacts.guard import GuardResult, guard_result
from famulus_kernel.artefacts.labels import format_date, label
from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.artefacts.values import cell

_SKIPPED: Final = frozenset({"note", "status"})
_VERDICTS: Final[dict[str, Status]] = {"pass": "pass", "fail": "fail", "gap": "gap", "error": "error"}
_FORMS: Final[dict[frozenset[str], str]] = {
    frozenset({"min"}): "oracle.from",
    frozenset({"max"}): "oracle.to",
    frozenset({"min", "max"}): "oracle.between",
    frozenset({"value", "tolerance"}): "oracle.tolerance",
    frozenset({"all"}): "oracle.all",
    frozenset({"min_share", "of"}): "oracle.share_of",
}
"""The message of each form that an oracle's mapping may have (spec 6.1)."""

_SHOWN: Final = 300


@dataclass(frozen=True)
class OracleRow:
    """One key of the oracle: what was expected and found, as verdict.json has it, and whether it holds."""

    key: str
    expected: Any
    observed: Any
    ok: bool
    share: float | None = None

    def expected_text(self, lang: str) -> str:
        """Return what was expected in words."""
        return cut(one_line(_expected(self.key, self.expected, lang)), _SHOWN)

    def observed_text(self, lang: str) -> str:
        """Return what was found in words, with its share where a list was compared."""
        found = _words(self.observed, lang)
        if self.share is not None:
            found += f" ({label('oracle.share', lang, share=format_number(self.share, lang, '.0%'))})"
        return cut(one_line(found), _SHOWN)


@dataclass(frozen=True)
class Problem:
    """The error of a version, as verdict.json has it; `status` is gap where the error is one that is known of."""

    code: str
    message: str
    hint: str = ""
    where: str = ""
    status: Status = "error"


@dataclass(frozen=True)
class Mark:
    """A badge: its status, and since when where that is known (ISO)."""

    status: Status
    since: str | None = None

    def text(self, lang: str) -> str:
        """Return the word of the badge, without its glyph."""
        if self.status == "stale" and self.since:
            return label("stale.since", lang, date=format_date(self.since, lang))
        return label(f"badge.{self.status}", lang)

    @property
    def glyph(self) -> str:
        """The shape of the badge."""
        return GLYPHS[self.status]


@dataclass(frozen=True)
class Accepted:
    """Who took a version for good although what it was made from had changed, when (ISO, UTC) and why (spec 7.5)."""

    who: str
    when: str
    why: str

    def text(self, lang: str) -> str:
        """Return that in words."""
        return label("card.accepted", lang, who=self.who, date=format_date(self.when, lang), why=self.why)


@dataclass(frozen=True)
class Card:
    """What is shown of a block's version.

    Attributes
    ----------
    block : str
        The block's id.
    question, answer : str
        Plain text, and markdown of unknown origin.
    marks : tuple of Mark
        The verdict first, then stale and unverified.
    oracle : tuple of OracleRow
        What was compared, in the oracle's order.
    version, created : str
        The version's name, and when it was made (ISO, UTC).
    data_date : str or None
        The day of the newest file that the version read (ISO, UTC).
    problem : Problem or None
        The error, where the version ended in one: then its verdict is error or gap.
    note : str
        What the oracle says of itself; it is compared with nothing.
    guard : GuardResult or None
        What the guard found in the text (spec 6.4); None where no guard looked.
    accepted : Accepted or None
        Who took the version for good since, where somebody did.
    """

    block: str
    question: str
    answer: str
    marks: tuple[Mark, ...]
    oracle: tuple[OracleRow, ...]
    version: str
    created: str
    data_date: str | None = None
    problem: Problem | None = None
    note: str = ""
    guard: GuardResult | None = None
    accepted: Accepted | None = None

    def note_text(self, lang: str) -> str:
        """Return the note with the word that says what it is; "" for none."""
        note = one_line(self.note)
        return label("oracle.note", lang, note=note) if note else ""

    def guard_texts(self, lang: str) -> list[str]:
        """Return what the guard found in words; none where no guard looked."""
        return self.guard.lines(lang) if self.guard is not None else []


def card(
    report: Mapping[str, Any],
    *,
    block: str,
    version: str,
    created: str,
    newest_file_ns: int | None = None,
    stale_since: str | None = None,
    stale: bool = False,
    unverified: bool = False,
    accepted: Accepted | None = None,
) -> Card:
    """Return the card of a version.

    Parameters
    ----------
    report : Mapping
        The `data` of its report.json.
    block, version, created : str
        As the manifest has them.
    newest_file_ns : int, optional
        The largest `mtime_ns` of the manifest's input files: how old the data are.
    stale_since : str, optional
        Since when the block is stale (ISO), by status.json.
    stale : bool
        Whether it is stale; implied by `stale_since`.
    unverified : bool
        Whether the guard could not be asked about the text (spec 6.4).
    accepted : Accepted, optional
        Who took the version for good since.
    """
    verdict: Mapping[str, Any] = report.get("verdict") or {}
    marks = [Mark(verdict_badge(verdict))]
    marks += [Mark("stale", stale_since)] if stale or stale_since else []
    marks += [Mark("unverified")] if unverified else []
    return Card(
        block=block,
        question=str(report.get("question") or ""),
        answer=str(report.get("answer") or ""),
        marks=tuple(marks),
        oracle=oracle_rows(verdict),
        version=version,
        created=created,
        data_date=_day(newest_file_ns),
        problem=_problem(verdict),
        note=str((verdict.get("oracle") or {}).get("note") or ""),
        guard=guard_result(verdict, str(report.get("answer") or "")),
        accepted=accepted,
    )


def verdict_badge(verdict: Mapping[str, Any]) -> Status:
    """Return the badge of a verdict: pass without an oracle is unchecked, never passed (spec 6.2)."""
    status = _VERDICTS.get(str(verdict.get("status")), "unchecked")
    compared = set(verdict.get("oracle") or {}) - _SKIPPED
    return "unchecked" if status == "pass" and not compared else status


def oracle_rows(verdict: Mapping[str, Any]) -> tuple[OracleRow, ...]:
    """Return what verdict.json says was compared."""
    observed = verdict.get("observed") or {}
    rows = []
    for key, expected in (verdict.get("oracle") or {}).items():
        found = observed.get(key)
        if key not in _SKIPPED and isinstance(found, Mapping) and "ok" in found:
            rows.append(OracleRow(key, expected, found.get("value"), bool(found["ok"]), found.get("share")))
    return tuple(rows)


def meta_parts(of: Card, lang: str) -> list[tuple[str, str | None]]:
    """Return the parts of the line below a card: a text, and the ISO date that it says, if it says one."""
    made = format_date(of.created, lang), of.created[:10]
    parts: list[tuple[str, str | None]] = [(of.version, None), made]
    if of.data_date:
        parts.append((label("card.data", lang, date=format_date(of.data_date, lang)), of.data_date))
    if of.accepted is not None:
        parts.append((of.accepted.text(lang), of.accepted.when[:10]))
    return [(one_line(text), date) for text, date in parts if text]


def _problem(verdict: Mapping[str, Any]) -> Problem | None:
    observed: Mapping[str, Any] = verdict.get("observed") or {}
    error: Mapping[str, Any] = observed["error"] if isinstance(observed.get("error"), Mapping) else observed
    status = verdict_badge(verdict)
    if status not in ("error", "gap") or not isinstance(error.get("message"), str):
        return None
    return Problem(
        str(error.get("code") or "error"),
        error["message"],
        str(error.get("hint") or ""),
        _place(error.get("where") or {}),
        status,
    )


def _place(where: Mapping[str, Any]) -> str:
    file, line = where.get("file"), where.get("line")
    if file and line is not None:
        return f"{file}:{line}"
    return str(file or "")


def _day(mtime_ns: int | None) -> str | None:
    if mtime_ns is None:
        return None
    try:
        return dt.datetime.fromtimestamp(mtime_ns // 10**9, dt.UTC).date().isoformat()
    except (OverflowError, ValueError, OSError):
        return None


def _expected(key: str, wanted: object, lang: str) -> str:
    if isinstance(wanted, Mapping):
        words = {name: _words(value, lang) for name, value in wanted.items()}
        words["values"] = words.get("of") or words.get("all", "")
        if isinstance(share := wanted.get("min_share"), int | float):
            words["share"] = format_number(share, lang, ".0%")
        form = _FORMS.get(frozenset(wanted))
        return label(form, lang, **words) if form else _words(wanted, lang)
    if isinstance(wanted, str) and key.endswith("_contains"):
        return label("oracle.contains", lang, text=wanted)
    return _words(wanted, lang)


def _words(value: object, lang: str) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_words(item, lang) for item in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return format_number(value, lang)
    return visible(cell_text(cell(value), lang))
