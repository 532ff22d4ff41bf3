"""Roman numerals: MDCXVII, XVIIe, M.DC.XVII, CIↃIↃCXVII, and small ones behind a word that announces them."""

from __future__ import annotations

import re
from typing import Final

_VALUES: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_FORM: Final = re.compile(
    r"M{0,4}(?:CM|CD|D?C{0,4})(?:XC|XL|L?X{0,4})(?:IX|IV|V?I{0,4})|M{0,4}(?:D?C{0,4})(?:L?X{0,4})(?:IIX|XIIX|XIIC)"
)
_WORDS: Final = frozenset({"MIX", "CD", "DC", "MD", "DI", "MI", "LI", "DIM", "MC", "CC", "MM", "CV", "CI", "MDL", "DL",
                           "CL", "ML", "LCD", "DCL"})  # fmt: skip
"""Numerals that are more often something else."""

_CUES: Final = (
    r"Band|Bd\.?|Bde\.?|Kapitel|Kap\.?|Teil|Tl\.?|Buch|Heft|H\.|Nr\.?|No\.?|Nº|N°|Blatt|Bl\.?|Seite|S\.|Abt\.?"
    r"|volume|vol\.?|chapter|chap\.?|ch\.|book|bk\.?|part|pt\.?|section|sect?\.?|page|p\.|pp\.|number|act|scene"
    r"|tome|t\.|livre|liv\.?|chapitre|partie|numéro|n[°ºo]\.?|feuillet|f\."
    r"|tomus|tom\.?|liber|libro|libri|lib\.?|caput|capite|capitulum|cap\.?|c\.|pars|epistola|epist?\.?|ep\.|fol\.?|ff?\."
    r"|anno|ann\.|a\.|die|saec\.?|saeculo|saeculum|num\.?|pag\.?|psalmo|ps\."
)
_CUED: Final = re.compile(rf"(?:(?<!\w)(?:{_CUES}))[ \u00a0]*\Z", re.IGNORECASE)
_PLAIN: Final = re.compile(r"(?<![\w.])[MDCLXVI]{2,15}(?=(?:er|nd|st|th|[eè]me|e|ᵉ|°|º)?(?!\w))")
_DOTTED: Final = re.compile(
    r"(?<![\w.])M(?: [MDCLXVI]{1,5}){2,5}(?!\w)|(?<![\w.])M\.? ?[MDCLXVI]{1,4}(?:\. ?[MDCLXVI]{1,5}){0,8}(?!\w)"
)
_HOOKED: Final = re.compile(
    r"(?<!\w)[CcIı|(MDLXVI.ↃƆɔ) ]{0,30}[Iı|][ↃƆɔ)](?:[CcIı|(MDCLXVIcxvi.ↃƆɔ) ]{0,30}[CcIı|MDCLXVIcxvi.ↃƆɔ)])?(?!\w)"
)
_SINGLE: Final = re.compile(r"(?<![\w.])[IVXLCDM](?=(?:er|[eè]me|e|ᵉ|°|º)?(?!\w))")
_SMALL: Final = re.compile(r"(?<![\w.])[mdclxvij]{1,15}(?!\w)")
_REGNAL: Final = re.compile(r"(?<!\w)(?!Herr|Frau|Fall)[A-ZÄÖÜÉ][a-zäöüéèß]{2,} \Z")


def roman_value(text: str) -> int | None:
    """Return the value of a roman numeral, with the older additive forms (MDCXVIIII, XXXX); None for none."""
    wanted = text.upper().replace("J", "I")
    if not wanted or not _FORM.fullmatch(wanted):
        return None
    if wanted.endswith(("IIX", "IIC")):
        large = wanted.rstrip("XC")[:-2]
        return (roman_value(large) or 0 if large else 0) + _VALUES[wanted[-1]] - 2
    total = 0
    for here, following in zip(wanted, [*wanted[1:], None], strict=True):
        value = _VALUES[here]
        total += -value if following is not None and _VALUES[following] > value else value
    return total


def find_roman(text: str, lang: str) -> list[tuple[int, int, int]]:
    """Return start, end and value of every roman numeral of a text, in order and without overlap.

    A single letter, and small letters, count only behind a word that announces a number (Band V, fol. xij, anno
    mdcxvii), a single V or X also behind a name (Karl V.).
    """
    found: list[tuple[int, int, int]] = []
    taken = bytearray(len(text))
    for start, end, value in (
        *_hooked(text),
        *_dotted(text),
        *_plain(text, lang),
        *_singles(text, lang),
        *_small(text),
    ):
        if not any(taken[start:end]):
            found.append((start, end, value))
            taken[start:end] = b"\1" * (end - start)
    return sorted(found)


def _hooked(text: str) -> list[tuple[int, int, int]]:
    found = []
    for match in _HOOKED.finditer(text):
        written = match[0].rstrip(" .(|")
        if not re.search(r"[ↃƆɔ]", written):
            continue
        plain = re.sub(r"[Cc(][Iı|][ↃƆɔ)]", "M", written)
        plain = re.sub(r"[Iı|][ↃƆɔ)]", "D", plain)
        value = roman_value(re.sub(r"[. ]", "", plain))
        if value is not None:
            lead = len(written) - len(written.lstrip(" ."))
            found.append((match.start() + lead, match.start() + len(written), value))
    return found


def _dotted(text: str) -> list[tuple[int, int, int]]:
    found = []
    for match in _DOTTED.finditer(text):
        groups = re.split(r"[. ]+", match[0])
        value = roman_value("".join(groups))
        if value is not None and len(groups) > 1 and any(len(group) > 1 for group in groups):
            found.append((match.start(), match.end(), value))
    return found


def _plain(text: str, lang: str) -> list[tuple[int, int, int]]:
    found = []
    for match in _PLAIN.finditer(text):
        value = roman_value(match[0])
        announced = (
            match[0] not in _WORDS or lang == "la" or _CUED.search(text[max(0, match.start() - 30) : match.start()])
        )
        if value is not None and announced:
            found.append((match.start(), match.end(), value))
    return found


def _singles(text: str, lang: str) -> list[tuple[int, int, int]]:
    found = []
    for match in _SINGLE.finditer(text):
        before, behind = text[max(0, match.start() - 30) : match.start()], text[match.end() : match.end() + 3]
        letter = match[0]
        cued = _CUED.search(before) is not None
        regnal = (
            letter in "VXI"
            and _REGNAL.search(before) is not None
            and not (letter == "I" and lang == "en" and not behind.startswith("."))
            and not re.match(r"\. [A-ZÄÖÜ]", behind)
        )
        ordinal = letter in "VX" and re.match(r"e\b|ᵉ", behind) is not None
        if (cued and not (letter in "CDM" and behind.startswith("."))) or regnal or ordinal:
            found.append((match.start(), match.end(), _VALUES[letter]))
    return found


def _small(text: str) -> list[tuple[int, int, int]]:
    found = []
    for match in _SMALL.finditer(text):
        value = roman_value(match[0])
        if value is not None and _CUED.search(text[max(0, match.start() - 30) : match.start()]):
            found.append((match.start(), match.end(), value))
    return found
