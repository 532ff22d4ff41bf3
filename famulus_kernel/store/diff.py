"""What changed between two versions of a block: what it was made from, and what came out (spec 7)."""

from __future__ import annotations

import difflib
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any, Literal

from famulus_kernel.errors import counted
from famulus_kernel.store.rows import RowsDiff, compare_lists, compare_parquet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from famulus_kernel.store.manifest import Inputs
    from famulus_kernel.store.store import StoredVersion

SHOWN_ROWS = 20


@dataclass(frozen=True, slots=True)
class Change:
    """A value that is not what it was; None stands for one that was not there."""

    key: str
    old: Any
    new: Any


@dataclass(frozen=True, slots=True)
class ArtefactDiff:
    """What became of one artefact; `tables` compares its rows, by the name of the list that holds them."""

    name: str
    state: Literal["added", "removed", "changed"]
    tables: tuple[tuple[str, RowsDiff], ...] = ()


@dataclass(frozen=True, slots=True)
class VersionDiff:
    """Everything that differs between two versions of a block; what is empty does not differ.

    `instruction` is a unified diff by lines. `inputs` names files, references, operations, partiturs, options
    and the model; `verdict` the status and what was observed of the oracle.
    """

    block: str
    old: str
    new: str
    preamble: tuple[Change, ...]
    instruction: tuple[str, ...]
    inputs: tuple[Change, ...]
    verdict: tuple[Change, ...]
    counts: tuple[Change, ...]
    artefacts: tuple[ArtefactDiff, ...]

    @property
    def is_empty(self) -> bool:
        """True where the two differ in nothing but time and software."""
        parts = (self.preamble, self.instruction, self.inputs, self.verdict, self.counts, self.artefacts)
        return not any(parts)

    def as_dict(self) -> dict[str, Any]:
        """Return the form of `--json`."""
        return asdict(self)


def diff(old: StoredVersion, new: StoredVersion, *, rows: int = SHOWN_ROWS) -> VersionDiff:
    """Compare two versions of a block.

    Parameters
    ----------
    old, new
        The versions.
    rows
        How many rows that came, and that went, are given of each table; they are all counted.

    Raises
    ------
    StoreError
        When a file of either cannot be read.
    """
    before, after = old.manifest.inputs, new.manifest.inputs
    return VersionDiff(
        block=new.manifest.block,
        old=old.name,
        new=new.name,
        preamble=changes(_flat(before.preamble), _flat(after.preamble)),
        instruction=_line_diff(before.instruction, after.instruction),
        inputs=changes(_facts(before), _facts(after)),
        verdict=changes(_verdict(old), _verdict(new)),
        counts=changes(_counts(old), _counts(new)),
        artefacts=tuple(_artefacts(old, new, rows)),
    )


def changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[Change, ...]:
    """Return the keys whose values differ, those of the old order first."""
    keys = [*old, *(key for key in new if key not in old)]
    differing = (key for key in keys if (key in old, old.get(key)) != (key in new, new.get(key)))
    return tuple(Change(key, old.get(key), new.get(key)) for key in differing)


def _flat(value: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, inner in value.items():
        if isinstance(inner, dict) and inner:
            found.update(_flat(inner, f"{prefix}{key}."))
        else:
            found[f"{prefix}{key}"] = inner
    return found


def _line_diff(old: str, new: str) -> tuple[str, ...]:
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=1)
    return tuple(line for line in lines if not line.startswith(("---", "+++")))


def _facts(inputs: Inputs) -> dict[str, Any]:
    return {
        **{f"option {key}": value for key, value in inputs.options.items()},
        **{f"operation {name}": version for name, version in inputs.operations.items()},
        **{f"subtask {name}": played for name, played in inputs.aliases.items()},
        **{f"partitur {one.id}": f"{one.version}, sha256 {one.sha256[:12]}" for one in inputs.partiturs},
        **({"model": inputs.model} if inputs.model is not None else {}),
        **{f"file {file.path}": f"{counted(file.size, 'byte')}, sha256 {file.sha256[:12]}" for file in inputs.files},
        **{f"glob {glob.pattern}": list(glob.matches) for glob in inputs.globs},
        **{f"reference {one.ref}": f"{one.version}, sha256 {one.sha256[:12]}" for one in inputs.references},
    }


def _verdict(version: StoredVersion) -> dict[str, Any]:
    verdict = version.verdict()
    said = {"status": verdict.status, "checked": version.manifest.checked}
    return said | _flat({"oracle": verdict.oracle or {}, "observed": verdict.observed})


def _counts(version: StoredVersion) -> dict[str, Any]:
    report = version.report()
    data = report.get("data", report)
    counts = data.get("counts") if isinstance(data, dict) else None
    return _flat(counts) if isinstance(counts, dict) else {}


def _artefacts(old: StoredVersion, new: StoredVersion, rows: int) -> Iterator[ArtefactDiff]:
    before = {entry.name: entry for entry in old.manifest.artefacts}
    after = {entry.name: entry for entry in new.manifest.artefacts}
    for name in [*before, *(name for name in after if name not in before)]:
        if name not in after:
            yield ArtefactDiff(name, "removed")
        elif name not in before:
            yield ArtefactDiff(name, "added")
        else:
            yield from _artefact(old, new, name, rows)


def _artefact(old: StoredVersion, new: StoredVersion, name: str, rows: int) -> Iterator[ArtefactDiff]:
    # Envelopes differ in each version by their header: what counts is the data.
    data_before, data_after = old.envelope(name).data, new.envelope(name).data
    full_before, full_after = _full_tables(old, name), _full_tables(new, name)
    tables = {
        label: compare_parquet(full_before[label], full_after[label], rows)
        for label in full_after
        if label in full_before
    }
    lists_before, lists_after = _lists(data_before), _lists(data_after)
    for label in [*lists_after, *(label for label in lists_before if label not in lists_after)]:
        if label not in tables:
            tables[label] = compare_lists(lists_before.get(label, ()), lists_after.get(label, ()), rows)
    differing = tuple((label, table) for label, table in tables.items() if not table.is_empty)
    if differing or data_before != data_after:
        yield ArtefactDiff(name, "changed", differing)


def _full_tables(version: StoredVersion, name: str) -> dict[str, Path]:
    """Return the Parquet files of an artefact: `x.parquet` has its rows, `x.findings.parquet` findings."""
    entry = version.manifest.artefact(name)
    found: dict[str, Path] = {}
    for companion in entry.companions if entry is not None else ():
        file = PurePosixPath(companion.file)
        if entry is not None and file.suffix == ".parquet":
            label = file.stem.removeprefix(PurePosixPath(entry.file).stem).removeprefix(".")
            found[label or "rows"] = version.artefact_file(companion.file)
    return found


def _lists(data: object) -> dict[str, list[Any]]:
    if isinstance(data, list):
        return {"data": data}
    fields = data.items() if isinstance(data, dict) else ()
    return {key: value for key, value in fields if isinstance(value, list) and key != "columns"}
