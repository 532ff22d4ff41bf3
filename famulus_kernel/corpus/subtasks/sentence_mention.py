"""Subtask `sentence-mention`: sentences that hold a string (spec 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.collection import SENTENCES
from famulus_kernel.corpus.subtasks.answer import Answer, Question
from famulus_kernel.corpus.subtasks.payloads import payload
from famulus_kernel.corpus.subtasks.sentences import by_document, text_counts, text_question, text_rules
from famulus_kernel.corpus.subtasks.strings import sentences_with, text_argument
from famulus_kernel.corpus.subtasks.wording import amount, apart, period, say, sentences
from famulus_kernel.corpus.texts import page_url
from famulus_kernel.errors import UnboundInput

if TYPE_CHECKING:
    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.subtasks.sentences import TextQuestion
    from famulus_kernel.corpus.subtasks.wording import Words

SENTENCE: Final[Words] = {
    "de": "„{text}“ steht{period} in {sentences} aus {documents}.",
    "en": "“{text}” stands{period} in {sentences} of {documents}.",
}
LITERAL: Final[Words] = {
    "de": "Gesucht ist die Zeichenfolge „{text}“, wie sie dasteht (nach NFC){case}, auch als Teil eines Wortes.",
    "en": "The string “{text}” is looked for as it stands (after NFC){case}, inside words too.",
}
CASE: Final[dict[bool, Words]] = {
    True: {"de": ", ohne Rücksicht auf Groß- und Kleinschreibung", "en": ", whatever the case of its letters"},
    False: {"de": ", Groß- und Kleinschreibung unterschieden", "en": ", in the case it is written in"},
}


class SentenceMention:
    """Finds the sentences that hold a string."""

    name = "sentence-mention"
    files: tuple[File, ...] = ("letters", "texts")
    arguments = frozenset({"text", "ignore_case"})
    counts_lemmata = False

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`."""
        holdings, lang = question.holdings, question.lang
        text = text_argument(question, "text", self.name)
        ignore_case = question.arguments.get("ignore_case", False)
        if not isinstance(text, str):
            raise UnboundInput.bad_value("text", self.name, "a text")
        if not isinstance(ignore_case, bool):
            raise UnboundInput.bad_value("ignore_case", self.name, "true or false")
        holdings.demand_rows(SENTENCES)
        texts = text_question(question)
        findings = holdings.run(_findings(question, texts, text, ignore_case=ignore_case), "findings")
        counts = text_counts(question)
        years = period(question.scope, lang)
        sentence = say(
            SENTENCE,
            lang,
            text=text,
            period=years and f" {years}",
            sentences=amount(counts["n_sentences"], "sentence-dative", lang),
            documents=amount(counts["n_documents"], "document-dative", lang),
        )
        literal = say(LITERAL, lang, text=text, case=say(CASE[ignore_case], lang))
        labels = f"SELECT DISTINCT keyword AS label FROM {holdings.result('findings')} ORDER BY label"
        return Answer(
            counts=counts,
            sentence=sentences(sentence, apart(counts, lang)),
            method=(*text_rules(question, texts.persons), literal),
            findings=findings,
            labels=holdings.run(labels, "labels"),
            payloads=_kwic(question),
            by_document=by_document(holdings),
            is_empty=findings.n_rows == 0,
        )


def _kwic(question: Question) -> dict[str, Any]:
    if not question.wants("kwic"):
        return {}
    rows = (
        'SELECT evidence, collection, doc_id, page, "left", keyword, "right", text, url, pidx, sent_idx'
        f" FROM {question.holdings.result('findings')} WHERE time = 'certain'"
    )
    return {"kwic": {"rows": payload(question.holdings.run(rows, "entries"))}}


def _findings(question: Question, texts: TextQuestion, text: str, *, ignore_case: bool) -> str:
    scope, length = texts.scope, len(text)
    return f"""
WITH {question.holdings.place()},
h AS ({sentences_with(question, text, ignore_case=ignore_case)}),
{scope.found()}
SELECT 'sentence' AS kind, collection, evidence, doc_id, pidx, sent_idx, pidx + 1 AS page, text, {page_url()} AS url,
  text[:begins - 1] AS "left", text[begins:begins + {length} - 1] AS keyword, text[begins + {length}:] AS "right",
  time, m
FROM found JOIN place USING (m)
ORDER BY {question.holdings.order}doc_id, pidx, sent_idx
"""


SUBTASK = SentenceMention()
