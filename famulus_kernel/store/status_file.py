"""`_famulus/status.json`: what `status` last found, for the marks on pages (spec 2.3, 2.5)."""

from __future__ import annotations

import json
import logging
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel, ConfigDict, Field

from famulus_kernel.errors import NewerFormat, StoreError
from famulus_kernel.store.durable import locked, make_folders, replace_file, writing
from famulus_kernel.store.manifest import FORMAT
from famulus_kernel.store.reading import parse_file

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from famulus_kernel.store.store import BlockStore

State = Literal["fresh", "stale", "missing", "error", "blocked", "unverifiable"]
_log = logging.getLogger(__name__)


class Accepted(BaseModel):
    """Who took a version for good with the inputs as they are now, when (ISO 8601, UTC) and why."""

    model_config = ConfigDict(frozen=True)

    who: str
    when: str
    why: str


class BlockState(BaseModel):
    """What was found of one block; `since` is when it was first found so (ISO 8601, UTC).

    `accepted` is there where the block is fresh only because somebody said so.
    """

    model_config = ConfigDict(frozen=True)

    state: State
    since: str
    reasons: tuple[str, ...] = ()
    accepted: Accepted | None = None


NOBODY: Mapping[str, Accepted] = MappingProxyType({})
"""Where no block was accepted."""


class StatusFile(BaseModel):
    """The whole file; `checked` is when `status` looked last."""

    model_config = ConfigDict(frozen=True)

    format: Literal[1] = FORMAT
    checked: str
    blocks: dict[str, BlockState] = Field(default_factory=dict)

    def to_bytes(self) -> bytes:
        """Return the file: one block a line, so that it diffs well and 1,000 blocks are written in a few ms."""
        told = ((block, state.model_dump(exclude_none=True)) for block, state in self.blocks.items())
        blocks = ",\n".join(f"  {_json(block)}: {_json(state)}" for block, state in told)
        body = f"{{\n{blocks}\n }}" if blocks else "{}"
        return f'{{\n "format": {self.format},\n "checked": {_json(self.checked)},\n "blocks": {body}\n}}\n'.encode()


def carried_on(
    before: StatusFile | None,
    found: Mapping[str, tuple[State, Sequence[str]]],
    checked: str,
    accepted: Mapping[str, Accepted] = NOBODY,
) -> StatusFile:
    """Return the new file: a block that is still in the state it was in keeps its `since`."""
    known = before.blocks if before is not None else {}
    blocks = {
        block: BlockState(
            state=state,
            since=known[block].since if block in known and known[block].state == state else checked,
            reasons=tuple(reasons),
            accepted=accepted.get(block),
        )
        for block, (state, reasons) in sorted(found.items())
    }
    return StatusFile(checked=checked, blocks=blocks)


def read_status(store: BlockStore) -> StatusFile | None:
    """Return what `status` last found, or None where it never looked or the file is damaged.

    Raises
    ------
    NewerFormat
        When a newer release wrote it.
    """
    if not store.status_path.exists():
        return None
    try:
        return parse_file(StatusFile, store.status_path)
    except NewerFormat:
        raise
    except StoreError as error:
        _log.warning("%s; it is written anew", error)
        return None


def write_status(
    store: BlockStore,
    found: Mapping[str, tuple[State, Sequence[str]]],
    checked: str,
    accepted: Mapping[str, Accepted] = NOBODY,
) -> StatusFile:
    """Write down what was found of each block at the time `checked` (ISO 8601, UTC), and return it.

    Raises
    ------
    StoreError
        When it cannot be written, as in a read-only store: the findings stand all the same.
    """
    with writing(store.ours):
        make_folders(store.ours)
    with locked(store.ours / ".status.lock"), writing(store.status_path):
        status = carried_on(read_status(store), found, checked, accepted)
        replace_file(store.status_path, status.to_bytes())
    return status


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
