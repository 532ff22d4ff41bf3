"""What is remembered of a register: a status asks no database, and sees a register that changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from projects import ProjectFolder

from famulus_kernel.errors import MissingFile
from famulus_kernel.harness.partitur import Document, read_partitur
from famulus_kernel.harness.register_file import RegisterFile
from famulus_kernel.project.project import Project

OLD = 1_700_000_000


def document(version: str) -> Document:
    text = f'id: zahl\nversion: "{version}"\ngoal_path: probe/zahl\nstages: [{{id: a, op: sql}}]\n'
    return read_partitur(text.encode())


@pytest.fixture
def registered(project: ProjectFolder) -> ProjectFolder:
    project.write("famulus.yml", "id: probe\nregister: plans.duckdb\n")
    project.write("_famulus/outline.json", "")
    RegisterFile(project.root / "plans.duckdb").add([document("1")])
    os.utime(project.root / "plans.duckdb", (OLD, OLD))
    return project


def names(project: ProjectFolder) -> list[str]:
    return [entry.name for _, entry in Project.open(project.root).register.entries() if entry.id == "zahl"]


def test_a_register_that_did_not_change_is_not_opened_again(
    registered: ProjectFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert names(registered) == ["zahl@1"]
    with monkeypatch.context() as patched:
        patched.delattr(RegisterFile, "entries")
        assert names(registered) == ["zahl@1"]
    assert Project.open(registered.root).register.lookup("zahl").document.name == "zahl@1"


def test_a_register_that_changed_is_read_again(registered: ProjectFolder) -> None:
    assert names(registered) == ["zahl@1"]
    RegisterFile(registered.root / "plans.duckdb").add([document("2")])
    assert sorted(names(registered)) == ["zahl@1", "zahl@2"]


def test_a_register_that_was_just_written_is_not_believed_to_stay(registered: ProjectFolder) -> None:
    file = registered.root / "plans.duckdb"
    os.utime(file)
    assert names(registered) == ["zahl@1"]
    stat = file.stat()
    file.unlink()
    RegisterFile(file).add([document("3")])
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert names(registered) == ["zahl@3"]


@pytest.mark.parametrize("spoilt", ["", "[]", '{"format": 1}', '{"format": 1, "famulus": 3, "path": "x"}'])
def test_a_damaged_memory_is_only_slower(registered: ProjectFolder, spoilt: str) -> None:
    names(registered)
    registered.write("_famulus/register.json", spoilt)
    assert names(registered) == ["zahl@1"]


def test_a_register_that_is_gone_is_told_and_not_remembered(registered: ProjectFolder) -> None:
    names(registered)
    Path(registered.root / "plans.duckdb").unlink()
    with pytest.raises(MissingFile):
        names(registered)
