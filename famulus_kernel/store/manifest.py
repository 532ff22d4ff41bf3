"""What a version says of itself: manifest.json and verdict.json (spec 2.3, 6.2) as frozen values."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

if TYPE_CHECKING:
    from collections.abc import Iterator

FORMAT: Final = 1
Status = Literal["pass", "fail", "gap", "error"]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FileInput(_Frozen):
    """A file read. `path` is relative to the project, `$PDAI_COLLECTIONS/…`, or absolute elsewhere."""

    path: str
    size: int
    mtime_ns: int
    sha256: str


class GlobInput(_Frozen):
    """A glob and the paths it found (in the form of :class:`FileInput`): a new match makes stale."""

    pattern: str
    matches: tuple[str, ...]


class ReferenceInput(_Frozen):
    """A reference as written, the version it resolved to, and the sha256 of the artefact's file."""

    ref: str
    version: str
    sha256: str


class PartiturInput(_Frozen):
    """The partitur document that was played."""

    id: str
    version: str
    sha256: str


class Inputs(_Frozen):
    """Everything a version was made from. Two equal values (without stats) must give the same result."""

    preamble: dict[str, Any]
    instruction: str
    options: dict[str, Any] = Field(default_factory=dict)
    operations: dict[str, int] = Field(default_factory=dict)
    files: tuple[FileInput, ...] = ()
    globs: tuple[GlobInput, ...] = ()
    references: tuple[ReferenceInput, ...] = ()
    partiturs: tuple[PartiturInput, ...] = ()
    aliases: dict[str, str] = Field(default_factory=dict)
    """What names of subtasks stood for that agent_memory has, and we have not."""
    model: str | None = None

    def fingerprint(self) -> str:
        """Return the sha256 of these inputs without stats, times and machine.

        What is empty is left out, so that a field which a later release adds does not change it.
        """
        data = self.model_dump(mode="json", exclude_defaults=True)
        data["files"] = [[file.path, file.sha256] for file in self.files]
        text = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()


class ArtefactEntry(_Frozen):
    """One artefact. `file` and its `companions` (Parquet, SVG, image) lie in the version's `artefacts/`."""

    name: str
    kind: str
    file: str
    bytes: int
    sha256: str
    companions: tuple[CompanionFile, ...] = ()

class CompanionFile(_Frozen):
    """A file of a version, relative to `artefacts/` (of an artefact) or the version (`Manifest.files`)."""

    file: str
    bytes: int
    sha256: str


class Software(_Frozen):
    """What made the version."""

    name: str = "famulus"
    version: str
    python: str
    duckdb: str


class Manifest(_Frozen):
    """manifest.json: a version exists when it has one."""

    format: Literal[1] = FORMAT
    project: str
    notebook: str
    block: str
    version: str
    created: str
    duration_s: float
    software: Software
    status: Status
    checked: bool
    """False where no oracle was compared: surfaces then say "unchecked", never "passed"."""
    inputs: Inputs
    artefacts: tuple[ArtefactEntry, ...] = ()
    files: tuple[CompanionFile, ...] = ()
    """Everything else in the version's folder (trace, verdict, report, enfolding); the store fills it in."""

    @property
    def started_ns(self) -> int:
        """When the run began, in ns since the epoch: stats of files changed since are not believed."""
        try:
            end = datetime.fromisoformat(self.created)
        except ValueError:  # a date that nobody can read vouches for nothing
            return 0
        end = end if end.tzinfo else end.replace(tzinfo=UTC)
        return int((end.timestamp() - self.duration_s) * 1e9)

    def all_files(self) -> Iterator[tuple[str, ArtefactEntry | CompanionFile]]:
        """Give every file the manifest answers for, relative to the version's folder, with its record."""
        for entry in self.artefacts:
            yield f"artefacts/{entry.file}", entry
            yield from ((f"artefacts/{companion.file}", companion) for companion in entry.companions)
        for record in self.files:
            yield record.file, record

    def artefact(self, name: str) -> ArtefactEntry | None:
        """Return the entry of that name, or None."""
        return next((entry for entry in self.artefacts if entry.name == name), None)


class Verdict(_Frozen):
    """verdict.json: exactly these five keys."""

    id: str
    golden: str | None
    status: Status
    oracle: dict[str, Any] | None
    observed: dict[str, Any]

    @property
    def is_unverified(self) -> bool:
        """Whether the guard could not check the text (spec 6.4): then the artefacts are kept, marked so."""
        guard = self.observed.get("guard")
        return isinstance(guard, dict) and guard.get("status") == "unreachable"
