"""From the names that a query writes to files, and whether it may read them (spec 2.5, 3.7).

Globs are expanded here and not by DuckDB, so that staleness and the query see the same list, and so that a query
is allowed exactly these files and no folder.
"""

from __future__ import annotations

import glob
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Self

from famulus_kernel.errors import ForbiddenPath, MissingFile

if TYPE_CHECKING:
    from collections.abc import Iterable


def is_glob(written: str) -> bool:
    """Return whether a name is a pattern (`*`, `?`, `[`)."""
    return glob.has_magic(written)


def expand(written: str, folder: Path) -> tuple[Path, ...]:
    """Return the absolute paths of the files that a name stands for, sorted; none where nothing is there.

    Parameters
    ----------
    written : str
        A path or a pattern as DuckDB knows it: `*`, `?`, `[a-z]`, `**` for any folders; hidden files count.
    folder : Path
        Where relative names start: the project's folder.
    """
    name = os.path.expanduser(written)  # Path would drop a trailing slash and a leading ./
    plain = Path(os.path.normpath(folder / name))
    if not is_glob(name) or plain.is_file():
        return (plain,) if plain.is_file() else ()
    pattern = name if Path(name).is_absolute() else str(Path(glob.escape(str(folder))) / name)
    found = glob.iglob(pattern, recursive=True, include_hidden=True)  # Path.glob skips absolute ones
    return tuple(sorted(Path(os.path.normpath(path)) for path in found if os.path.isfile(path)))


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
        if "\0" in written:
            raise ForbiddenPath.of(written.replace("\0", "\\0"), "it is no path")
        files = expand(written, folder)
        for file in files or (folder / written,):
            if not self._holds(file):
                raise ForbiddenPath.of(written, "it lies outside of the project and the collections")
        if not files:
            raise MissingFile.of(written, folder / written)
        return files

    def _holds(self, file: Path) -> bool:
        real = file.resolve()
        return real in self.paths or any(real.is_relative_to(directory) for directory in self.directories)
