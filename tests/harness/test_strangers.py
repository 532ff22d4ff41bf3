"""A stranger's package: one harness, one operation, one subtask, installed by pip and found by their entry points."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from collections_made import Letter, make_collection
from projects import ProjectFolder

from famulus_kernel.harness.partitur import read_partitur
from famulus_kernel.harness.register_file import RegisterFile

PYPROJECT = """
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[project]
name = "fremdes"
version = "1"
[project.entry-points."famulus.harness"]
echo = "fremdes:Echo"
[project.entry-points."famulus.operations"]
"text.reverse" = "fremdes:Reverse"
"text.broken" = "fremdes:nothing_of_that_name"
"text.hollow" = "fremdes:HOLLOW"
[project.entry-points."famulus.subtasks"]
letter-days = "fremdes:LETTER_DAYS"
"""
CODE = """
from famulus_kernel.corpus.subtasks import Answer
from famulus_kernel.harness.request import RunResult

HOLLOW = object()


class Echo:
    name = "echo"

    def subtasks(self):
        return ()

    def check(self, request):
        pass

    def run(self, request):
        return RunResult("reached", {"answer": f"{request.partitur}: {request.goal}", "counts": {"n": 7}})


class Reverse:
    name = "text.reverse"
    version = 1

    def play(self, given, stage):
        stage.record["length"] = len(given["text"])
        return {"answer": given["text"][::-1], "counts": {"length": len(given["text"])}}


class LetterDays:
    name = "letter-days"
    files = ("letters",)
    arguments = frozenset({"least"})
    counts_lemmata = False

    def answer(self, question):
        found = question.holdings.run(
            f"SELECT DISTINCT date_when AS day FROM {_letters(question)} WHERE date_when IS NOT NULL ORDER BY day",
            "findings",
        )
        return Answer({"n_days": found.n_rows}, f"{found.n_rows} days", ("each day once",), found)


def _letters(question):
    from famulus_kernel.corpus.collection import TABLES

    return question.holdings.source(TABLES["letters_resolved"])


LETTER_DAYS = LetterDays()
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Install the package into a folder of its own and give the environment that has it."""
    source, site = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("site")
    (source / "pyproject.toml").write_text(PYPROJECT, encoding="utf-8")
    (source / "fremdes.py").write_text(CODE, encoding="utf-8")
    words = ["install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--no-compile"]
    command = [sys.executable, "-m", "pip", *words, "--target", str(site), str(source)]
    subprocess.run(command, check=True, timeout=120)
    return {"PYTHONPATH": os.pathsep.join([str(site), str(Path(__file__).parents[2])])}


def add(project: ProjectFolder, name: str, stage: str) -> None:
    text = f"id: {name}\nversion: 1\ngoal_path: fremd/{name}\ninputs: {{text: {{type: string}}}}\nstages: [{stage}]"
    project.write("famulus.yml", "id: probe\nregister: r.duckdb\n")
    RegisterFile(project.root / "r.duckdb").add([read_partitur(text.encode())])


def test_an_operation_of_a_stranger_plays_in_a_partitur(project: ProjectFolder, installed: dict[str, str]) -> None:
    add(project, "umkehren", "{id: a, op: text.reverse, with: {text: '{{ inputs.text }}'}}")
    plan = "partiturs: [{id: umkehren, input: {text: amor}, artefact: m}]\nartefacts: [{name: m, kind: markdown}]"
    oracle = "oracle: {length: 4, answer_contains: roma}"
    project.blocks("a.fam", f"---\nid: block\n{plan}\n{oracle}\n---\nWie rückwärts?")
    ran = project.cli("run", env=installed)
    assert ran.status == 0, ran.out + ran.err
    (step,) = project.cli("log", ".", "block", "--trace", "--json").json["steps"]
    assert step["steps"][0]["length"] == 4


@pytest.mark.parametrize(
    ("operation", "says"),
    [("text.broken", "nothing_of_that_name"), ("text.hollow", "has no name"), ("text.revers", "text.reverse")],
)
def test_an_operation_that_cannot_be_had_is_an_error_of_its_block(
    project: ProjectFolder, installed: dict[str, str], operation: str, says: str
) -> None:
    add(project, "kaputt", f"{{id: a, op: {operation}}}")
    project.blocks("a.fam", "---\nid: block\npartiturs: [{id: kaputt}]\n---\nWie?")
    assert project.cli("run", env=installed).status == 1
    error = project.verdict("block")["observed"]["error"]
    assert error["code"] == "partitur"
    assert says in f"{error['message']} {error['hint']}"


def test_a_harness_of_a_stranger_plays_what_only_it_knows(project: ProjectFolder, installed: dict[str, str]) -> None:
    project.write("famulus.yml", "id: probe\nharness: echo\n")
    plan = "partiturs: [{id: fern/plan, artefact: m}]\nartefacts: [{name: m, kind: report}]\noracle: {n: 7}"
    project.blocks("a.fam", f"---\nid: block\n{plan}\n---\nWas kommt zurück?")
    ran = project.cli("run", env=installed)
    assert ran.status == 0, ran.out + ran.err
    assert "fern/plan: Was kommt zurück?" in project.cli("show", ".", "block").out
    assert project.states() == {"block": "fresh"}


def test_a_subtask_of_a_stranger_is_asked_like_ours(project: ProjectFolder, installed: dict[str, str]) -> None:
    project.write("famulus.yml", "id: probe\ncollections_root: data\ncollections: [haus]\n")
    days = ("1520-05-03", "1520-05-03", "1521-01-01")
    letters = [Letter(f"L{number}", "w", "a", day) for number, day in enumerate(days)]
    persons = [("w", "Wirt", "person"), ("a", "Maler", "person")]
    make_collection(project.root / "data", "haus", letters=letters, persons=persons)
    project.blocks("a.fam", "---\nid: block\nsubtask: letter-days\noracle: {n_days: 2}\n---\nAn wie vielen Tagen?")
    ran = project.cli("run", env=installed)
    assert ran.status == 0, ran.out + ran.err
