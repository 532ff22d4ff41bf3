"""What a block reads from the disk: attachments, files named in its SQL, settings, figures (spec 2.5, 3.7).

This is the one list from which the sandbox gets its allowed paths and the manifest its file inputs.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from famulus_kernel.corpus import Attachment, SqlFiles, expand, expand_collections, files_in_sql
from famulus_kernel.corpus.collection import File, collection_names
from famulus_kernel.corpus.holdings import files_of
from famulus_kernel.corpus.scope import Scope
from famulus_kernel.corpus.subtasks import subtask
from famulus_kernel.errors import FamulusError, ForbiddenPath, MissingFile, PreambleError
from famulus_kernel.harness.operations import DUCKDB_READ, INSTITUTION_PREFIX
from famulus_kernel.harness.operations.sql import without_parameters
from famulus_kernel.institution import COLLECTION_TOOLS, EMBEDDED
from famulus_kernel.project.plans import inputs_of, plans_of, stages_of, subtask_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.places import Places
    from famulus_kernel.project.plans import Plan
    from famulus_kernel.project.project import Project

CREDIT_FILE = "status.json"
"""Beside the files of a collection: who is to be credited for it. A block reads it along with them."""

_GLOB_SIGNS = frozenset("*?[")
_EVERY_FILE: Final = get_args(File)


@dataclass(frozen=True)
class Glob:
    """A pattern as written, and the files it finds now."""

    written: str
    pattern: Path
    matches: tuple[Path, ...]


@dataclass(frozen=True)
class Reads:
    """Everything a block reads by path. Tables of other blocks come apart, by reference."""

    attachments: tuple[Attachment, ...] = ()
    files: tuple[Path, ...] = ()
    """Every file, attachments and what globs find included, each once, in the order of the preamble."""
    globs: tuple[Glob, ...] = ()


def reads_of(block: Block, project: Project) -> Reads:
    """Return what the block reads.

    Raises
    ------
    MissingFile, ForbiddenPath
        With the key that names the file.
    UnknownPartitur, RegisterError, RemoteError
        A partitur of its plan cannot be found.
    """
    places = project.places
    plans = tuple(plans_of(block, project))
    files: dict[Path, None] = {}
    globs: list[Glob] = []
    attachments: list[Attachment] = []
    for number, entry in enumerate(block.preamble.duckdb):
        if entry.path is None:
            continue
        with_place = block.place(f"duckdb.{number}.path")
        try:
            attachment, found = _attachment(entry.alias, entry.path, places)
        except FamulusError as error:
            raise error.at(with_place) from None
        attachments.append(attachment)
        globs += found
        files |= dict.fromkeys(found[0].matches if found else [attachment.path])
    named: dict[Path, None] = {}
    for key, sql in (*sql_texts(block), *_sql_of_stages(plans)):
        try:
            paths, found = _named_in_sql(files_in_sql(expand_collections(sql, places.collections, in_sql=True)), places)
        except FamulusError as error:
            raise error.at(block.place(key)) from None
        globs += found
        named |= dict.fromkeys([*paths, *(match for one in found for match in one.matches)])
    files |= named
    files |= dict.fromkeys(file for plan in plans for file in _of_collections(plan, block, project))
    for key, written in (*_other_files(block), *_path_inputs(plans, block, project)):
        try:
            files[places.own_file(written)] = None
        except FamulusError as error:
            raise error.at(block.place(key)) from None
    rules, found = _rules_of_institution(block, project)
    globs += found
    files |= dict.fromkeys((*rules, *_collections_of_institution(block, project)))
    for folder in {path.parent: None for path in files}:
        if (folder / CREDIT_FILE).is_file():
            files[folder / CREDIT_FILE] = None
    return Reads(tuple(attachments), tuple(files), tuple(globs))


def sql_texts(block: Block) -> Iterable[tuple[str, str]]:
    """Yield the key and the text of every SQL of the block."""
    for number, step in enumerate(block.preamble.partiturs or ()):
        sql = step.input.get("sql")
        if step.id == DUCKDB_READ and isinstance(sql, str):
            yield f"partiturs.{number}.input.sql", without_parameters(sql) if "parameters" in step.input else sql


def _sql_of_stages(plans: Iterable[Plan]) -> Iterable[tuple[str, str]]:
    """Yield the SQL of every stage, which is no template, with the key of the step that plays it."""
    for plan in plans:
        for _, stage in stages_of(plan, "sql"):
            sql = stage.with_.get("sql")
            if isinstance(sql, str):
                yield f"partiturs.{plan.number}.id", without_parameters(sql)


def _attachment(alias: str, written: str, places: Places) -> tuple[Attachment, list[Glob]]:
    path = places.expand(written)
    kind: Literal["parquet", "duckdb"] = "parquet" if path.suffix.lower() in {".parquet", ".pq"} else "duckdb"
    if _GLOB_SIGNS.intersection(written) and not os.path.exists(path):  # noqa: PTH110 - Path's raises for a long name
        found = _glob(written, places)
        return Attachment(alias=alias, path=found.pattern, kind="parquet", glob=str(found.pattern)), [found]
    return Attachment(alias=alias, path=places.existing_file(written), kind=kind), []


def _glob(written: str, places: Places) -> Glob:
    pattern = places.expand(written)
    matches = expand(str(pattern), places.root)
    if not matches:
        raise MissingFile.of(written, pattern)
    return Glob(written, pattern, matches)


def _named_in_sql(found: SqlFiles, places: Places) -> tuple[list[Path], list[Glob]]:
    paths = []
    for written in found.paths:
        if "://" in written:
            raise ForbiddenPath.of(written, "it is on the network")
        paths.append(places.own_file(written))
    globs = []
    for written in found.globs:
        one = _glob(written, places)
        for match in one.matches:
            _check_readable(written, match, places)
        globs.append(one)
    return paths, globs


def _check_readable(written: str, path: Path, places: Places) -> None:
    if not places.readable(path):
        raise ForbiddenPath.of(written, "it lies neither in the project nor in the collections")


def _of_collections(plan: Plan, block: Block, project: Project) -> Iterable[Path]:
    """Yield the files of the collections that the subtasks of a run read; all where it is not known which it plays."""
    key = "collections" if block.preamble.subtask else f"partiturs.{plan.number}"
    try:
        inputs = inputs_of(plan, block, project)
        wanted: dict[File, None] = {}
        for _, stage in stages_of(plan, "subtask"):
            name = subtask_of(stage, inputs)
            wanted |= dict.fromkeys(_EVERY_FILE if name is None else subtask(name).files)
        if wanted:
            scope = Scope.of(inputs)
            yield from files_of(project.places.collections, scope.collections, scope.evidence, wanted)
    except FamulusError as error:
        raise error.at(block.place(key)) from None


def _path_inputs(plans: Iterable[Plan], block: Block, project: Project) -> Iterable[tuple[str, str]]:
    """Yield the files that the inputs of runs name, where the partitur says that they are paths."""
    for plan in plans:
        inputs = inputs_of(plan, block, project)
        for name, spec in plan.partitur.inputs.items():
            if spec.type == "path" and isinstance(inputs.get(name), str):
                yield f"partiturs.{plan.number}.input.{name}", inputs[name]


def _other_files(block: Block) -> Iterable[tuple[str, str]]:
    """Yield settings and figures: files of the project that a step names outside SQL."""
    for number, step in enumerate(block.preamble.partiturs or ()):
        if step.setting:
            yield f"partiturs.{number}.setting", step.setting
        if step.id == "artifact:figure":
            path = step.input.get("path")
            if isinstance(path, str):
                yield f"partiturs.{number}.input.path", path
            elif path is not None and not _is_reference(path):
                raise PreambleError.bad_value("input.path", path, "the path of an image in the project").at(
                    block.place(f"partiturs.{number}.input.path")
                )


def _rules_of_institution(block: Block, project: Project) -> tuple[tuple[Path, ...], list[Glob]]:
    """Return the rule store of the language institution, a file or all of a folder, where a block asks it anything."""
    steps = block.preamble.partiturs or ()
    written = project.config.institution_rules
    if written is None or not (block.preamble.guard or any(one.id.startswith(INSTITUTION_PREFIX) for one in steps)):
        return (), []
    if not project.places.expand(written).is_dir():
        return (project.places.existing_file(written),), []
    store = _glob(f"{written.rstrip('/')}/**", project.places)
    return store.matches, [store]


def _collections_of_institution(block: Block, project: Project) -> Iterable[Path]:
    """Yield what the package's own tools read of collections where they play without a server."""
    root = project.places.collections
    if project.config.institution != EMBEDDED or not root.is_dir():
        return
    for number, step in enumerate(block.preamble.partiturs or ()):
        if step.id.removeprefix(INSTITUTION_PREFIX) not in COLLECTION_TOOLS:
            continue
        named = step.input.get("collections")
        names = [str(name) for name in named] if isinstance(named, list) else collection_names(root)
        try:
            yield from files_of(root, names, "grounding", _EVERY_FILE)
        except FamulusError as error:
            raise error.at(block.place(f"partiturs.{number}.input.collections")) from None


def _is_reference(value: object) -> bool:
    return isinstance(value, dict) and set(value) == {"ref"}
