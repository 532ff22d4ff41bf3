from __future__ import annotations

import sys
from pathlib import Path

import pytest

from famulus_kernel.store.store import BlockStore

sys.path.insert(0, str(Path(__file__).parent))  # for store_making, which child processes import as well


@pytest.fixture
def store(tmp_path: Path) -> BlockStore:
    return BlockStore(tmp_path / "project")
