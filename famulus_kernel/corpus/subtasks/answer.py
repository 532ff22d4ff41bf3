"""What a subtask is asked and what it answers (spec 4.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.result import TableResult
    from famulus_kernel.corpus.scope import Scope


@dataclass(frozen=True, slots=True)
class Question:
    """A block as a subtask sees it.

    Attributes
    ----------
    text : str
        The instruction.
    scope : Scope
    holdings : Holdings
        The collections of the scope, open.
    arguments : mapping
        The entries of `input`.
    lang : str
        The document's language, BCP 47.
    kinds : frozenset of str, optional
        The kinds of artefacts that are asked for; None: all that there are.
    """

    text: str
    scope: Scope
    holdings: Holdings
    arguments: Mapping[str, Any] = field(default_factory=dict)
    lang: str = "en"
    kinds: frozenset[str] | None = None

    def wants(self, kind: str) -> bool:
        """Return whether somebody asks for artefacts of a kind."""
        return self.kinds is None or kind in self.kinds


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a question; the same collections and the same question give the same answer.

    Attributes
    ----------
    counts : mapping of str to int
        By their oracle names. With evidence of both kinds the plain names count the primary collections, those with
        `_secondary` at their end the secondary literature.
    sentence : str
        The answer in words.
    method : tuple of str
        The rules that were applied, in words.
    findings : TableResult
        All of them: kind, collection, evidence, doc_id, pidx, sent_idx, page, text, url first.
    entries : TableResult, optional
        What the findings come to: partners, attestations, documents, terms.
    labels : TableResult, optional
        One column of the names that an oracle's list is compared with.
    payloads : mapping of str to payload
        What each kind of artefact is built from, where the subtask has something for it.
    fields : mapping
        Further fields of the result.
    by_document : list of dict
        Of texts: doc_id and how many findings, those with most first.
    notes : mapping
        What the trace says: who is at the centre, what the question's text narrowed.
    is_empty : bool
        Nothing was found.
    """

    counts: Mapping[str, int]
    sentence: str
    method: tuple[str, ...]
    findings: TableResult
    entries: TableResult | None = None
    labels: TableResult | None = None
    payloads: Mapping[str, Any] = field(default_factory=dict)
    fields: Mapping[str, Any] = field(default_factory=dict)
    by_document: Sequence[Mapping[str, Any]] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)
    is_empty: bool = False


class Subtask(Protocol):
    """One form of question. Strangers' register under their name in the entry-point group `famulus.subtasks`."""

    name: str
    files: tuple[File, ...]
    """The files of a collection that it reads, where they are there."""
    arguments: frozenset[str]
    """The entries of `input` that it knows, beside `certainty` and `answer`."""
    counts_lemmata: bool
    """Whether the block must say how lemmata are counted."""

    def answer(self, question: Question) -> Answer:
        """Answer a question.

        Raises
        ------
        FamulusError
            The collections do not hold what is asked of them.
        """
        ...
