"""`check`: what is wrong with a project that can be seen without running anything."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from famulus_kernel.adapter.prepare import check
from famulus_kernel.errors import FamulusError, MissingDependency, ProjectError, UnresolvedReference, Where, nearest
from famulus_kernel.harness.models.tags import resolve as resolve_model
from famulus_kernel.language.references import same_id_key
from famulus_kernel.language.shortcodes import find_shortcodes
from famulus_kernel.project.blocks import BrokenBlock
from famulus_kernel.project.locate import PROJECT_FILE
from famulus_kernel.project.reads import reads_of
from famulus_kernel.project.relevance import matters

SHORTCODE_NAMES = ("card", "report", "verdict", "credit")
"""What a shortcode may name of every block."""

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from famulus_kernel.project.blocks import Block, Notebook
    from famulus_kernel.project.project import Project


def check_project(project: Project, named: Iterable[str] | None = None) -> list[FamulusError]:
    """Return every problem of the named blocks and of what they need; without names those of the notebook or project.

    A reference is checked against what the other block declares, not against the store: the block may not have run yet.

    Raises
    ------
    FamulusError
        A named block is not there, or cannot be read.
    """
    names = list(named or ())
    return list(filter(matters(project, names), _all_problems(project, project.selection(names))))


def _all_problems(project: Project, names: Iterable[str]) -> list[FamulusError]:
    problems = list(project.errors)
    try:
        project.graph  # noqa: B018 - building it finds cycles
    except FamulusError as error:
        problems.append(error)
    for name in names:
        problems += _problems(project.blocks[name], project)
    problems += _shared_ids(project)
    problems += _unclosed(project)
    problems += _misspelt_fences(project)
    problems += _shortcodes(project)
    problems += _chapters(project)
    problems += _models(project)
    return problems


def _problems(block: Block, project: Project) -> Iterator[FamulusError]:
    try:
        check(block, project)
        reads_of(block, project)
    except FamulusError as error:
        yield error.at(block.place())
    try:
        needs = project.graph.needs[block.id]
    except FamulusError:
        return  # the cycle is told once
    for need in needs:
        if need.project not in {None, project.id}:
            try:
                project.partner(need.project or "", block)
            except FamulusError as error:
                yield error.at(block.place(need.key))
            continue
        other = project.blocks.get(need.block)
        if other is None:
            close = nearest(need.block, project.blocks)
            why = f"there is no block {need.block}" + (f"; nearest: {', '.join(close)}" if close else "")
            kind = MissingDependency if need.kind == "order" else UnresolvedReference
            yield kind.of(need.reference, why).at(block.place(need.key))
        elif need.name is not None and need.name not in {spec.name for spec in other.preamble.artefacts}:
            declared = [spec.name for spec in other.preamble.artefacts]
            yield UnresolvedReference.of(need.reference, f"block {need.block} declares no such artefact", declared).at(
                block.place(need.key)
            )


def _shared_ids(project: Project) -> Iterator[FamulusError]:
    """Yield notebooks that have one id, also when only case tells them apart: they would be one folder of the store."""
    first: dict[str, Notebook] = {}
    for notebook in project.notebooks:
        other = first.setdefault(same_id_key(notebook.id), notebook)
        if other is not notebook:
            yield ProjectError(
                f"the notebook id **{notebook.id}** is that of {other.document.path} too",
                hint="set famulus: {id: …} in the front matter of one of them",
                where=Where(notebook.document.path),
            )


def _unclosed(project: Project) -> Iterator[FamulusError]:
    """Yield every block whose fence is never closed: it swallows all that follows."""
    for notebook in project.notebooks:
        for fence in notebook.document.fences:
            if not fence.closed:
                yield ProjectError(
                    "the fence of this block is **never closed**, so all that follows belongs to it",
                    hint=f"end the block with a line {fence.char * fence.length}",
                    where=Where(notebook.document.path, fence.start + 1),
                )


_FENCE = re.compile(r"^[ >\t]*(?:`{3,}|~{3,})[ \t]*\{[ \t]*([\w.-]+)", re.MULTILINE)


def _misspelt_fences(project: Project) -> Iterator[FamulusError]:
    """Yield fences of a language that is nearly ours: they would be shown as code and never run."""
    for notebook in project.notebooks:
        document = notebook.document
        for match in _FENCE.finditer(document.text):
            word = match[1]
            if word != "famulus" and nearest(word.lower(), ["famulus"]):
                yield ProjectError(
                    f"the fence **{{{word}}}** is no block",
                    hint="write {famulus}, in small letters",
                    where=Where(document.path, document.text.count("\n", 0, match.start()) + 1),
                )


def _shortcodes(project: Project) -> Iterator[FamulusError]:
    """Yield shortcodes of the notebooks' prose that name a block or an artefact which nobody declares."""
    broken = {block.id for notebook in project.notebooks for block in notebook.blocks if isinstance(block, BrokenBlock)}
    for notebook in project.notebooks:
        for shortcode in find_shortcodes(notebook.document.text):
            if shortcode.literal or len(shortcode.args) != 2 or shortcode.args[0] in broken:  # noqa: PLR2004 - id, name
                continue
            name, artefact = (word.partition("@")[0] for word in shortcode.args)  # `block@v2 name`
            block = project.blocks.get(name)
            why = f"there is no block {name}"
            declared = list(project.blocks)
            if block is not None:
                declared = [*SHORTCODE_NAMES, *(spec.name for spec in block.preamble.artefacts)]
                why = f"block {name} declares no artefact {artefact}"
            if block is None or artefact not in declared:
                wanted = name if block is None else artefact
                place = Where(notebook.document.path, shortcode.line)
                yield UnresolvedReference.unknown(f"{name} {artefact}", why, wanted, declared).at(place)


def _chapters(project: Project) -> Iterator[FamulusError]:
    """Yield what is wrong with lists of chapters: each notebook exists, and none stands twice (spec 2.2)."""
    known = {notebook.id for notebook in project.notebooks}
    known |= {notebook.file.relative_to(project.root).as_posix() for notebook in project.notebooks}
    for notebook in project.notebooks:
        chapters = notebook.document.front_matter.famulus.chapters
        for number, chapter in enumerate(chapters):
            place = notebook.document.path
            if chapter not in known:
                yield ProjectError(f"{place}: the chapter **{chapter}** is no notebook of this project")
            elif chapter in chapters[:number]:
                yield ProjectError(f"{place}: the chapter **{chapter}** stands twice", hint="keep one of them")


def _models(project: Project) -> Iterator[FamulusError]:
    """Yield entries of the allowlist in famulus.yml that lead to no model."""
    models = {tag: endpoint.model_dump() for tag, endpoint in project.config.models.items()}
    for tag in models:
        try:
            resolve_model(tag, models)
        except FamulusError as error:
            yield error.at(Where(PROJECT_FILE, key=f"models.{tag}"))
