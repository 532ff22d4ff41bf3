"""`template.answer`: words round what was found, without a model (spec 3.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import UnboundInput

if TYPE_CHECKING:
    from famulus_kernel.harness.operations.operation import Stage


class TemplateAnswer:
    """Gives a result whose `answer` is `text`; `result` and every further entry of `with` become its fields."""

    name = "template.answer"
    version = 1

    def play(self, given: Mapping[str, Any], stage: Stage) -> dict[str, Any]:
        """Return the fields of `result`, then the other entries of `with`, then `answer`.

        Raises
        ------
        UnboundInput
            There is no `text`, and no `result` with an answer; or `result` is no mapping.
        """
        result = given.get("result") or {}
        if not isinstance(result, Mapping):
            raise UnboundInput.bad_value("result", self.name, "the result of a stage: a mapping")
        text = given.get("text", result.get("answer"))
        if text is None:
            raise UnboundInput.of("text", self.name)
        stage.record["model"] = "not called"
        further = {key: value for key, value in given.items() if key not in ("result", "text")}
        return {**result, **further, "answer": str(text)}


OPERATION = TemplateAnswer()
