"""`-P name=value`: values for the parameters of documents."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from famulus_kernel.project.project import Project

Given = Annotated[
    list[str] | None,
    typer.Option(
        "--param", "-P", metavar="NAME=VALUE", help="A value for a parameter of the notebooks; may be repeated."
    ),
]


def open_with(path: str, written: list[str] | None) -> Project:
    """Open a project with the values that were given for parameters of its notebooks, in every process of this command.

    Parameters
    ----------
    path
        The project.
    written
        As `name=value`; the value is read as YAML.

    Raises
    ------
    PreambleError
        No notebook of the project has such a parameter.
    YamlError
        A value is not YAML.
    """
    from famulus_kernel.project.project import Project

    if not written:
        return Project.open(path)
    from famulus_kernel.errors import PreambleError
    from famulus_kernel.language.parameters import GIVEN, parameters_of

    given = dict(map(_read, written))
    os.environ[GIVEN] = json.dumps(given)
    project = Project.open(path)
    known = {name for one in project.notebooks for name in parameters_of(one.document.front_matter, {}).values}
    for name in given:
        if name not in known:
            raise PreambleError.unknown_parameter(name, known)
    return project


def _read(written: str) -> tuple[str, object]:
    from famulus_kernel.language.yaml import load_strict

    name, equals, value = written.partition("=")
    if not name or not equals:
        raise typer.BadParameter(f"{written!r} is not of the form NAME=VALUE")
    return name, load_strict(value, file=f"-P {name}").value
