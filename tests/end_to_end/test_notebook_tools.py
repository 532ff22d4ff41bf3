"""The kernel in Jupyter's other programs: nbconvert to HTML and LaTeX, and the console."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from kernels import kernel_manager, surroundings
from nbformat.v4 import new_code_cell, new_notebook
from projects import ProjectFolder, read_block

pytest.importorskip("nbconvert")

BLOCK = read_block(
    "squares", "SELECT i AS n, i * i AS square FROM range(10) t(i)", extra="oracle: {n_rows: 10}"
).strip()
INFO = {"kernelspec": {"name": "famulus", "display_name": "Famulus", "language": "famulus"},
        "language_info": {"name": "famulus", "pygments_lexer": "famulus"}}  # fmt: skip


def jupyter(project: ProjectFolder, place: Path, *words: str, stdin: str = "") -> str:
    """Run one of Jupyter's programs; it finds the repository's kernelspec and writes into a private folder."""
    kernel_manager(place)  # lays out the kernelspec
    env = surroundings(JUPYTER_PATH=str(place), JUPYTER_RUNTIME_DIR=str(place / "runtime"), HOME=str(place))
    command = [sys.executable, "-m", *words]
    done = subprocess.run(
        command, cwd=project.root, env=env, input=stdin, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def test_nbconvert_plays_a_notebook_and_colours_its_cells(
    project: ProjectFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = [new_code_cell(BLOCK), new_code_cell("squares.tab:n_rows")]
    nbformat.write(new_notebook(cells=cells, metadata=INFO), project.root / "work.ipynb")
    jupyter(project, tmp_path, "nbconvert", "--to", "notebook", "--execute", "--inplace", "work.ipynb")
    from nbconvert import HTMLExporter, LatexExporter  # noqa: PLC0415 - slow to load

    page, _ = HTMLExporter().from_filename(str(project.root / "work.ipynb"))
    assert page.count("highlight hl-famulus") == 2
    assert '<span class="nt">oracle</span>' in page
    assert "famulus-card" in page
    assert "passed" in page
    assert "<p>10</p>" in page

    pypandoc = pytest.importorskip("pypandoc")
    folder = Path(pypandoc.get_pandoc_path()).parent
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder), os.environ["PATH"]]))
    text, _ = LatexExporter().from_filename(str(project.root / "work.ipynb"))
    assert "longtable" in text
    assert r"\PY" in text, "cells are coloured"


def test_the_console_answers_line_by_line(project: ProjectFolder, tmp_path: Path) -> None:
    pytest.importorskip("jupyter_console")
    project.blocks("a.fam", BLOCK)
    assert project.cli("run").status == 0
    lines = "squares.tab:n_rows\noracle?\n%status\nniemand.tab\n"
    said = jupyter(project, tmp_path, "jupyter_console", "--kernel", "famulus", "--simple-prompt", stdin=lines)
    assert re.search(r"Out\[1\]: 10\b", said)
    assert "The expected answer" in said
    assert "squares" in said
    assert "UnresolvedReference" in said or "no block niemand" in said
