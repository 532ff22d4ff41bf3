"""Paths as people write them, as the disk has them, and as a manifest keeps them.

A manifest must mean the same on another machine: files of the project are kept relative to it, files of the
collections as `$PDAI_COLLECTIONS/…`, others as they are.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from famulus_kernel.errors import ForbiddenPath, MissingFile

COLLECTIONS = "$PDAI_COLLECTIONS"
DEFAULT_COLLECTIONS = "/Volumes/PDAI-1/pdai-collections"


def collections_root(root: Path, configured: str | None) -> Path:
    """Return the collections' folder: famulus.yml, else the environment, else the default of the language."""
    written = configured or os.environ.get("PDAI_COLLECTIONS") or DEFAULT_COLLECTIONS
    return Path(os.path.normpath(root / _at_home(written)))


@dataclass(frozen=True, slots=True)
class Places:
    """The two folders that paths of a project are told from."""

    root: Path
    collections: Path

    @property
    def are_named(self) -> bool:
        """Whether somebody said where the collections are, or they are where the language has them by default."""
        return self.collections != Path(DEFAULT_COLLECTIONS) or self.collections.is_dir()

    def expand(self, written: str) -> Path:
        """Return the absolute path of `written`: `$PDAI_COLLECTIONS`, `~` and relative paths resolved, links kept."""
        text = written.replace("${PDAI_COLLECTIONS}", COLLECTIONS).replace(COLLECTIONS, str(self.collections))
        return Path(os.path.normpath(self.root / _at_home(text)))

    def existing(self, written: str) -> Path:
        """Return :meth:`expand` of a file or folder that must be there.

        Raises
        ------
        MissingFile
            Showing the path as written and as expanded.
        """
        path = self.expand(written)
        if not os.path.exists(path):  # noqa: PTH110 - Path's raises for a name that is too long
            raise MissingFile.of(written, path)
        return path

    def existing_file(self, written: str) -> Path:
        """Return :meth:`expand` of a file that must be there; to open a pipe or a device could wait for ever.

        Raises
        ------
        MissingFile
            Showing the path as written and as expanded.
        """
        path = self.existing(written)
        if not path.is_file():
            raise MissingFile.no_file(written, path)
        return path

    def own_file(self, written: str) -> Path:
        """Return :meth:`existing_file` of a file that lies in the project or the collections (:meth:`readable`).

        Raises
        ------
        MissingFile, ForbiddenPath
        """
        path = self.existing_file(written)
        if not self.readable(path):
            raise ForbiddenPath.of(written, "it lies neither in the project nor in the collections")
        return path

    def portable(self, path: Path) -> str:
        """Return `path` as a manifest keeps it."""
        for folder, prefix in ((self.root, ""), (self.collections, COLLECTIONS + "/")):
            if path.is_relative_to(folder):
                return prefix + path.relative_to(folder).as_posix()
        return path.as_posix()

    def actual(self, portable: str) -> str:
        """Return the path on this machine of what :meth:`portable` gave."""
        if portable.startswith(COLLECTIONS):
            return f"{self.collections}{portable[len(COLLECTIONS) :]}"
        return portable if os.path.isabs(portable) else f"{self.root}/{portable}"  # noqa: PTH117 - once a file

    def belongs_to_project(self, portable: str) -> bool:
        """Say whether a kept path lies inside the project (then its absence is a change, not a missing corpus)."""
        return not (os.path.isabs(portable) or portable.startswith(COLLECTIONS))  # noqa: PTH117 - once a file

    def readable(self, path: Path) -> bool:
        """Say whether a block's own SQL may name `path`: really (links followed) under the project or the collections.

        The block store is not a source of data by path: what lies there is reached by reference.
        """
        real = path.resolve()
        store = self.root.resolve() / "_famulus"
        if real.is_relative_to(store):
            return False
        return any(real.is_relative_to(folder.resolve()) for folder in (self.root, self.collections))


def _at_home(written: str) -> str:
    return os.path.expanduser(written)  # noqa: PTH111 - Path's raises where no user is called ~so
