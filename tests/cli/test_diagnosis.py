from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from projects import ProjectFolder

if TYPE_CHECKING:
    from pathlib import Path

AS_OLDER = "project:\n  pre-render: famulus-notebook qmd\n  render: ['*.qmd']\n"


@pytest.mark.parametrize(
    ("version", "config", "said"),
    [
        ("1.3.450", "", "is too old; the extension needs 1.4"),
        ("1.8.25", "project:\n  type: website\n", "write under project: in _quarto.yml pre-render: famulus-"),
        ("1.8.25", AS_OLDER, "pages are made of .qmd files by pre-render"),
        ("1.9.0", "", "1.9.0 at"),
    ],
)
def test_the_doctor_says_what_each_quarto_needs(tmp_path: Path, version: str, config: str, said: str) -> None:
    project = ProjectFolder(tmp_path / "probe")
    project.write("famulus.yml", "id: probe\n")
    project.write("_quarto.yml", config)
    quarto = project.write("bin/quarto", f"#!/bin/sh\necho {version}\n")
    quarto.chmod(0o755)
    ran = project.cli("doctor", env={"QUARTO_PATH": str(quarto), "COLUMNS": "200"})
    assert said in " ".join(ran.out.split())
