"""The guard where a user meets it: in a cell, on the command line and on a page, with a real server and with none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from kernels import MIME, running_kernel
from projects import ProjectFolder
from servers import institution

if TYPE_CHECKING:
    from collections.abc import Iterator

    from kernels import RunningKernel

BLOCK = """---
id: {id}
partiturs:
  - {{id: duckdb-read, input: {{sql: SELECT 75 AS n}}}}
  - {{id: duckdb-read, artefact: satz, input: {{sql: "SELECT '{text}' AS text"}}}}
artefacts: [{{kind: table, name: satz}}]
guard: {{}}
oracle: {{text_contains: Briefe}}
---
Wie viele?"""


@pytest.fixture
def folder(tmp_path) -> ProjectFolder:
    folder = ProjectFolder(tmp_path / "probe")
    folder.write("famulus.yml", "id: probe\n")
    return folder


@pytest.fixture
def served(folder: ProjectFolder) -> Iterator[str]:
    with institution("--collections", str(folder.root), cwd=folder.root) as url:
        folder.write("famulus.yml", f"id: probe\ninstitution: {url}\n")
        yield url


@pytest.fixture
def kernel(folder: ProjectFolder, tmp_path) -> Iterator[RunningKernel]:
    with running_kernel(folder.root, tmp_path) as running:
        yield running


def test_a_project_is_run_and_rendered_against_a_server(folder: ProjectFolder, served: str) -> None:
    right, wrong = (
        BLOCK.format(id="gut", text="Es sind 75 Briefe."),
        BLOCK.format(id="schlecht", text="Es sind 76 Briefe."),
    )
    folder.write("a.fam", f"---\nlang: de\n---\n\n```{{famulus}}\n{right}\n```\n\n```{{famulus}}\n{wrong}\n```\n")
    ran = folder.cli("run", ".")
    assert ran.status == 1, ran.err
    assert folder.verdict("gut")["status"] == "pass"
    assert folder.verdict("schlecht")["observed"]["guard"]["server"] == served
    shown = folder.cli("show", "schlecht").out
    assert "✗ nicht alles belegt · geprüft: 1 · ohne Beleg: 1" in shown
    assert "Zahl: Es sind [76] Briefe. (Zeichen 9 bis 10)" in shown
    assert folder.cli("render", ".").status == 0
    page = (folder.root / "_site" / "a.html").read_text(encoding="utf-8")
    assert '<mark class="famulus-unsupported">76</mark>' in page
    assert "nicht alles belegt" in page


def test_a_cell_shows_what_has_no_support(folder: ProjectFolder, served: str, kernel: RunningKernel) -> None:
    answer = kernel.run(BLOCK.format(id="zelle", text="Es sind 76 Briefe."))
    assert answer.status == "ok"
    assert "[76]" in answer.data["text/plain"]
    assert '<mark class="famulus-unsupported">76</mark>' in answer.data["text/html"]
    assert answer.data[MIME]["card"]["marks"][0]["status"] == "fail"


def test_a_cell_whose_text_cannot_be_checked_shows_it_marked_and_ends_in_error(
    folder: ProjectFolder, kernel: RunningKernel
) -> None:
    folder.write("famulus.yml", "id: probe\ninstitution: http://127.0.0.1:9/mcp\n")
    answer = kernel.run(BLOCK.format(id="zelle", text="Es sind 75 Briefe."))
    assert answer.status == "error"
    assert "was not checked" in answer.reply["evalue"]
    shown = next(one for one in answer.outputs if MIME in one.get("content", {}).get("data", {}))["content"]["data"]
    assert "◐" in shown["text/plain"]
    assert "Es sind 75 Briefe." in shown["text/plain"]
