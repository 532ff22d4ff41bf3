"""Quarto on an `.ipynb` that JupyterLab has written."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_notebook
from projects import read_block

pytest.importorskip("jupyter_server")

from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager

from famulus_kernel.lab.contents import with_notebooks
from famulus_kernel.resources import kernelspec_dir

from .conftest import QuartoProject

pytestmark = pytest.mark.quarto


def test_quarto_runs_a_notebook_as_jupyterlab_saves_it(command: str, tmp_path: Path) -> None:
    project = QuartoProject(tmp_path / "probe", command)
    project.write("famulus.yml", "id: probe\n")
    spec = {"name": "famulus", "display_name": "Famulus", "language": "famulus"}
    notebook = new_notebook(
        cells=[new_code_cell(read_block("one", "SELECT 4711 AS n", extra="oracle: {n: 4711}").strip())],
        metadata={"kernelspec": spec, "language_info": {"name": "famulus"}},
    )
    manager = with_notebooks(AsyncLargeFileManager)(root_dir=str(project.root))
    asyncio.run(manager.save({"type": "notebook", "format": "json", "content": notebook}, "a.ipynb"))
    shutil.copytree(kernelspec_dir(), tmp_path / "jupyter" / "kernels" / "famulus")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = project.quarto("render", "a.ipynb", "--execute", JUPYTER_PATH=str(tmp_path / "jupyter"), PATH=path)
    assert run.status == 0, run.said
    assert project.verdict("one")["status"] == "pass"
    assert "4711" in project.page("a.html").replace(".", "").replace(",", "")
