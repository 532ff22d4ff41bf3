"""Where partituren are found: in a register, on this machine or served over MCP, and in this package (spec 3.3).

One function looks a partitur up, wherever the register is: both ways give the same document, byte for byte. What the
configured register does not have, the package's own partituren answer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, Protocol

from famulus_kernel.errors import FamulusError, RegisterError, UnknownPartitur

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from famulus_kernel.harness.partitur import Document

SHIPPED: Final = "famulus"
"""What the package's own partituren are said to come from."""
LIST_TOOL: Final = "list_partituren"
GET_TOOL: Final = "get_partitur"
_HEAD: Final = re.compile(r"^(id|version|goal_path): *\"?([^\"\n#]+?)\"? *$", re.MULTILINE)


def version_order(version: str) -> tuple[int, ...]:
    """Return what versions are ordered by: 1.10 is newer than 1.9."""
    return tuple(int(part) for part in version.split("."))


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a register: which partitur, and the hash of its document."""

    id: str
    version: str
    goal_path: str
    sha256: str
    created: str | None = None

    @property
    def name(self) -> str:
        """Its id and version, as a block may write it."""
        return f"{self.id}@{self.version}"


@dataclass(frozen=True, slots=True)
class Found:
    """A partitur and where it was found."""

    document: Document
    place: str
    is_shipped: bool
    """Whether it came with the package."""


class Source(Protocol):
    """Something that holds partituren."""

    place: str
    """What messages and traces call it."""

    def entries(self) -> tuple[Entry, ...]:
        """Return what it holds."""
        ...

    def text(self, entry: Entry) -> bytes:
        """Return the document of an entry, as it was put in."""
        ...


class Register:
    """The partituren of a project.

    Parameters
    ----------
    sources
        Where to look, in order; the package's own come after them.
    """

    def __init__(self, *sources: Source) -> None:
        self.sources: tuple[Source, ...] = (*sources, Shipped())
        self._found: dict[str, Found] = {}

    @cached_property
    def _asked(self) -> tuple[tuple[Source, tuple[Entry, ...]], ...] | FamulusError:
        """What the sources hold; one that cannot be read is asked once only, for it may take its time."""
        try:
            return tuple((source, source.entries()) for source in self.sources)
        except FamulusError as error:
            return error

    @property
    def _entries(self) -> tuple[tuple[Source, tuple[Entry, ...]], ...]:
        if isinstance(self._asked, FamulusError):
            raise self._asked
        return self._asked

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """Yield place and entry of every partitur that a lookup can find, by id and newest first.

        Raises
        ------
        RegisterError, RemoteError
            A register cannot be read.
        """
        told: set[str] = set()
        for source, entries in self._entries:
            own = [entry for entry in entries if entry.id not in told]
            told |= {entry.id for entry in own}
            newest_first = sorted(own, key=lambda entry: version_order(entry.version), reverse=True)
            yield from ((source.place, entry) for entry in sorted(newest_first, key=lambda entry: entry.id))

    def lookup(self, name: str) -> Found:
        """Return the partitur of an id, `id@version` or goal_path; without a version the newest.

        Raises
        ------
        UnknownPartitur
            With the nearest names.
        RegisterError, RemoteError
            A register cannot be read, or holds a document that is not what it says.
        """
        if name not in self._found:
            source, entry = self._locate(name)
            self._found[name] = Found(_read(source, entry), source.place, isinstance(source, Shipped))
        return self._found[name]

    def entry(self, name: str) -> tuple[Entry, bool]:
        """Return the entry that :meth:`lookup` would read, and whether it came with the package; nothing is read.

        Raises
        ------
        UnknownPartitur, RegisterError, RemoteError
            As :meth:`lookup`.
        """
        source, entry = self._locate(name)
        return entry, isinstance(source, Shipped)

    def _locate(self, name: str) -> tuple[Source, Entry]:
        wanted, _, version = name.partition("@")
        version = version.removeprefix("v")
        others: list[str] = []
        for source, entries in self._entries:
            for key in ("id", "goal_path"):
                named = [entry for entry in entries if getattr(entry, key) == wanted]
                fitting = [entry for entry in named if version in ("", entry.version)]
                if fitting:
                    return source, max(fitting, key=lambda entry: version_order(entry.version))
                others += [entry.version for entry in named]
        if others:
            raise UnknownPartitur.version(wanted, version, sorted(set(others), key=version_order))
        every = [word for _, entries in self._entries for entry in entries for word in (entry.id, entry.goal_path)]
        raise UnknownPartitur.of(name, dict.fromkeys(every))


def _read(source: Source, entry: Entry) -> Document:
    from famulus_kernel.harness.partitur import read_partitur  # noqa: PLC0415 - a mere status reads no document

    is_ours = isinstance(source, Shipped)
    document = read_partitur(source.text(entry), f"{entry.name} in {source.place}", is_ours=is_ours)
    if document.name != entry.name or document.sha256 != entry.sha256:
        raise RegisterError.of(source.place, f"the document of {entry.name} is not the one that was put in")
    return document


class Shipped:
    """The partituren that come with the package: files named by their id."""

    place = SHIPPED

    def entries(self) -> tuple[Entry, ...]:
        """Return what the package ships."""
        return _shipped_entries()

    def text(self, entry: Entry) -> bytes:
        """Return the document of an entry."""
        return _shipped()[entry.id]


@lru_cache(maxsize=1)
def _shipped() -> dict[str, bytes]:
    folder = files("famulus_kernel.harness") / "partituren"
    found = {file.name: file.read_bytes() for file in folder.iterdir() if file.name.endswith(".yaml")}
    return {name.removesuffix(".yaml"): found[name] for name in sorted(found)}


@lru_cache(maxsize=1)
def _shipped_entries() -> tuple[Entry, ...]:
    """Return the entries without reading the documents whole: a run that needs one of them reads that one."""
    import hashlib  # noqa: PLC0415 - loaded where it is used

    found = []
    for text in _shipped().values():
        head = dict(_HEAD.findall(text.decode()))
        found.append(Entry(head["id"], head["version"], head["goal_path"], hashlib.sha256(text).hexdigest()))
    return tuple(found)


class ServedRegister:
    """A register that is served over MCP (`famulus-notebook register serve`)."""

    def __init__(self, url: str) -> None:
        from famulus_kernel.remote.calling import server_name  # noqa: PLC0415 - only where a register is served

        self._url = url
        self.place = server_name(url)

    def entries(self) -> tuple[Entry, ...]:
        """Ask for the list.

        Raises
        ------
        RemoteError, RegisterError
            The server cannot be asked, or answers something else.
        """
        answer = self._ask(LIST_TOOL)
        try:
            return tuple(_entry(**one) for one in answer["partituren"])
        except (KeyError, TypeError, ValueError) as error:
            raise RegisterError.of(self.place, f"its list is none ({error})") from None

    def text(self, entry: Entry) -> bytes:
        """Ask for a document.

        Raises
        ------
        RemoteError, RegisterError
            The server cannot be asked, or answers something else.
        """
        text = self._ask(GET_TOOL, name=entry.name).get("document")
        if not isinstance(text, str):
            raise RegisterError.of(self.place, f"it gives no document of {entry.name}")
        return text.encode("utf-8", "surrogatepass")

    def _ask(self, tool: str, **arguments: str) -> dict[str, Any]:
        from famulus_kernel.remote import call_tool  # noqa: PLC0415 - only where a register is served

        answer = call_tool(self._url, tool, arguments)
        if not isinstance(answer.data, dict):
            raise RegisterError.of(self.place, f"{tool} gives no mapping")
        return answer.data


def _entry(id: str, version: str, goal_path: str, sha256: str, created: str | None = None) -> Entry:  # noqa: A002
    """Return an entry whose version can be ordered; ValueError for another."""
    version_order(str(version))
    return Entry(str(id), str(version), str(goal_path), str(sha256), created)


def open_register(where: str | Path | None) -> Register:
    """Return the register at an MCP URL or at the path of a `partitur_register.duckdb`; None: the package's own.

    Nothing is opened before it is asked.
    """
    if where is None:
        return Register()
    if isinstance(where, str):
        return Register(ServedRegister(where))
    from famulus_kernel.harness.register_file import RegisterFile  # noqa: PLC0415 - only where there is one

    return Register(RegisterFile(where))


def is_url(where: str) -> bool:
    """Return whether `register:` of famulus.yml names a server, and no file."""
    return where.startswith(("http://", "https://"))

