"""Sentences in which a string stands to the letter (spec 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.collection import SENTENCES
from famulus_kernel.corpus.sql import quoted
from famulus_kernel.errors import UnboundInput

if TYPE_CHECKING:
    from famulus_kernel.corpus.subtasks.answer import Question

_QUOTED: Final = re.compile(
    '\N{DOUBLE LOW-9 QUOTATION MARK}([^\u201c\u201d"]+)[\u201c\u201d"]|\u201c([^\u201c\u201d]+)\u201d|"([^"]+)"'
    "|\u00ab([^\u00ab\u00bb]+)\u00bb|\u00bb([^\u00ab\u00bb]+)\u00ab"
)


def text_argument(question: Question, name: str, subtask: str) -> Any:
    """Return an entry of `input`, else the one quoted string of the instruction.

    Raises
    ------
    UnboundInput
        There is neither, or several strings are quoted.
    """
    given = question.arguments.get(name)
    if given is None:
        found = [next(filter(None, groups)) for groups in _QUOTED.findall(question.text)]
        if len(found) != 1:
            raise UnboundInput.of(name, subtask)
        given = found[0].strip()
    if not given:
        raise UnboundInput.bad_value(name, subtask, "a text that is not empty")
    return given


def sentences_with(question: Question, text: str, *, ignore_case: bool = False) -> str:
    """Return the query for the sentences of the scope that hold a text, after NFC: identity, text, where it begins."""
    scope = question.scope
    written = "nfc_normalize(text)"
    wanted = f"nfc_normalize({quoted(text)})"
    if ignore_case:
        written, wanted = f"lower({written})", f"lower({wanted})"
    return (
        f"SELECT m, doc_id, pidx, sent_idx, nfc_normalize(text) AS text, strpos({written}, {wanted}) AS begins"
        f" FROM {question.holdings.source(SENTENCES)} WHERE contains({written}, {wanted})"
        f" AND {scope.documents_condition()} AND {scope.language_condition()}"
    )
