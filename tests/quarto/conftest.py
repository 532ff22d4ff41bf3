"""Quarto itself on projects with our extension; skipped where there is none."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from projects import REPOSITORY, ProjectFolder, read_block

from famulus_kernel.project.scaffold import copy_extension
from famulus_kernel.render.quarto import quarto_command

SITE = """\
project:
  type: website
website:
  title: Briefe
  sidebar:
    contents: auto
lang: de
filters: [famulus]
"""


def fenced(block: str, sql: str = "SELECT 1 AS n", extra: str = "oracle: {n: 1}") -> str:
    """Return a block in its fence."""
    return f"```{{famulus}}\n{read_block(block, sql, extra=extra).strip()}\n```\n"


@dataclass(frozen=True)
class Rendered:
    """How a command of Quarto ended, and what it said, colours left out."""

    status: int
    said: str


@dataclass(frozen=True)
class QuartoProject(ProjectFolder):
    """A project that Quarto renders."""

    command: str = ""

    def quarto(self, *words: str, **environment: str) -> Rendered:
        """Run a command of Quarto in the project's folder."""
        known = {"PYTHONPATH": str(REPOSITORY), "QUARTO_PYTHON": sys.executable}
        done = subprocess.run(
            [self.command, *words],
            cwd=self.root,
            env={**os.environ, **known, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=180,
            check=False,
        )
        return Rendered(done.returncode, re.sub(r"\x1b\[[0-9;]*m", "", done.stdout.decode(errors="replace")))

    def page(self, name: str) -> str:
        """Return a page that was written."""
        return (self.root / name).read_text(encoding="utf-8")

    def problems(self, rendered: Rendered) -> list[str]:
        """Return the places of the problems that were told, and how severe they are."""
        found = re.findall(r"^(ERROR|WARN): (?:WARNING: )?([^\s:]+\.(?:fam|qmd):\d+)", rendered.said, re.MULTILINE)
        return [f"{severity} {place}" for severity, place in found]


@pytest.fixture(scope="session")
def command() -> str:
    """Give the quarto to test with."""
    found = quarto_command()
    if found is None:
        pytest.skip("there is no quarto on PATH and none in QUARTO_PATH")
    return found


def new_project(command: str, root: Path, config: str = SITE) -> QuartoProject:
    """Make a project with the extension and a `_quarto.yml` (none for an empty text)."""
    project = QuartoProject(root, command)
    project.write("famulus.yml", "id: probe\n")
    if config:
        project.write("_quarto.yml", config)
    copy_extension(root)
    return project


@pytest.fixture
def site(command: str, tmp_path: Path) -> QuartoProject:
    """Give an empty website."""
    return new_project(command, tmp_path / "probe")
