"""What a harness is asked and what it answers (spec 3.2)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from famulus_kernel.corpus import Attachment, Progress
    from famulus_kernel.harness.limits import Budget
    from famulus_kernel.harness.register import Register
    from famulus_kernel.verdict import Measures

Origin = Literal["input", "setting", "block", "famulus.yml", "default", "previous step"]
"""Who gave an input its value (spec 3.4)."""

Outcome = Literal["reached", "not-reached", "gap", "error"]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where a run plays: what of the project a harness needs to know, and nothing else of it.

    Parameters
    ----------
    collections : Path
        Root of the collections.
    folder : Path
        An empty folder for results; it is removed after the artefacts were built.
    names : mapping
        `schema:` of famulus.yml: table to {our column: the collection's column}.
    viewer : str or None
        Base of finding URLs.
    lang : str
        The document's language, BCP 47.
    progress : callable, optional
        Called while a query runs for longer than a second.
    root : Path, optional
        The project's folder, from which relative names in SQL start.
    attachments : tuple of Attachment
        What the block attaches to its SQL.
    files : tuple of Path
        The files that SQL may name; nothing else can be read.
    models : mapping
        The allowlist of famulus.yml: tag to {endpoint, provider, model, api_key_env}, each a text or None.
    institution : str or None
        MCP URL of the language institution.
    budget : Budget, optional
        The block's account; None: `limits` hold for this run alone.
    resolve : callable, optional
        Turns a path that the block names into a file it may read; raises a FamulusError for any other.
    record : dict
        The trace's record of this run. What a harness writes into it (`inputs`, `partitur`, `steps`) stays, however
        the run ends.
    """

    collections: Path
    folder: Path
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    viewer: str | None = None
    lang: str = "en"
    progress: Callable[[Progress], None] | None = None
    root: Path | None = None
    attachments: tuple[Attachment, ...] = ()
    files: tuple[Path, ...] = ()
    models: Mapping[str, Mapping[str, str | None]] = field(default_factory=dict)
    institution: str | None = None
    budget: Budget | None = None
    resolve: Callable[[str], Path] | None = None
    record: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RunRequest:
    """One run of one partitur.

    Parameters
    ----------
    goal_id : str
        The block's id.
    goal : str
        The instruction, placeholders replaced.
    partitur : str
        A register id, `id@version` or goal_path.
    model : str or None
        The block's `client`; None lets the harness take its default.
    inputs : mapping
        Inputs by name: scope keys, those of the setting, then the entries of `input`; a later one wins.
    origins : mapping
        Who gave each of them; a harness takes one that is missing for `input`.
    setting : path or None
        A setting file.
    limits : mapping
        Any of max_output_tokens, max_tool_calls, max_wall_seconds (seconds).
    kinds : frozenset of str, optional
        The kinds of artefacts that will be built of the result; None: nobody knows yet.
    surroundings : Surroundings or None
        None where a request is only checked.
    register : Register or None
        Where partituren are looked up; None: those that the package ships.
    """

    goal_id: str
    goal: str
    partitur: str
    model: str | None = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    origins: Mapping[str, Origin] = field(default_factory=dict)
    setting: Path | None = None
    limits: Mapping[str, float] = field(default_factory=dict)
    kinds: frozenset[str] | None = None
    surroundings: Surroundings | None = None
    register: Register | None = None


@dataclass(frozen=True, slots=True)
class RunResult:
    """What came of a run.

    Parameters
    ----------
    status : {"reached", "not-reached", "gap", "error"}
    result : mapping
        The contract object; `answer`, `method` and `counts` are known to reports.
    trace : tuple of mappings
        One record a step.
    usage : mapping
        What was spent.
    payloads : mapping
        What the artefacts of each kind are built from.
    measures : Measures or None
        What an oracle may ask; None: the fields of `result`.
    is_empty : bool
        Nothing was found.
    model : str or None
        The tag of the model that was really called.
    violations : tuple of str
        Of a run that is not reached: each clause of the contract that its result violates.
    """

    status: Outcome
    result: Mapping[str, Any]
    trace: tuple[Mapping[str, Any], ...] = ()
    usage: Mapping[str, float] = field(default_factory=dict)
    payloads: Mapping[str, Any] = field(default_factory=dict)
    measures: Measures | None = None
    is_empty: bool = False
    model: str | None = None
    violations: tuple[str, ...] = ()


class Harness(Protocol):
    """Plays partiturs. Others plug in through the entry-point group `famulus.harness`."""

    name: str

    def subtasks(self) -> tuple[str, ...]:
        """Return the subtasks that this harness knows, playable or not."""
        ...

    def check(self, request: RunRequest) -> None:
        """Raise the error that a run of this request would end with before its first step, or return."""
        ...

    def run(self, request: RunRequest) -> RunResult:
        """Play the request."""
        ...
