"""What a page must say of the collections that a block read: source, licence, credit (spec 4.1, 5.4)."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from famulus_kernel.project.reads import CREDIT_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CREDIT_KEYS = ("source", "licence", "credit", "cite", "url")
_log = logging.getLogger(__name__)


def credits_of(files: Iterable[Path]) -> list[dict[str, str]]:
    """Return the credits of the collections that a block read, each once, from their status.json among its files.

    One that cannot be read is logged and left out: a missing credit must not keep a result from being stored.
    """
    found: list[dict[str, str]] = []
    for status in (file for file in files if file.name == CREDIT_FILE):
        credit = _credit(status)
        if credit and credit not in found:
            found.append(credit)
    return found


def _credit(status: Path) -> dict[str, str]:
    try:
        data: Any = json.loads(status.read_bytes())
    except (OSError, ValueError) as error:
        _log.warning("%s cannot be read: %s", status, error)
        return {}
    if not isinstance(data, dict):
        return {}
    return {key: str(data[key]) for key in CREDIT_KEYS if isinstance(data.get(key), str) and data[key]}
