"""`_famulus/accepted.jsonl`: who took a stale result for good, when, why, and with which inputs (spec 2.3).

Versions are immutable, so an acceptance is not written into one. It stands beside them and says: this version
also answers for these inputs. Staleness then compares with them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from famulus_kernel.store.durable import locked, make_folders, replace_file, writing
from famulus_kernel.store.manifest import Inputs
from famulus_kernel.store.reading import parse, read_bytes

if TYPE_CHECKING:
    from famulus_kernel.store.store import BlockStore


class Acceptance(BaseModel):
    """One line. `when` is ISO 8601 in UTC, `version` a version's name, `inputs` those that are accepted."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    block: str
    version: str
    when: str
    who: str
    why: str
    inputs: Inputs

    def said(self) -> dict[str, str]:
        """Return who accepted it, when and why: what is told of it where the version is shown."""
        return {"who": self.who, "when": self.when, "why": self.why}


def accept(store: BlockStore, acceptance: Acceptance) -> None:
    """Add an acceptance at the end; the file is replaced in one step, so that no line is ever half there.

    Raises
    ------
    StoreError
        When it cannot be written.
    """
    line = json.dumps(acceptance.model_dump(mode="json"), ensure_ascii=False) + "\n"
    with writing(store.ours):
        make_folders(store.ours)
    path = store.accepted_path
    with locked(store.ours / ".accepted.lock"), writing(path):
        before = path.read_bytes() if path.exists() else b""
        if before and not before.endswith(b"\n"):
            before += b"\n"
        replace_file(path, before + line.encode())


def acceptances(store: BlockStore) -> tuple[Acceptance, ...]:
    """Return all acceptances, the oldest first.

    Raises
    ------
    StoreError
        Naming the file and line that cannot be read: a lost acceptance is a lost statement of a person.
    """
    path = store.accepted_path
    if not path.exists():
        return ()
    lines = read_bytes(path).splitlines()
    return tuple(
        parse(Acceptance, line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()
    )


def acceptances_of(store: BlockStore, block: str) -> dict[str, list[Acceptance]]:
    """Return the acceptances of a block by version, the oldest first.

    Raises
    ------
    StoreError
        As :func:`acceptances`.
    """
    found: dict[str, list[Acceptance]] = {}
    for one in acceptances(store):
        if one.block == block:
            found.setdefault(one.version, []).append(one)
    return found


def accepted_inputs(store: BlockStore, block: str, version: str) -> frozenset[str]:
    """Return the fingerprints of the inputs for which a version was accepted."""
    return frozenset(one.inputs.fingerprint() for one in acceptances_of(store, block).get(version, ()))
