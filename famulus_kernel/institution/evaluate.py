"""Check a text against its evidence: every number, date and quotation of it must occur there (spec 3.9)."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from famulus_kernel.institution.dates import find_dates
from famulus_kernel.institution.evidence import Evidence
from famulus_kernel.institution.masking import composed, masked, quiet
from famulus_kernel.institution.numerals import LANGUAGES, find_numerals
from famulus_kernel.institution.quotations import find_quotations

if TYPE_CHECKING:
    from collections.abc import Iterator

Kind = Literal["number", "date", "quotation"]

_NAME: Final = re.compile(r"(?<![\w.])[^\W\d_]+_?\d(?:\w*\d)\w*(?!\w)")
"""A name with two figures or more: doc_17, K1617, L0012."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A number, date or quotation of a text: where it stands (code points), and whether the evidence has it."""

    kind: Kind
    text: str
    start: int
    end: int
    supported: bool


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What was found in a text, in the text's order."""

    findings: tuple[Finding, ...]

    @property
    def unsupported(self) -> tuple[Finding, ...]:
        """What the evidence does not have."""
        return tuple(one for one in self.findings if not one.supported)

    def as_dict(self) -> dict[str, Any]:
        """Return the answer of `lw_evaluate`: whether it passed, all findings, and how many there are of what."""
        counts = {
            f"n_{kind}s": sum(one.kind == kind for one in self.findings) for kind in ("number", "date", "quotation")
        }
        return {
            "passed": not self.unsupported,
            "findings": [asdict(one) for one in self.findings],
            "n_unsupported": len(self.unsupported),
            **counts,
        }


def evaluate(text: str, evidence: Any, lang: str) -> Evaluation:
    """Check a text against its evidence.

    Parameters
    ----------
    text
        Plain text or markdown. Addresses, code and the numbers of an ordered list are no claims.
    evidence
        JSON of any shape that holds what may be claimed: rows, measures, sentences.
    lang
        BCP 47 tag of the text. German, English, French and Latin have number words; in other languages only figures,
        roman numerals, dates and quotations are checked. Where it is empty, words of all four count.
    """
    primary = lang.partition("-")[0].casefold()
    plain, places = composed(text)
    known = Evidence(evidence, primary)
    findings = [
        Finding(kind, text[places[start] : places[end]], places[start], places[end], supported)
        for kind, start, end, supported in _checked(plain, primary, known)
    ]
    return Evaluation(tuple(sorted(findings, key=lambda one: one.start)))


def _checked(text: str, lang: str, known: Evidence) -> Iterator[tuple[Kind, int, int, bool]]:
    languages = (lang,) if lang in LANGUAGES else () if lang else LANGUAGES
    left = quiet(text)
    quotations = find_quotations(left)
    for quotation in quotations:
        yield "quotation", quotation.start, quotation.end, known.sources.have(quotation.words)
    left = masked(left, quotations)
    dates = find_dates(left, languages)
    for date in dates:
        yield "date", date.start, date.end, known.has_date(date.readings)
    left = masked(left, dates)
    for numeral in find_numerals(left, languages, sure=bool(lang)):
        yield "number", numeral.start, numeral.end, known.has_number(numeral)
    for name in _NAME.finditer(left):
        yield "number", name.start(), name.end(), known.has_name(name[0])
