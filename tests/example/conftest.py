"""The example's own build.py, and what it makes."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from types import ModuleType


@pytest.fixture(scope="session")
def build() -> ModuleType:
    """Load build.py of the example."""
    file = Path(__file__).parents[2] / "example-project" / "build.py"
    spec = importlib.util.spec_from_file_location("example_build", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def built(build: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the example's data in a folder of their own."""
    folder = tmp_path_factory.mktemp("example")
    build.build(folder)
    return folder
