"""Subtask `terminology-find`: attestations of lemmata (spec 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.subtasks.answer import Answer, Question
from famulus_kernel.corpus.subtasks.occurrences import demand_lemmata, lemmata_of, word_findings
from famulus_kernel.corpus.subtasks.payloads import payload
from famulus_kernel.corpus.subtasks.sentences import by_document, text_counts, text_rules
from famulus_kernel.corpus.subtasks.wording import amount, apart, names, period, say, sentences

if TYPE_CHECKING:
    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.subtasks.wording import Words

SENTENCE: Final[Words] = {
    "de": "Für {lemmata} gibt es {attestations}{period}, in {sentences} und {documents}.",
    "en": "There are {attestations} of {lemmata}{period}, in {sentences} of {documents}.",
}


class TerminologyFind:
    """Finds every word whose lemma is asked for."""

    name = "terminology-find"
    files: tuple[File, ...] = ("letters", "texts", "lemmata")
    arguments: frozenset[str] = frozenset()
    counts_lemmata = True

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`."""
        holdings = question.holdings
        found = lemmata_of(question, self.name, question.scope.lemmata)
        findings = holdings.run(word_findings(question, found), "findings")
        demand_lemmata(holdings, found)
        counts = text_counts(question, first="n_occurrences")
        years = period(question.scope, question.lang)
        sentence = say(
            SENTENCE,
            question.lang,
            lemmata=names(found.counted, question.lang),
            period=years and f" {years}",
            attestations=amount(next(iter(counts.values())), "attestation", question.lang),
            sentences=amount(counts["n_sentences"], "sentence-dative", question.lang),
            documents=amount(counts["n_documents"], "document-dative", question.lang),
        )
        return Answer(
            counts=counts,
            sentence=sentences(sentence, apart(counts, question.lang)),
            method=(*text_rules(question, found.texts.persons), found.rule(question)),
            findings=findings,
            labels=holdings.run(keyword_labels(holdings), "labels"),
            payloads=kwic(question),
            by_document=by_document(holdings),
            notes={"lemmata": {asked: list(counted) for asked, counted in found.counted.items()}},
            is_empty=findings.n_rows == 0,
        )


def keyword_labels(holdings: Holdings) -> str:
    """Return the query for what an oracle's list is compared with: keywords and lemmata."""
    findings = holdings.result("findings")
    return (
        f"SELECT DISTINCT label FROM (SELECT keyword AS label FROM {findings} UNION ALL SELECT lemma FROM {findings}"
        f" UNION ALL SELECT unnest(asked) FROM {findings}) WHERE label IS NOT NULL ORDER BY label"
    )


def kwic(question: Question) -> dict[str, Any]:
    """Return what a kwic is built from, where one is asked for: the findings that are counted."""
    if not question.wants("kwic"):
        return {}
    both = "evidence, " if question.scope.evidence == "both" else ""
    rows = (
        f'SELECT {both}collection, doc_id, page, "left", keyword, "right", lemma, text, url, pidx, sent_idx'
        f" FROM {question.holdings.result('findings')} WHERE time = 'certain'"
    )
    return {"kwic": {"rows": payload(question.holdings.run(rows, "entries"))}}


SUBTASK = TerminologyFind()
