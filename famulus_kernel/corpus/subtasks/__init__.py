"""The subtasks (spec 4.4): one form of question each, registered by name.

A stranger's is an object with the members of `answer.Subtask`, registered in the entry-point group `famulus.subtasks`;
ours are registered the same way, and are found without installed metadata too.
"""

from __future__ import annotations

import importlib
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Final

from famulus_kernel.corpus.subtasks.answer import Answer, Question, Subtask
from famulus_kernel.errors import UnknownSubtask

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["ALIASES", "GROUP", "Answer", "Question", "Subtask", "names", "subtask"]

GROUP: Final = "famulus.subtasks"
ALIASES: Final[Mapping[str, str]] = {"statement-mention": "concept-statements"}
_OURS: Final = (
    "correspondence-count",
    "correspondence-roster",
    "letter-subject",
    "mention-in-letters",
    "terminology-find",
    "concept-statements",
    "source-attestation",
    "sentence-mention",
    "cooccurrence",
    "manuscript-inventory",
    "register-inventory",
    "entity-mention-count",
)


def names() -> tuple[str, ...]:
    """Return every registered name, aliases included: ours in the order of the language, then strangers'."""
    return tuple(dict.fromkeys((*_OURS, *ALIASES, *sorted(_strangers()))))


def subtask(name: str) -> Subtask:
    """Return the subtask of a name or alias.

    Raises
    ------
    UnknownSubtask
        None is registered under it.
    """
    name = ALIASES.get(name, name)
    if name in _OURS:
        ours: Subtask = importlib.import_module(f"{__name__}.{name.replace('-', '_')}").SUBTASK
        return ours
    if name not in _strangers():
        raise UnknownSubtask.of(name, names())
    strangers: Subtask = _strangers()[name].load()
    return strangers


@lru_cache(maxsize=1)
def _strangers() -> Mapping[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=GROUP) if point.name not in (*_OURS, *ALIASES)}
