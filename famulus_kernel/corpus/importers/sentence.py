"""A sentence as a source has it: what the readers of texts give and the corpus takes."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Word:
    """A syntactic word: its number in the sentence (from 1), form, lemma and part of speech."""

    tid: int
    form: str
    lemma: str | None
    upos: str | None


@dataclass(frozen=True, slots=True)
class Mention:
    """A named entity: the words that name it, and its kind."""

    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """One sentence of a source.

    Attributes
    ----------
    file, line
        Where it begins.
    doc_id, pidx
        The document, and the page in it, counted from 0.
    begins_document
        Whether the document begins with it in this file.
    remarks
        What the reader found odd: kind (of `report.ODDITIES`) and words.
    """

    file: str
    line: int
    doc_id: str
    pidx: int
    lang: str | None
    text: str
    words: tuple[Word, ...]
    mentions: tuple[Mention, ...] = ()
    begins_document: bool = False
    remarks: tuple[tuple[str, str], ...] = field(default=())
