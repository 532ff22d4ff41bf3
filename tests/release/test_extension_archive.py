"""The archive for `quarto add`, the schema and the snippets that travel in it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import yaml
from projects import REPOSITORY

from famulus_kernel.resources import extension_dir
from famulus_kernel.version import __version__


def packed(folder: Path) -> Path:
    command = [sys.executable, str(REPOSITORY / "release" / "extension_archive.py"), str(folder)]
    return Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())


def test_the_archive_holds_the_extension_whole_in_one_folder(tmp_path: Path) -> None:
    archive = packed(tmp_path)
    assert archive.name == f"famulus-quarto-{__version__}.zip"
    top = f"famulus-quarto-{__version__}"
    with zipfile.ZipFile(archive) as opened:
        names = set(opened.namelist())
        extension = extension_dir()
        for path in (one for one in extension.rglob("*") if one.is_file()):
            inside = f"{top}/_extensions/famulus/{path.relative_to(extension).as_posix()}"
            assert opened.read(inside) == path.read_bytes()
    assert {name.split("/")[0] for name in names} == {top}
    assert f"{top}/example.qmd" in names


def test_the_same_files_give_the_same_bytes(tmp_path: Path) -> None:
    assert packed(tmp_path / "a").read_bytes() == packed(tmp_path / "b").read_bytes()


def test_the_schema_names_every_option_that_the_shortcode_knows_and_no_other() -> None:
    schema = yaml.safe_load((extension_dir() / "_schema.yml").read_text(encoding="utf-8"))
    source = (extension_dir() / "modules" / "choices.lua").read_text(encoding="utf-8")
    listed = re.search(r"local OPTIONS = \{([^}]*)\}", source)
    assert listed is not None
    known = set(re.findall(r'"([\w-]+)"', listed[1]))
    shortcode = schema["shortcodes"]["famulus"]
    assert set(shortcode["attributes"]) == known
    assert [argument["name"] for argument in shortcode["arguments"]] == ["block", "name"]


def test_every_snippet_is_one_that_an_editor_takes() -> None:
    snippets = json.loads((extension_dir() / "_snippets.json").read_text(encoding="utf-8"))
    for name, snippet in snippets.items():
        assert snippet["prefix"], name
        assert snippet["description"], name
        assert all(isinstance(line, str) for line in snippet["body"]), name


def test_the_extension_has_the_version_of_the_package() -> None:
    described = yaml.safe_load((extension_dir() / "_extension.yml").read_text(encoding="utf-8"))
    assert described["version"] == __version__
