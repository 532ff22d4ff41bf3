"""The date of a letter as the tables have it: the text, its bounds, and what it rests on (spec 4.2).

Public data hold more than EDTF: `1751-12-Ende`, `1541-7-8`, the 29th of February 1700 (Old Style), time zones. What
can be read without guessing gets bounds that surely hold it; the rest keeps its text, has no bounds and is reported.
"""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.edtf import Bounds, Day, parse_edtf
from famulus_kernel.corpus.importers.names import Basis, spaced
from famulus_kernel.errors import NotEdtf

if TYPE_CHECKING:
    from collections.abc import Mapping

_ZONE: Final = re.compile(r"(-?[0-9]{4}(?:-[0-9]{2}){0,2})(?:Z|[+-][0-9]{2}:[0-9]{2})")
_TIME: Final = re.compile(r"(-?[0-9]{4}-[0-9]{2}-[0-9]{2})[T ][0-9:.,]+(?:Z|[+-][0-9:]+)?")
_UNPADDED: Final = re.compile(r"(-?[0-9]{4}|[0-9]{3})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")
_DAY_FIRST: Final = re.compile(r"([0-9]{1,2})\.\s?([0-9]{1,2})\.\s?([0-9]{4})")
_DOTTED: Final = re.compile(r"([0-9]{4})\.([0-9]{1,2})\.([0-9]{1,2})")
_OPEN_DIGITS: Final = re.compile(r"([0-9]{2}[0-9u]u|[0-9]{4})(-(?:[0-9]{2}|uu)){0,2}")
"""The unknown digits of EDTF's drafts: `152u`, `1520-uu`."""
_ABOUT: Final = re.compile(r"(?:ca\.?|circa|c\.|um|about|around|vers)\s*(-?[0-9]{4}(?:-[0-9]{2}){0,2})", re.IGNORECASE)
_YEARS: Final = re.compile(r"([0-9]{4})\s*[-\u2013]\s*([0-9]{4})")
_TWO_YEARS: Final = re.compile(r"([0-9]{2})([0-9]{2})/([0-9]{2})")
_PREFIX: Final = re.compile(r"(-?[0-9]{4}(?:-[0-9]{2}){0,2})([^0-9/\[\]{}.][^0-9/\[\]{}]*)?")
_OTHER_TIME: Final = re.compile(
    r"\W*(?:s|er|ff?|bce?|b\.\s?c|v\.?\s?chr|vor|nach|before|after|or|oder|ou|bis|until|sp[äa]ter|later|fr[üu]her|earlier|"
    r"ante|post|avant|apr[èe]s|et seq)\b.*",
    re.IGNORECASE,
)
"""Words behind a date that move it: 1520s, 1520 BC, 1520 or later. It cannot be read without them."""
_NO_YEAR: Final = "0000"
"""Databases write 0000-00-00 where nothing is known. As EDTF `0000` alone is 1 BCE, and stays so."""

_MARKS: Final[Mapping[str, str]] = {"low": "?", "unknown": "?", "medium": "~"}
"""TEI's `cert` as EDTF's mark: csv2cmi and others write an estimate as medium."""


@dataclass(frozen=True, slots=True)
class LetterDate:
    """A date for the tables.

    Attributes
    ----------
    when
        As the source has it; a pair of attributes is written as EDTF.
    earliest, latest
        Text that DuckDB casts to DATE; None: open, unknown, or beyond its reach.
    basis
        What it rests on.
    remark
        What was odd, in words; empty when nothing was.
    calendar
        julian or gregorian, where the source says so.
    """

    when: str | None = None
    earliest: str | None = None
    latest: str | None = None
    basis: Basis = "unknown"
    remark: str = ""
    calendar: str | None = None


UNDATED: Final = LetterDate()


@lru_cache(maxsize=65536)
def read_date(written: str) -> LetterDate:
    """Return the date that one text says."""
    text = spaced(written)
    if not text:
        return UNDATED
    bounds, remark = _bounds(text)
    if bounds is None:
        return LetterDate(text, remark=remark)
    return _dated(text, bounds, remark)


def read_edtf(written: str) -> tuple[str | None, str]:
    """Return the date that one text says as EDTF, and what was odd; the text itself where it cannot be read."""
    text = spaced(written)
    for candidate in (text, *_readings(text)) if text else ():
        try:
            parse_edtf(candidate)
        except NotEdtf:
            continue
        return candidate, "" if candidate == text else f"{text} is read as {candidate}"
    return text or None, f"{text} is no date" if text else ""


def read_dates(attributes: Mapping[str, str]) -> LetterDate:
    """Return the date that the attributes of a TEI `date` say; undated where they say none."""
    get = {name: spaced(value) for name, value in attributes.items()}
    for name, value in tuple(get.items()):  # when-iso and when-custom say what when does, where that is not there
        get.setdefault(name.removesuffix("-iso").removesuffix("-custom"), value)
    mark = _MARKS.get(get.get("cert", ""), "")
    if get.get("when"):
        date = read_date(get["when"] + mark)
        if date.earliest is None and mark:
            date = read_date(get["when"])
    else:
        date = _spanned(get, mark)
    if date.basis == "stated" and get.get("evidence"):
        date = replace(date, basis="inferred")
    if date.basis in ("stated", "inferred") and mark == "?":
        date = replace(date, basis="uncertain")
    calendar = f"{get.get('calendar', '')} {get.get('datingMethod', '')}".casefold()
    said = next((name for name in ("julian", "gregorian") if name in calendar), None)
    return replace(date, calendar=said) if said else date


def new_style(date: LetterDate) -> tuple[str | None, str | None]:
    """Return the bounds of a date in the Gregorian calendar: those of a Julian one moved, of any other as they are."""
    if date.calendar != "julian":
        return date.earliest, date.latest
    first, last = (_moved(day) if day else None for day in (date.earliest, date.latest))
    return first, last


def _moved(day: str) -> str:
    """Return the Gregorian name of a Julian day in the years of both calendars; any other stays."""
    try:
        old = dt.date.fromisoformat(day)
    except ValueError:
        return day
    # The 29th of February of 1700, which only the Julian year has, falls into the count of its March.
    year = old.year if old.month > 2 else old.year - 1  # noqa: PLR2004 - February
    return (old + dt.timedelta(days=year // 100 - year // 400 - 2)).isoformat()


def not_after(received: LetterDate) -> LetterDate:
    """Return the date of a letter of which only the day is known on which it arrived."""
    if received.latest is None:
        return UNDATED
    remark = f"only the day of receipt is given ({received.when}): written not later"
    return LetterDate(f"[..{received.when}]", None, received.latest, "inferred", remark, received.calendar)


def _spanned(get: Mapping[str, str], mark: str) -> LetterDate:
    """Return the date of a letter written in the course of several days, or on one day between two."""
    one_day = not (get.get("from") or get.get("to"))
    first, last = (get.get("notBefore"), get.get("notAfter")) if one_day else (get.get("from"), get.get("to"))
    start, end = read_date(first or ""), read_date(last or "")
    if start.when is None and end.when is None:
        return UNDATED
    low, high = (first or "") + (mark if first else ""), (last or "") + (mark if last else "")
    when = f"[{first or ''}..{last or ''}]" if one_day else f"{low}/{high}"
    try:
        return _dated(when, parse_edtf(when), "", mark)
    except NotEdtf:
        # One side is no EDTF: each side is read as far as it can be.
        remark = "; ".join(side.remark for side in (start, end) if side.remark)
        return LetterDate(when, start.earliest, end.latest, "uncertain" if mark == "?" else "stated", remark)


def _dated(text: str, bounds: Bounds, remark: str, mark: str = "") -> LetterDate:
    if bounds.inverted:
        remark = f"{text} ends before it begins; both ends are kept"
    if bounds.uncertain or mark == "?":
        basis: Basis = "uncertain"
    elif bounds.approximate or mark == "~":
        basis = "inferred"
    else:
        basis = "stated" if bounds.earliest or bounds.latest else "unknown"
    earliest, latest = _cast(bounds.earliest), _cast(bounds.latest)
    if (bounds.earliest and not earliest) or (bounds.latest and not latest):
        remark = f"{text} lies beyond the days that a database holds; that side counts as open"
    return LetterDate(text, earliest, latest, basis, remark)


def _cast(day: Day | None) -> str | None:
    return None if day is None else day.to_duckdb()


def _bounds(text: str) -> tuple[Bounds | None, str]:
    """Return the bounds of a text and what was odd about it."""
    try:
        return parse_edtf(text), ""
    except NotEdtf as problem:
        for candidate in _readings(text):
            try:
                return parse_edtf(candidate), "" if _ZONE.fullmatch(text) else f"{text} is read as {candidate}"
            except NotEdtf:
                continue
        return None, problem.message.replace("**", "")


def _readings(text: str) -> list[str]:
    """Return what a text that is no EDTF can surely be read as, the most exact first."""
    if reading := _other_form(text):
        return [reading]
    doubt = ""
    if found := _UNPADDED.fullmatch(text) or _DOTTED.fullmatch(text):
        parts = [found[1].zfill(4), *(part.zfill(2) for part in found.groups()[1:] if part)]
    elif found := _DAY_FIRST.fullmatch(text):
        parts = [found[3], found[2].zfill(2), found[1].zfill(2)]
    elif (found := _PREFIX.fullmatch(text)) and not _OTHER_TIME.fullmatch(found[2] or ""):
        sign, digits = ("-", found[1][1:]) if found[1].startswith("-") else ("", found[1])
        year, *rest = digits.split("-")
        parts = [sign + year, *rest]
        doubt = "?" if "?" in (found[2] or "") else ""
    else:
        return []
    if parts[0] == _NO_YEAR:
        return []
    return ["-".join(parts[:length]) + doubt for length in range(len(parts), 0, -1)]


def _other_form(text: str) -> str:
    """Return the EDTF of a text that says the same in another form; "" for any other."""
    reading = ""
    if found := _ZONE.fullmatch(text) or _TIME.fullmatch(text):
        reading = found[1]
    elif (found := _TWO_YEARS.fullmatch(text)) and found[2] < found[3]:
        reading = f"{found[1]}{found[2]}/{found[1]}{found[3]}"
    elif "u" in text and _OPEN_DIGITS.fullmatch(text):
        reading = text.replace("u", "X")
    elif found := _ABOUT.fullmatch(text):
        reading = f"{found[1]}~"
    elif found := _YEARS.fullmatch(text):
        reading = f"{found[1]}/{found[2]}"
    return reading
