"""Where a project's cards lie, and what plans a card may name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.cards.registry import ARTIFACT
from famulus_kernel.corpus.subtasks import names as subtask_names
from famulus_kernel.errors import FamulusError
from famulus_kernel.harness.operations import ARTIFACT_PREFIX, DUCKDB_READ
from famulus_kernel.language.plan import KINDS
from famulus_kernel.project.project import Project

if TYPE_CHECKING:
    from pathlib import Path


def own_cards(place: Path) -> Path | None:
    """Return the folder of cards of the project at a place; None where it has none, or there is no project.

    Raises
    ------
    ProjectError
        famulus.yml cannot be read.
    """
    project = Project.open(place)
    folder = project.places.expand(project.config.cards)
    return folder if folder.is_dir() else None


def known_plans(place: Path) -> frozenset[str]:
    """Return every plan that a card may name: subtasks, steps, and the partituren of the project's register."""
    plans = {*subtask_names(), DUCKDB_READ, ARTIFACT, *(ARTIFACT_PREFIX + kind for kind in KINDS)}
    try:
        entries = list(Project.open(place).register.entries())
    except FamulusError:  # a register that cannot be read is told where something is played from it
        return frozenset(plans)
    plans |= {name for _, entry in entries for name in (entry.id, entry.name, entry.goal_path)}
    return frozenset(plans)
