"""What the panel of blocks is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from projects import ProjectFolder, read_block

pytest.importorskip("jupyter_server")

from famulus_kernel.adapter.runner import Runner
from famulus_kernel.lab.blocks import listing
from famulus_kernel.project.project import Project


@pytest.fixture
def played(project: ProjectFolder) -> ProjectFolder:
    project.blocks("teil/a.fam", read_block("zahl", "SELECT 1 AS x", extra="oracle: {x: 2}"))
    project.blocks("b.fam", read_block("neu", "SELECT 1 AS x"), "---\nid: [\n---\n")
    list(Runner(Project.open(project.root)).run(["zahl"]))
    return project


def test_blocks_come_with_state_verdict_and_the_way_to_them(played: ProjectFolder) -> None:
    found = listing(played.root, played.root.parent)
    assert found["project"] == "probe"
    assert [(one["id"], one["path"], one["state"], one["version"], one["verdict"]) for one in found["blocks"]] == [
        ("neu", "probe/b.fam", "missing", None, None),
        ("zahl", "probe/teil/a.fam", "fresh", "v0001", "fail"),
    ]
    assert [(one["path"], one["line"]) for one in found["errors"]] == [("probe/b.fam", 20)]


@pytest.mark.parametrize("path", ["teil/a.fam", "teil", "famulus.yml", "b.fam", "_famulus"])
def test_any_place_of_a_project_tells_the_whole(played: ProjectFolder, path: str) -> None:
    assert listing(played.root / path, played.root.parent) == listing(played.root, played.root.parent)


def test_what_lies_outside_of_the_server_s_folder_is_left_out(played: ProjectFolder) -> None:
    assert [one["id"] for one in listing(played.root / "teil", played.root / "teil")["blocks"]] == ["zahl"]
    assert listing(played.root, None)["blocks"] == []


def test_a_project_that_cannot_be_read_tells_why(project: ProjectFolder) -> None:
    project.write("famulus.yml", "id: [")
    notebook = project.blocks("teil/a.fam", read_block("zahl", "SELECT 1 AS x"))
    for start in (project.root, notebook, notebook.parent):
        found = listing(start, project.root.parent)
        assert (found["project"], found["blocks"]) == ("probe", [])
        (error,) = found["errors"]
        assert (error["path"], error["line"]) == ("probe/famulus.yml", 2)
        assert "famulus.yml" not in error["message"], "the place is said once"
        assert error["hint"]


def test_a_folder_without_blocks_has_none(tmp_path: Path) -> None:
    assert listing(tmp_path, tmp_path) == {"project": tmp_path.name, "blocks": [], "errors": []}
