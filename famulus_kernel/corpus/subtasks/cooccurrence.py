"""Subtask `cooccurrence`: sentences that have several lemmata (spec 4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.subtasks.answer import Answer, Question
from famulus_kernel.corpus.subtasks.occurrences import demand_lemmata, lemmata_of, word_findings
from famulus_kernel.corpus.subtasks.sentences import by_document, text_counts, text_rules
from famulus_kernel.corpus.subtasks.terminology_find import keyword_labels, kwic
from famulus_kernel.corpus.subtasks.wording import amount, apart, names, period, say, sentences

if TYPE_CHECKING:
    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.subtasks.wording import Words

SENTENCE: Final[Words] = {
    "de": "{lemmata} stehen{period} in {sentences} aus {documents} beisammen.",
    "en": "{lemmata} stand together{period} in {sentences} of {documents}.",
}
TOGETHER: Final[Words] = {
    "de": "Ein Satz zählt einmal, wenn er für jedes Lemma ein eigenes Wort hat: Ein Wort, das für zwei Lemmata gelten "
    "kann, steht nur für eines, und ein zweimal genanntes Lemma ist eines. Gezeigt wird das erste dieser Wörter in "
    "seiner Umgebung.",
    "en": "A sentence counts once when it has a word of its own for each of the lemmata: a word that may count as two "
    "of them stands for one only, and a lemma named twice is one. The first of these words is shown in its context.",
}
SEVERAL: Final = 2


class Cooccurrence:
    """Finds the sentences in which all lemmata stand."""

    name = "cooccurrence"
    files: tuple[File, ...] = ("letters", "texts", "lemmata")
    arguments: frozenset[str] = frozenset()
    counts_lemmata = True

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`."""
        holdings = question.holdings
        found = lemmata_of(question, self.name, question.scope.lemmata, least=SEVERAL)
        findings = holdings.run(word_findings(question, found, together=True), "findings")
        if not findings.n_rows:
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
        return Answer(
            counts=counts,
            sentence=sentences(sentence, apart(counts, question.lang)),
            method=(*text_rules(question, found.texts.persons), found.rule(question), say(TOGETHER, question.lang)),
            findings=findings,
            labels=holdings.run(keyword_labels(holdings), "labels"),
            payloads=kwic(question),
            by_document=by_document(holdings),
            notes={"lemmata": {asked: list(counted) for asked, counted in found.counted.items()}},
            is_empty=findings.n_rows == 0,
        )


SUBTASK = Cooccurrence()
