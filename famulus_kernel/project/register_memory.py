"""The list of a register on the disk, remembered between two commands: a mere status opens no database (spec 2.5).

`_famulus/register.json` is a cache: safe to delete, ignored where the register or the release is another. Documents are
always read from the register itself.
"""

from __future__ import annotations

import json
import logging
import time
from dataclasses import asdict
from functools import cached_property
from typing import TYPE_CHECKING

from famulus_kernel.errors import StoreError
from famulus_kernel.harness.register import Entry, Register, is_url, open_register
from famulus_kernel.store.content import stamp_with_log
from famulus_kernel.store.durable import locked, replace_file
from famulus_kernel.version import __version__

if TYPE_CHECKING:
    from pathlib import Path

    from famulus_kernel.harness.register_file import RegisterFile
    from famulus_kernel.project.places import Places
    from famulus_kernel.store.stamps import Stamp

FILE = "register.json"
FORMAT = 1
_log = logging.getLogger(__name__)


def register_of(written: str | None, places: Places, memory: Path) -> Register:
    """Return where partituren are looked up; nothing is opened before it is asked.

    Parameters
    ----------
    written
        `register:` of famulus.yml: a URL or a path; None: the package's own partituren only.
    places
        Where its path starts.
    memory
        The folder in which the list of a register on the disk is remembered.
    """
    if written is None or is_url(written):
        return open_register(written)
    return Register(RememberedRegister(places.expand(written), memory))


class RememberedRegister:
    """A source of partituren: the register at `path`, its list kept in the folder `memory`, which may not be there."""

    def __init__(self, path: Path, memory: Path) -> None:
        self.place = path.name
        self._path = path
        self._memory = memory / FILE

    @cached_property
    def _file(self) -> RegisterFile:
        from famulus_kernel.harness.register_file import RegisterFile  # noqa: PLC0415 - not where all is remembered

        return RegisterFile(self._path)

    def entries(self) -> tuple[Entry, ...]:
        """Return what the register holds, from memory as long as the file is the one that was read.

        Raises
        ------
        MissingFile, DatabaseBusy, RegisterError
            The register cannot be read.
        """
        try:
            stamp = stamp_with_log(str(self._path))
        except OSError:
            return self._file.entries()  # which says what is wrong
        known = self._recalled(stamp)
        if known is None:
            read_ns = time.time_ns()
            known = self._file.entries()
            self._remember(stamp, read_ns, known)
        return known

    def text(self, entry: Entry) -> bytes:
        """Return the document of an entry, from the register.

        Raises
        ------
        MissingFile, DatabaseBusy, RegisterError
            The register cannot be read, or the entry is gone.
        """
        return self._file.text(entry)

    def _recalled(self, stamp: Stamp) -> tuple[Entry, ...] | None:
        try:
            data = json.loads(self._memory.read_bytes())
            if (data["format"], data["famulus"], data["path"]) != (FORMAT, __version__, str(self._path)):
                return None
            if tuple(data["stamp"]) != stamp or not stamp.was_settled(data["read_ns"]):
                return None
            return tuple(Entry(**entry) for entry in data["entries"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            _log.debug("nothing is remembered of %s: %s", self._path, error)
            return None

    def _remember(self, stamp: Stamp, read_ns: int, entries: tuple[Entry, ...]) -> None:
        if not self._memory.parent.is_dir():
            return
        data = {
            "format": FORMAT,
            "famulus": __version__,
            "path": str(self._path),
            "stamp": stamp,
            "read_ns": read_ns,
            "entries": [asdict(entry) for entry in entries],
        }
        try:
            with locked(self._memory.with_name(".register.lock")):
                replace_file(self._memory, json.dumps(data, ensure_ascii=False).encode())
        except (OSError, StoreError) as error:  # a cache that cannot be written costs time and nothing else
            _log.info("%s cannot be written: %s", self._memory, error)
