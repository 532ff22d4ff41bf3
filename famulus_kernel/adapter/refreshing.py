"""Look at the state of blocks and write it down for the pages (spec 2.3: status.json)."""

from __future__ import annotations

import logging
import unicodedata
from typing import TYPE_CHECKING

from famulus_kernel.artefacts.envelope import utc_now
from famulus_kernel.errors import StoreError
from famulus_kernel.project.staleness import BlockStatus, project_status
from famulus_kernel.store.index import adopt, describe_project
from famulus_kernel.store.status_file import Accepted, write_status

if TYPE_CHECKING:
    from collections.abc import Iterable

    from famulus_kernel.project.project import Project

_log = logging.getLogger(__name__)


def refresh_status(project: Project, names: Iterable[str] | None = None) -> list[BlockStatus]:
    """Return the status of blocks; that of all blocks is also written to status.json, which pages read.

    A store that cannot be written is no reason to withhold the answer: it is logged.
    """
    found = project_status(project, names)
    project.remember()
    if len(found) == len(project.blocks) and project.store.ours.is_dir():
        try:
            describe(project)
            accepted = {one.block: Accepted(**one.accepted.said()) for one in found if one.accepted is not None}
            write_status(project.store, {one.block: (one.state, one.reasons) for one in found}, utc_now(), accepted)
        except StoreError as error:
            _log.warning("%s", error)
    return found


def describe(project: Project) -> None:
    """Write into the index what pages cannot find themselves: the project, its partners, other spellings, `log:`."""
    spellings = ((form, name) for name in project.blocks for form in {unicodedata.normalize("NFD", name)} - {name})
    describe_project(project.store, project.id, project.uses, dict(spellings))
    adopt(project.store, (project.folder_of(block) for block in project.blocks.values() if block.facts.log))
