"""Subtask `entity-mention-count`: how often an entity is named (spec 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.collection import MENTIONS
from famulus_kernel.corpus.persons import mentioned
from famulus_kernel.corpus.subtasks.answer import Answer, Question
from famulus_kernel.corpus.subtasks.mentions import mentions_of
from famulus_kernel.corpus.subtasks.payloads import payload
from famulus_kernel.corpus.subtasks.sentences import by_document, text_counts, text_question, text_rules
from famulus_kernel.corpus.subtasks.wording import amount, apart, period, say, sentences
from famulus_kernel.corpus.texts import page_url

if TYPE_CHECKING:
    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.persons import Person
    from famulus_kernel.corpus.subtasks.sentences import TextQuestion
    from famulus_kernel.corpus.subtasks.wording import Words

SENTENCE: Final[Words] = {
    "de": "Für {name} gibt es {mentions}{period} in {documents}.",
    "en": "There are {mentions} of {name}{period}, in {documents}.",
}
RULE: Final[Words] = {
    "de": "Eine Nennung ist eine Zeile von stz_entities mit der ent_id von {name}, unter welchem Namen auch immer.",
    "en": "A mention is a row of stz_entities with the ent_id of {name}, whatever the name that is used.",
}


class EntityMentionCount:
    """Counts the mentions of a person, or of whatever else the register of entities knows."""

    name = "entity-mention-count"
    files: tuple[File, ...] = ("letters", "texts")
    arguments: frozenset[str] = frozenset()
    counts_lemmata = False

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`."""
        holdings, lang = question.holdings, question.lang
        holdings.demand_rows(MENTIONS)
        person = mentioned(holdings, question.scope, question.text)
        # persons[0] is who is named; only the others say whose letters are read.
        others = replace(question, scope=replace(question.scope, persons=question.scope.persons[1:]))
        texts = text_question(others)
        findings = holdings.run(_findings(question, texts, person), "findings")
        counts = text_counts(question, first="n_mentions")
        years = period(question.scope, lang)
        sentence = say(
            SENTENCE,
            lang,
            name=person.name,
            period=years and f" {years}",
            mentions=amount(next(iter(counts.values())), "mention", lang),
            documents=amount(counts["n_documents"], "document-dative", lang),
        )
        labels = f"SELECT DISTINCT keyword AS label FROM {holdings.result('findings')} ORDER BY label"
        return Answer(
            counts=counts,
            sentence=sentences(sentence, apart(counts, lang)),
            method=(*text_rules(question, texts.persons), say(RULE, lang, name=person.name)),
            findings=findings,
            labels=holdings.run(labels, "labels"),
            payloads=_kwic(question),
            by_document=by_document(holdings),
            notes={"mentioned": person.described()},
            is_empty=findings.n_rows == 0,
        )


def _kwic(question: Question) -> dict[str, Any]:
    if not question.wants("kwic"):
        return {}
    rows = (
        "SELECT evidence, collection, doc_id, page, keyword, text, url, pidx, sent_idx"
        f" FROM {question.holdings.result('findings')} WHERE time = 'certain'"
    )
    return {"kwic": {"rows": payload(question.holdings.run(rows, "entries"))}}


def _findings(question: Question, texts: TextQuestion, person: Person) -> str:
    scope = texts.scope
    return f"""
WITH {question.holdings.place()},
h AS ({mentions_of(question, person)}),
{scope.found()}
SELECT 'mention' AS kind, collection, evidence, doc_id, pidx, sent_idx, pidx + 1 AS page, text, {page_url()} AS url,
  keyword, time, m
FROM found JOIN place USING (m)
ORDER BY {question.holdings.order}doc_id, pidx, sent_idx, keyword
"""


SUBTASK = EntityMentionCount()
