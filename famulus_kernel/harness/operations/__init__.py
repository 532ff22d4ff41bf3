"""The operations that stages and steps are made of: their names, their versions, and where they are found.

A version counts up when the operation's result for the same input changes: blocks that used the older one become
stale (spec 2.5). A release that changes nothing of the result changes nothing here. `status` asks for versions only,
so nothing that plays is loaded by this module; :mod:`famulus_kernel.harness.operations.registry` finds what plays.
"""

from __future__ import annotations

DUCKDB_READ = "duckdb-read"
ARTIFACT_PREFIX = "artifact:"
INSTITUTION_PREFIX = "lwgrammar:"
SUBTASK_PREFIX = "subtask:"
GUARD = "guard"

STAGE_ONE = "ai-query-phase1"
"""The partitur that plays every subtask."""

STAGE_ONE_PATH = "query/historical/stage-one"
"""Its goal_path."""

VERSIONS: dict[str, int] = {
    DUCKDB_READ: 1,
    "artifact:report": 1,
    "artifact:table": 1,
    "artifact:markdown": 1,
    "artifact:json": 1,
    "artifact:figure": 1,
    GUARD: 1,
}


def is_stage_one(operation: str) -> bool:
    """Return whether a step plays a subtask: the partitur by its id, with or without version, or by its goal_path."""
    return operation.partition("@")[0] in (STAGE_ONE, STAGE_ONE_PATH)


def is_local(operation: str) -> bool:
    """Return whether the adapter plays an operation itself; every other is a partitur, and the harness plays it."""
    return operation in {DUCKDB_READ, GUARD} or operation.startswith((ARTIFACT_PREFIX, INSTITUTION_PREFIX))


def version_of(operation: str) -> int:
    """Return the version of an operation; a stranger's builder that declares none counts as 1."""
    return VERSIONS.get(operation, 1)
