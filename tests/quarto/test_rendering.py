"""Single pages, other formats, and the ways in which a page may be asked for."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from kernels import SLOW_SQL
from projects import REPOSITORY

from famulus_kernel.resources import kernelspec_dir

from .conftest import QuartoProject, fenced, new_project

pytestmark = pytest.mark.quarto

FORMATS = """---
title: Formate
format:
  gfm: default
  docx: default
  revealjs: default
---

## Eins

"""


def test_one_page_becomes_every_format_and_is_played_once(command: str, tmp_path: Path) -> None:
    project = new_project(command, tmp_path / "probe", config="")
    block = fenced("one", extra="rerun: always\noracle: {n: 1}")
    text = f"{FORMATS}{block}\n- {{{{< famulus gone tab >}}}}\n"
    project.write("a.fam", text)
    run = project.quarto("render", "a.fam")
    assert run.status == 1
    assert run.said.count("one v0001") == 1
    assert "v0002" not in run.said
    line = len(text.splitlines())
    assert project.problems(run) == [f"ERROR a.fam:{line}"], "one problem, however many formats"
    assert "**Wie viele?**" in project.page("a.md")
    assert (project.root / "a.docx").stat().st_size > 5000
    assert "famulus-cell" in project.page("a.html")


def test_typst_makes_a_pdf(command: str, tmp_path: Path) -> None:
    project = new_project(command, tmp_path / "probe", config="")
    project.write("a.fam", f"---\ntitle: T\n---\n\n{fenced('one')}")
    run = project.quarto("render", "a.fam", "--to", "typst")
    assert run.status == 0, run.said
    assert (project.root / "a.pdf").read_bytes().startswith(b"%PDF")


def test_a_page_that_is_sent_alone_holds_its_tables(command: str, tmp_path: Path) -> None:
    project = new_project(command, tmp_path / "probe", config="")
    project.write(
        "a.fam", f"---\ntitle: T\nformat:\n  html:\n    embed-resources: true\n    theme: none\n---\n\n{fenced('one')}"
    )
    assert project.quarto("render", "a.fam").status == 0
    page = project.page("a.html")
    assert re.search(r'href="data:text/csv;base64,[^"]+" download="tab.csv"', page)
    assert "_famulus/store" not in page


def test_a_book_has_its_chapters(command: str, tmp_path: Path) -> None:
    config = "project:\n  type: book\nbook:\n  title: Buch\n  chapters: [index.fam, zwei.fam]\nlang: de\n"
    project = new_project(command, tmp_path / "probe", config)
    project.write("index.fam", "---\ntitle: Vorwort\n---\n\nSiehe {{< famulus two tab value=rows.0.0 >}}.\n")
    project.write(
        "zwei.fam",
        "# Zwei\n\nSiehe @tbl-zwei.\n\n"
        + fenced("two", "SELECT 22 AS n", "oracle: {n: 22}")
        + "\n{{< famulus two tab label=tbl-zwei caption='Die Tabelle' >}}\n",
    )
    run = project.quarto("render")
    assert run.status == 0, run.said
    assert "Siehe <" in project.page("_book/index.html")
    reference = '<a href="#tbl-zwei" class="quarto-xref">Tabelle&nbsp;<span>2.1</span></a>'
    assert reference in project.page("_book/zwei.html"), "the artefact is a target"


def test_without_execution_the_store_is_shown(site: QuartoProject) -> None:
    site.write("index.fam", f"---\ntitle: T\n---\n\n{fenced('one')}")
    before = site.quarto("render", "--no-execute")
    assert before.status == 1
    assert site.problems(before) == ["ERROR index.fam:5"], "there is nothing to show yet"
    assert "v0001" not in before.said


def test_the_command_line_renders_what_the_store_holds(site: QuartoProject) -> None:
    site.write("index.fam", f"---\ntitle: T\n---\n\n{fenced('one')}")
    environment = {"QUARTO_PATH": site.command, "PYTHONPATH": str(REPOSITORY)}
    assert site.cli("render", ".", env=environment).status == 1, "nothing was played"
    assert site.cli("run", ".", env=environment).status == 0
    assert site.cli("render", ".", env=environment).status == 0
    assert "Wie viele?" in site.page("_site/index.html")
    assert not site.version("one", 2, notebook="index").exists()


def test_a_document_may_let_its_problems_pass(site: QuartoProject) -> None:
    site.write("index.fam", "---\ntitle: T\nfamulus: {on-error: warn}\n---\n\n{{< famulus gone tab >}}\n")
    run = site.quarto("render")
    assert run.status == 0
    assert site.problems(run) == ["WARN index.fam:6"]
    assert "famulus-box" in site.page("_site/index.html")


def test_two_sources_of_one_page_are_refused(site: QuartoProject) -> None:
    site.write("index.fam", "Text\n")
    site.write("index.qmd", "Text\n")
    run = site.quarto("render")
    assert run.status == 1
    assert "index.fam and index.qmd would be one page" in run.said
    assert "Stack trace" not in run.said


def test_a_page_without_a_python_says_so(site: QuartoProject) -> None:
    site.write("index.fam", "Text\n")
    run = site.quarto("render", QUARTO_PYTHON="/nowhere/python", VIRTUAL_ENV="", PATH="/usr/bin:/bin", PYTHONPATH="")
    assert run.status == 1
    assert "no Python with the package famulus_kernel" in run.said
    assert "/nowhere/python" in run.said
    assert "Stack trace" not in run.said


def test_the_check_of_quarto_and_its_calls_know_the_engine(site: QuartoProject) -> None:
    site.write("index.fam", fenced("one"))
    assert "duckdb:" in site.quarto("check", "famulus").said
    status = site.quarto("call", "engine", "famulus", "status")
    assert status.status == 1
    assert "missing" in status.said


@pytest.mark.parametrize("released", [False, True])
def test_quarto_add_installs_it_whole(command: str, tmp_path: Path, released: bool) -> None:
    project = QuartoProject(tmp_path / "project", command)
    project.write("_quarto.yml", "project:\n  type: website\n")
    project.write("index.fam", fenced("one"))
    source = str(REPOSITORY)
    if released:
        pack = [sys.executable, str(REPOSITORY / "release" / "extension_archive.py"), str(tmp_path / "dist")]
        source = subprocess.run(pack, capture_output=True, text=True, check=True).stdout.strip()
    assert project.quarto("add", source, "--no-prompt").status == 0
    run = project.quarto("render")
    assert run.status == 0, run.said
    assert "famulus-cell" in project.page("_site/index.html")


def test_a_pre_render_script_makes_the_pages_of_an_older_quarto(command: str, tmp_path: Path) -> None:
    config = "project:\n  type: website\n  pre-render: famulus-notebook qmd\n  render: ['*.qmd']\nfilters: [famulus]\n"
    project = new_project(command, tmp_path / "probe", config)
    block = fenced("one", extra="oracle: {n: {param: n}}")
    project.write("index.fam", f"---\ntitle: T\nparams: {{n: 1}}\n---\n\n{block}\n{{{{< famulus one tab >}}}}\n")
    project.write("schlecht.fam", f"---\ntitle: S\n---\n\n{fenced('bad', 'SELEC 1')}\nDanach.\n")
    shutil.copytree(kernelspec_dir(), tmp_path / "jupyter" / "kernels" / "famulus")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    run = project.quarto("render", JUPYTER_PATH=str(tmp_path / "jupyter"), PATH=path)
    assert run.status == 1, run.said
    assert "Block bad ended in an error" in run.said
    assert project.verdict("one", notebook="index")["status"] == "pass"
    assert project.version("one", notebook="index").is_dir(), "the block is that of the .fam notebook"
    page = project.page("_site/index.html")
    assert "Wie viele?" in page
    assert "SELECT 1 AS n" not in page
    assert "Made by" not in page
    bad = project.page("_site/schlecht.html")
    assert "famulus-box" in bad
    assert "Danach." in bad, "a block that fails stops no page"
    assert "Traceback" not in bad


def test_a_preview_shows_what_was_changed(site: QuartoProject) -> None:
    site.write("index.fam", f"---\ntitle: T\n---\n\n{fenced('one')}")
    preview = start(site, "preview", "--no-browser", "--port", "5781")
    try:
        wait_for(preview, lambda: "famulus-one" in fetch())
        site.write("index.fam", f"---\ntitle: T\n---\n\n{fenced('one', 'SELECT 4711 AS n', 'oracle: {n: 4711}')}")
        wait_for(preview, lambda: "4.711" in fetch())
    finally:
        stop(preview, signal.SIGINT)


def test_ctrl_c_ends_the_whole_render_and_leaves_no_half_version(site: QuartoProject) -> None:
    site.write("index.fam", fenced("slow", SLOW_SQL, extra=""))
    render = start(site, "render")
    drafts = site.version("slow", notebook="index").parent
    try:
        wait_for(render, lambda: drafts.is_dir() and any(place.is_dir() for place in drafts.iterdir()))
        time.sleep(1)
    finally:
        stop(render, signal.SIGINT)
    assert render.returncode != 0
    assert not [place for place in drafts.iterdir() if place.is_dir()]


def start(project: QuartoProject, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [project.command, *words],
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY), "QUARTO_PYTHON": sys.executable},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def stop(process: subprocess.Popen[bytes], how: signal.Signals) -> None:
    """Send a signal to all that a terminal would send it to, and wait until the last is gone."""
    os.killpg(process.pid, how)
    process.wait(30)
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.2)
    os.killpg(process.pid, signal.SIGKILL)
    pytest.fail("a process is left")


def fetch() -> str:
    try:
        with urllib.request.urlopen("http://localhost:5781/", timeout=5) as answer:
            page: str = answer.read().decode()
            return page
    except OSError:
        return ""


def wait_for(process: subprocess.Popen[bytes], holds: object) -> None:
    assert callable(holds)
    deadline = time.monotonic() + 90
    while not holds():
        assert process.poll() is None, "it ended of its own accord"
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.5)
