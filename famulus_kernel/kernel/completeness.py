"""Whether what stands in a console is a whole cell, or wants more lines (`is_complete_request`)."""

from __future__ import annotations

from typing import Literal

from famulus_kernel.errors import FamulusError
from famulus_kernel.kernel.cells import BlockCell, read_cell
from famulus_kernel.kernel.position import only_options, preamble_lines
from famulus_kernel.language.block import parse_block

Status = Literal["complete", "incomplete", "invalid"]


def completeness(code: str) -> Status:
    """Return "incomplete" while a preamble is open, "invalid" where it is no YAML or there is none, else "complete".

    Below a preamble the question is waited for; an empty line says that there is none.
    Whether the keys are known and their values fit is not a question of being complete: the run says that better.
    """
    if not isinstance(read_cell(code), BlockCell):
        return "complete"
    lines = code.split("\n")
    opening, closing = preamble_lines(lines)
    if only_options(lines) or (opening is not None and closing is None):
        return "incomplete"
    try:
        block = parse_block(code)
    except FamulusError:
        return "invalid"
    return "complete" if block.instruction or code.endswith("\n") else "incomplete"
