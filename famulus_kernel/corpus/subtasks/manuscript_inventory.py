"""Subtask `manuscript-inventory`: manuscripts with date, extent and title (spec 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.collection import MANUSCRIPTS
from famulus_kernel.corpus.subtasks.answer import Answer, Question
from famulus_kernel.corpus.subtasks.counting import by_evidence
from famulus_kernel.corpus.subtasks.payloads import listing, payload
from famulus_kernel.corpus.subtasks.wording import amount, apart, names, period, rule, say, scope_rules, sentences
from famulus_kernel.corpus.texts import dated, page_url
from famulus_kernel.errors import UndatedCollection

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.subtasks.wording import Words

SENTENCE: Final[Words] = {
    "de": "Verzeichnet sind {manuscripts}{period} mit zusammen {pages}.",
    "en": "There are {manuscripts}{period}, with {pages} in all.",
}
RULE: Final[Words] = {
    "de": "Eine Handschrift ist eine Zeile von manuscripts; wo ihr Umfang fehlt, zählt sie zu den Seiten nichts bei.",
    "en": "A manuscript is a row of manuscripts; one without an extent adds nothing to the pages.",
}
HEADINGS: Final[Mapping[str, str]] = {
    "name": "title",
    "canonical": "signature",
    "count": "n_pages",
    "doc_ids": "doc_id",
}
"""What the fields of a roster are in a list of manuscripts."""


class ManuscriptInventory:
    """Lists the manuscripts of the collections."""

    name = "manuscript-inventory"
    files: tuple[File, ...] = ("letters",)
    arguments: frozenset[str] = frozenset()
    counts_lemmata = False

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`."""
        holdings, lang = question.holdings, question.lang
        source = holdings.source(MANUSCRIPTS)
        holdings.demand_rows(MANUSCRIPTS)
        if question.scope.has_years:
            _demand_dates(holdings, source)
        findings = holdings.run(_findings(question, source), "findings")
        entries = holdings.run(_entries(holdings), "entries")
        counts = _counted(holdings)
        years = period(question.scope, lang)
        sentence = say(
            SENTENCE,
            lang,
            period=years and f" {years}",
            manuscripts=amount(counts["n_manuscripts"], "manuscript", lang),
            pages=amount(counts["n_pages"], "page-dative", lang),
        )
        labels = (
            f"SELECT DISTINCT label FROM (SELECT unnest([name, canonical, doc_ids[1]]) AS label"
            f" FROM {holdings.result('entries')}) WHERE label IS NOT NULL ORDER BY label"
        )
        read = names((member.collection.name for member in holdings.members), lang)
        years_rule = () if question.scope.has_years else (rule("no-years", lang),)
        return Answer(
            counts=counts,
            sentence=sentences(sentence, apart(counts, lang) if question.scope.has_years else ""),
            method=(
                rule("collections", lang, names=read),
                say(RULE, lang),
                *scope_rules(question.scope, lang),
                *years_rule,
            ),
            findings=findings,
            entries=entries,
            labels=holdings.run(labels, "labels"),
            payloads={
                "roster-table": {"entries": listing(entries), "headings": HEADINGS},
                "timeline": {"events": payload(holdings.run(_events(holdings), "events"))},
            },
            is_empty=findings.n_rows == 0,
        )


def _demand_dates(holdings: Holdings, source: str) -> None:
    dated = {m for (m,) in holdings.ask(f"SELECT DISTINCT m FROM {source} WHERE date_when IS NOT NULL")}
    for member in holdings.members:
        if member.number not in dated:
            raise UndatedCollection.of(member.collection.name)


def _findings(question: Question, source: str) -> str:
    holdings, scope = question.holdings, question.scope
    return f"""
WITH {holdings.place()},
dated AS (
  SELECT *, {scope.time("first_day", "last_day")} AS time FROM {dated(holdings, source)}
  WHERE {scope.documents_condition()})
SELECT 'manuscript' AS kind, collection, evidence, doc_id, NULL::INTEGER AS pidx, NULL::INTEGER AS sent_idx,
  NULL::INTEGER AS page, title AS text, {page_url("NULL")} AS url, signature, date_when AS date, n_pages, time,
  first_day, last_day, m
FROM dated JOIN place USING (m) WHERE time IS NOT NULL
ORDER BY {holdings.order}first_day NULLS LAST, last_day NULLS LAST, signature, doc_id, title
"""


def _entries(holdings: Holdings) -> str:
    return f"""
SELECT coalesce(text, doc_id) AS name, signature AS canonical, []::VARCHAR[] AS variants, kind, date, n_pages AS count,
  1 AS n_docs, [doc_id] AS doc_ids, url, collection, evidence
FROM {holdings.result("findings")} WHERE time = 'certain'
"""


def _events(holdings: Holdings) -> str:
    return f"""
SELECT year(first_day) AS "from", year(last_day) AS "to", count(*) AS count FROM {holdings.result("findings")}
WHERE time = 'certain' AND first_day IS NOT NULL GROUP BY ALL ORDER BY ALL
"""


def _counted(holdings: Holdings) -> dict[str, int]:
    rows = holdings.ask(f"""
SELECT evidence, count(*) FILTER (time = 'certain'), coalesce(sum(n_pages) FILTER (time = 'certain'), 0)::BIGINT,
  count(*) FILTER (time = 'possible'), count(*) FILTER (first_day IS NULL AND last_day IS NULL)
FROM {holdings.result("findings")} GROUP BY evidence
""")
    keys = ("n_manuscripts", "n_pages", "n_possible", "n_undated")
    return by_evidence({str(evidence): numbers for evidence, *numbers in rows}, keys, holdings)


SUBTASK = ManuscriptInventory()
