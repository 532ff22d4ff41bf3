"""Reading all files of an import, one thing after the other, and telling how far that is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar

from famulus_kernel.corpus.importers.letter import Unreadable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from famulus_kernel.corpus.importers.building import Source
    from famulus_kernel.corpus.importers.report import Report

    Progress = Callable[["Reading"], None]

STRIDE: Final = 200
"""Progress is told each time that so many letters or sentences are read."""


class Reading(NamedTuple):
    """How far an import is: lines read and in all, and how many letters, sentences or manuscripts (`unit`) so far."""

    lines: int
    total: int
    read: int
    unit: str


class _Placed(Protocol):
    @property
    def line(self) -> int:
        """Where it begins in its file."""
        ...


Found = TypeVar("Found", bound=_Placed)


def read_all(
    reader: Callable[[Path], Iterator[Found | Unreadable]],
    sources: Sequence[Source],
    report: Report,
    progress: Progress | None,
) -> Iterator[Found]:
    """Yield what can be read in all files, and note the rest in the report."""
    total = sum(source.lines for source in sources)
    before = 0
    for source in sources:
        for found in reader(source.path):
            if progress and report.read % STRIDE == 0:
                progress(Reading(before + found.line, total, report.read, report.unit))
            report.read += 1
            if isinstance(found, Unreadable):
                report.reject(found.file, found.line, found.why)
            else:
                yield found
        before += source.lines
    if progress:
        progress(Reading(total, total, report.read, report.unit))
