"""What a question says of its scope besides years and names: quotations, marked words, languages, ways to count."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_QUOTATION: Final = re.compile(
    '\u201e([^\u201c\u201d"]+)[\u201c\u201d"]|\u201c([^\u201c\u201d]+)\u201d|"([^"]+)"'
    "|\u00ab([^\u00ab\u00bb]+)\u00bb|\u00bb([^\u00ab\u00bb]+)\u00ab|(?<!\\w)'([^']+)'(?!\\w)"
)
_MARKED: Final = re.compile(
    r"(?:Lemma(?:ta)?|W(?:o|\u00f6|oe)rt(?:er|e|s)?|Begriff(?:e|s|en)?|Fachbegriff(?:s|e)?|Terminus|Termini|Fachwort"
    r"|Vokabel|lemmas?|words?|terms?|concepts?|notions?|verbs?|nouns?)\s+(?:of\s+)?(?:(?:der|die|das|des|the)\s+)?"
    r"(?P<words>[^\W\d_]+(?:\s*(?:,|/|&|\+|und|and|mit|with|sowie|oder|or)\s*[^\W\d_]+)*)",
    re.IGNORECASE,
)
_BETWEEN: Final = re.compile(r"\s*(?:,|/|&|\+|\b(?:und|and|mit|with|sowie|oder|or)\b)\s*", re.IGNORECASE)
_WORD: Final = re.compile(r"[^\W\d_]+")
_LANGUAGES: Final = {
    "la": r"latein\w*|latin\w*",
    "de": r"deutsch\w*|german",
    "en": r"englisch\w*|english",
    "fr": r"franz(?:\u00f6|oe|o)sisch\w*|french",
    "grc": r"(?:alt)?griechisch\w*|(?:ancient )?greek",
    "it": r"italienisch\w*|italian",
    "he": r"hebr(?:\u00e4|ae)isch\w*|hebrew",
}
_SECONDARY: Final = r"sekund(?:\u00e4|ae)r\w*|secondary|forschungsliteratur"
_BOTH: Final = r"(?:quellen|sources|prim\w+)\s+(?:und|and|sowie)\s+(?:\w+\s+)?(?:sekund\w+|secondary|forschung\w*)"
_WHATEVER_CASE: Final = (
    r"gro(?:\u00df|ss)?-?\s?(?:und|/)\s?kleinschreibung\s+egal|gro(?:\u00df|ss)schreibung\s+egal|ignore\s+(?:the\s+)?case"
    r"|case[- ]insensitive\w*|egal\s+ob\s+gro(?:\u00df|ss)"
)
_WITH_ADJECTIVES: Final = r"adjektiv\w*|adjective\w*|adjectiv\w*"
_WITH_FAMILY: Final = r"wortfamilie|word family|variant\w*|verwandte\w*\s+w(?:\u00f6|oe)rter|family"


@dataclass(frozen=True, slots=True)
class Heard:
    """What a question says, before anybody looks into the data.

    Attributes
    ----------
    raw : str
        The question as it was typed.
    text : str
        The same in one line.
    quotations : tuple of str
    marked : tuple of str
        Words that the question calls words: those after "Lemma", "Wort", "term" …
    words : tuple of str
        All words outside quotations.
    languages : tuple of str
        BCP 47 primary tags.
    evidence : str, optional
        `secondary` or `both`.
    counting_mode : str, optional
    ignore_case : bool
    """

    raw: str
    text: str
    quotations: tuple[str, ...]
    marked: tuple[str, ...]
    words: tuple[str, ...]
    languages: tuple[str, ...]
    evidence: str | None
    counting_mode: str | None
    ignore_case: bool

    @property
    def bare(self) -> str:
        """The question without its quotations."""
        return _QUOTATION.sub(" ", self.text)

    def says(self, pattern: str) -> bool:
        """Say whether words of the question, outside quotations, match a pattern."""
        return says(pattern, self.bare)


def heard(question: str) -> Heard:
    """Read a question."""
    text = " ".join(question.split())
    bare = _QUOTATION.sub(" ", text)
    marked = [word for match in _MARKED.finditer(bare) for word in _BETWEEN.split(match["words"])]
    mode = "family+adj" if says(_WITH_ADJECTIVES, bare) else "family" if says(_WITH_FAMILY, bare) else None
    evidence = "both" if says(_BOTH, bare) else "secondary" if says(_SECONDARY, bare) else None
    return Heard(
        raw=question,
        text=text,
        quotations=tuple(next(filter(None, groups)).strip() for groups in _QUOTATION.findall(text)),
        marked=tuple(dict.fromkeys(marked)),
        words=tuple(_WORD.findall(bare)),
        languages=tuple(tag for tag, pattern in _LANGUAGES.items() if says(pattern, bare)),
        evidence=evidence,
        counting_mode=mode,
        ignore_case=says(_WHATEVER_CASE, bare),
    )


def says(pattern: str, text: str) -> bool:
    """Say whether whole words of a text match a pattern, whatever their case."""
    return re.search(rf"(?<!\w)(?:{pattern})(?!\w)", text, re.IGNORECASE) is not None
