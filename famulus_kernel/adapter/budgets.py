"""What a block may spend (spec 3.6): its own `limits`, and below them what the card of its plan says."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any

from famulus_kernel.harness.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.project.blocks import Block


def limits_for(block: Block, card: Mapping[str, Any] | None = None) -> Limits:
    """Return the limits of a block; each of them is the block's own, else the card's, else none.

    Parameters
    ----------
    card
        The budget of the plan's capability card: any of max_output_tokens, max_tool_calls, max_wall_seconds.
    """
    own = block.preamble.limits.model_dump(exclude_none=True)
    given = {**(card or {}), **own}
    return Limits(**{one.name: given.get(one.name) for one in fields(Limits)})
