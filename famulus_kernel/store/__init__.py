"""The store: versions of blocks, written whole or not at all, read without locks (spec 2.3 to 2.6)."""

from __future__ import annotations

from famulus_kernel.store.manifest import Manifest, Verdict
from famulus_kernel.store.store import BlockStore, StoredVersion, version_name, version_number

__all__ = ["BlockStore", "Manifest", "StoredVersion", "Verdict", "version_name", "version_number"]
