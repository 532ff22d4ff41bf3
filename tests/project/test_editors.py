"""The files that make VS Code and Positron know a project."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from famulus_kernel.errors import ProjectError
from famulus_kernel.project.editors import SCHEMA, write_editor_files
from famulus_kernel.project.scaffold import scaffold


def read(file: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads(file.read_text(encoding="utf-8"))
    return found


def test_a_new_project_gets_settings_a_schema_and_snippets(tmp_path: Path) -> None:
    scaffold(tmp_path)
    made = write_editor_files(tmp_path)
    assert sorted(path.name for path in made) == [
        "extensions.json",
        "famulus-project.schema.json",
        "famulus.code-snippets",
        "settings.json",
    ]
    settings = read(tmp_path / ".vscode" / "settings.json")
    assert settings["files.associations"] == {"*.fam": "quarto"}
    assert settings["yaml.schemas"] == {SCHEMA: "famulus.yml"}
    jsonschema.validate({"title": "x", "collections": ["a"]}, read(tmp_path / SCHEMA))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"titel": "x"}, read(tmp_path / SCHEMA))
    for snippet in read(tmp_path / ".vscode" / "famulus.code-snippets").values():
        assert isinstance(snippet, dict)
        assert {"scope", "prefix", "body", "description"} <= snippet.keys()


def test_a_second_time_changes_nothing(tmp_path: Path) -> None:
    write_editor_files(tmp_path)
    assert write_editor_files(tmp_path) == []


def test_what_the_user_has_set_stays(tmp_path: Path) -> None:
    place = tmp_path / ".vscode"
    place.mkdir()
    theirs = {"editor.tabSize": 4, "files.associations": {"*.fam": "markdown", "*.x": "xml"}}
    (place / "settings.json").write_text(json.dumps(theirs))
    (place / "extensions.json").write_text('{"recommendations": ["a.b", "quarto.quarto"]}')
    write_editor_files(tmp_path)
    settings = read(place / "settings.json")
    assert settings["editor.tabSize"] == 4
    assert settings["files.associations"] == {"*.fam": "markdown", "*.x": "xml"}
    assert read(place / "extensions.json")["recommendations"] == ["a.b", "quarto.quarto", "redhat.vscode-yaml"]


@pytest.mark.parametrize("text", ['{"a": 1, // mine\n}', "[]", "", "\xff"])
def test_settings_with_comments_are_left_alone_and_what_to_add_is_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / ".vscode" / "settings.json"
    file.parent.mkdir()
    file.write_text(text, encoding="latin-1" if text == "\xff" else "utf-8")
    before = file.read_bytes()
    with pytest.raises(ProjectError) as caught:
        write_editor_files(tmp_path)
    assert caught.value.where.file == ".vscode/settings.json"
    assert '"*.fam": "quarto"' in caught.value.hint
    assert file.read_bytes() == before
    assert not (file.parent / "famulus.code-snippets").exists()


def test_init_editor_adds_them_to_a_project_that_is_there(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "famulus_kernel.cli", "init", str(tmp_path), "--editor"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / ".vscode" / "settings.json").is_file()
    assert (tmp_path / "famulus.yml").is_file()
