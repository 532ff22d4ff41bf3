"""Blocks beside the rows they name: where they differ, and which version proves a row (spec 6.3)."""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.goldens.memory import AgentMemory, GoldenRow, Promotion, row_of
from famulus_kernel.errors import FamulusError, GoldenError, listed
from famulus_kernel.project.blocks import Block
from famulus_kernel.verdict.oracle import SKIPPED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.project.project import Project
    from famulus_kernel.store.store import StoredVersion


@dataclass(frozen=True, slots=True)
class Difference:
    """A key that a block's oracle and its row do not have alike.

    `sides` holds its value under "row" and "oracle"; the side that does not have the key is left out.
    """

    block: str
    golden_id: str
    key: str
    sides: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of comparing: how many blocks name a row, where they differ, and what could not be compared."""

    compared: int
    differences: tuple[Difference, ...]
    problems: tuple[FamulusError, ...]


def blocks_by_golden(project: Project) -> dict[str, list[Block]]:
    """Return the blocks that name a row, by its id; blocks whose id stands twice as well."""
    found: dict[str, list[Block]] = {}
    for notebook in project.notebooks:
        for block in notebook.blocks:
            golden = block.facts.claims.get("golden") if isinstance(block, Block) else None
            if golden is not None and isinstance(block, Block):
                found.setdefault(golden, []).append(block)
    return found


def compare_blocks(project: Project, memory: AgentMemory) -> Comparison:
    """Compare the oracle of every block that names a row with what the row expects.

    Raises
    ------
    DatabaseBusy, GoldenError
        The rows cannot be read.
    """
    rows = memory.rows()
    differences: list[Difference] = []
    problems: list[FamulusError] = []
    compared = 0
    for golden, blocks in blocks_by_golden(project).items():
        for block in blocks:
            try:
                expected = row_of(rows, golden).expected()
            except FamulusError as error:
                problems.append(error.at(block.place("golden")))
                continue
            compared += 1
            oracle = block.facts.claims.get("oracle") or {}
            differences += [
                Difference(block.id, golden, key, sides) for key, sides in _different(expected, oracle).items()
            ]
    return Comparison(compared, tuple(differences), tuple(problems))


def promote(project: Project, memory: AgentMemory, golden_id: str) -> Promotion:
    """Make a row golden that the newest version of a block proves, and record that version.

    It proves the row when it passed, was checked, and was held against all that the row expects.

    Raises
    ------
    UnknownGolden
        No row has that id.
    GoldenError
        No version proves it; says of each block why not.
    DatabaseBusy
        Another process has the database open.
    """
    row = row_of(memory.rows(), golden_id)
    reasons = []
    for block in blocks_by_golden(project).get(golden_id, ()):
        version = project.store.newest(project.folder_of(block))
        lacking = "it was never run" if version is None else _lacking(version, row)
        if version is None or lacking:
            reasons.append(f"block {block.id}: {lacking}")
            continue
        inputs = version.manifest.inputs.fingerprint()
        made = Promotion(golden_id, project.id, block.notebook, block.id, version.name, inputs)
        memory.promote(row, made)
        return made
    raise GoldenError.not_proven(golden_id, reasons or ["no block names it"])


def _lacking(version: StoredVersion, row: GoldenRow) -> str:
    """Return why a version does not prove a row; "" where it does."""
    verdict = version.verdict()
    if verdict.golden != row.golden_id:
        return f"{version.name} was run before the block named this row"
    if verdict.status != "pass":
        return f"the verdict of {version.name} is {verdict.status}"
    if not version.manifest.checked:
        return f"{version.name} is unchecked"
    # an oracle that asks for more than the row proves the row all the same
    other = [key for key, sides in _different(row.expected(), verdict.oracle or {}).items() if "row" in sides]
    return f"{version.name} was checked against something else in {listed(other)}" if other else ""


def _different(expected: Mapping[str, Any], oracle: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return the keys that differ, with the value of each side that has them."""
    found = {}
    for key in dict.fromkeys((*expected, *oracle)):
        if key in SKIPPED:
            continue
        sides = {name: side[key] for name, side in (("row", expected), ("oracle", oracle)) if key in side}
        if len(sides) == 1 or _form(sides["row"]) != _form(sides["oracle"]):
            found[key] = sides
    return found


def _form(value: Any) -> Any:
    """Return what is equal where an oracle means the same: 75 and 75.0, lists in any order, but not 1 and true."""
    if isinstance(value, bool):
        return "bool", value
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, dict):
        return {key: _form(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return sorted(map(_form, value), key=repr)
    return Fraction(value) if isinstance(value, int | float) and math.isfinite(value) else value
