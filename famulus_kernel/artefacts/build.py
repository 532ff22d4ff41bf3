"""What a kind of artefact is: a builder that turns a result into data, a view and files beside it (spec 5.1).

A stranger's kind is an object with `kind`, `extension` and `build`, registered under its name in the
entry-point group `famulus.artefacts`. Ours are registered the same way, and are found without installed
metadata too.
"""

from __future__ import annotations

import importlib
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

from famulus_kernel.errors import ArtefactError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from famulus_kernel.artefacts.view import Cell, View

GROUP: Final = "famulus.artefacts"
_OURS: Final = (
    "report",
    "roster-table",
    "kwic",
    "citation-list",
    "d3-graph",
    "proof-structure",
    "timeline",
    "entfaltung-teil",
    "table",
    "markdown",
    "json",
    "figure",
)


@dataclass(frozen=True)
class TablePayload:
    """A table as a plan returns it.

    Attributes
    ----------
    columns : tuple of (name, type)
        Names and DuckDB's names of their types.
    rows : sequence of rows
        The first rows, cells as JSON has them.
    total : int
        How many rows the whole table has.
    parquet : Path, optional
        The whole table; None where `rows` is the whole table.
    """

    columns: tuple[tuple[str, str], ...]
    rows: Sequence[Sequence[Cell]]
    total: int
    parquet: Path | None = None


@dataclass(frozen=True)
class ReportPayload:
    """What a report says; the names are those of its data (seeds 8).

    `verdict` is verdict.json. `findings` is a table where they are many, else a list of mappings.
    `by_document` is a list of mappings or a mapping of document to count. `method` is the rules that were
    applied, in words.
    """

    question: str
    answer: str = ""
    verdict: Mapping[str, Any] | None = None
    method: str | Sequence[str] = ()
    counts: Mapping[str, Any] = field(default_factory=dict)
    findings: Sequence[Mapping[str, Any]] | TablePayload = ()
    by_document: Sequence[Mapping[str, Any]] | Mapping[str, Any] = ()
    specification: Mapping[str, Any] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)


def _resolve_nothing(path: str) -> Path:
    raise FileNotFoundError(path)


@dataclass(frozen=True)
class BuildContext:
    """Where and for whom an artefact is built.

    Attributes
    ----------
    name, kind : str
        The artefact's name in its block, and its kind.
    file : str
        Its JSON file, relative to `artefacts/` of the version, posix.
    lang : str
        The document's language, BCP 47.
    folder : Path
        The version's folder while it is being written.
    question : str
        The block's instruction.
    resolve : callable
        Turns a path that data names into a file under the roots the block may read; raises OSError or a
        FamulusError for any other. Without it no path resolves.
    """

    name: str
    kind: str
    file: str
    lang: str
    folder: Path
    question: str = ""
    resolve: Callable[[str], Path] = _resolve_nothing

    def companion_name(self, suffix: str) -> str:
        """Return the name of a file beside the artefact's JSON, relative to the version's folder."""
        return PurePosixPath("artefacts", self.file).with_suffix(suffix).as_posix()

    def companion(self, suffix: str) -> tuple[str, Path]:
        """Return name and path of a file beside the artefact's JSON that is still to be written.

        Raises
        ------
        ArtefactError
            Another artefact of the version has a file of that name, or the declared file itself would be it.
        """
        name = self.companion_name(suffix)
        path = self.folder / name
        if name == f"artefacts/{self.file}" or path.exists():
            raise self.error(f"two files of this version would be called {name}; declare another file:")
        path.parent.mkdir(parents=True, exist_ok=True)
        return name, path

    def place(self, source: Path, suffix: str) -> str:
        """Put a file that will not change beside the artefact's JSON and return its name.

        A file that already lies there stays; another becomes a hard link, or a copy where there are no links.
        """
        name = self.companion_name(suffix)
        if (self.folder / name).exists() and (self.folder / name).samefile(source):
            return name
        name, path = self.companion(suffix)
        try:
            os.link(source, path)
        except OSError:
            shutil.copyfile(source, path)
        return name

    def error(self, why: str) -> ArtefactError:
        """Return the error that this artefact cannot be built because of `why`."""
        return ArtefactError.of(self.name, self.kind, why)


@dataclass(frozen=True)
class Built:
    """An artefact ready to be enveloped. `companions` are its other files, relative to the version."""

    data: Any
    view: View
    companions: tuple[str, ...] = ()


@runtime_checkable
class Builder(Protocol):
    """One kind of artefact."""

    kind: str
    extension: str
    """Suffix of the artefact's own file, without a point."""

    def build(self, payload: object, context: BuildContext) -> Built:
        """Turn a result into an artefact; the same input gives the same bytes.

        Raises
        ------
        ArtefactError
            The payload is not one of this kind.
        """
        ...


class _Builders(Mapping[str, Builder]):
    """Builders by kind, each loaded when it is asked for: a broken one breaks the artefacts of its kind only."""

    def __init__(self) -> None:
        points = sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value), reverse=True)
        self._strangers: dict[str, EntryPoint] = {
            point.name: point for point in points if point.name not in _OURS
        }
        self._loaded: dict[str, Builder] = {}

    def __getitem__(self, kind: str) -> Builder:
        if kind not in self._loaded:
            self._loaded[kind] = self._load(kind)
        return self._loaded[kind]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted({*_OURS, *self._strangers}))

    def __len__(self) -> int:
        return len(_OURS) + len(self._strangers)

    def _load(self, kind: str) -> Builder:
        if kind in _OURS:
            module = f"famulus_kernel.artefacts.kinds.{kind.replace('-', '_')}"
            ours: Builder = importlib.import_module(module).BUILDER
            return ours
        try:
            builder = self._strangers[kind].load()
        except (ImportError, AttributeError) as error:
            raise ArtefactError.of(kind, kind, f"its builder cannot be loaded ({error})") from error
        if not isinstance(builder, Builder):
            raise ArtefactError.of(kind, kind, f"{self._strangers[kind].value} is no builder")
        return builder


@lru_cache(maxsize=1)
def builders() -> Mapping[str, Builder]:
    """Return the builders by kind: ours, and those that packages register. Nobody replaces one of ours."""
    return _Builders()
