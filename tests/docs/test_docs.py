"""The documentation says what the program does."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from typing import Any

import pytest
from projects import REPOSITORY
from pydantic import BaseModel

from famulus_kernel.artefacts import envelope, view
from famulus_kernel.store import accepted, index, manifest, status_file
from famulus_kernel.version import __version__

FORMATS = (REPOSITORY / "docs" / "formats.md").read_text(encoding="utf-8")
MODELS = [
    model
    for module in (envelope, view, accepted, index, manifest, status_file)
    for model in vars(module).values()
    if isinstance(model, type) and issubclass(model, BaseModel) and model.__module__ == module.__name__
]


def _make() -> Any:
    spec = importlib.util.spec_from_file_location("make_docs", REPOSITORY / "docs" / "make.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_the_command_line_is_what_the_commands_say() -> None:
    make = _make()
    assert make.TARGET.read_text(encoding="utf-8") == make.command_line(), "run python docs/make.py"


def test_the_page_of_collections_is_what_their_tables_say() -> None:
    make = _make()
    assert make.COLLECTIONS.read_text(encoding="utf-8") == make.collections(), "run python docs/make.py"


def test_the_page_of_blocks_has_the_keys_subtasks_and_options_that_there_are() -> None:
    make = _make()
    assert make.BLOCKS.read_text(encoding="utf-8") == make.blocks(), "run python docs/make.py"


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_field_of_a_file_of_the_store_is_documented(model: type[BaseModel]) -> None:
    missing = [name for name in model.model_fields if f"`{name}`" not in FORMATS]
    assert not missing


def test_the_version_stands_in_two_places_and_is_the_same() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["version"] == __version__


PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{file.name}" for file in (REPOSITORY / "docs").glob("*.md"))]


@pytest.mark.parametrize("document", PAGES)
def test_links_between_the_pages_lead_somewhere(document: str) -> None:
    file = REPOSITORY / document
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", file.read_text(encoding="utf-8")):
        assert (file.parent / target).exists(), target


def test_every_dependency_is_pinned() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["test"]]
    wanted += project["optional-dependencies"]["render"]
    pins = {line.partition("==")[0].lower().replace("_", "-") for line in _lines("constraints.txt")}
    names = {re.split(r"[<>=\[ ]", one)[0].lower().replace("_", "-") for one in wanted}
    assert names <= pins


def _lines(file: str) -> list[str]:
    return [line for line in (REPOSITORY / file).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def test_every_variable_of_the_environment_is_documented_and_no_other() -> None:
    code = [
        path.read_text(encoding="utf-8")
        for folder in ("famulus_kernel", "_extensions")
        for ending in ("py", "lua", "js")
        for path in (REPOSITORY / folder).rglob(f"*.{ending}")
    ]
    read = {name for text in code for name in re.findall(r"(?<!_)\bFAMULUS_[A-Z_]+", text)}
    page = (REPOSITORY / "docs/running.md").read_text(encoding="utf-8").partition("## Environment")[2]
    assert set(re.findall(r"\bFAMULUS_[A-Z_]+", page)) == read
