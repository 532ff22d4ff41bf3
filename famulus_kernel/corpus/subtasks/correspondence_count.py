"""Subtask `correspondence-count`: how many partners, how many letters (spec 4.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.corpus.subtasks.answer import Answer, Question
from famulus_kernel.corpus.subtasks.exchange import Exchange, exchange, rules
from famulus_kernel.corpus.subtasks.partners import partners
from famulus_kernel.corpus.subtasks.wording import amount, apart, period, say, sentences, unnamed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.subtasks.wording import Words

SENTENCE: Final[Words] = {
    "de": "{centre} hatte {partners}{period}, in {letters} ({sent} gesandt, {received} empfangen).",
    "en": "{centre} had {partners}{period}, in {letters} ({sent} sent, {received} received).",
}
ONE_WAY: Final[dict[str, Words]] = {
    "sent": {
        "de": "{centre} sandte{period} {letters} an {partners}.",
        "en": "{centre} sent {letters} to {partners}{period}.",
    },
    "received": {
        "de": "{centre} empfing{period} {letters} von {partners}.",
        "en": "{centre} received {letters} from {partners}{period}.",
    },
}


class CorrespondenceCount:
    """Counts the partners and letters of the person at the centre; `direction` leaves those he sent, or received."""

    name = "correspondence-count"
    files: tuple[File, ...] = ("letters",)
    arguments = frozenset({"direction"})
    counts_lemmata = False

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`."""
        return answered(question)[0]


def answered(question: Question) -> tuple[Answer, Sequence[Mapping[str, Any]]]:
    """Return the answer in numbers, and the partners with most letters, of whom the roster tells more."""
    found = exchange(question)
    listed = partners(question, found)
    answer = Answer(
        counts=found.counts,
        sentence=sentence(question, found),
        method=rules(question, found),
        findings=found.findings,
        entries=listed.entries,
        labels=listed.labels,
        payloads=listed.payloads,
        notes=found.notes(),
        is_empty=found.is_empty,
    )
    return answer, listed.first


def sentence(question: Question, found: Exchange) -> str:
    """Return the numbers in a sentence, and in another what is counted apart."""
    lang, counts = question.lang, found.counts
    years = period(question.scope, lang)
    partner = "partner-dative" if found.direction == "received" else "partner"
    letter = "letter-dative" if found.direction is None else "letter"
    own = say(
        SENTENCE if found.direction is None else ONE_WAY[found.direction],
        lang,
        centre=found.centre.name,
        period=years and f" {years}",
        partners=amount(counts["n_correspondents"], partner, lang),
        letters=amount(counts["n_letters"], letter, lang),
        sent=format_number(counts["n_sent"], lang),
        received=format_number(counts["n_received"], lang),
    )
    return sentences(own, unnamed(counts, lang), apart(counts, lang) if question.scope.has_years else "")


SUBTASK = CorrespondenceCount()
