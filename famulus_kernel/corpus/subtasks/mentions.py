"""Where a person, or whatever else a register of entities knows, is named (spec 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.corpus.collection import MENTIONS, SENTENCES
from famulus_kernel.corpus.texts import SENTENCE

if TYPE_CHECKING:
    from famulus_kernel.corpus.persons import Person
    from famulus_kernel.corpus.subtasks.answer import Question


def mentions_of(question: Question, person: Person) -> str:
    """Return the query for the mentions of a person, one row each: identity and text of the sentence, the words.

    A sentence that names the person twice has two rows.
    """
    holdings, scope = question.holdings, question.scope
    join = "JOIN" if scope.languages else "LEFT JOIN"
    return (
        f"SELECT named.*, s.text FROM (SELECT {SENTENCE}, text AS keyword FROM {holdings.source(MENTIONS)}"
        f" WHERE {person.among('ent_id')} AND {scope.documents_condition()}) AS named"
        f" {join} (SELECT m, doc_id, pidx, sent_idx, text FROM {holdings.source(SENTENCES)}"
        f" WHERE {scope.language_condition()}) AS s USING ({SENTENCE})"
    )
