"""How a source writes the name of a party: brackets, question marks, and words for somebody unnamed (spec 4.2)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, Literal, NamedTuple

Basis = Literal["stated", "supplied", "inferred", "uncertain", "unknown"]

_UNKNOWN: Final = (
    r"(?:der |die |das |den |dem |the |l')?(?:"
    r"unbekannte?[nrms]?|ungenannte?[nrms]?|unknown|unidentified|unnamed|anonym(?:us|a|ous|e[rnms]?)?|ignot(?:us|a|i|o)|"
    r"inconnue?s?|onbekende?|sconosciut[oaie]|desconocid[oa]s?|nicht (?:ermittelt|identifiziert|bekannt)|"
    r"not (?:identified|known)|n\. ?n\.|nn|nomen nescio|s\. ?n\.)"
)
_ARTICLE: Final = r"[Ee]ine?[nrms]?|an?|une?|uno|una|[Qq]uidam|[Qq]uaedam"
"""The short ones only in lower case: An Lee and A. Müller are names."""
_UNNAMED: Final = re.compile(rf"(?:{_UNKNOWN})(?![\w-]).*|[?\-\u2013\u2014….\s/*x]+", re.IGNORECASE)
_SOMEBODY: Final = re.compile(rf"(?:{_ARTICLE})\s.*")
_BRACKETED: Final = re.compile(r"\[([^\[\]]*)\]")
_QUERIED: Final = re.compile(r"\s*(?:\(\?\)|\[\?\]|\?)$")


class Name(NamedTuple):
    """A name without the editor's marks, and what the marks said: stated, supplied or uncertain."""

    text: str
    basis: Basis


def spaced(text: str) -> str:
    """Return text in NFC with single blanks and none around."""
    return " ".join(unicodedata.normalize("NFC", text).split())


@lru_cache(maxsize=65536)
def read_name(written: str) -> Name:
    """Return the name without brackets around it and without a question mark behind it.

    `[Daniel Kaspar Jacobi]` is supplied, `Elias Veiel?` uncertain. Brackets about a part stay as they are.
    """
    text = spaced(written)
    basis: Basis = "stated"
    for _ in range(2):  # [Name?] as well as [Name]?
        if (found := _BRACKETED.fullmatch(text)) and found[1].strip():
            text, basis = found[1].strip(), "supplied" if basis == "stated" else basis
        if (found := _QUERIED.search(text)) and found.start():
            text, basis = text[: found.start()], "uncertain"
    return Name(text, basis)


@lru_cache(maxsize=65536)
def is_nobody(name: str) -> bool:
    """Say whether a name is a word for an unknown person, whatever number stands beside it: Unbekannt, N. N., ?."""
    return bool(_UNNAMED.fullmatch(name.lstrip("[(")))


@lru_cache(maxsize=65536)
def is_somebody(name: str) -> bool:
    """Say whether a name without a number only describes somebody: `einen Amtsbruder`, `a lady of Leipzig`."""
    return bool(_SOMEBODY.fullmatch(name.lstrip("[(")))
