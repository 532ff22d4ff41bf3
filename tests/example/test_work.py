"""The example as a work: its verdicts, and the promise of its first page that no number in the prose is typed in."""

from __future__ import annotations

import importlib.util
import re
import shutil
from pathlib import Path

import pytest

from famulus_kernel.adapter.runner import Outcome, Runner
from famulus_kernel.project.project import Project

EXAMPLE = Path(__file__).parents[2] / "example-project"
NOTEBOOKS = sorted(EXAMPLE.glob("*.fam"))
MEANT_TO_FAIL = "partner-1520-1530-aeltere-zahl"

NOT_PROSE = re.compile(
    r"\A---\n.*?\n---\n"  # front matter
    r"|^```.*?^```$"  # blocks
    r"|\{\{<.*?>\}\}"  # values and artefacts
    r"|\]\([^)]*\)|\{#[^}]*\}",  # targets of links, identifiers of headings
    re.DOTALL | re.MULTILINE,
)
NO_COUNT = re.compile(
    r"WPBw\\? \d+(?:(?:,| und)\s\d+)*"  # numbers of letters in the edition
    r"|\b(?:1[459]|20)\d\d\b"  # years
    r"|\bCC0\b"
)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    spec = importlib.util.spec_from_file_location("example_build", EXAMPLE / "build.py")
    assert spec is not None
    assert spec.loader is not None
    build = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(build)
    work = tmp_path_factory.mktemp("work")
    for file in [*NOTEBOOKS, EXAMPLE / "famulus.yml", EXAMPLE / "_quarto.yml"]:
        shutil.copy(file, work)
    build.build(work)
    project = Project.open(work)
    assert project.errors == ()
    return {outcome.block: outcome for outcome in Runner(project).run(project.selection())}


def test_every_block_passes_but_the_one_that_is_meant_to_fail(outcomes: dict[str, Outcome]) -> None:
    assert {block for block, outcome in outcomes.items() if outcome.status != "pass"} == {MEANT_TO_FAIL}
    assert outcomes[MEANT_TO_FAIL].status == "fail"


def test_every_block_is_compared_with_an_expectation(outcomes: dict[str, Outcome]) -> None:
    assert [block for block, outcome in outcomes.items() if not outcome.checked] == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_no_count_in_the_prose_is_typed_in(notebook: Path) -> None:
    prose = NO_COUNT.sub("", NOT_PROSE.sub("", notebook.read_text(encoding="utf-8")))
    assert re.findall(r"[^\n]*\d[^\n]*", prose) == []


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda file: file.stem)
def test_links_between_pages_lead_somewhere(notebook: Path) -> None:
    for page, heading in re.findall(r"\]\((\w+\.fam)(?:#([\w-]+))?\)", notebook.read_text(encoding="utf-8")):
        target = (EXAMPLE / page).read_text(encoding="utf-8")
        assert not heading or f"{{#{heading}}}" in target
