"""Where lemmata stand: word by word, and sentence by sentence (spec 4.4)."""

# ruff: noqa: S608 - texts in this SQL are quoted, all else is ours

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.collection import LEMMA_INDEX, SENTENCES, TOKENS
from famulus_kernel.corpus.lemmata import counted_lemmata, demand_lemma
from famulus_kernel.corpus.scope import literals
from famulus_kernel.corpus.sql import quoted
from famulus_kernel.corpus.subtasks.sentences import text_question
from famulus_kernel.corpus.subtasks.wording import say
from famulus_kernel.corpus.texts import SENTENCE, page_url
from famulus_kernel.errors import UnboundInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from famulus_kernel.corpus.holdings import Holdings
    from famulus_kernel.corpus.subtasks.answer import Question
    from famulus_kernel.corpus.subtasks.sentences import TextQuestion
    from famulus_kernel.corpus.subtasks.wording import Words

MODES: Final[Mapping[str, Words]] = {
    "canonical": {
        "de": "Gezählt ist das Lemma allein: {counted}.",
        "en": "The lemma alone is counted: {counted}.",
    },
    "family": {
        "de": "Gezählt sind das Lemma und seine registrierten Varianten, ohne Adjektive: {counted}.",
        "en": "The lemma and its registered variants are counted, adjectives left out: {counted}.",
    },
    "family+adj": {
        "de": "Gezählt sind das Lemma, seine registrierten Varianten und die ihm zugeordneten Adjektive: {counted}.",
        "en": "The lemma, its registered variants and the adjectives registered to it are counted: {counted}.",
    },
}

MOST_SHARING: Final = 8
"""So many lemmata may have variants in common: every few of them are looked at."""

_ALL_LEMMATA: Final = "array_to_string(list(DISTINCT lemma ORDER BY lemma), ', ') AS lemma"


@dataclass(frozen=True, slots=True)
class Lemmata:
    """The lemmata of a question with what counts as each, and its texts."""

    counted: Mapping[str, tuple[str, ...]]
    texts: TextQuestion

    def rule(self, question: Question) -> str:
        """Return how lemmata are counted, in words."""
        mode = question.scope.counting_mode or "canonical"
        families = (lemma if one == (lemma,) else f"{lemma} ({', '.join(one)})" for lemma, one in self.counted.items())
        return say(MODES[mode], question.lang, counted="; ".join(families))


def lemmata_of(question: Question, subtask: str, lemmata: Sequence[str], *, least: int = 1) -> Lemmata:
    """Return the lemmata that a question counts.

    Raises
    ------
    UnboundInput
        It names fewer than `least`.
    CollectionError
        A collection has no lemma index, or an empty one.
    """
    asked = tuple(dict.fromkeys(unicodedata.normalize("NFC", lemma) for lemma in lemmata))
    if len(asked) < least:
        raise UnboundInput.bad_value("lemmata", subtask, f"at least {least} lemmata" if least > 1 else "a lemma")
    question.holdings.demand_rows(LEMMA_INDEX)
    mode = question.scope.counting_mode or "canonical"
    return Lemmata(counted_lemmata(question.holdings, asked, mode), text_question(question))


def demand_lemmata(holdings: Holdings, found: Lemmata) -> None:
    """Raise UnknownLemma where the findings lack a lemma, and the whole index does too."""
    present = {
        str(lemma) for (lemma,) in holdings.ask(f"SELECT DISTINCT unnest(asked) FROM {holdings.result('findings')}")
    }
    for asked, counted in found.counted.items():
        if asked not in present:
            demand_lemma(holdings, asked, counted)


def _hits(question: Question, found: Lemmata) -> str:
    """Return the CTEs up to `hits`: every word in scope whose lemma is counted, with its time."""
    pairs = ", ".join(
        f"({quoted(one)}, {quoted(asked)})" for asked, counted in found.counted.items() for one in counted
    )
    every = literals(dict.fromkeys(one for counted in found.counted.values() for one in counted))
    scope, holdings = found.texts.scope, question.holdings
    words = (
        f"SELECT m, doc_id, pidx, sent_idx, tid, lemma, upos FROM {holdings.source(LEMMA_INDEX)} AS h"
        f" WHERE lemma IN ({every})"
    )
    if scope.ctes:
        # How many words these are decides how letters and pages are best joined to them: they are counted first.
        holdings.run(words, "sums")
        words = f"FROM {holdings.result('sums')}"
    return f"""
WITH {holdings.place()},
wanted(lemma, asked) AS (SELECT lemma, list(asked ORDER BY asked) FROM (VALUES {pairs}) AS w(lemma, asked)
  GROUP BY lemma),
h AS ({words}),
{scope.ctes} hits AS (
  SELECT h.*, asked, {scope.time} AS time FROM h JOIN wanted USING (lemma) {scope.joins}
  WHERE {scope.condition} AND time IS NOT NULL)"""


def word_findings(question: Question, found: Lemmata, *, together: bool = False) -> str:
    """Return the query for one row a word, with what stands before and behind it in its sentence.

    With `together` one row a sentence that has all the lemmata, at the first word that is one of them. The word is
    looked for where the words before it leave it: a form that also stands earlier in the sentence, or inside another
    word, is not taken for it.
    """
    holdings = question.holdings
    kind = "sentence" if together else "attestation"
    return f"""{_hits(question, found)},
chosen AS ({_together(found) if together else "FROM hits"}),
words AS MATERIALIZED (
  SELECT m, doc_id, pidx, sent_idx, tid, form FROM {holdings.source(TOKENS)} SEMI JOIN chosen USING ({SENTENCE})),
keyed AS (SELECT chosen.*, form FROM chosen LEFT JOIN words USING ({SENTENCE}, tid)),
earlier AS (
  SELECT m, doc_id, pidx, sent_idx, k.tid,
    sum((length(w.form) - length(replace(w.form, k.form, ''))) // length(k.form))::INTEGER AS n
  FROM keyed k JOIN words w USING ({SENTENCE}) WHERE w.tid < k.tid AND k.form <> '' AND contains(w.form, k.form)
  GROUP BY ALL),
parted AS (
  SELECT keyed.*, text, coalesce(n, 0) AS n, CASE WHEN form <> '' THEN string_split(text, form) END AS parts
  FROM keyed {_sentence_join(question)} LEFT JOIN earlier USING ({SENTENCE}, tid)),
written AS (
  SELECT *, CASE WHEN len(parts) > n + 1
    THEN list_sum(list_transform(parts[:n + 1], lambda part: length(part))) + n * length(form) END AS before
  FROM parted)
SELECT '{kind}' AS kind, collection, evidence, doc_id, pidx, sent_idx, pidx + 1 AS page, text, {page_url()} AS url,
  text[:before] AS "left", coalesce(form, lemma) AS keyword, text[before + length(form) + 1:] AS "right", lemma, upos,
  asked, time, tid, m
FROM written JOIN place USING (m)
ORDER BY {holdings.order}doc_id, pidx, sent_idx, tid, lemma
"""


def sentence_findings(question: Question, found: Lemmata, *, together: bool = False) -> str:
    """Return the query for one row a sentence that has one of the lemmata, or all of them `together`."""
    having = _all_lemmata(found) if together else ""
    return f"""{_hits(question, found)},
grouped AS (
  SELECT m, doc_id, pidx, sent_idx, list(DISTINCT one ORDER BY one) AS asked, {_ALL_LEMMATA}, min(time) AS time
  FROM (SELECT *, unnest(asked) AS one FROM hits) GROUP BY {SENTENCE} {having}),
written AS (SELECT grouped.*, text FROM grouped {_sentence_join(question)})
SELECT 'sentence' AS kind, collection, evidence, doc_id, pidx, sent_idx, pidx + 1 AS page, text, {page_url()} AS url,
  lemma, asked, time, m
FROM written JOIN place USING (m)
ORDER BY {question.holdings.order}doc_id, pidx, sent_idx
"""


def _together(found: Lemmata) -> str:
    return (
        f"SELECT m, doc_id, pidx, sent_idx, min(tid) AS tid, {_ALL_LEMMATA}, min_by(upos, tid) AS upos,"
        " list(DISTINCT one ORDER BY one) AS asked, min(time) AS time FROM (SELECT *, unnest(asked) AS one FROM hits)"
        f" GROUP BY {SENTENCE} {_all_lemmata(found)}"
    )


def _all_lemmata(found: Lemmata) -> str:
    """Return the condition that a sentence has a word of its own for each lemma, and no word stands for two.

    Of lemmata that share words, any few need at least as many words: then each can be given one (Hall 1935).
    """
    often = Counter(word for words in found.counted.values() for word in words)
    sharing = [lemma for lemma, words in found.counted.items() if any(often[word] > 1 for word in words)]
    if len(sharing) > MOST_SHARING:
        raise UnboundInput.bad_value("lemmata", "cooccurrence", f"at most {MOST_SHARING} that share variants")
    some = (few for size in range(2, len(sharing) + 1) for few in combinations(sharing, size))
    apart = (f" AND count(DISTINCT tid) FILTER (one IN ({literals(few)})) >= {len(few)}" for few in some)
    return f"HAVING len(list(DISTINCT one)) = {len(found.counted)}{''.join(apart)}"


def _sentence_join(question: Question) -> str:
    """Return the join to the sentences: of some languages only, or all that there are."""
    sentences = f"(SELECT m, doc_id, pidx, sent_idx, lang, text FROM {question.holdings.source(SENTENCES)}"
    if question.scope.languages:
        return f"JOIN {sentences} WHERE {question.scope.language_condition()}) USING ({SENTENCE})"
    return f"LEFT JOIN {sentences}) USING ({SENTENCE})"
