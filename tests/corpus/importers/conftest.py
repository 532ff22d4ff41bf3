"""What tests of importers are given."""

from __future__ import annotations

from pathlib import Path

import pytest
from importing import Place


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Give a place for a collection and its files."""
    return Place(tmp_path)
