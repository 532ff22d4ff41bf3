"""Subtask `concept-statements` (alias `statement-mention`): the sentences that speak of a concept (spec 4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.subtasks.answer import Answer, Question
from famulus_kernel.corpus.subtasks.occurrences import demand_lemmata, lemmata_of, sentence_findings
from famulus_kernel.corpus.subtasks.quoting import quotations
from famulus_kernel.corpus.subtasks.sentences import by_document, sentence_labels, text_counts, text_rules
from famulus_kernel.corpus.subtasks.wording import amount, apart, names, period, say, sentences

if TYPE_CHECKING:
    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.subtasks.wording import Words

SENTENCE: Final[Words] = {
    "de": "Von {lemmata} ist{period} in {sentences} aus {documents} die Rede.",
    "en": "The texts speak of {lemmata}{period} in {sentences} of {documents}.",
}


class ConceptStatements:
    """Collects the sentences that have one of the lemmata."""

    name = "concept-statements"
    files: tuple[File, ...] = ("letters", "texts", "lemmata")
    arguments: frozenset[str] = frozenset()
    counts_lemmata = True

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`."""
        holdings = question.holdings
        found = lemmata_of(question, self.name, question.scope.lemmata)
        findings = holdings.run(sentence_findings(question, found), "findings")
        demand_lemmata(holdings, found)
        counts = text_counts(question)
        years = period(question.scope, question.lang)
        sentence = say(
            SENTENCE,
            question.lang,
            lemmata=names(found.counted, question.lang),
            period=years and f" {years}",
            sentences=amount(counts["n_sentences"], "sentence-dative", question.lang),
            documents=amount(counts["n_documents"], "document-dative", question.lang),
        )
        answer = sentences(sentence, apart(counts, question.lang))
        return Answer(
            counts=counts,
            sentence=answer,
            method=(*text_rules(question, found.texts.persons), found.rule(question)),
            findings=findings,
            labels=holdings.run(sentence_labels(holdings), "labels"),
            payloads={"markdown": {"content": quotations(answer, findings, question.lang)}},
            by_document=by_document(holdings),
            notes={"lemmata": {asked: list(counted) for asked, counted in found.counted.items()}},
            is_empty=findings.n_rows == 0,
        )


SUBTASK = ConceptStatements()
