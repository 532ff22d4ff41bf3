"""What may be written at a cursor: keys, their values, references, commands (`complete_request`)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from famulus_kernel.harness.operations import ARTIFACT_PREFIX, DUCKDB_READ
from famulus_kernel.kernel.keys import choices, field_at, keys_at
from famulus_kernel.kernel.position import Path, Spot, spot
from famulus_kernel.language.plan import KINDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

REFERENCE_OPENING = "ref:"
"""What stands before a reference in `{{ref:…}}`; it counts as part of the word there."""

_DECLARED = re.compile(r"(?:^|[{,\s-])(?P<key>name|alias):[ \t]+[\"']?(?P<value>[\w-]+)", re.MULTILINE)
_INPUTS = {
    DUCKDB_READ: ["sql"],
    "artifact:figure": ["path", "alt", "caption", "width"],
    "artifact:markdown": ["content"],
}
_STEP = re.compile(r"\bid:[ \t]+[\"']?(?P<id>[\w:-]+)")


@dataclass(frozen=True)
class Names:
    """What a project offers to be named. `blocks` are ids with the names of their artefacts."""

    blocks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    subtasks: tuple[str, ...] = ()
    collections: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()

    def references(self) -> list[str]:
        """Return `block.name` of every artefact."""
        return [f"{block}.{name}" for block, names in self.blocks.items() for name in names]


@dataclass(frozen=True, slots=True)
class Completion:
    """What may stand in place of the characters `start` to `end` of the cell."""

    matches: tuple[str, ...]
    start: int
    end: int


def complete(code: str, cursor: int, names: Names) -> Completion:
    """Return what may be written at offset `cursor` (in characters) of a cell."""
    here = spot(code, cursor)
    start, typed = here.start, here.typed
    if here.part == "preamble":
        found = _in_preamble(here, code, names)
    elif here.part == "instruction":
        found = names.references() if code[:start].endswith("{{") and typed.startswith(REFERENCE_OPENING) else []
        typed = typed.removeprefix(REFERENCE_OPENING)
        start = cursor - len(typed)
    else:
        found = _in_line(here, code, names)
    matches = tuple(dict.fromkeys(name for name in found if name.startswith(typed)))
    return Completion(matches, start, max(cursor, start))


def _in_line(here: Spot, code: str, names: Names) -> list[str]:
    """Return what a cell of one line may be."""
    before = code[: here.start].strip()
    if before == "%":
        return list(names.commands)
    if before and not before.startswith(("%", "?")):
        return []
    return [*names.blocks, *names.references(), *(f"{block}.report" for block in names.blocks)]


def _in_preamble(here: Spot, code: str, names: Names) -> list[str]:
    if here.asks == "text":
        return _declared(code, "alias")
    if here.asks == "entry":
        keys = keys_at(here.path) or _inputs(here.path, code)
        if keys:
            return [f"{key}: " for key in keys]
    return _values(here.path, code, names)


def _inputs(path: Path, code: str) -> list[str]:
    """Return the inputs of the steps that the block has; `ref` where a value of one may be a reference."""
    if path[-1:] != ("input",):
        return ["ref"] if "input" in path else []
    return sorted({name for match in _STEP.finditer(code) for name in _INPUTS.get(match["id"], ())})


def _values(path: Path, code: str, names: Names) -> list[str]:
    """Return what the value of the key that ends `path`, or an entry of its list, may be."""
    key = ".".join(str(step) for step in path if step != 0)
    known: dict[str, Iterable[str]] = {
        "depends_on": [*names.blocks, *names.references()],
        "subtask": names.subtasks,
        "collections": names.collections,
        "partiturs.id": [DUCKDB_READ, *(ARTIFACT_PREFIX + kind for kind in KINDS)],
        "partiturs.artefact": _declared(code, "name"),
        "artefacts.kind": KINDS,
    }
    if path[-1:] == ("ref",):
        return names.references()
    if key in known:
        return list(known[key])
    info = field_at(path)
    return choices(info) if info is not None else []


def _declared(code: str, key: str) -> list[str]:
    """Return what the block itself calls by a name: its artefacts (`name`) or its data (`alias`)."""
    return list(dict.fromkeys(match["value"] for match in _DECLARED.finditer(code) if match["key"] == key))

