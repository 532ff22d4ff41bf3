"""What an operation is, and what it is given when a stage plays it (spec 3.3).

A stranger's operation is an object with the members of :class:`Operation`, registered under its name in the entry-point
group `famulus.operations`; ours are registered the same way, and are found without installed metadata too.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from famulus_kernel.errors import UnboundInput

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from contextlib import ExitStack

    from famulus_kernel.harness.limits import Budget
    from famulus_kernel.harness.request import RunRequest, Surroundings
    from famulus_kernel.verdict import Measures


MOST_SHOWN: Final = 2_000
"""Characters of a value that a trace shows, where nothing is said; a stage records longer what it is about."""


@dataclass(slots=True)
class Offers:
    """What the stages of a run leave for whoever asked for it, beside their values.

    Attributes
    ----------
    payloads
        What the artefact of a kind is built from, by kind; a later offer replaces an earlier one.
    measures
        What an oracle may ask; None: the result's own `counts` and fields.
    is_empty
        Nothing was found.
    model
        The tag of the model that was really called; None: none was.
    """

    payloads: dict[str, Any] = field(default_factory=dict)
    measures: Measures | None = None
    is_empty: bool = False
    model: str | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage while it plays: where it stands in its run.

    Attributes
    ----------
    id
        Its id in the partitur.
    request
        The run.
    inputs
        What the partitur's inputs are bound to.
    values
        What the earlier stages gave, by id; None for one that `when` left out.
    record
        What the trace says of this stage: write into it what a reader of the trace wants to know (sql, prompt, answer,
        tokens), never a key or secret. Times, `with` and errors are written by the conductor.
    budget
        What the run may spend: `model_call`, `written`, `tool_call`, `seconds_left`, `check`.
    offers
        What the run leaves for artefacts and oracle.
    resources
        Entered by a stage, closed when the run ends.
    """

    id: str
    request: RunRequest
    inputs: Mapping[str, Any]
    values: Mapping[str, Any]
    record: dict[str, Any]
    budget: Budget
    offers: Offers
    resources: ExitStack

    @property
    def surroundings(self) -> Surroundings:
        """Where the run plays.

        Raises
        ------
        UnboundInput
            The request was made for a check only.
        """
        if self.request.surroundings is None:
            raise UnboundInput.of("surroundings", self.request.partitur)
        return self.request.surroundings


@runtime_checkable
class Operation(Protocol):
    """One operation.

    It may have two members more: `verbatim`, a collection of keys of `with` that are no templates (an SQL text), and
    what :class:`Checks` says.
    """

    name: str
    version: int
    """Counts up when the result for the same input changes."""

    def play(self, given: Mapping[str, Any], stage: Stage) -> Any:
        """Play a stage.

        Parameters
        ----------
        given
            The stage's `with`, templates replaced by what they mean.
        stage
            Where it stands.

        Returns
        -------
        JSON value
            What later stages find as `stages.<id>`; the last one's is the result of the run.

        Raises
        ------
        FamulusError
            Whatever stops it: the run ends there.
        """
        ...


@runtime_checkable
class Checks(Protocol):
    """An operation that sees before any data is opened what is wrong with a stage."""

    def accepts(self, given: Mapping[str, Any], inputs: Mapping[str, Any]) -> Collection[str]:
        """Return names of inputs that the operation knows beside those that the partitur declares."""
        ...

    def check(self, given: Mapping[str, Any], request: RunRequest) -> None:
        """Raise what is wrong; `given` lacks what depends on earlier stages, `request.inputs` are bound."""
        ...


def shown(value: Any, most: int = MOST_SHOWN) -> Any:
    """Return a value as the trace has it: itself where its JSON has `most` characters at most, else its beginning."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return value if len(text) <= most else f"({len(text)} characters) {text[:100]}…"


def words(given: Mapping[str, Any], operation: str, known: Collection[str], required: Collection[str] = ()) -> None:
    """Hold `with` to the words that an operation knows.

    Raises
    ------
    UnboundInput
        One is unknown (the nearest is offered) or missing.
    """
    for key in given:
        if key not in known:
            raise UnboundInput.unknown(key, operation, known)
    for key in required:
        if given.get(key) is None:
            raise UnboundInput.of(key, operation)
