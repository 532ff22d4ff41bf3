"""The kernel in Jupyter's other programs: nbconvert to HTML and LaTeX, and the console, by lines and in a terminal."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from kernels import SLOW_SQL, kernel_manager, surroundings
from nbformat.v4 import new_code_cell, new_notebook
from projects import ProjectFolder, read_block
from terminals import terminal

BLOCK = read_block(
    "squares", "SELECT i AS n, i * i AS square FROM range(10) t(i)", extra="oracle: {n_rows: 10}"
).strip()
HOSTILE = r"SELECT '\input{x} & 100% $_^~#|<b>[a]' AS text, 'Καλλιέργης' AS name"
GRAPH = """---
id: net
partiturs:
  - {id: duckdb-read, input: {sql: "SELECT 'a' AS source, 'b' AS target"}, artefact: net}
artefacts: [{name: net, kind: d3-graph}]
---
Who?"""
INFO = {"kernelspec": {"name": "famulus", "display_name": "Famulus", "language": "famulus"},
        "language_info": {"name": "famulus", "pygments_lexer": "famulus"}}  # fmt: skip


def at_home(place: Path) -> dict[str, str]:
    """Return variables by which Jupyter's programs find the repository's kernelspec and write into a private folder."""
    kernel_manager(place)  # lays out the kernelspec
    return {"JUPYTER_PATH": str(place), "JUPYTER_RUNTIME_DIR": str(place / "runtime"), "HOME": str(place)}


def jupyter(project: ProjectFolder, place: Path, *words: str, stdin: str = "") -> str:
    """Run one of Jupyter's programs."""
    env = surroundings(**at_home(place))
    command = [sys.executable, "-m", *words]
    done = subprocess.run(
        command, cwd=project.root, env=env, input=stdin, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a notebook that nbconvert played: what is in order, what failed, what is hostile, what is wrong."""
    place = tmp_path_factory.mktemp("nbconvert")
    project = ProjectFolder(place / "probe")
    project.write("famulus.yml", "id: probe\n")
    cells = [
        new_code_cell(BLOCK),
        new_code_cell("squares.tab:n_rows"),
        new_code_cell(read_block("odd", HOSTILE, extra="oracle: {n_rows: 2}").strip()),
        new_code_cell(GRAPH),
        new_code_cell("nobody.tab", metadata={"tags": ["raises-exception"]}),
    ]
    nbformat.write(new_notebook(cells=cells, metadata=INFO), project.root / "work.ipynb")
    jupyter(project, place, "nbconvert", "--to", "notebook", "--execute", "--inplace", "work.ipynb")
    return project.root / "work.ipynb"


def with_pandoc(monkeypatch: pytest.MonkeyPatch) -> None:
    import pypandoc  # noqa: PLC0415 - slow to load

    folder = Path(pypandoc.get_pandoc_path()).parent
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder), os.environ["PATH"]]))


def test_nbconvert_plays_a_notebook_and_colours_its_cells(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from nbconvert import HTMLExporter, LatexExporter  # noqa: PLC0415 - slow to load

    page, _ = HTMLExporter().from_filename(str(played))
    assert page.count("highlight hl-famulus") == 5
    assert '<span class="nt">oracle</span>' in page
    assert "famulus-card" in page
    assert "passed" in page
    assert "<p>10</p>" in page

    with_pandoc(monkeypatch)
    text, _ = LatexExporter().from_filename(str(played))
    assert text.count(r"\begin{longtable}") == 5, "of two blocks the table and its oracle, of the graph the edges"
    assert r"\PY" in text, "cells are coloured"


def test_a_notebook_on_paper_has_tables_verdicts_and_errors(played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = shutil.which("kpsewhich") and subprocess.run(["kpsewhich", "ulem.sty", "booktabs.sty"], check=False)
    if not found or found.returncode or not shutil.which("xelatex") or not shutil.which("pdftotext"):
        pytest.skip("needs xelatex with the packages that nbconvert asks for, and pdftotext")
    from nbconvert import PDFExporter  # noqa: PLC0415 - slow to load

    with_pandoc(monkeypatch)
    pdf, _ = PDFExporter(latex_count=1).from_filename(str(played))
    command = ["pdftotext", "-layout", "-", "-"]
    said = subprocess.run(command, input=pdf, capture_output=True, check=True).stdout.decode()
    for words in ("failed", "passed", "10 rows", "Graph of 2 nodes", "no block nobody", r"\input{x} & 100% $_"):
        assert words in said, words


def test_the_console_answers_line_by_line(project: ProjectFolder, tmp_path: Path) -> None:
    project.blocks("a.fam", BLOCK)
    assert project.cli("run").status == 0
    lines = "squares.tab:n_rows\noracle?\n%status\nniemand.tab\n"
    said = jupyter(project, tmp_path, "jupyter_console", "--kernel", "famulus", "--simple-prompt", stdin=lines)
    assert re.search(r"Out\[1\]: 10\b", said)
    assert "The expected answer" in said
    assert "squares" in said
    assert "UnresolvedReference" in said or "no block niemand" in said


def test_papermill_gives_parameters(project: ProjectFolder, tmp_path: Path) -> None:
    block = read_block("squares", "SELECT i FROM range(4) t(i)", extra="oracle: {n_rows: {param: rows}}").strip()
    cells = [new_code_cell('%params {"rows": 9}', metadata={"tags": ["parameters"]}), new_code_cell(block)]
    nbformat.write(new_notebook(cells=cells, metadata=INFO), project.root / "work.ipynb")
    jupyter(project, tmp_path, "papermill", "work.ipynb", "out.ipynb", "-p", "rows", "4", "-p", "who", "Dürer & Söhne")
    played = nbformat.read(project.root / "out.ipynb", as_version=4)
    assert played.cells[1].source == '%params {"rows": 4, "who": "Dürer & Söhne"}'
    assert "passed" in played.cells[2].outputs[0]["data"]["text/plain"]


def typed(console: Any, *lines: str) -> None:
    """Type the lines of a cell, each but the last followed by the console's own wish for more."""
    for line in lines[:-1]:
        console.send(f"{line}\r")
        console.expect(r"\.\.\.: ")
    console.send(f"{lines[-1]}\r")


def plan(block: str, sql: str) -> tuple[str, ...]:
    """Return the lines of a cell without its question."""
    step = f"partiturs: [{{id: duckdb-read, input: {{sql: {sql}}}, artefact: tab}}]"
    return "---", f"id: {block}", step, "artefacts: [{name: tab, kind: table}]", "---"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_person_works_in_the_console(project: ProjectFolder, tmp_path: Path) -> None:
    words = ("-m", "jupyter_console", "--kernel", "famulus")
    env = {**at_home(tmp_path), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1"}
    with terminal(sys.executable, *words, cwd=project.root, **env) as console:
        console.expect(r"In \[.*1.*\]: ")
        for line in ("---", "id: squares"):
            console.send(f"{line}\r")
            console.expect(r"\.\.\.: ")
        console.send("subt\t")
        console.expect(r"subtask\S*:")
        console.send("\x15")  # the line is taken back
        typed(console, *plan("squares", "SELECT i * i AS square FROM range(4) t(i)")[2:], "Which?")
        console.expect("4 rows")
        console.expect(r"In \[.*2.*\]: ")
        typed(console, "nobody.tab")
        console.expect("no block nobody")
        console.expect(r"In \[.*3.*\]: ")
        typed(console, *plan("slow", SLOW_SQL.replace(",", " CROSS JOIN")), "How long?")
        console.expect(r"slow: .*1 s")
        console.sendintr()
        console.expect("Interrupted")
        console.expect(r"In \[.*4.*\]: ")
        typed(console, "squares.tab:rows.3.0")
        console.expect(r"Out\[[^\]]*4[^\]]*\][^\r\n]*9[\r\n]")
    with terminal(sys.executable, *words, cwd=project.root, **env) as console:
        console.expect(r"In \[.*1.*\]: ")
        console.send("\x1b[A")
        console.expect(r"squares\.tab:rows\.3\.0")
        console.send("\x1b[A")
        console.expect("How long")
        assert "did not respond" not in console.before
