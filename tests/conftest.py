"""What many tests are given."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import SHARED_DATA, ProjectFolder


@pytest.fixture
def project(tmp_path: Path) -> ProjectFolder:
    """Give an empty project with the id `probe`."""
    folder = ProjectFolder(tmp_path / "probe")
    folder.write("famulus.yml", "id: probe\n")
    return folder


@pytest.fixture
def shared_data() -> Path:
    """Give the folder of public test data; skip where it does not lie beside the checkout."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"the public test data is not there: {SHARED_DATA}")
    return SHARED_DATA
