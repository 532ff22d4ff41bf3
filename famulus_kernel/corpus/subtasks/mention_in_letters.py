"""Subtask `mention-in-letters`: who names a person, in letters to whom (spec 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.collection import LETTERS, MENTIONS
from famulus_kernel.corpus.persons import mentioned, resolve
from famulus_kernel.corpus.subtasks.answer import Answer, Question
from famulus_kernel.corpus.subtasks.counting import by_evidence
from famulus_kernel.corpus.subtasks.exchange import demand_dates
from famulus_kernel.corpus.subtasks.mentions import mentions_of
from famulus_kernel.corpus.subtasks.partners import described, document_ids, name_labels
from famulus_kernel.corpus.subtasks.payloads import listing, payload, records
from famulus_kernel.corpus.subtasks.sentences import by_document, text_rules
from famulus_kernel.corpus.subtasks.wording import amount, apart, names, period, say, sentences
from famulus_kernel.corpus.texts import SENTENCE as IDENTITY
from famulus_kernel.corpus.texts import letter_texts, page_url

if TYPE_CHECKING:
    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.persons import Person
    from famulus_kernel.corpus.subtasks.wording import Words

SENTENCE: Final[Words] = {
    "de": "{name} kommt{period} in {letters} vor, bei {writers}, mit zusammen {mentions}.",
    "en": "{name} is named{period} in {letters} by {writers}, with {mentions} in all.",
}
MOST: Final[Words] = {"de": "Am häufigsten schreiben davon {names}.", "en": "Most often it is {names}."}
RULE: Final[Words] = {
    "de": "Eine Nennung ist eine Zeile von stz_entities mit der ent_id von {name}; sie gehört zu dem Brief, dessen "
    "Text auf dieser Seite steht. Schreibende sind dessen Absender; Unbenannte sind keine.",
    "en": "A mention is a row of stz_entities with the ent_id of {name}; it belongs to the letter whose text stands on "
    "that page. Writers are the senders of that letter; the unnamed are none.",
}
TO: Final[Words] = {"de": "Nur Briefe an {names}.", "en": "Only letters to {names}."}
FIRST: Final = 5
_NUMBERS: Final = ("n_letters", "n_writers", "n_mentions", "n_possible", "n_undated", "n_uncertain")
_COUNTED: Final = "(time = 'certain' AND counts)"


class MentionInLetters:
    """Lists who names a person, and to whom they write it."""

    name = "mention-in-letters"
    files: tuple[File, ...] = ("letters", "texts")
    arguments: frozenset[str] = frozenset()
    counts_lemmata = False

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`. persons[0] is who is named, further ones are the addressees."""
        holdings, scope, lang = question.holdings, question.scope, question.lang
        holdings.demand_rows(LETTERS)
        holdings.demand_rows(MENTIONS)
        if scope.has_years:
            demand_dates(holdings)
        person = mentioned(holdings, scope, question.text)
        addressees = resolve(holdings, scope.persons[1:])
        findings = holdings.run(_findings(question, person, addressees), "findings")
        entries = holdings.run(_entries(holdings), "entries")
        counts = _counted(holdings)
        years = period(scope, lang)
        sentence = say(
            SENTENCE,
            lang,
            name=person.name,
            period=years and f" {years}",
            letters=amount(counts["n_letters"], "letter-dative", lang),
            writers=amount(counts["n_writers"], "writer-dative", lang),
            mentions=amount(counts["n_mentions"], "mention-dative", lang),
        )
        first = [f"{one['name']} ({one['count']})" for one in records(entries, FIRST)]
        to = [say(TO, lang, names=names((one.name for one in addressees), lang))] if addressees else []
        return Answer(
            counts=counts,
            sentence=sentences(
                sentence, say(MOST, lang, names=names(first, lang)) if first else "", apart(counts, lang)
            ),
            method=(*text_rules(question), say(RULE, lang, name=person.name), *to),
            findings=findings,
            entries=entries,
            labels=holdings.run(name_labels(holdings), "labels"),
            payloads={
                "roster-table": {
                    "entries": listing(entries, without=("ent_id",)),
                    "headings": {"count": "n_mentions"},
                },
                **_graph(question),
            },
            by_document=by_document(holdings),
            notes={"mentioned": person.described(), "addressees": [one.described() for one in addressees]},
            is_empty=findings.n_rows == 0,
        )


def _findings(question: Question, person: Person, addressees: tuple[Person, ...]) -> str:
    """Return the query for one row a sentence, letter, sender and addressee."""
    holdings, scope = question.holdings, question.scope
    to = " OR ".join(one.among("recipient_id", "l.m") for one in addressees) or "true"
    uncertain = "coalesce(sender_basis = 'uncertain' OR recipient_basis = 'uncertain', false)"
    if scope.has_years:
        uncertain = f"({uncertain} OR coalesce(date_basis = 'uncertain', false))"
    return f"""
WITH {holdings.place()},
h AS (
  SELECT {IDENTITY}, any_value(text) AS text, min(keyword) AS keyword, count(*) AS n
  FROM ({mentions_of(question, person)}) GROUP BY {IDENTITY}),
documents AS (SELECT DISTINCT m, doc_id FROM h),
{letter_texts(holdings, of="documents")},
inside AS (
  SELECT h.*, letter_id FROM h JOIN letter_texts t ON h.m = t.m AND h.doc_id = t.doc_id AND h.pidx = t.pidx
  UNION ALL
  SELECT h.*, letter_id FROM h JOIN letter_texts t ON h.m = t.m AND h.doc_id = t.doc_id WHERE t.pidx IS NULL),
found AS (
  SELECT i.*, sender_id, sender_name, recipient_id, recipient_name, date_when, date_from, date_to,
    {uncertain} AS uncertain, {scope.time()} AS time
  FROM inside i JOIN {holdings.source(LETTERS)} l ON i.m = l.m AND i.letter_id = l.letter_id WHERE {to})
SELECT 'mention' AS kind, collection, evidence, doc_id, pidx, sent_idx, pidx + 1 AS page, text, {page_url()} AS url,
  keyword, n AS n_mentions, letter_id, date_when AS date, time, uncertain,
  NOT (uncertain AND {str(scope.stated_only).lower()}) AS counts, sender_id, sender_name, recipient_id, recipient_name,
  date_from, date_to, m
FROM found JOIN place USING (m) WHERE time IS NOT NULL
ORDER BY {holdings.order}date_from NULLS LAST, letter_id, doc_id, pidx, sent_idx, sender_id, recipient_id
"""


def _entries(holdings: Holdings) -> str:
    findings = holdings.result("findings")
    return f"""
WITH {described(holdings)},
counted AS (FROM {findings} WHERE {_COUNTED} AND sender_id IS NOT NULL),
spots AS (SELECT DISTINCT evidence, sender_id, {IDENTITY}, n_mentions FROM counted),
spoken AS (SELECT evidence, sender_id, sum(n_mentions)::BIGINT AS count FROM spots GROUP BY ALL),
written AS (
  SELECT evidence, sender_id, min(sender_name) AS sender_name, count(DISTINCT (m, letter_id)) AS n_letters,
    count(DISTINCT doc_id) AS n_docs, {document_ids()} AS doc_ids,
    list(DISTINCT coalesce(to_whom.canonical, recipient_name) ORDER BY coalesce(to_whom.canonical, recipient_name))
      FILTER (coalesce(to_whom.canonical, recipient_name) IS NOT NULL) AS recipients
  FROM counted LEFT JOIN described to_whom ON recipient_id = to_whom.ent_id GROUP BY evidence, sender_id)
SELECT coalesce(canonical, sender_name, sender_id) AS name, canonical, coalesce(variants, []) AS variants, kind, count,
  n_docs, doc_ids, n_letters, recipients, evidence, sender_id AS ent_id
FROM written JOIN spoken USING (evidence, sender_id) LEFT JOIN described ON sender_id = ent_id
WHERE kind IS DISTINCT FROM 'unknown'
ORDER BY evidence, count DESC, name, ent_id
"""


def _counted(holdings: Holdings) -> dict[str, int]:
    findings = holdings.result("findings")
    rows: Any = holdings.ask(f"""
WITH letters AS (
  SELECT evidence, bool_or({_COUNTED}) AS counted, bool_or(time = 'possible' AND counts) AS possible,
    bool_or(counts AND date_from IS NULL AND date_to IS NULL) AS undated,
    bool_or(time = 'certain' AND uncertain) AS uncertain FROM {findings} GROUP BY evidence, m, letter_id),
sums AS (
  SELECT evidence, count(*) FILTER (counted) AS n, count(*) FILTER (possible), count(*) FILTER (undated),
    count(*) FILTER (uncertain) FROM letters GROUP BY evidence),
spots AS (SELECT DISTINCT evidence, {IDENTITY}, n_mentions FROM {findings} WHERE {_COUNTED}),
spoken AS (SELECT evidence, sum(n_mentions)::BIGINT AS mentions FROM spots GROUP BY evidence),
writers AS (SELECT evidence, count(*) AS writers FROM {holdings.result("entries")} GROUP BY evidence)
FROM sums LEFT JOIN spoken USING (evidence) LEFT JOIN writers USING (evidence)
SELECT evidence, n, writers, mentions, sums.* EXCLUDE (evidence, n)
""")
    return by_evidence({evidence: numbers for evidence, *numbers in rows}, _NUMBERS, holdings)


def _graph(question: Question) -> dict[str, Any]:
    """Return who wrote to whom of the person, where a graph is asked for."""
    if not question.wants("d3-graph"):
        return {}
    edges = (
        "SELECT sender_name AS source, recipient_name AS target, count(DISTINCT (m, letter_id)) AS weight"
        f" FROM {question.holdings.result('findings')} WHERE {_COUNTED} AND sender_name IS NOT NULL"
        " AND recipient_name IS NOT NULL GROUP BY ALL ORDER BY weight DESC, source, target"
    )
    return {"d3-graph": {"edges": payload(question.holdings.run(edges, "edges"))}}


SUBTASK = MentionInLetters()
