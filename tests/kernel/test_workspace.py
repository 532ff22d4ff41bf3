"""The project around a cell: when it is read again, and which text of a block holds."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest
from projects import ProjectFolder, read_block

from famulus_kernel.errors import BadCommand, DuplicateId, PreambleError, ProjectError
from famulus_kernel.kernel.commands import run_command
from famulus_kernel.kernel.desk import Desk
from famulus_kernel.kernel.frontend import Frontend
from famulus_kernel.kernel.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

ONE = read_block("one", "SELECT 1 AS n")


def settle(*files: Path) -> None:
    """Let files look as if nobody had touched them for a minute."""
    for file in files:
        os.utime(file, (time.time() - 60, time.time() - 60))


def workspace(project: ProjectFolder, notebook: str | None = None) -> Workspace:
    environ = {"JPY_SESSION_NAME": str(project.root / notebook)} if notebook else {}
    made = Workspace(environ, project.root)
    made.turn_to(None)
    return made


def test_a_project_is_kept_while_its_files_stay_as_they_are(project: ProjectFolder) -> None:
    file = project.blocks("a.fam", ONE)
    settle(file, project.root / "famulus.yml")
    here = workspace(project)
    first = here.project()
    assert here.project() is first
    project.blocks("sub/b.fam", read_block("two", "SELECT 2 AS n"))
    assert set(here.project().blocks) == {"one", "two"}
    project.write("famulus.yml", "id: other\n")
    assert here.project().id == "other"
    file.unlink()
    assert set(here.project().blocks) == {"two"}


def test_a_file_that_was_just_written_is_not_trusted_to_be_at_rest(project: ProjectFolder) -> None:
    file = project.blocks("a.fam", ONE)
    here = workspace(project)
    assert here.project().blocks["one"].source.instruction == "Wie viele?"
    stamp = file.stat().st_mtime_ns
    file.write_text(file.read_text(encoding="utf-8").replace("viele", "wenig"), encoding="utf-8")
    os.utime(file, ns=(stamp, stamp))
    assert here.project().blocks["one"].source.instruction == "Wie wenig?"


def test_a_cell_that_is_as_the_disk_has_it_is_the_block_there(project: ProjectFolder) -> None:
    project.write("a.fam", f"Text.\n\n```{{famulus}}\n{ONE}```\n")
    here = workspace(project, "a.fam")
    _, block = here.with_cell("\n" + ONE.rstrip())
    assert (block.where.file, block.where.line) == ("a.fam", 4)


def test_an_edited_cell_goes_before_the_disk_until_the_notebook_is_written(project: ProjectFolder) -> None:
    settle(project.blocks("a.fam", ONE), project.root / "famulus.yml")
    here = workspace(project, "a.fam")
    edited = ONE.replace("Wie viele?", "Wie wenige?")
    _, block = here.with_cell(edited)
    assert (block.notebook, block.where.file) == ("a", "cell of a.fam")
    assert here.project().blocks["one"].source.instruction == "Wie wenige?"
    other, _ = here.with_cell(read_block("two", "SELECT 2 AS n"))
    assert other.blocks["one"].source.instruction == "Wie wenige?"
    project.blocks("a.fam", ONE.replace("Wie viele?", "Und jetzt?"))
    assert here.project().blocks["one"].source.instruction == "Und jetzt?"
    assert "two" in here.project().blocks


def test_the_same_cell_again_is_not_read_again(project: ProjectFolder) -> None:
    settle(project.blocks("a.fam", ONE), project.root / "famulus.yml")
    here = workspace(project, "a.fam")
    assert here.with_cell(ONE)[1] is here.with_cell(ONE)[1]


def test_a_cell_of_no_known_notebook_stands_for_the_block_of_its_id(project: ProjectFolder) -> None:
    project.blocks("briefe/zahl.fam", ONE)
    here = workspace(project)
    assert here.with_cell(ONE)[1].notebook == "briefe.zahl"
    assert here.with_cell(read_block("fresh", "SELECT 1 AS n"))[1].notebook == "cells"


def test_an_id_of_another_notebook_is_refused_with_both_places(project: ProjectFolder) -> None:
    project.blocks("a.fam", ONE)
    project.blocks("b.fam", read_block("two", "SELECT 2 AS n"))
    project.write("c.ipynb", "{}")
    for notebook in ("b.fam", "c.ipynb"):
        with pytest.raises(DuplicateId) as caught:
            workspace(project, notebook).with_cell(ONE)
        assert "a.fam" in str(caught.value.message) + str(caught.value.hint)


def test_an_id_that_is_double_on_the_disk_is_refused(project: ProjectFolder) -> None:
    project.blocks("a.fam", ONE, ONE)
    with pytest.raises(DuplicateId):
        workspace(project, "a.fam").with_cell(ONE.replace("viele", "wenige"))


def test_an_ipynb_is_a_notebook_of_its_project(project: ProjectFolder) -> None:
    (project.root / "sub").mkdir()
    project.write("sub/work.ipynb", "{}")
    made, block = workspace(project, "sub/work.ipynb").with_cell(ONE)
    assert (made.id, block.notebook) == ("probe", "sub.work")


def test_a_lone_notebook_is_a_project_of_its_cells(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    folder.write("work.ipynb", "{}")
    folder.blocks("other.fam", read_block("two", "SELECT 2 AS n"))
    made, block = workspace(folder, "work.ipynb").with_cell(ONE)
    assert (made.root, list(made.blocks), block.notebook) == (tmp_path, ["one"], "work")
    lone, _ = workspace(folder, "other.fam").with_cell(read_block("three", "SELECT 3 AS n"))
    assert set(lone.blocks) == {"two", "three"}


def test_a_famulus_yml_that_comes_later_is_seen(tmp_path: Path) -> None:
    folder = ProjectFolder(tmp_path)
    here = workspace(folder)
    assert here.project().id == tmp_path.name
    folder.write("famulus.yml", "id: later\n")
    folder.blocks("a.fam", ONE)
    assert (here.project().id, list(here.project().blocks)) == ("later", ["one"])
    (tmp_path / "famulus.yml").unlink()
    assert list(here.project().blocks) == []


def test_what_is_wrong_with_the_project_is_told(project: ProjectFolder) -> None:
    here = workspace(project)
    project.write("famulus.yml", "idd: x\n")
    with pytest.raises(PreambleError, match="idd"):
        here.with_cell(ONE)
    project.write("famulus.yml", "id: probe\n")
    project.write("a.fam", "---\nfamulus: {idd: x}\n---\n")
    with pytest.raises(ProjectError, match="idd"):
        workspace(project, "a.fam").with_cell(ONE)


def test_the_notebook_may_be_reached_by_a_link(project: ProjectFolder, tmp_path: Path) -> None:
    project.blocks("a.fam", ONE)
    link = tmp_path / "link"
    link.symlink_to(project.root, target_is_directory=True)
    here = Workspace({"JPY_SESSION_NAME": str(link / "a.fam")}, tmp_path)
    here.turn_to(None)
    assert here.with_cell(ONE.replace("viele", "wenige"))[1].notebook == "a"


def test_a_cell_takes_the_parameters_of_its_notebook(project: ProjectFolder) -> None:
    body = read_block("one", "SELECT 1 AS n", extra="oracle: {n: {param: n}}")
    project.write("a.fam", f"---\nparams: {{n: 1}}\n---\n\n```{{famulus}}\n{body}\n```\n")
    _, written = workspace(project, "a.fam").with_cell(body)
    assert written.preamble.oracle == {"n": 1}
    _, changed = workspace(project, "a.fam").with_cell(body.replace("{param: n}", "{min: {param: n}}"))
    assert changed.preamble.oracle == {"n": {"min": 1}}
    with pytest.raises(PreambleError, match="no parameter"):
        workspace(project, "b.ipynb").with_cell(body.replace("id: one", "id: two"))


def test_a_desk_that_got_ready_remembers_the_blocks_for_the_next_kernel(project: ProjectFolder) -> None:
    settle(project.blocks("a.fam", ONE), project.root / "famulus.yml")
    (project.root / "_famulus").mkdir()
    Desk({}, project.root).get_ready()
    assert (project.root / "_famulus" / "outline.json").is_file()
    later = Desk({}, project.root)
    later.get_ready()
    assert later.complete("one.", 4).matches == ("one.tab", "one.report")
    assert later.complete("---\nid: x\ndepends_on: [on", 25).matches == ("one", "one.tab")


def test_a_desk_gets_ready_where_nothing_can_be_read(tmp_path: Path) -> None:
    Desk({}, tmp_path / "gone").get_ready()
    (tmp_path / "famulus.yml").write_text("idd: [")
    Desk({}, tmp_path).get_ready()


def test_a_cell_of_no_known_notebook_takes_the_parameters_that_were_given(
    project: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAMULUS_PARAMETERS", '{"n": 1}')
    body = read_block("one", "SELECT 1 AS n", extra="oracle: {n: {param: n}}")
    here = workspace(project)
    assert here.with_cell(body)[1].preamble.oracle == {"n": 1}
    said: list[str] = []
    frontend = Frontend(lambda _kind, content: said.append(content["text"]))
    run_command("params", ['{"n": 2, "who": "Dürer  &"}'], here.project(), frontend)
    assert said == ["n: 2\n", 'who: "Dürer  &"\n']
    assert here.with_cell(body)[1].preamble.oracle == {"n": 2}
    for wrong in ("n = 2", "[1]"):
        with pytest.raises(BadCommand, match="no mapping"):
            run_command("params", [wrong], here.project(), frontend)
