"""Which way the letters went that a question asks for: those that the person at the centre sent, or received."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, Literal

from famulus_kernel.adapter.drafting.heard import says

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.adapter.drafting.persons import SpokenPerson

Direction = Literal["sent", "received"]
_Role = Literal["writer", "addressee"]

_WROTE: Final = (
    r"schrieb\w*|schreibe?t|geschrieben\w*|schick\w*|geschickt\w*|sandte\w*|gesandt\w*|gesendet\w*|send(?:e|en|ete\w*)"
    r"|verschick\w*|versandt\w*|wrote|writes?|written|sent|sends?"
)
_GOT: Final = (
    r"bekam\w*|bekommen\w*|erhielt\w*|(?:hat|habe|haben|hatten?)\b(?:\s+\w+){0,8}?\s+erhalten|empfing\w*|empfangen\w*"
    r"|kriegt\w*|gekriegt"
    r"|received?|receives|got|gets?|gotten"
)
_PASSIVE: Final = r"wurden?|worden|werden|wird|(?:was|were|been)(?:\s+\w+){0,3}?\s+(?:written|sent)"
"""A passive: `wurden Pirckheimer geschickt` says by its verb alone of nobody that he wrote."""
_BOTH_WAYS: Final = (
    r"einander|gegenseitig|each other|one another|exchanged?|gewechselt\w*|wechsel\w*"
    r"|(?:von|from)\s+(?:und|oder|and|or)\s+(?:an|to)|(?:an|to)\s+(?:und|oder|and|or)\s+(?:von|from)"
)
_ASKS_WHO_WROTE: Final = rf"(?:wer|who)\s(?:.{{0,40}}?\s)?(?:{_WROTE})"
_ASKS_TO_WHOM: Final = r"whom?\s+did|wem|an wen|denen|whom|(?:wrote|writes?|written)\s+to(?=\W*\Z)"
_WORD: Final = re.compile(r"[^\W\d_]+")
_FROM: Final = frozenset({"von", "from", "by"})
_TO: Final = frozenset({"an", "to"})
_WHOM: Final = frozenset({"wen", "wem", "whom"})
"""What a preposition may belong to in the place of a name."""
_LETTERS: Final = re.compile(r"briefe?n?|schreiben|post|letters?|mail", re.IGNORECASE)
_REACH: Final = 3
"""How many words before a name its preposition may stand: `an seinen Freund Dürer`."""


def spoken_direction(question: str, spoken: Sequence[SpokenPerson], centre: str | None) -> Direction | None:
    """Return whether a question asks for what the person at the centre sent or received; None for both, or neither.

    `Wie viele Briefe schrieb Pirckheimer` asks for what he sent, `who wrote to Pirckheimer` for what he received, `wie
    oft schrieb Dürer an Pirckheimer` for what Pirckheimer received where he is the centre.

    Parameters
    ----------
    question
        Without quotations.
    spoken
        The persons that it names.
    centre
        The canonical name of the person at the centre, where it is one of these; None where nobody is named.
    """
    wrote, got = says(_WROTE, question), says(_GOT, question)
    if says(_BOTH_WAYS, question) or (wrote and got):
        return None
    subject: _Role | None = "writer" if wrote else "addressee" if got else None
    if wrote and says(_ASKS_WHO_WROTE, question) and not says(_ASKS_TO_WHOM, question):
        subject = "addressee"  # it asks for the writers, so whoever is named got the letters
    by_verb = None if says(_PASSIVE, question) else subject
    if not spoken:
        return _way(by_verb)
    roles = {one.canonical: _role(question, one, subject, by_verb) for one in spoken}
    own = roles.get(centre) if centre is not None else None
    shared = own is not None and any(role == own for name, role in roles.items() if name != centre)
    return None if shared else _way(own)


def _role(question: str, person: SpokenPerson, subject: _Role | None, by_verb: _Role | None) -> _Role | None:
    """Return what a person is by the preposition before the name, else by the verb."""
    before = [match[0].lower() for match in _WORD.finditer(question.partition(person.words)[0])]
    for at in range(len(before) - 1, max(-1, len(before) - 1 - _REACH), -1):
        if before[at] in _WHOM:
            break
        if before[at] in _TO:
            return "addressee"
        if before[at] in _FROM:
            of_letters = subject is not None or (at > 0 and _LETTERS.fullmatch(before[at - 1]))
            return "writer" if of_letters else None
    return by_verb


def _way(role: _Role | None) -> Direction | None:
    return None if role is None else "sent" if role == "writer" else "received"
