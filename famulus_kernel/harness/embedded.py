"""The harness that ships with famulus: it plays in this process, with no server and no model (spec 3.2).

It knows every subtask of the language by name, so that a misspelt one is told apart from one that is not played here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.errors import NotAvailable, UnknownSubtask

if TYPE_CHECKING:
    from famulus_kernel.harness.request import RunRequest, RunResult

STAGE_ONE = "ai-query-phase1"
"""The partitur that plays every subtask; its goal_path is query/historical/stage-one."""

SUBTASKS = (
    "correspondence-count",
    "correspondence-roster",
    "letter-subject",
    "mention-in-letters",
    "terminology-find",
    "concept-statements",
    "statement-mention",
    "source-attestation",
    "sentence-mention",
    "cooccurrence",
    "manuscript-inventory",
    "register-inventory",
    "entity-mention-count",
)
_PLAYS = "duckdb-read and artifact:<kind> steps; another harness is named in famulus.yml"


class EmbeddedHarness:
    """Refuses, by name and with the remedy, what it does not play."""

    name = "embedded"

    def subtasks(self) -> tuple[str, ...]:
        """Return the subtasks of the language (spec 4.4)."""
        return SUBTASKS

    def check(self, request: RunRequest) -> None:
        """Raise UnknownSubtask for a name the language does not have, NotAvailable for everything else."""
        subtask = request.inputs.get("subtask")
        if subtask is not None and subtask not in SUBTASKS:
            raise UnknownSubtask.of(str(subtask), SUBTASKS)
        what = f"subtask: {subtask}" if subtask is not None else request.partitur
        raise NotAvailable.of(what, self.name, _PLAYS)

    def run(self, request: RunRequest) -> RunResult:
        """Raise what :meth:`check` raises: there is nothing this harness plays by partitur yet."""
        self.check(request)
        raise NotAvailable.of(request.partitur, self.name, _PLAYS)
