"""A whole block from a question: the card says which plan, the question which scope; nothing is run."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.adapter.appending import append_blocks, free_id, notebook_name, taken_ids
from famulus_kernel.adapter.drafting.heard import heard
from famulus_kernel.adapter.drafting.keys import Key, preamble_of
from famulus_kernel.adapter.drafting.steps import ARTIFACT, DUCKDB_READ, artefact_keys, query_keys
from famulus_kernel.adapter.drafting.subtasks import subtask_keys
from famulus_kernel.adapter.drafting.years import spoken_years
from famulus_kernel.adapter.prepare import check
from famulus_kernel.cards.wording import folded, says_something
from famulus_kernel.corpus.subtasks import names as subtask_names
from famulus_kernel.errors import DraftError
from famulus_kernel.language.flow import in_one_line
from famulus_kernel.project.blocks import BrokenBlock, read_block

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from famulus_kernel.adapter.drafting.heard import Heard
    from famulus_kernel.cards.card import Card
    from famulus_kernel.project.project import Project

LONGEST_ID: Final = 48
_WORDS: Final = re.compile(r"[^\W_]+")
_SPELT: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


@dataclass(frozen=True, slots=True)
class Draft:
    """A block as it would be written.

    Attributes
    ----------
    file : Path
        The notebook.
    name : str
        Its name in the project.
    block : str
        The block's id.
    card : str
        The card that it plays.
    body : str
        What stands between the fences.
    guesses : mapping
        Key to the reason why its value may be another one.
    """

    file: Path
    name: str
    block: str
    card: str
    body: str
    guesses: Mapping[str, str]

    def write(self) -> None:
        """Append the block to its notebook; see :func:`famulus_kernel.adapter.appending.append_blocks`."""
        append_blocks(self.file, self.name, [self.body])

    def as_dict(self) -> dict[str, Any]:
        """Return the form that `--json` prints."""
        return {
            "file": self.name,
            "block": self.block,
            "card": self.card,
            "guesses": dict(self.guesses),
            "text": self.body,
        }


def draft(project: Project, question: str, card: Card, into: Path, oracle: Mapping[str, Any] | None = None) -> Draft:
    """Draft a block that asks a question with the plan of a card, and check it as `check` would.

    Parameters
    ----------
    into
        The notebook that it is for, absolute; need not be there.
    oracle
        The expected answer, where it is known.

    Raises
    ------
    DraftError
        The question does not say what the plan needs, or the card has no plan.
    ProjectError, CollectionError, MissingFile
        `into` is no notebook of the project; there are no collections.
    """
    name = notebook_name(project, into)
    said = heard(question)
    if not said.text:
        raise DraftError.of(card.id, "the question is empty", "ask something")
    block = free_id(_id_of(said), taken_ids(project))
    keys = [Key("id", block), *_keys(project, card, said)]
    if oracle:
        keys.append(Key("oracle", lines=tuple(f"  {in_one_line(key)}: {in_one_line(oracle[key])}" for key in oracle)))
    body = f"---\n{preamble_of(keys)}\n---\n{said.text}"
    read = read_block(
        body, notebook="draft", file=into, name=name, line=1, fence=None, defaults=project.config.defaults
    )
    if isinstance(read, BrokenBlock):
        raise read.error
    check(read, project)
    return Draft(into, name, block, card.id, body, {key.name: key.guess for key in keys if key.guess})


def _keys(project: Project, card: Card, said: Heard) -> Iterator[Key]:
    plan = card.plan
    if plan is None:
        raise DraftError.of(card.id, "the card has no plan", "add plan: to it, with a subtask or a partitur")
    if plan == DUCKDB_READ:
        return query_keys(project, said)
    if plan == ARTIFACT:
        return artefact_keys(project, said)
    if plan in subtask_names():
        return subtask_keys(project, plan, said)
    return _partitur_keys(plan, said)


def _partitur_keys(plan: str, said: Heard) -> Iterator[Key]:
    """Yield the keys of a block that plays a partitur of which nothing else is known."""
    years = spoken_years(said.bare)
    if years is not None:
        yield Key("years", years.as_dict(), f"the question names {years.words}" if years.is_guess else None)
    yield Key("partiturs", lines=(f"  - id: {in_one_line(plan)}",), guess="the partitur's inputs are not filled in")


def _id_of(said: Heard) -> str:
    """Return an id of what the question says, its first words that say something."""
    words = [word.translate(_SPELT).lower() for word in _WORDS.findall(said.text)]
    chosen = [word for word in words if says_something(folded(word))] or words or ["question"]
    made = ""
    for word in chosen:
        longer = f"{made}-{word}" if made else word[:LONGEST_ID]
        if len(longer) > LONGEST_ID:
            break
        made = longer
    return made
