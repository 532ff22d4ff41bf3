"""The oracle: the expected answer of a block, compared key by key (spec 6.1, 6.2)."""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal

from famulus_kernel.errors import PreambleError, UnknownMeasure
from famulus_kernel.verdict.measures import LongList, Lookup, Measures

SKIPPED = frozenset({"note", "status"})
"""Keys of an oracle that say something to readers and are not compared."""

RESERVED = frozenset({"score", "guard"})
"""Keys that `observed` of verdict.json uses itself, so that an oracle cannot ask for them."""

CONTAINS = "_contains"
SHOWN_VALUES = 20
SEARCHED_VALUES = 1000
EXACT_INTEGER = 2**53
FORMS = "a value, a list, {min, max}, {value, tolerance}, {all: […]} or {min_share, of: […]}"


@dataclass(frozen=True)
class OracleResult:
    """What a comparison found.

    Attributes
    ----------
    status : {"pass", "fail"}
        Pass when every compared key holds; also when nothing was to compare, see `checked`.
    observed : dict
        For each compared key `{value, ok, share?}`, JSON-safe, in the oracle's order.
    score : float or None
        The share of keys that hold, 0 to 1; None when nothing was compared.
    """

    status: Literal["pass", "fail"]
    observed: dict[str, dict[str, Any]]
    score: float | None

    @property
    def checked(self) -> bool:
        """Whether anything was compared; surfaces say "unchecked" otherwise, never "passed"."""
        return self.score is not None


def compare(oracle: Mapping[str, Any], measures: Measures) -> OracleResult:
    """Compare each key of an oracle with the result.

    Parameters
    ----------
    oracle : Mapping
        The block's `oracle`, as YAML gave it.
    measures : Measures
        What the plan returned.

    Returns
    -------
    OracleResult

    Raises
    ------
    UnknownMeasure
        The result does not have a key.
    PreambleError
        The oracle itself says something that cannot be compared (:func:`check_oracle`).
    """
    check_oracle(oracle)
    observed = {key: _compared(key, wanted, measures) for key, wanted in oracle.items() if key not in SKIPPED}
    if not observed:
        return OracleResult("pass", {}, None)
    held = sum(entry["ok"] for entry in observed.values())
    return OracleResult("pass" if held == len(observed) else "fail", observed, held / len(observed))


def check_oracle(oracle: Mapping[str, Any]) -> None:
    """Raise PreambleError when a key of `oracle` has a form that no result could be compared with."""
    for key, wanted in oracle.items():
        if key in SKIPPED:
            continue
        needed = _needed(key, wanted)
        if needed:
            raise PreambleError.bad_value(f"oracle.{key}", wanted, needed)


def _needed(key: str, wanted: object) -> str:
    """Return what is missing for `wanted` to be one of the forms; "" when it is one."""
    if key in RESERVED:
        return "another name: verdict.json uses this one itself (rename the column or field)"
    if key.endswith(CONTAINS) and isinstance(wanted, str) and not wanted:
        return "a text that is not empty"
    if isinstance(wanted, Mapping):
        return _needed_mapping(wanted)
    if isinstance(wanted, list | tuple):
        return _needed_list(wanted)
    return "" if _is_scalar(wanted) else FORMS


def _needed_mapping(wanted: Mapping[str, Any]) -> str:
    keys = set(wanted)
    if keys and keys <= {"min", "max"}:
        if not all(_is_finite(end) for end in wanted.values()):
            return "numbers as min and max"
        return "min not above max" if keys == {"min", "max"} and wanted["min"] > wanted["max"] else ""
    if keys == {"value", "tolerance"}:
        good = all(_is_finite(number) for number in wanted.values()) and wanted["tolerance"] >= 0
        return "" if good else "numbers as value and tolerance, the tolerance not below 0"
    if keys == {"all"}:
        return _needed_list(wanted["all"])
    if keys == {"min_share", "of"}:
        share = wanted["min_share"]
        good = _is_finite(share) and 0 < share <= 1
        return _needed_list(wanted["of"]) if good else "a min_share above 0 and at most 1"
    return FORMS


def _needed_list(wanted: object) -> str:
    good = isinstance(wanted, list | tuple) and wanted and all(_is_scalar(value) for value in wanted)
    return "" if good else "a list of at least one value (text, number, true or false)"


def _compared(key: str, wanted: object, measures: Measures) -> dict[str, Any]:
    found = measures.find(key)
    if found is None and key.endswith(CONTAINS) and isinstance(wanted, str):
        return _contains(key, wanted, measures)
    needles, share_needed = _list_form(wanted)
    if needles is not None:
        return _overlap(needles, share_needed, _as_list(found or _labels(key, measures)))
    if found is None:
        raise UnknownMeasure.of(key, measures.known())
    value = found.value
    if isinstance(wanted, Mapping):
        ok = _near(value, wanted) if "tolerance" in wanted else _inside(value, wanted)
    else:
        ok = _equal(value, wanted)
    return {"value": _shown(value), "ok": ok}


def _labels(key: str, measures: Measures) -> Lookup:
    if measures.labels is None:
        raise UnknownMeasure.of(key, measures.known())
    return Lookup(measures.labels)


def _list_form(wanted: object) -> tuple[Sequence[object] | None, Fraction]:
    """Return the values of a list form and the share that must be found; 0 stands for "at least one"."""
    if isinstance(wanted, list | tuple):
        return wanted, Fraction(0)
    if isinstance(wanted, Mapping) and "all" in wanted:
        return wanted["all"], Fraction(1)
    if isinstance(wanted, Mapping) and "of" in wanted:
        return wanted["of"], Fraction(str(wanted["min_share"]))
    return None, Fraction(0)


def _contains(key: str, needle: str, measures: Measures) -> dict[str, Any]:
    found = measures.find(key.removesuffix(CONTAINS)) or measures.find("answer")
    if found is None:
        raise UnknownMeasure.of(key, measures.known())
    folded = _folded(needle)
    texts = (value for value in _as_list(found) if value is not None)
    ok = any(folded in _folded(str(text)) for text in texts)
    return {"value": _shown(found.value), "ok": ok}


def _overlap(
    needles: Sequence[object], share_needed: Fraction, values: Sequence[object] | LongList
) -> dict[str, Any]:
    distinct = {_comparable(needle): needle for needle in needles}
    hits = {_comparable(value) for value in _candidates(values, list(distinct.values()))} & distinct.keys()
    share = Fraction(len(hits), len(distinct))
    # What was wanted and found stands first, then the rest of the list as far as a reader wants to see it.
    first = (needle for form, needle in distinct.items() if form in hits)
    others = (value for value in itertools.islice(values, SEARCHED_VALUES) if _comparable(value) not in hits)
    shown = [_cell(value) for value in itertools.islice(itertools.chain(first, others), SHOWN_VALUES)]
    return {"value": shown, "ok": bool(hits) and share >= share_needed, "share": float(share)}


def _candidates(values: Sequence[object] | LongList, wanted: Sequence[object]) -> Iterable[object]:
    return values.matching(wanted) if isinstance(values, LongList) else values


def _as_list(found: Lookup) -> Sequence[object] | LongList:
    """Return the values of a lookup: of a list its items, of a mapping its keys, of a scalar itself."""
    value = found.value
    if isinstance(value, LongList):
        return value
    if isinstance(value, list | tuple | set | frozenset | Mapping):
        return list(value)
    return [value]


def _inside(value: object, ends: Mapping[str, Any]) -> bool:
    number = _number(value)
    if number is None:
        return False
    low, high = _number(ends.get("min")), _number(ends.get("max"))
    return (low is None or low <= number) and (high is None or number <= high)


def _near(value: object, wanted: Mapping[str, Any]) -> bool:
    number, middle, tolerance = _number(value), _number(wanted["value"]), _number(wanted["tolerance"])
    if number is None or middle is None or tolerance is None:
        return False
    return abs(number - middle) <= tolerance


def _equal(value: object, wanted: object) -> bool:
    return not _is_list(value) and _comparable(value) == _comparable(wanted)


def _comparable(value: object) -> tuple[str, object]:
    """Return a form that is equal for values which an oracle calls equal: 75 and 75.0, but not 1 and true."""
    if isinstance(value, bool):
        return "bool", value
    number = _number(value)
    if number is not None:
        return "number", number
    if value is None:
        return "null", None
    if isinstance(value, float | Decimal):  # infinite, or no number at all
        return "unbounded", str(value).lower().replace("infinity", "inf").replace("snan", "nan")
    return "text", unicodedata.normalize("NFC", str(value))


def _number(value: object) -> Fraction | None:
    """Return a finite number exactly as it is written in decimal (0.1 is 1/10), None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
        return None
    if isinstance(value, int | Fraction):
        return Fraction(value)
    finite = value.is_finite() if isinstance(value, Decimal) else math.isfinite(value)
    # By way of the text, so that 0.1 is a tenth and not the binary number next to it.
    return Fraction(str(value)) if finite else None


def _is_finite(value: object) -> bool:
    return _number(value) is not None


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, bool | int | float | str)


def _is_list(value: object) -> bool:
    return isinstance(value, LongList | list | tuple | set | frozenset | Mapping)


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def _shown(value: object) -> object:
    if isinstance(value, LongList) or _is_list(value):
        return [_cell(item) for item in itertools.islice(value, SHOWN_VALUES)]  # type: ignore[call-overload]
    return _cell(value)


def _cell(value: object) -> object:
    """Return a value that JSON carries without loss, or its text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= EXACT_INTEGER else str(value)
    if isinstance(value, Decimal) and value.is_finite() and value == _number(float(value)):
        return float(value)
    if isinstance(value, float) and math.isfinite(value):
        return value
    return str(value)
