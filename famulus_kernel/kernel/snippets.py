"""Whole blocks to begin with. They are those that the extension has for editors (`_snippets.json`), without stops."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from famulus_kernel.resources import extension_dir

if TYPE_CHECKING:
    from collections.abc import Mapping

FILE = "_snippets.json"
_STOP = re.compile(r"\$\{\d+(?::(?P<text>[^}]*)|\|(?P<first>[^,|}]*)[^|}]*\|)\}")


@lru_cache(maxsize=1)
def snippets() -> Mapping[str, str]:
    """Return blocks by the words that call them: the text of a cell, each stop filled with its first proposal."""
    listed = json.loads((extension_dir() / FILE).read_text(encoding="utf-8"))
    found: dict[str, str] = {}
    for snippet in listed.values():
        body = snippet["body"]
        if body[0].startswith("```"):
            text = "\n".join(body[1:-1])
            found |= dict.fromkeys(snippet["prefix"], _STOP.sub(lambda stop: stop["text"] or stop["first"] or "", text))
    return found
