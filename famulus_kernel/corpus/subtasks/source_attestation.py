"""Subtask `source-attestation`: where a source is cited (spec 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.collection import ENTITIES, MENTIONS, SENTENCES
from famulus_kernel.corpus.persons import resolve
from famulus_kernel.corpus.sql import quoted
from famulus_kernel.corpus.subtasks.answer import Answer, Question
from famulus_kernel.corpus.subtasks.occurrences import lemmata_of, sentence_findings
from famulus_kernel.corpus.subtasks.payloads import listing
from famulus_kernel.corpus.subtasks.sentences import by_document, text_counts, text_question, text_rules
from famulus_kernel.corpus.subtasks.strings import sentences_with, text_argument
from famulus_kernel.corpus.subtasks.wording import amount, apart, names, period, say, sentences
from famulus_kernel.corpus.texts import SENTENCE as IDENTITY
from famulus_kernel.corpus.texts import page_url
from famulus_kernel.errors import UnboundInput, UnknownPerson

if TYPE_CHECKING:
    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.persons import Person
    from famulus_kernel.corpus.subtasks.wording import Words

SENTENCE: Final[Words] = {
    "de": "{source} ist{period} in {documents} belegt, in {sentences}.",
    "en": "{source} is attested{period} in {documents}, in {sentences}.",
}
AS_STRING: Final[Words] = {
    "de": "Belegt ist die Quelle, wo ein Satz die Zeichenfolge „{source}“ hat (nach NFC, wie sie dasteht).",
    "en": "The source is attested where a sentence has the string “{source}” (after NFC, as it stands).",
}
AS_PERSON: Final[Words] = {
    "de": "Belegt ist die Quelle, wo ein Satz {name} nennt (stz_entities) oder die Zeichenfolge „{source}“ hat.",
    "en": "The source is attested where a sentence names {name} (stz_entities) or has the string “{source}”.",
}
AS_LEMMATA: Final[Words] = {
    "de": "Belegt ist die Quelle, wo ein Satz alle Lemmata hat.",
    "en": "The source is attested where a sentence has all the lemmata.",
}
EXCERPTS: Final = 3
"""How many sentences an entry quotes; the findings have all of them."""


class SourceAttestation:
    """Lists the documents that cite a source: a person or work by name, a string, or lemmata that stand together."""

    name = "source-attestation"
    files: tuple[File, ...] = ("letters", "texts", "lemmata")
    arguments = frozenset({"source"})
    counts_lemmata = False

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`."""
        holdings, lang = question.holdings, question.lang
        source = text_argument(question, "source", self.name)
        holdings.demand_rows(SENTENCES)
        sql, rules = self._asked(question, source)
        findings = holdings.run(sql, "findings")
        entries = holdings.run(_entries(holdings), "entries")
        counts = _documents_first(text_counts(question))
        years = period(question.scope, lang)
        sentence = say(
            SENTENCE,
            lang,
            source=source if isinstance(source, str) else names(source, lang),
            period=years and f" {years}",
            documents=amount(counts["n_documents"], "document-dative", lang),
            sentences=amount(counts["n_sentences"], "sentence-dative", lang),
        )
        labels = f"SELECT DISTINCT doc_id AS label FROM {holdings.result('entries')} ORDER BY label"
        return Answer(
            counts=counts,
            sentence=sentences(sentence, apart(counts, lang)),
            method=rules,
            findings=findings,
            entries=entries,
            labels=holdings.run(labels, "labels"),
            payloads={"citation-list": {"rows": listing(entries)}},
            by_document=by_document(holdings),
            is_empty=findings.n_rows == 0,
        )

    def _asked(self, question: Question, source: Any) -> tuple[str, tuple[str, ...]]:
        """Return the query for the findings, and the rules."""
        lang = question.lang
        if isinstance(source, list | tuple) and all(isinstance(lemma, str) for lemma in source):
            found = lemmata_of(question, self.name, source)
            return (
                sentence_findings(question, found, together=True),
                (*text_rules(question, found.texts.persons), found.rule(question), say(AS_LEMMATA, lang)),
            )
        if not isinstance(source, str):
            raise UnboundInput.bad_value("source", self.name, "a name, a string, or a list of lemmata")
        person = _person(question.holdings, source)
        texts = text_question(question)
        words = (
            say(AS_STRING, lang, source=source)
            if person is None
            else say(AS_PERSON, lang, source=source, name=person.name)
        )
        rules = (*text_rules(question, texts.persons), words)
        found_at = sentences_with(question, source) if person is None else _naming(question, source, person)
        scope = texts.scope
        return (
            f"""
WITH {question.holdings.place()},
h AS ({found_at}),
{scope.found()}
SELECT 'sentence' AS kind, collection, evidence, doc_id, pidx, sent_idx, pidx + 1 AS page, text, {page_url()} AS url,
  time, m
FROM found JOIN place USING (m)
ORDER BY {question.holdings.order}doc_id, pidx, sent_idx
""",
            rules,
        )


def _person(holdings: Holdings, source: str) -> Person | None:
    """Return the person or body that the source's name means; None where none is called so."""
    if not (holdings.holds(ENTITIES) and holdings.holds(MENTIONS)):
        return None
    try:
        return resolve(holdings, [source])[0]
    except UnknownPerson:
        return None


def _naming(question: Question, source: str, person: Person) -> str:
    """Return the query for the sentences that name a person or hold a string, each once, in one reading of the texts.

    A mention whose sentence is not there is found too, unless the sentence would have to be in a language.
    """
    holdings, scope = question.holdings, question.scope
    join = "RIGHT JOIN" if scope.languages else "FULL JOIN"
    return f"""
SELECT {IDENTITY}, text FROM
  (SELECT DISTINCT {IDENTITY}, true AS is_named FROM {holdings.source(MENTIONS)}
   WHERE {person.among("ent_id")} AND {scope.documents_condition()})
{join} (SELECT {IDENTITY}, nfc_normalize(text) AS text FROM {holdings.source(SENTENCES)}
        WHERE {scope.documents_condition()} AND {scope.language_condition()}) USING ({IDENTITY})
WHERE is_named OR contains(text, nfc_normalize({quoted(source)}))
"""


def _entries(holdings: Holdings) -> str:
    return f"""
SELECT doc_id, collection, count(*) AS n_sentences, list(text ORDER BY pidx, sent_idx)[:{EXCERPTS}] AS excerpts,
  min_by(url, (pidx, sent_idx)) AS url, evidence
FROM {holdings.result("findings")} WHERE time = 'certain'
GROUP BY evidence, collection, doc_id ORDER BY {holdings.order}doc_id
"""


def _documents_first(counts: dict[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda item: not item[0].startswith("n_documents")))


SUBTASK = SourceAttestation()
