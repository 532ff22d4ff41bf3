"""Quotations in texts, and whether evidence has them word for word (spec 3.9).

Compared after whitespace, quote marks, dashes, hyphens at line ends and letter case have been made alike; in Latin u
and v, i and j, æ and ae are one letter. Omissions (… and […]) part a quotation: its pieces must follow one another.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

_PAIRS: Final = (
    r"„(?P<a>[^„“”]{1,4000}?)[“”]",
    r"“(?P<b>[^“”]{1,4000}?)”",
    r"»(?P<c>[^»«]{1,4000}?)«",
    r"«(?P<d>[^»«]{1,4000}?)»",
    r"‚(?P<e>[^‚‘’]{1,2000}?)[‘’](?!\w)",
    r"›(?P<f>[^›‹]{1,2000}?)‹",
    r"‹(?P<g>[^›‹]{1,2000}?)›",
    r"(?<![\w\"])\"(?P<h>[^\"]{1,4000}?)\"(?!\w)",
    r"(?<![\w’])‘(?P<i>(?:[^‘’]|’(?=\w)){1,2000}?)’(?!\w)",
    r"(?<![\w'])'(?P<j>(?:[^'\n]|'(?=\w)){2,2000}?)'(?!\w)",
    r"``(?P<k>[^`']{1,2000}?)''",
)
_QUOTED: Final = re.compile("|".join(_PAIRS))
_BLOCK: Final = re.compile(r"(?:^|\n)(?P<block>[ ]{0,3}>[^\n]*(?:\n[ ]{0,3}>[^\n]*)*)")
_SIGNED: Final = re.compile(r"[ ]*(?:[-\u2013\u2014]|\()")
_OMISSION: Final = re.compile(r"\[?\(?(?:…|\.\s?\.\s?\.)\)?\]?|\[[^\]]{2,60}\]")
_LETTER_IN_BRACKETS: Final = re.compile(r"\[(\w)\]")
_MARKS: Final = re.compile(r"[\"'„“”‚‘’»«›‹`´]")
_BROKEN: Final = re.compile(r"[-\u2010\u2011¬]\s*\n\s*(?=\w)|\u00ad\s*")
_DASHES: Final = re.compile(r"[\u2010-\u2015\u2212]")
_ENDS: Final = " .,;:!?-*_"
_LATIN: Final = str.maketrans({"v": "u", "j": "i", "æ": "ae", "œ": "oe", "ę": "e", "ß": "ss"})


@dataclass(frozen=True, slots=True)
class Quotation:
    """What stands between quote marks, or in a block quote.

    Attributes
    ----------
    start, end
        Its place with its marks, in code points.
    words
        The text between them.
    """

    start: int
    end: int
    words: str


def find_quotations(text: str) -> list[Quotation]:
    """Return the outermost quotations of a text, in order; marks around figures or a single sign are none."""
    found = list(_blocks(text))
    taken = bytearray(len(text))
    for block in found:
        taken[block.start : block.end] = b"\1" * (block.end - block.start)
    for match in _QUOTED.finditer(text):
        words = match[match.lastgroup or 0]
        if not any(taken[match.start() : match.end()]) and _says_something(words):
            found.append(Quotation(match.start(), match.end(), words))
    return sorted(found, key=lambda one: one.start)


def _says_something(words: str) -> bool:
    return sum(letter.isalpha() for letter in words) > 1


def _blocks(text: str) -> Iterator[Quotation]:
    for match in _BLOCK.finditer(text):
        lines = [re.sub(r"^[ ]{0,3}>[ ]?", "", line) for line in match["block"].split("\n")]
        while lines and (not lines[-1].strip() or _SIGNED.match(lines[-1])):  # who said it
            lines.pop()
        words = "\n".join(lines)
        if _says_something(words) and not words.lstrip().startswith("[!"):
            yield Quotation(match.start("block"), match.end("block"), words)


def folded(text: str, lang: str) -> str:
    """Return a text as quotations are compared."""
    plain = _BROKEN.sub("", unicodedata.normalize("NFKC", text.replace("…", "\ue000")).replace("\ue000", "…"))
    plain = _MARKS.sub("", _DASHES.sub("-", plain)).replace("*", "").replace("_", " ").casefold()
    if lang == "la":
        plain = plain.translate(_LATIN)
    return " ".join(plain.split())


class Sources:
    """The texts of the evidence, made ready to be searched for quotations."""

    def __init__(self, texts: list[str], lang: str) -> None:
        self._lang = lang
        self._texts = list(dict.fromkeys(folded(text, lang) for text in texts))

    def have(self, words: str) -> bool:
        """Return whether one of the texts holds all pieces of a quotation, in order and as whole words."""
        pieces = [piece for piece in self._pieces(words) if piece]
        if not pieces:
            return True
        pattern = re.compile(".*?".join(rf"(?<!\w){re.escape(piece)}(?!\w)" for piece in pieces), re.DOTALL)
        return any(pieces[0] in text and pattern.search(text) for text in self._texts)

    def _pieces(self, words: str) -> list[str]:
        whole = _LETTER_IN_BRACKETS.sub(r"\1", words)
        return [folded(piece, self._lang).strip(_ENDS) for piece in _OMISSION.split(whole)]
