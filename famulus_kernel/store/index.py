"""`_famulus/index.json`: where each block of the project is, for pages (spec 2.3).

It is derived from the version folders: a commit renews the entry of its block, `verify --repair` writes the
whole file anew. Readers that need the newest version itself list the block's folder; the index tells them
which folder that is.
"""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from famulus_kernel.errors import NewerFormat, StoreError
from famulus_kernel.store.durable import locked, make_folders, replace_file, writing
from famulus_kernel.store.manifest import FORMAT, Status
from famulus_kernel.store.reading import parse_file

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from famulus_kernel.store.store import BlockStore, StoredVersion

_log = logging.getLogger(__name__)


class IndexEntry(BaseModel):
    """One block. `folder` is relative to the project, with `/`; `newest` is a version's name."""

    model_config = ConfigDict(frozen=True)

    notebook: str
    folder: str
    newest: str
    status: Status
    checked: bool
    created: str


class Index(BaseModel):
    """The whole file. `uses` and `aliases` are the project's own words, kept when versions are added."""

    model_config = ConfigDict(frozen=True)

    format: Literal[1] = FORMAT
    project: str = ""
    uses: dict[str, str] = Field(default_factory=dict)
    blocks: dict[str, IndexEntry] = Field(default_factory=dict)
    aliases: dict[str, str] = Field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """Return the file: one block a line, so that it diffs well and 1,000 blocks take a few ms."""
        entries = ((block, self.blocks[block].model_dump()) for block in sorted(self.blocks))
        lines = [f"  {_json(block)}: {_json(entry)}" for block, entry in entries]
        values = {
            "format": _json(self.format),
            "project": _json(self.project),
            "uses": _json(self.uses),
            "blocks": "{\n" + ",\n".join(lines) + "\n }" if lines else "{}",
            "aliases": _json(self.aliases),
        }
        return ("{\n" + ",\n".join(f' "{key}": {value}' for key, value in values.items()) + "\n}\n").encode()


def entry_of(store: BlockStore, version: StoredVersion) -> IndexEntry:
    """Return the entry of a block whose newest version is `version`."""
    manifest = version.manifest
    return IndexEntry(
        notebook=manifest.notebook,
        folder=store.relative(version.folder.parent),
        newest=version.name,
        status=manifest.status,
        checked=manifest.checked,
        created=manifest.created,
    )


def read_index(store: BlockStore) -> Index | None:
    """Return the index, or None where there is none or it is damaged: the next commit writes it anew.

    Raises
    ------
    NewerFormat
        When a newer release wrote it.
    """
    if not store.index_path.exists():
        return None
    try:
        return parse_file(Index, store.index_path)
    except NewerFormat:
        raise
    except StoreError as error:
        _log.warning("%s; it is written anew", error)
        return None


def record_version(store: BlockStore, version: StoredVersion) -> None:
    """Renew the entry of the block that `version` belongs to."""

    def renewed(index: Index) -> Index:
        # Another process may have added a version since, and reached the index first.
        newest = store.newest(version.folder.parent) or version
        blocks = {**index.blocks, newest.manifest.block: entry_of(store, newest)}
        return index.model_copy(update={"blocks": blocks, "project": newest.manifest.project})

    update_index(store, renewed)


def describe_project(
    store: BlockStore, project: str, uses: Mapping[str, str], aliases: Mapping[str, str]
) -> None:
    """Write what the project says of itself into the index, unless it stands there already."""

    def renewed(index: Index) -> Index:
        return index.model_copy(update={"project": project, "uses": dict(uses), "aliases": dict(aliases)})

    known = read_index(store)
    if known is None or renewed(known) != known:
        update_index(store, renewed)


def adopt(store: BlockStore, folders: Iterable[Path]) -> None:
    """Put in the blocks of folders that lie outside the store (`log:`), where the index does not name them.

    A version that came with the project's text, not by a run on this machine, is found by no scan of the store.
    """
    known = read_index(store)
    named = {entry.folder for entry in known.blocks.values()} if known is not None else set()
    for folder in folders:
        newest = store.newest(folder) if store.relative(folder) not in named else None
        if newest is not None:
            record_version(store, newest)


def update_index(store: BlockStore, change: Callable[[Index], Index]) -> Index:
    """Replace the index by what `change` makes of it, under its lock; return the new one."""
    with writing(store.ours):
        make_folders(store.ours)
    with locked(store.ours / ".index.lock"), writing(store.index_path):
        before = read_index(store)
        after = change(before if before is not None else _scanned(store, Index(), ()))
        if after != before:
            replace_file(store.index_path, after.to_bytes())
    return after


def rebuilt(store: BlockStore, folders: Iterable[Path] = ()) -> Index:
    """Return the index as the version folders say it is; what the project says of itself is kept.

    Parameters
    ----------
    store
        The store to look through.
    folders
        Block folders elsewhere (`log:`); those that the present index names are looked at anyway. Where two
        folders hold the same block (a notebook was renamed), the first of these wins, else the later version.
    """
    return _scanned(store, read_index(store) or Index(), tuple(folders))


def _scanned(store: BlockStore, known: Index, declared: tuple[Path, ...]) -> Index:
    named = {store.root / entry.folder for entry in known.blocks.values()}
    places = dict.fromkeys([*declared, *sorted(named), *store.block_folders()])
    damaged: set[Path] = set()
    best: dict[str, StoredVersion] = {}
    for folder in places:
        try:
            newest = store.newest(folder)
        except StoreError as error:
            _log.warning("%s; the index keeps what it says of that block", error)
            damaged.add(folder)
            continue
        if newest is None:
            continue
        held = best.get(newest.manifest.block)  # what is declared comes first, and stays
        is_declared = held is not None and held.folder.parent in declared
        if held is None or (not is_declared and newest.manifest.created > held.manifest.created):
            best[newest.manifest.block] = newest
    kept = {block: entry for block, entry in known.blocks.items() if store.root / entry.folder in damaged}
    blocks = {**kept, **{block: entry_of(store, version) for block, version in best.items()}}
    project = known.project or next((version.manifest.project for version in best.values()), "")
    return known.model_copy(update={"blocks": blocks, "project": project})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
