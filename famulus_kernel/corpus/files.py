"""From the names that a query writes to files, and whether it may read them (spec 2.5, 3.7).

Patterns are expanded here and not by DuckDB, so that staleness and the query see the same list, and so that a query is
allowed exactly these files and no folder.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Self

from famulus_kernel.errors import ForbiddenPath, MissingFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAGIC = frozenset("*?[")
OUTSIDE = "it lies outside of the project and the collections"


def is_glob(written: str) -> bool:
    """Return whether a name is a pattern (`*`, `?`, `[`)."""
    return not MAGIC.isdisjoint(written)


def expand(written: str, folder: Path) -> tuple[Path, ...]:
    """Return the absolute paths of the files that a name stands for, sorted; none where nothing is there.

    Parameters
    ----------
    written : str
        A path, or a pattern as DuckDB knows it: `*`, `?`, `[a-z]`, `[!a]`, and `**` for any folders below, links not
        followed. Hidden files count. A file that is really called like that goes before the pattern.
    folder : Path
        Where relative names start: the project's folder.
    """
    plain = _absolute(written, folder)
    if os.path.isfile(plain):  # noqa: PTH113  # Path's raises for a name that is too long
        return (plain,)
    if not is_glob(written):
        return ()
    fixed, pattern = _split(written, folder)
    return tuple(sorted(set(_matches(fixed, pattern))))


@dataclass(frozen=True)
class Allowed:
    """What the literals of a query may name: files, and folders with all that really lies in them."""

    paths: frozenset[Path]
    directories: tuple[Path, ...]

    @classmethod
    def of(cls, paths: Iterable[Path], directories: Iterable[Path]) -> Self:
        """Take the places as they are given; links are followed here, once."""
        return cls(frozenset(path.resolve() for path in paths), tuple(path.resolve() for path in directories))

    def files(self, written: str, folder: Path) -> tuple[Path, ...]:
        """Return the files that a name stands for, all of which may be read (:func:`expand`).

        Raises
        ------
        ForbiddenPath
            The name is a URL, or one of its files may not be read.
        MissingFile
            Nothing is there.
        """
        if "://" in written:
            raise ForbiddenPath.of(written, "a block does not reach the network")
        fixed, pattern = _split(written, folder)
        # Not even what is there may be asked outside, so the folder of a pattern is looked at before its files.
        if ".." in pattern or not self._may_look(fixed):
            raise ForbiddenPath.of(written, OUTSIDE)
        files = expand(written, folder)
        if not files:
            raise MissingFile.of(written, _absolute(written, folder))
        for file in files:
            if not self._holds(file):
                raise ForbiddenPath.of(str(file) if is_glob(written) else written, OUTSIDE)
        return files

    def _may_look(self, place: Path) -> bool:
        return self._holds(place) or place.resolve() in {path.parent for path in self.paths}

    def _holds(self, file: Path) -> bool:
        real = file.resolve()
        return real in self.paths or any(real.is_relative_to(directory) for directory in self.directories)


def _absolute(written: str, folder: Path) -> Path:
    return Path(os.path.normpath(folder / _at_home(written)))


def _at_home(written: str) -> Path:
    return Path(os.path.expanduser(written))  # noqa: PTH111  # Path's raises where no user is called ~so


def _split(written: str, folder: Path) -> tuple[Path, Sequence[str]]:
    """Return the folder in which a pattern starts, and the parts of the pattern; no parts where it is none."""
    parts = _at_home(written).parts
    start = next((place for place, part in enumerate(parts) if is_glob(part)), len(parts))
    return Path(os.path.normpath(folder.joinpath(*parts[:start]))), parts[start:]


def _matches(folder: Path, pattern: Sequence[str]) -> Iterator[Path]:
    head, rest = pattern[0], pattern[1:]
    if head == "**":
        for below, _, names in os.walk(folder):
            yield from _matches(Path(below), rest) if rest else (Path(below, name) for name in names)
        return
    for entry in _entries(folder, head):
        if not rest and entry.is_file():
            yield entry
        elif rest and entry.is_dir():
            yield from _matches(entry, rest)


def _entries(folder: Path, name: str) -> list[Path]:
    """Return what a folder holds under a name or pattern; nothing where it may not be read."""
    try:
        return [Path(entry) for entry in os.scandir(folder) if fnmatchcase(entry.name, name)]
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []
