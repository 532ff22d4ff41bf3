"""Whatever goes wrong around a command, its user reads a sentence and no traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from projects import ProjectFolder, read_block

LETTER = read_block("a", "SELECT 'Dürer ✓ 😀' AS n")


@pytest.fixture
def played(project: ProjectFolder) -> ProjectFolder:
    """Give a project whose only block was run."""
    project.blocks("a.fam", LETTER)
    assert project.cli("run").status == 0
    return project


@pytest.mark.parametrize("words", [("show", ".", "a"), ("log", ".", "a"), ("status",)])
def test_a_terminal_that_lacks_a_sign_shows_another_one(played: ProjectFolder, words: tuple[str, ...]) -> None:
    ran = played.cli(*words, env={"PYTHONIOENCODING": "ascii"})
    assert ran.status == 0
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_can_be_read_in_every_encoding(played: ProjectFolder, encoding: str) -> None:
    ran = played.cli("show", ".", "a.tab", "--json", env={"PYTHONIOENCODING": encoding})
    assert ran.json["artefacts"]["tab"]["rows"] == [["Dürer ✓ 😀"]]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")  # noqa: PTH110
@pytest.mark.parametrize("words", [("status",), ("status", ".", "--json"), ("show", ".", "a")])
def test_an_output_that_cannot_be_written_is_told(played: ProjectFolder, words: tuple[str, ...]) -> None:
    with open("/dev/full", "w") as full:  # noqa: PTH123 - a device
        command = [sys.executable, "-m", "famulus_kernel.cli", *words]
        ran = subprocess.run(
            command, cwd=played.root, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )
    assert ran.returncode == 2
    assert "No space left" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_place_that_cannot_be_written_is_told(played: ProjectFolder) -> None:
    ran = played.cli("convert", "a.fam", "no/such/folder/a.ipynb")
    assert ran.status == 2
    assert "no/such/folder" in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.skipif(sys.platform != "linux", reason="needs the script command of util-linux")
@pytest.mark.parametrize("env", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_nobody_gets_colours_who_asked_for_none(played: ProjectFolder, env: dict[str, str]) -> None:
    command = ["script", "-qc", f"{sys.executable} -m famulus_kernel.cli status", "/dev/null"]
    ran = subprocess.run(
        command, cwd=played.root, env={**os.environ, **env}, capture_output=True, text=True, timeout=60, check=False
    )
    assert "fresh" in ran.stdout
    assert "\x1b" not in ran.stdout


@pytest.mark.parametrize("name", [b"a\xff.fam", b"a\x1b[31m.fam", b"a\nb.fam"])
def test_a_notebook_whose_name_is_no_text_is_told(project: ProjectFolder, name: bytes) -> None:
    (Path(os.fsdecode(os.fsencode(project.root) + b"/" + name))).write_text("```{famulus}\n" + LETTER + "```\n")
    for words in (("run",), ("check",), ("status",)):
        ran = project.cli(*words)
        assert ran.status == 2
        assert "rename" in ran.err
        assert "\x1b" not in ran.out + ran.err
    assert json.loads(project.cli("check", ".", "--json").out)["problems"]
