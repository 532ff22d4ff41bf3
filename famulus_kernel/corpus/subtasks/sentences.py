"""What the subtasks over texts share: their scope, their counts, their rules (spec 4.3, 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.corpus.persons import resolve
from famulus_kernel.corpus.subtasks.counting import by_evidence
from famulus_kernel.corpus.subtasks.wording import names, rule, scope_rules
from famulus_kernel.corpus.texts import SENTENCE, text_scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.persons import Person
    from famulus_kernel.corpus.subtasks.answer import Question
    from famulus_kernel.corpus.texts import TextScope

MOST_DOCUMENTS: Final = 1_000


@dataclass(frozen=True, slots=True)
class TextQuestion:
    """The texts that a question is about, and the persons whose letters they must be."""

    scope: TextScope
    persons: tuple[Person, ...]


def text_question(question: Question) -> TextQuestion:
    """Resolve the persons of a question about texts, and its scope."""
    persons = resolve(question.holdings, question.scope.persons)
    return TextQuestion(text_scope(question.holdings, question.scope, persons), persons)


def text_rules(question: Question, persons: Sequence[Person] = ()) -> tuple[str, ...]:
    """Return the rules of a question about texts in words."""
    lang, scope = question.lang, question.scope
    read = names((member.collection.name for member in question.holdings.members), lang)
    found = [rule("collections", lang, names=read)]
    found += [rule("evidence", lang)] if scope.evidence == "both" else []
    found += [rule("sentence", lang)]
    found += scope_rules(scope, lang)
    found += [rule("text-date", lang)] if scope.has_years else []
    found += [rule("language", lang, names=names(scope.languages, lang))] if scope.languages else []
    found += [rule("party", lang, names=names((one.name for one in persons), lang))] if persons else []
    return tuple(found)


def text_counts(question: Question, *, first: str | None = None) -> dict[str, int]:
    """Count findings, which have a `time`, with `first` as the name of their number; sentences and documents.

    With years, `n_possible` and `n_undated` are sentences that are counted apart.
    """
    holdings = question.holdings
    rows = holdings.ask(f"""
WITH sentences AS (
  SELECT evidence, m, doc_id, time, count(*) AS n FROM {holdings.result("findings")}
  GROUP BY evidence, {SENTENCE}, time)
SELECT evidence, coalesce(sum(n) FILTER (time = 'certain'), 0)::BIGINT, count(*) FILTER (time = 'certain'),
  count(DISTINCT (m, doc_id)) FILTER (time = 'certain'), count(*) FILTER (time = 'possible'),
  count(*) FILTER (time = 'undated') FROM sentences GROUP BY evidence
""")
    keys = (first or "", "n_sentences", "n_documents", "n_possible", "n_undated")
    counts = by_evidence({str(evidence): tuple(numbers) for evidence, *numbers in rows}, keys, holdings)
    apart = ("n_possible", "n_undated")
    return {
        key: number
        for key, number in counts.items()
        if key not in ("", "_secondary") and (question.scope.has_years or not key.startswith(apart))
    }


def sentence_labels(holdings: Holdings) -> str:
    """Return the query for what an oracle's list is compared with: lemmata asked for and counted."""
    findings = holdings.result("findings")
    return (
        f"SELECT DISTINCT label FROM (SELECT unnest(string_split(lemma, ', ')) AS label FROM {findings} UNION ALL"
        f" SELECT unnest(asked) FROM {findings}) WHERE label IS NOT NULL ORDER BY label"
    )


def by_document(holdings: Holdings) -> list[dict[str, Any]]:
    """Return the documents with most findings, and how many these are."""
    rows = holdings.ask(
        f"SELECT doc_id, count(*) AS n FROM {holdings.result('findings')} WHERE time = 'certain' AND doc_id IS NOT NULL"
        f" GROUP BY doc_id ORDER BY n DESC, doc_id LIMIT {MOST_DOCUMENTS}"
    )
    return [{"doc_id": document, "n_findings": number} for document, number in rows]
