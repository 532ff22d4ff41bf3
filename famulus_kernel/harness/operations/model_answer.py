"""`model.answer`: a model phrases what was found; it never counts (spec 3.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import UnboundInput
from famulus_kernel.harness.operations.model_call import ask
from famulus_kernel.harness.operations.operation import words

if TYPE_CHECKING:
    from famulus_kernel.harness.operations.operation import Stage


class ModelAnswer:
    """Gives `result` with an `answer` that a model wrote to `prompt`; every other field stays as it was counted."""

    name = "model.answer"
    version = 1

    def play(self, given: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
        """Return the fields of `result`, then `answer`: the model's text, cut and marked at `max_output_tokens`.

        Raises
        ------
        UnboundInput
            There is no `prompt`, or `result` is no mapping.
        FamulusError
            What :func:`ask` raises.
        """
        words(given, self.name, ("prompt", "result"), ("prompt",))
        result = given.get("result") or {}
        if not isinstance(result, Mapping):
            raise UnboundInput.bad_value("result", self.name, "the result of a stage: a mapping")
        return {**result, "answer": ask(stage, self.name, given["prompt"]).text}


OPERATION = ModelAnswer()
