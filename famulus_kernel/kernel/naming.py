"""What a project offers to be named in a cell, gathered for completion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.harness.registry import harness
from famulus_kernel.kernel.commands import COMMANDS
from famulus_kernel.kernel.completion import Names

if TYPE_CHECKING:
    from pathlib import Path

    from famulus_kernel.project.project import Project


def names_of(project: Project | None) -> Names:
    """Return the names of a project; those of the language alone where there is none that can be read."""
    if project is None:
        return Names(subtasks=harness().subtasks(), commands=tuple(COMMANDS))
    return Names(
        blocks={name: tuple(spec.name for spec in block.preamble.artefacts) for name, block in project.blocks.items()},
        subtasks=harness(project.config.harness).subtasks(),
        collections=_folders(project.places.collections),
        commands=tuple(COMMANDS),
    )


def _folders(root: Path) -> tuple[str, ...]:
    """Return the names of the collections that are on this machine."""
    try:
        return tuple(sorted(each.name for each in root.iterdir() if each.is_dir() and not each.name.startswith(".")))
    except OSError:
        return ()
