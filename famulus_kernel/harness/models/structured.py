"""Answers that fit a JSON Schema: how they are asked for, read, and asked for again (spec 3.5).

The schema stands in the prompt, so every server understands it, and the trace shows all that was asked.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.harness.contract import violations

if TYPE_CHECKING:
    from collections.abc import Mapping

RETRIES: Final = 2
"""How often a model is asked again for what fits."""

_FENCED: Final = re.compile(r"\A\s*(?:```|~~~)\w*[ \t]*\n(?P<body>.*)\n[ \t]*(?:```|~~~)\s*\Z", re.DOTALL)
_MOST_TOLD: Final = 10


@dataclass(frozen=True, slots=True)
class Reading:
    """What an answer is as JSON: `data`, or the `problem` that keeps it from being used."""

    data: Any = None
    problem: str = ""
    is_json: bool = True


def asked_for(prompt: str, schema: Mapping[str, Any]) -> str:
    """Return a prompt that asks for JSON of this schema."""
    written = json.dumps(schema, ensure_ascii=False, indent=2)
    wish = "Answer with one JSON value that fits this JSON Schema, and with nothing else:"
    return f"{prompt.rstrip()}\n\n{wish}\n\n{written}"


def asked_again(prompt: str, answer: str, problem: str) -> str:
    """Return a prompt that shows the model its answer and what is wrong with it."""
    wish = f"It cannot be used: {problem}\nAnswer again, with JSON only."
    return f"{prompt}\n\nYour last answer was:\n\n{answer}\n\n{wish}"


def read(answer: str, schema: Mapping[str, Any]) -> Reading:
    """Read an answer: one JSON value, bare or in a code fence, that fits the schema.

    Raises
    ------
    PartiturError
        The schema is none.
    """
    fenced = _FENCED.match(answer)
    try:
        data = json.loads(fenced["body"] if fenced else answer, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        return Reading(problem=f"it is not JSON ({error})", is_json=False)
    broken = violations(schema, data)
    return Reading(data, "; ".join(broken[:_MOST_TOLD]))


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")
