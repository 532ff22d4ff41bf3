"""The parts of a preamble that can be read although another one is just being written."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import YamlError
from famulus_kernel.kernel.position import preamble_lines
from famulus_kernel.language.yaml import load_strict

if TYPE_CHECKING:
    from collections.abc import Mapping

_AT_MARGIN = re.compile(r"[^\s#\-]")


def section(code: str, key: str) -> Any:
    """Return the value of a top-level key of a cell's preamble; None where it is missing or not readable yet."""
    lines = code.split("\n")
    opening, closing = preamble_lines(lines)
    if opening is None:
        return None
    inside = lines[opening + 1 : closing]
    first = next((at for at, line in enumerate(inside) if re.match(rf"{re.escape(key)}[ \t]*:", line)), None)
    if first is None:
        return None
    last = next((at for at in range(first + 1, len(inside)) if _AT_MARGIN.match(inside[at])), len(inside))
    try:
        return load_strict("\n".join(inside[first:last])).value.get(key)
    except YamlError:
        return None


def mappings(value: Any) -> list[Mapping[str, Any]] | None:
    """Return the mappings of a list; None where it is none."""
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else None
