"""Subtask `letter-subject`: what letters are about, by the words that mark them out (spec 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from famulus_kernel.artefacts.markup import text as as_text
from famulus_kernel.corpus.collection import LEMMA_INDEX, LETTERS, SENTENCES
from famulus_kernel.corpus.persons import named_in, resolve
from famulus_kernel.corpus.subtasks.answer import Answer, Question
from famulus_kernel.corpus.subtasks.counting import by_evidence
from famulus_kernel.corpus.subtasks.exchange import demand_dates
from famulus_kernel.corpus.subtasks.payloads import listing, records
from famulus_kernel.corpus.subtasks.quoting import quotations
from famulus_kernel.corpus.subtasks.sentences import by_document, text_rules
from famulus_kernel.corpus.subtasks.wording import amount, apart, names, period, say, sentences
from famulus_kernel.corpus.texts import SENTENCE as IDENTITY
from famulus_kernel.corpus.texts import letter_texts, page_url

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.persons import Person
    from famulus_kernel.corpus.subtasks.wording import Words

SENTENCE: Final[Words] = {
    "de": "Es geht um {letters}{period} mit zusammen {sentences}.",
    "en": "There are {letters}{period}, with {sentences} in all.",
}
SUBJECT: Final[Words] = {
    "de": "Bezeichnend für sie sind die Wörter {terms}.",
    "en": "The words that mark them out are {terms}.",
}
RULE: Final[Words] = {
    "de": "Bezeichnend sind Substantive und Namen (upos NOUN, PROPN), die in diesen Briefen oft und in den übrigen "
    "Texten selten stehen: ihre Anzahl mal ln(1 + alle Dokumente / Dokumente mit dem Lemma).",
    "en": "Words mark letters out when they are nouns or names (upos NOUN, PROPN) that stand in them often and "
    "elsewhere rarely: their number times ln(1 + all documents / documents with the lemma).",
}
PARTIES: Final[Words] = {"de": "Nur Briefe von oder an {names}.", "en": "Only letters from or to {names}."}
TERMS: Final = 20
"""How many words the answer and the field `subject` name; the entries have all."""

_NUMBERS: Final = ("n_letters", "n_sentences", "n_possible", "n_undated", "n_uncertain")


class LetterSubject:
    """Tells what letters are about without reading them: by their words, and with their sentences."""

    name = "letter-subject"
    files: tuple[File, ...] = ("letters", "texts", "lemmata")
    arguments: frozenset[str] = frozenset()
    counts_lemmata = False

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`. All of the persons must be parties of a letter."""
        holdings, scope, lang = question.holdings, question.scope, question.lang
        holdings.demand_rows(LETTERS)
        holdings.demand_rows(SENTENCES)
        if scope.has_years:
            demand_dates(holdings)
        persons = resolve(holdings, scope.persons)
        if not persons and not scope.locked:
            persons = named_in(holdings, question.text)
        holdings.run(_letters(question, persons), "sums")
        findings = holdings.run(_findings(question), "findings")
        entries = holdings.run(_terms(holdings), "entries")
        counts = _counted(holdings)
        terms = [str(one["name"]) for one in records(entries, TERMS)]
        years = period(scope, lang)
        sentence = say(
            SENTENCE,
            lang,
            letters=amount(counts["n_letters"], "letter", lang),
            period=years and f" {years}",
            sentences=amount(counts["n_sentences"], "sentence-dative", lang),
        )
        subject = say(SUBJECT, lang, terms=names(terms, lang)) if terms else ""
        answer = sentences(sentence, subject, apart(counts, lang))
        parties = [say(PARTIES, lang, names=names((one.name for one in persons), lang))] if persons else []
        labels = f"SELECT DISTINCT name AS label FROM {holdings.result('entries')} ORDER BY label"
        return Answer(
            counts=counts,
            sentence=answer,
            method=(*text_rules(question), *parties, say(RULE, lang)),
            findings=findings,
            entries=entries,
            labels=holdings.run(labels, "labels"),
            payloads={
                "markdown": {"content": quotations(as_text(answer), findings, lang)},
                "roster-table": {"entries": listing(entries)},
            },
            fields={"subject": ", ".join(terms)},
            by_document=by_document(holdings),
            notes={"persons": [one.described() for one in persons]},
            is_empty=counts["n_letters"] == 0 and findings.n_rows == 0,
        )


def _letters(question: Question, persons: Sequence[Person]) -> str:
    """Return the query for the letters in scope, one row each."""
    scope = question.scope
    party = [f"({one.is_('sender_id')} OR {one.is_('recipient_id')})" for one in persons]
    every = " AND ".join(f"bool_or({one})" for one in party) or "true"
    some = " OR ".join(f"{one.among('sender_id')} OR {one.among('recipient_id')}" for one in persons) or "true"
    doubts = ["sender_basis", "recipient_basis", *(["date_basis"] if scope.has_years else [])]
    uncertain = " OR ".join(f"coalesce({basis} = 'uncertain', false)" for basis in doubts)
    documents = scope.documents_condition("t.doc_id")
    inside = (
        "" if scope.documents is None else f" SEMI JOIN (FROM letter_texts t WHERE {documents}) USING (m, letter_id)"
    )
    return f"""
WITH {question.holdings.place()},
{letter_texts(question.holdings)},
letters AS (
  SELECT m, letter_id, any_value(date_from) AS date_from, any_value(date_to) AS date_to, any_value(date_when) AS date,
    bool_or({uncertain}) AS uncertain
  FROM {question.holdings.source(LETTERS)}{inside}
  WHERE {some} GROUP BY m, letter_id HAVING {every})
SELECT m, letter_id, date_from, date_to, date, uncertain, {scope.time()} AS time,
  NOT (uncertain AND {str(scope.stated_only).lower()}) AS counts, evidence
FROM letters JOIN place USING (m) WHERE time IS NOT NULL
"""


def _findings(question: Question) -> str:
    """Return the query for the sentences of these letters."""
    holdings, scope = question.holdings, question.scope
    return f"""
WITH {holdings.place()},
{letter_texts(holdings, among=holdings.result("sums"))},
chosen AS (SELECT * EXCLUDE (evidence) FROM {holdings.result("sums")} JOIN letter_texts USING (m, letter_id)
  WHERE counts AND {scope.documents_condition()}),
pages AS (
  SELECT m, doc_id, pidx, min(letter_id) AS letter_id, min_by(date, letter_id) AS date,
    min_by(date_from, letter_id) AS day, min(time) AS time FROM chosen GROUP BY ALL),
read AS (SELECT m, doc_id, pidx, sent_idx, text FROM {holdings.source(SENTENCES)} WHERE {scope.language_condition()}),
found AS (
  SELECT read.*, letter_id, date, day, time FROM read JOIN pages USING (m, doc_id, pidx)
  UNION ALL
  SELECT read.*, letter_id, date, day, time FROM read JOIN (FROM pages WHERE pidx IS NULL) p USING (m, doc_id))
SELECT 'sentence' AS kind, collection, evidence, doc_id, pidx, sent_idx, pidx + 1 AS page, text, {page_url()} AS url,
  letter_id, date, time, m
FROM found JOIN place USING (m)
ORDER BY {holdings.order}day NULLS LAST, letter_id, doc_id, pidx, sent_idx
"""


def _terms(holdings: Holdings) -> str:
    """Return the query for the words of these sentences, those that mark them out first."""
    index = holdings.source(LEMMA_INDEX, optional=True)
    return f"""
WITH read AS (SELECT {IDENTITY}, evidence FROM {holdings.result("findings")} WHERE time = 'certain'),
own AS (
  SELECT evidence, lemma, min(upos) AS kind, count(*) AS count, count(DISTINCT (m, doc_id)) AS n_docs
  FROM {index} JOIN read USING ({IDENTITY}) WHERE upos IN ('NOUN', 'PROPN') AND lemma IS NOT NULL
  GROUP BY evidence, lemma),
spread AS (
  SELECT lemma, count(*) AS documents FROM (
    SELECT DISTINCT lemma, m, doc_id FROM {index} SEMI JOIN own USING (lemma)) GROUP BY lemma),
whole AS (SELECT count(*) AS documents FROM (SELECT DISTINCT m, doc_id FROM {holdings.source(SENTENCES)}))
SELECT own.lemma AS name, own.lemma AS canonical, kind, count, n_docs,
  round(count * ln(1 + whole.documents / spread.documents), 6) AS weight, evidence
FROM own JOIN spread USING (lemma), whole ORDER BY evidence, weight DESC, name
"""


def _counted(holdings: Holdings) -> dict[str, int]:
    rows = holdings.ask(f"""
WITH letters AS (
  SELECT evidence, count(*) FILTER (time = 'certain' AND counts) AS n, count(*) FILTER (time = 'possible' AND counts),
    count(*) FILTER (counts AND date_from IS NULL AND date_to IS NULL), count(*) FILTER (time = 'certain' AND uncertain)
  FROM {holdings.result("sums")} GROUP BY evidence),
sentences AS (
  SELECT evidence, count(*) AS sentences FROM {holdings.result("findings")} WHERE time = 'certain' GROUP BY evidence)
FROM letters LEFT JOIN sentences USING (evidence) SELECT evidence, n, sentences, letters.* EXCLUDE (evidence, n)
""")
    return by_evidence({str(evidence): numbers for evidence, *numbers in rows}, _NUMBERS, holdings)


SUBTASK = LetterSubject()
