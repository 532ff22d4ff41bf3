"""The language institution: our small server of it, its rules for texts, and the way to ask it (spec 3.9, 6.4)."""

from __future__ import annotations

from typing import Final

EMBEDDED: Final = "embedded"
"""`institution: embedded` of famulus.yml: the tools of this package, without a server and without the extra `mcp`."""

COLLECTION_TOOLS: Final = frozenset({"lw_sense_history", "lw_situate_specimen"})
"""Our tools that read collections."""
