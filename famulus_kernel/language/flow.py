"""Values as YAML in one line, as a person would write them in a preamble."""

from __future__ import annotations

import json
import re
from typing import Any, Final

_PLAIN: Final = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")
_RESERVED: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n", "inf", "nan"})


def in_one_line(value: Any) -> str:
    """Return a value as YAML in one line: JSON, with plain words unquoted where no reader takes them for else.

    What JSON does not have, such as a date, is written as its text.
    """
    if isinstance(value, dict):
        return "{" + ", ".join(f"{in_one_line(key)}: {in_one_line(one)}" for key, one in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(in_one_line, value)) + "]"
    if isinstance(value, str) and _PLAIN.match(value) and value.lower() not in _RESERVED:
        return value
    return json.dumps(value, ensure_ascii=isinstance(value, str) and not value.isprintable(), default=str)


def as_written(value: Any) -> str:
    """Return a value for a sentence about a preamble: a text as it is, all else as :func:`in_one_line`."""
    return value if isinstance(value, str) else in_one_line(value)
