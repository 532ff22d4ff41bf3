"""Subtask `correspondence-roster`: which partners (spec 4.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.subtasks.correspondence_count import answered
from famulus_kernel.corpus.subtasks.wording import names, say, sentences

if TYPE_CHECKING:
    from famulus_kernel.corpus.collection import File
    from famulus_kernel.corpus.subtasks.answer import Answer, Question
    from famulus_kernel.corpus.subtasks.wording import Words

FIRST: Final = 5
MOST: Final[Words] = {
    "de": "Die meisten Briefe gehören zu {names}.",
    "en": "Most letters belong to {names}.",
}


class CorrespondenceRoster:
    """Lists the partners of the person at the centre, those with most letters first; `direction` as in the count."""

    name = "correspondence-roster"
    files: tuple[File, ...] = ("letters",)
    arguments = frozenset({"direction"})
    counts_lemmata = False

    def answer(self, question: Question) -> Answer:
        """Answer a question; see `answer.Subtask`."""
        answer, listed = answered(question)
        first = [f"{one['name']} ({one['count']})" for one in listed[:FIRST]]
        most = say(MOST, question.lang, names=names(first, question.lang)) if first else ""
        return replace(answer, sentence=sentences(answer.sentence, most))


SUBTASK = CorrespondenceRoster()
