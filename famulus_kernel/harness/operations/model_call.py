"""One call of a model by a stage: within the run's budget, and told in the trace word for word (spec 3.5, 3.6)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import ModelTimeout, UnboundInput
from famulus_kernel.harness.models import Completion, Exchange, open_model
from famulus_kernel.harness.models.model import TIMEOUT_S

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.harness.operations.operation import Stage

RESERVED = frozenset({"counts", "entries", "findings"})
"""What never comes from a model."""


def ask(stage: Stage, operation: str, prompt: object, schema: Mapping[str, Any] | None = None) -> Completion:
    """Ask the block's model, else the default one; the text of the answer is cut and marked where the tokens end.

    The stage's record gets `model` and `exchanges`, the record of the run which model was called: also where it fails.

    Raises
    ------
    UnboundInput
        The prompt is no text.
    BudgetExceeded
        There is no token or no time left.
    FamulusError
        What :meth:`famulus_kernel.harness.models.Model.answer` raises.
    """
    if not isinstance(prompt, str) or not prompt.strip():
        raise UnboundInput.bad_value("prompt", operation, "a text")
    around, budget = stage.surroundings, stage.budget
    model = open_model(stage.request.model, around.models)
    tokens, seconds = budget.model_call(), budget.seconds_left()
    stage.offers.model = model.tag
    around.record.setdefault("model", {})["called"] = model.tag
    stage.record["model"] = {"tag": model.tag, "endpoint": model.endpoint}
    told = stage.record["exchanges"] = []
    texts: list[str] = []

    def note(exchange: Exchange) -> None:
        told.append(_told(exchange))
        texts.append(budget.written(exchange.text, exchange.spent))

    timeout = TIMEOUT_S if seconds is None else min(TIMEOUT_S, seconds)
    try:
        found = model.answer(prompt, schema=schema, max_tokens=tokens, timeout=timeout, on_exchange=note)
    except ModelTimeout:
        budget.check()  # where it was the block's own clock that ran out, that is what to say
        raise
    text = texts[-1]
    if found.is_cut and not text.endswith(budget.cut_mark()):
        text = f"{text.rstrip()} {budget.cut_mark()}"
    return found.with_text(text)


def _told(exchange: Exchange) -> dict[str, Any]:
    """Return an exchange as the trace has it."""
    told: dict[str, Any] = {
        "prompt": exchange.prompt,
        "answer": exchange.text,
        "tokens_in": exchange.tokens_in,
        "tokens_out": exchange.tokens_out,
        "seconds": exchange.seconds,
        "answered_by": exchange.model,
    }
    if exchange.is_cut:
        told["cut"] = True
    if exchange.problem:
        told["problem"] = exchange.problem
    return told
