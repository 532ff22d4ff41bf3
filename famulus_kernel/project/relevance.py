"""Which problems of a project concern the blocks that somebody asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.project.graph import reached
from famulus_kernel.project.including import included_notebooks
from famulus_kernel.project.locate import PROJECT_FILE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from famulus_kernel.errors import FamulusError
    from famulus_kernel.project.project import Project


def matters(project: Project, named: Iterable[str] | None) -> Callable[[FamulusError], bool]:
    """Return what says of a problem whether it is one of the blocks that are asked for, or of what they need.

    Parameters
    ----------
    named
        The ids that a command was given; none: all of the notebook that it was given, else of the project.

    Raises
    ------
    FamulusError
        A named block is not there, or cannot be read.
    """
    names = list(named or ())
    if not names and project.selected is None:
        return lambda _problem: True
    needed = _with_needs(project, project.selection(names))
    whole = set() if names or project.selected is None else _page_of(project, project.selected)
    known = {*project.blocks, *(error.where.block for error in project.errors)}
    any_may_hold_one = not needed <= known

    def is_asked_for(problem: FamulusError) -> bool:
        where = problem.where
        if where.block is None and any_may_hold_one:
            return True
        return where.block in needed or where.file == PROJECT_FILE or where.file in whole

    return is_asked_for


def _page_of(project: Project, notebook: Path) -> set[str]:
    """Return the files of a notebook's page, as errors name them: the notebook and what it includes."""
    files = (notebook, *included_notebooks(project.root, notebook))
    return {file.relative_to(project.root).as_posix() for file in files}


def _with_needs(project: Project, names: Iterable[str]) -> set[str]:
    """Return ids and all that their blocks need, also where no block that can be read has them."""

    def needs_of(name: str) -> list[str]:
        needs = project.blocks[name].facts.needs if name in project.blocks else ()
        return [need.block for need in needs if need.project in {None, project.id}]

    return reached(names, needs_of)
