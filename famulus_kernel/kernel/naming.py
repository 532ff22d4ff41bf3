"""What a project offers to be named in a cell, gathered for completion."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from famulus_kernel.corpus.subtasks import subtask
from famulus_kernel.errors import FamulusError
from famulus_kernel.harness.models.tags import shipped
from famulus_kernel.harness.operations import INSTITUTION_PREFIX
from famulus_kernel.harness.registry import harness
from famulus_kernel.kernel.cards import counted, summary
from famulus_kernel.kernel.catalog import Catalog, catalog_of
from famulus_kernel.kernel.commands import COMMANDS
from famulus_kernel.kernel.completion import FOREIGN, Names
from famulus_kernel.kernel.pointers import (
    chosen_collections,
    folders,
    goldens_of,
    partitur_named,
    partituren_of,
    registers_of,
    settings_of,
    values_below,
)
from famulus_kernel.kernel.snippets import snippets
from famulus_kernel.kernel.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from famulus_kernel.project.project import Project

_ALWAYS = ("answer", "certainty")
"""The entries of `input` that every subtask knows."""


@dataclass
class Naming:
    """Knows what can be named; what it read of a project it keeps while the project stays the same."""

    _project: Project | None = None
    _blocks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _vocabulary: Vocabulary = field(default_factory=Vocabulary)
    _partners: dict[str, Sequence[str]] = field(default_factory=dict)

    def of(self, project: Project | None) -> Names:
        """Return the names of a project; those of the language alone where there is none that can be read."""
        if project is None:
            return Names(
                subtasks=harness().subtasks(),
                commands=tuple(COMMANDS),
                snippets=snippets(),
                summary=lambda name: summary(name, None),
                counts=lambda plan: counted(plan, None),
                models=tuple(shipped()),
                plans=lambda: _plans(None),
                inputs=lambda name: _inputs(None, name),
            )
        if project is not self._project:
            self._take(project)
        return Names(
            blocks=self._blocks,
            subtasks=harness(project.config.harness).subtasks(),
            collections=folders(project.places.collections),
            commands=tuple(COMMANDS),
            snippets=snippets(),
            persons=self._held(project, self._vocabulary.persons),
            lemmata=self._held(project, self._vocabulary.lemmata),
            catalog=lambda entries: catalog_in(project, entries),
            arguments=_arguments,
            measures=lambda block: _measures(project, block),
            summary=lambda name: summary(name, project),
            counts=lambda plan: counted(plan, project),
            models=(*project.config.models, *shipped()),
            plans=lambda: _plans(project),
            versions=lambda block: _versions(project, block),
            partners=lambda begun: self._partners_of(project, begun),
            inputs=lambda name: _inputs(project, name),
            settings=lambda: settings_of(project),
            goldens=lambda: {name: row.question for name, row in goldens_of(project).items()},
            registers=lambda named: registers_of(project, chosen_collections(project, named)),
            values=lambda reference, path: values_below(project, reference, path),
        )

    def _take(self, project: Project) -> None:
        self._project = project
        self._partners = {}
        self._blocks = {  # what is remembered of them is enough: no notebook is parsed for it
            name: tuple(str(one["name"]) for one in block.facts.claims.get("artefacts", ()))
            for name, block in project.blocks.items()
        }
        if self._vocabulary.names != project.config.column_map:
            self._vocabulary = Vocabulary(project.config.column_map)

    def _partners_of(self, project: Project, begun: str) -> Sequence[str]:
        """Return the projects that may stand behind `fam:`, or the artefacts of the one that stands there."""
        name, slash, _ = begun.removeprefix(FOREIGN).partition("/")
        if not slash:
            return [f"{FOREIGN}{one}/" for one in project.uses]
        if name not in self._partners:
            self._partners[name] = _artefacts_of(project, name)
        return self._partners[name]

    def _held(
        self, project: Project, look_up: Callable[[Path, Sequence[str]], Sequence[str]]
    ) -> Callable[[Sequence[str] | None], Sequence[str]]:
        """Return the look-up in the named collections, by default those of famulus.yml."""

        def held(named: Sequence[str] | None) -> Sequence[str]:
            return look_up(project.places.collections, chosen_collections(project, named))

        return held


def catalog_in(project: Project, entries: Sequence[Mapping[str, Any]] | None) -> Catalog:
    """Return what the entries of `duckdb:` hold, by default those of famulus.yml."""
    default = project.config.defaults.get("duckdb", ())
    return catalog_of(project, entries if entries is not None else default)


def _arguments(name: str) -> Sequence[str]:
    try:
        return (*subtask(name).arguments, *_ALWAYS)
    except FamulusError:
        return ()


def _measures(project: Project, block: str) -> Sequence[str]:
    """Return what the newest version of a block counted; nothing where there is none."""
    from famulus_kernel.adapter.showing import shown  # noqa: PLC0415 - see Desk.get_ready

    try:
        data = shown(project, f"{block}.report").envelopes[0].data
    except FamulusError:
        return ()
    counts = data.get("counts") if isinstance(data, dict) else None
    return [str(name) for name in counts] if isinstance(counts, dict) else ()


def _plans(project: Project | None) -> Sequence[str]:
    """Return partituren, and tools of the language institution."""
    from famulus_kernel.institution.tools import Institution  # noqa: PLC0415 - a kernel is ready before its libraries

    tools = [INSTITUTION_PREFIX + name for name in vars(Institution) if name.startswith("lw_")]
    return [*partituren_of(project), *tools]


def _inputs(project: Project | None, name: str) -> Sequence[str]:
    """Return the inputs that the partitur of a step has."""
    partitur = partitur_named(project, name)
    return [*partitur.inputs] if partitur is not None else []


def _versions(project: Project, block: str) -> Sequence[str]:
    """Return the numbers of a block's versions as references have them, the newest first."""
    if block not in project.blocks:
        return ()
    found = project.store.versions(project.folder_of(project.blocks[block]))
    return [f"v{number}" for number in sorted((one.number for one in found), reverse=True)]


def _artefacts_of(project: Project, name: str) -> Sequence[str]:
    try:
        partner = project.partner(name)
    except FamulusError:
        return ()
    return [
        f"{FOREIGN}{name}/{block.notebook}/{block.id}.{spec.name}"
        for block in partner.blocks.values()
        for spec in block.preamble.artefacts
    ]
