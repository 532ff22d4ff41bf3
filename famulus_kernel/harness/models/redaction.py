"""Keys never reach a trace, a message or a page, whatever a server does with the one it got (spec 3.5)."""

from __future__ import annotations

import os
from typing import Any, Final

MARK: Final = "(a key, left out)"
_NAMES: Final = ("_API_KEY", "_TOKEN", "_SECRET", "_SECRET_KEY", "_PASSWORD")
"""How variables end that hold what must not be told."""
_SHORTEST: Final = 8
"""A shorter value is no key; a text is not to be riddled with marks for the letter that somebody set in its place."""


def redacted(text: str, *more: str | None) -> str:
    """Return a text with every key of the environment, and each of `more`, replaced by a mark."""
    for secret in _secrets(more):
        text = text.replace(secret, MARK)
    return text


def redacted_json(value: Any, *more: str | None) -> Any:
    """Return a JSON value with :func:`redacted` texts, keys of objects among them."""
    if isinstance(value, str):
        return redacted(value, *more)
    if isinstance(value, dict):
        return {redacted(key, *more): redacted_json(inner, *more) for key, inner in value.items()}
    if isinstance(value, list):
        return [redacted_json(inner, *more) for inner in value]
    return value


def _secrets(more: tuple[str | None, ...]) -> list[str]:
    found = {value for name, value in os.environ.items() if name.upper().endswith(_NAMES)}
    found |= {value for value in more if value}
    return sorted((value for value in found if len(value) >= _SHORTEST), key=len, reverse=True)
