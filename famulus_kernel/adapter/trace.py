"""The trace of a run: what was done, with what, how long it took (spec 3.3, 3.4). Plain JSON, readable by a person.

Format 1: ``{format, block, started, usage, steps: […]}``, a step being
``{id, op, started, duration_s, inputs: {name: {value, origin}}, …, error?}``. What else a step records (sql, rows,
columns; of a run its partitur, stages and contract) depends on its operation; docs/formats.md has the list. Values keep
the form in which the block wrote them, so that no path of a machine gets in.
"""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from famulus_kernel.artefacts.envelope import utc_now
from famulus_kernel.errors import FamulusError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from famulus_kernel.harness.limits import Budget

FORMAT = 1
MOST_KEPT = 100_000
"""Characters of JSON: a larger artefact of a run that ended in an error is named only."""


class Trace:
    """Collects the steps of one run."""

    def __init__(self, block: str) -> None:
        self.block = block
        self.started = utc_now()
        self.steps: list[dict[str, Any]] = []
        self.budget: Budget | None = None
        """The block's account, once it has one: the trace says what was spent."""

    @contextmanager
    def step(self, name: str, operation: str) -> Iterator[dict[str, Any]]:
        """Record a step: the caller fills the record; time and error are added here, also when it fails."""
        record: dict[str, Any] = {"id": name, "op": operation, "started": utc_now(), "duration_s": None}
        self.steps.append(record)
        began = time.perf_counter()
        try:
            yield record
        except FamulusError as error:
            record["error"] = error.as_dict()
            raise
        finally:
            record["duration_s"] = round(time.perf_counter() - began, 6)

    def keep(self, artefacts: Mapping[str, Any]) -> None:
        """Keep the data of artefacts, by name, that the version will not hold, for its run ended in an error."""
        for record in (made for step in self.steps for made in step.get("artefacts", ())):
            data = artefacts.get(record["name"])
            if len(json.dumps(data, default=str)) <= MOST_KEPT:
                record["data"] = data

    def as_dict(self) -> dict[str, Any]:
        """Return the value of trace.json."""
        usage = self.budget.usage() if self.budget is not None else {}
        return {"format": FORMAT, "block": self.block, "started": self.started, "usage": usage, "steps": self.steps}
