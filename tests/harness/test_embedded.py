"""What the harness that ships with famulus plays, and what it refuses without looking at any data."""

from __future__ import annotations

from typing import Any

import pytest

from famulus_kernel.errors import FamulusError, MissingCountingMode, UnboundInput, UnknownPartitur, UnknownSubtask
from famulus_kernel.harness.registry import harness
from famulus_kernel.harness.request import RunRequest

COUNT = {"subtask": "correspondence-count", "collections": ["haus"]}


def request(partitur: str = "ai-query-phase1", **inputs: Any) -> RunRequest:
    return RunRequest("block", "Wie viele?", partitur, inputs=inputs)


@pytest.mark.parametrize(
    "partitur", ["ai-query-phase1", "ai-query-phase1@1", "ai-query-phase1@v1", "query/historical/stage-one"]
)
def test_a_subtask_is_played_by_the_partitur_or_its_goal_path(partitur: str) -> None:
    harness().check(request(partitur, **COUNT))


@pytest.mark.parametrize(
    ("asked", "error", "names"),
    [
        (request("query/modern", **COUNT), UnknownPartitur, "query/modern"),
        (request("ai-query-phase1@7", **COUNT), UnknownPartitur, "7"),
        (request(subtask="attestation", collections=["haus"]), UnknownSubtask, "attestation"),
        (request(collections=["haus"]), UnboundInput, "subtask"),
        (request(subtask="correspondence-count"), UnboundInput, "collections"),
        (request(**COUNT, text="x"), UnboundInput, "text"),
        (request(**COUNT, answer="loud"), UnboundInput, "answer"),
        (request(subtask="cooccurrence", collections=["haus"]), MissingCountingMode, "block"),
    ],
)
def test_what_is_wrong_with_a_request_is_told_before_any_data_is_opened(
    asked: RunRequest, error: type[FamulusError], names: str
) -> None:
    with pytest.raises(error) as found:
        harness().check(asked)
    assert names in str(found.value)
    with pytest.raises(error):
        harness().run(asked)
