"""The trace of a run: what was done, with what, how long it took (spec 3.3, 3.4). Plain JSON, readable by a person.

Format 1: ``{format, block, started, steps: […]}``, a step being
``{id, op, started, duration_s, inputs: {name: {value, origin}}, …, error?}``. What else a step records (sql, rows,
columns, prompts) depends on its operation. Values keep the form in which the block wrote them, so that no path of a
machine gets in.
"""

from __future__ import annotations

import time
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import FamulusError

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT = 1


def utc_now() -> str:
    """Return the time as manifests, envelopes and traces write it: ISO 8601, UTC, milliseconds, `Z`."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Trace:
    """Collects the steps of one run."""

    def __init__(self, block: str) -> None:
        self.block = block
        self.started = utc_now()
        self.steps: list[dict[str, Any]] = []

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

    def as_dict(self) -> dict[str, Any]:
        """Return the value of trace.json."""
        return {"format": FORMAT, "block": self.block, "started": self.started, "steps": self.steps}
