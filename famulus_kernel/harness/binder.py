"""What the free inputs of a partitur are bound to (spec 3.4): explicit input, then Setting, then default.

The caller has laid `input` over the Setting already and says of each value who gave it; here the partitur's defaults
are added, what is required is asked for, and every value is held to its type.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import UnboundInput

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from famulus_kernel.harness.partitur import InputSpec, Partitur
    from famulus_kernel.harness.request import Origin, RunRequest

SCOPE_INPUTS: Final = (
    "instruction", "subtask", "documents", "evidence", "years", "persons", "lemmata", "counting_mode", "language",
    "collections", "locked", "reading_doc", "person_id", "project",
)  # fmt: skip
"""What every run carries (spec 3.2), whether or not its partitur declares it."""

NEEDED: Final = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "list": "a list",
    "mapping": "a mapping",
    "path": "the path of a file of the project or the collections",
    "table": "a table: {ref: block.name} of the kind table",
    "artefact": "an artefact: {ref: block.name}",
}
"""What a value of each type is, for messages."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A value of an input, as it was written, and who gave it."""

    value: Any
    origin: Origin


@dataclass(frozen=True)
class Artefact:
    """What `{ref: …}` and `{step: …}` mean in an input.

    Attributes
    ----------
    kind, data
        Its kind, and its data as spec 5.1 has them.
    path
        Its file; None for a step of the same block, whose file is still to be written.
    table
        The Parquet file of all its rows, where it is a table.
    """

    kind: str
    data: Any
    path: Path | None = None
    table: Path | None = None

    def as_value(self) -> dict[str, Any]:
        """Return it as templates and operations see it."""
        return {
            "path": str(self.path) if self.path is not None else None,
            "kind": self.kind,
            "data": self.data,
            "table": str(self.table) if self.table is not None else None,
        }


def bind(
    partitur: Partitur,
    request: RunRequest,
    resolve: Callable[[str], Path] | None = None,
    accepted: Collection[str] = (),
) -> dict[str, Bound]:
    """Return the bound inputs by name: those that the partitur declares, and whatever else the run carries.

    Parameters
    ----------
    partitur, request
        What declares inputs, and what gives values.
    resolve
        Turns a path as written into a file that the block may read; None where nothing is to be opened yet.
    accepted
        Names that the operations know beside the declared ones.

    Raises
    ------
    UnboundInput
        One is required and not there, has the wrong type, or is one that nobody knows.
    MissingFile, ForbiddenPath
        Of an input of the type path.
    """
    given: dict[str, Bound] = {"instruction": Bound(request.goal, "block")} if request.goal else {}
    given |= {name: Bound(value, request.origins.get(name, "input")) for name, value in request.inputs.items()}
    for name, bound in given.items():
        if name not in partitur.inputs and name not in SCOPE_INPUTS and name not in accepted and _is_meant(bound):
            raise UnboundInput.unknown(name, partitur.id, [*partitur.inputs, *accepted])
    for name, spec in partitur.inputs.items():
        missing = name not in given or given[name].value is None or _is_empty_scope(name, given[name])
        if missing and spec.default is not None:
            given[name] = Bound(spec.default, "default")
        elif missing and spec.required:
            raise UnboundInput.of(name, partitur.id)
        if name in given:
            value = _typed(given[name].value, spec, name, partitur.id, resolve)
            given[name] = Bound(value, given[name].origin)
    return {name: Bound(_plain(bound.value), bound.origin) for name, bound in given.items()}


def _is_meant(bound: Bound) -> bool:
    """Say whether the block or its setting names the input for this very run."""
    return bound.origin in ("input", "setting")


def _is_empty_scope(name: str, bound: Bound) -> bool:
    """Say whether a key of the scope is there only because the language has a default for it."""
    return name in SCOPE_INPUTS and bound.value in ([], (), "", {})


def _typed(value: Any, spec: InputSpec, name: str, partitur: str, resolve: Callable[[str], Path] | None) -> Any:
    """Return a value as its type has it."""
    if value is None or spec.type == "any" or _is_open(value):
        return value
    if isinstance(value, Artefact):
        if spec.type == "artefact" or (spec.type == "table" and value.kind == "table"):
            return value
        value = _single_column(value) if spec.type == "list" else value.data
    if not has_type(value, spec.type):
        raise UnboundInput.bad_value(name, partitur, f"{NEEDED[spec.type]}, and not {_shown(value)}")
    return str(resolve(value)) if spec.type == "path" and resolve is not None else value


def has_type(value: object, type_: str) -> bool:
    """Return whether a value is what an input of that type holds, when it is no artefact."""
    return type_ == "any" or {
        "string": isinstance(value, str),
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "number": isinstance(value, int | float) and not isinstance(value, bool),
        "boolean": isinstance(value, bool),
        "list": isinstance(value, list | tuple),
        "mapping": isinstance(value, Mapping),
        "path": isinstance(value, str),
    }.get(type_, False)


def _is_open(value: Any) -> bool:
    """Say whether a value is a reference that nobody resolved yet: the block is only being checked."""
    return isinstance(value, Mapping) and set(value) in ({"ref"}, {"step"})


def _single_column(artefact: Artefact) -> Any:
    """Return the values of a table of one column; of anything else its data."""
    data = artefact.data
    if artefact.kind != "table" or not isinstance(data, Mapping) or len(data.get("columns", ())) != 1:
        return data
    if artefact.table is not None and data["n_rows"] > len(data["rows"]):
        import pyarrow.parquet as pq  # noqa: PLC0415 - only where the table is longer than what its artefact shows

        return pq.read_table(artefact.table).column(0).to_pylist()
    return [row[0] for row in data["rows"]]


def _plain(value: Any) -> Any:
    """Return a value with every artefact in it as templates see it."""
    if isinstance(value, Artefact):
        return value.as_value()
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value


def _shown(value: object, most: int = 60) -> str:
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}…"
