"""Building beside and putting in place: an import that fails, or is killed, leaves the collection as it was."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import tempfile
import threading
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import duckdb
from filelock import FileLock, Timeout

from famulus_kernel.corpus.collection import quoted
from famulus_kernel.errors import ImportRefused, MissingFile, Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import FrameType

    from famulus_kernel.corpus.collection import Collection, Table
    from famulus_kernel.corpus.importers.letter import Imprint
    from famulus_kernel.corpus.importers.report import Report

_PREFIX: Final = ".import-"
_LOCK: Final = ".import.lock"
_CHUNK: Final = 1 << 20
_PACKED: Final = {b"\x1f\x8b": "gzip", b"PK\3\4": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz", b"(\xb5/\xfd": "zstd"}
_MAGIC: Final = b"DUCK"
"""What a database of DuckDB has after its first eight bytes."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file that is imported: its path, number of lines and SHA-256."""

    path: Path
    lines: int
    sha256: str

    @classmethod
    def of(cls, path: Path) -> Source:
        """Return what a file is.

        Raises
        ------
        MissingFile
            It is not there.
        ImportRefused
            It cannot be read, or is packed.
        """
        digest = hashlib.sha256()
        lines = 1
        try:
            with path.open("rb") as file:
                begins = file.read(8)
                packed = next((how for mark, how in _PACKED.items() if begins.startswith(mark)), None)
                file.seek(0)
                while chunk := file.read(_CHUNK):
                    digest.update(chunk)
                    lines += chunk.count(b"\n")
        except (FileNotFoundError, IsADirectoryError):
            raise MissingFile.of(str(path), path) from None
        except OSError as error:
            raise ImportRefused.unreadable(str(error.strerror), "check the rights").at(Where(str(path))) from None
        if packed:
            raise ImportRefused.unreadable(f"it is packed ({packed})", "unpack it first").at(Where(str(path)))
        return cls(path, lines, digest.hexdigest())


def sources_of(files: Iterable[Path]) -> list[Source]:
    """Return what the files are.

    Raises
    ------
    MissingFile
        One is not there.
    ImportRefused
        Two have the same name, by which reports and local numbers of persons tell them apart.
    """
    sources = [Source.of(path) for path in files]
    first: dict[str, Path] = {}
    for source in sources:
        if (other := first.setdefault(source.path.name, source.path)) is not source.path:
            raise ImportRefused.same_name(other, source.path)
    return sources


class Workshop:
    """A folder inside the collection's where its next files are built."""

    def __init__(self, collection: Collection, folder: Path) -> None:
        self.collection = collection
        self._folder = folder
        self._built: list[Path] = []

    def path(self, final: Path) -> Path:
        """Return where to build the file that will be `final`."""
        if final not in self._built:
            self._built.append(final)
        return self._folder / final.name

    def database(self, final: Path) -> duckdb.DuckDBPyConnection:
        """Open the new database that will be `final`; the caller closes it."""
        connection = duckdb.connect(str(self.path(final)))
        connection.execute(f"SET temp_directory = '{str(self._folder / 'spill').replace(chr(39), chr(39) * 2)}'")
        return connection

    def write_json(self, final: Path, data: dict[str, Any]) -> None:
        """Write a JSON file that will be `final`."""
        text = json.dumps(data, ensure_ascii=False, indent=2) + "\n"
        self.path(final).write_text(text, encoding="utf-8")

    def place(self) -> None:
        """Put every file in its place, in the order in which they were begun; Ctrl-C waits until all are there."""
        for final in self._built:
            with (self._folder / final.name).open("rb+") as file:
                os.fsync(file.fileno())
        with undisturbed():
            for final in self._built:
                (self._folder / final.name).replace(final)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold back Ctrl-C for the few renames inside: the files of a collection belong together."""
    if threading.current_thread() is not threading.main_thread():  # signals go elsewhere
        yield
        return
    struck: list[tuple[int, FrameType | None]] = []
    before = signal.signal(signal.SIGINT, lambda *what: struck.append(what))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if struck and callable(before):
        before(*struck[0])


@contextmanager
def workshop(collection: Collection) -> Iterator[Workshop]:
    """Give a workshop in the collection's folder, which is made if it is not there; it goes in the end.

    Raises
    ------
    ImportRefused
        Another import is at work there, or the folder cannot be written.
    """
    lock = collection.folder / _LOCK
    is_new = not collection.folder.exists()
    try:
        collection.folder.mkdir(parents=True, exist_ok=True)
        with FileLock(lock, timeout=0):
            # Nobody else works here: what is left is of an import that was killed.
            for left in collection.folder.glob(f"{_PREFIX}*"):
                shutil.rmtree(left, ignore_errors=True)
            folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=collection.folder))
            try:
                yield Workshop(collection, folder)
            finally:
                shutil.rmtree(folder, ignore_errors=True)
    except Timeout:
        raise ImportRefused.busy(collection.folder) from None
    except OSError as error:
        place = Where(error.filename or str(collection.folder))
        why, hint = error.strerror or str(error), "check the rights and the free space there"
        raise ImportRefused.cannot_write(why, hint).at(place) from error
    finally:
        if is_new and not collection.status_path.exists():
            # Nothing came of it: no empty folder is left behind.
            with suppress(OSError):
                lock.unlink()
                collection.folder.rmdir()


def check_replaces(
    collection: Collection, part: str, path: Path, table: Table, sources: Sequence[Source], *, replace: bool
) -> None:
    """Refuse to put other data in the place of a table that is there.

    Raises
    ------
    ImportRefused
        `path` holds the table, made of files of other names, or not by an import at all, and `replace` is not said.
    """
    if replace or not path.exists() or (_is_database(path) and table.name not in _tables(path)):
        return
    made_of = [str(file.get("name")) for file in _imports(collection).get(part, {}).get("files", [])]
    if not made_of:
        raise ImportRefused.other_data(path, "and no import made it")
    if sorted(made_of) != sorted(source.path.name for source in sources):
        raise ImportRefused.other_data(path, f"made of {', '.join(made_of)}")


def write_status(
    place: Workshop,
    part: str,
    form: str,
    sources: Sequence[Source],
    report: Report,
    imprints: Sequence[Imprint] = (),
    persons: Sequence[Source] = (),
) -> None:
    """Write status.json anew: what was imported, and what a page must say of it. Keys set by others stay.

    It holds no time: the same files give the same bytes, and blocks that read it stay fresh.
    """
    collection = place.collection
    found = collection.open_status().model_dump(exclude_defaults=True)
    imports = _imports(collection) | {
        part: {
            "form": form,
            "files": [_told(source) for source in sources],
            **({"persons": [_told(source) for source in persons]} if persons else {}),
            "report": f"import_{part}.json",
        }
    }
    known = found.get("artifacts")
    gaps = [gap for gap in found.get("gaps", ()) if not str(gap).endswith(f"(import_{part}.json)")]
    if report.rejects:
        gaps.append(f"{len(report.rejects)} {report.unit} could not be read (import_{part}.json)")
    status = {
        "overall": "partial" if gaps else "ready",
        "artifacts": (known if isinstance(known, dict) else {}) | report.contents,
        "gaps": gaps,
        **_credits(imprints),
    }
    status |= {key: value for key, value in found.items() if key not in ("overall", "artifacts", "gaps")}
    status["imports"] = {key: imports[key] for key in sorted(imports)}
    place.write_json(collection.folder / f"import_{part}.json", report.as_dict())
    place.write_json(collection.status_path, status)


def _told(source: Source) -> dict[str, str]:
    return {"name": source.path.name, "sha256": source.sha256}


def _credits(imprints: Sequence[Imprint]) -> dict[str, str]:
    """Return what status.json says of the origin: what the files say of themselves, each thing once."""
    said = {
        "source": [imprint.title for imprint in imprints],
        "credit": [imprint.publisher for imprint in imprints],
        "licence": [imprint.licence for imprint in imprints],
        "url": [imprint.url for imprint in imprints],
    }
    return {key: "; ".join(dict.fromkeys(filter(None, values))) for key, values in said.items() if any(values)}


def keep_tables(connection: duckdb.DuckDBPyConnection, old: Path) -> None:
    """Copy into a new database the tables of the old one that it lacks: registers, manuscripts, families of lemmata."""
    if not _is_database(old):
        return
    there = {str(name) for (name,) in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
    missing = [name for name in _tables(old) if name not in there]
    if not missing:
        return
    connection.execute(f"ATTACH '{str(old).replace(chr(39), chr(39) * 2)}' AS old (READ_ONLY)")
    for name in missing:
        connection.execute(f"CREATE TABLE {quoted(name)} AS FROM old.{quoted(name)}")  # the name is quoted
    connection.execute("DETACH old")


def _is_database(path: Path) -> bool:
    """Return whether a file is there that DuckDB made."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_MAGIC) + 8).endswith(_MAGIC)


def _tables(path: Path) -> list[str]:
    """Return the tables of a database by name.

    Raises
    ------
    ImportRefused
        It is damaged, or another process has it open for writing.
    """
    try:
        with duckdb.connect(str(path), read_only=True) as connection:
            rows = connection.execute("SELECT table_name FROM duckdb_tables() ORDER BY ALL").fetchall()
    except duckdb.Error as error:
        hint = "close it elsewhere, or move it away"
        raise ImportRefused.unreadable(str(error).partition("\n")[0], hint).at(Where(str(path))) from None
    return [str(name) for (name,) in rows]


def link_pages(letters: duckdb.DuckDBPyConnection, texts: Path) -> int:
    """Fill `letter_pages`: the pages of the documents whose id is a letter's; return how many letters have a text."""
    letters.execute(f"ATTACH '{str(texts).replace(chr(39), chr(39) * 2)}' AS texts (READ_ONLY)")
    letters.execute("DELETE FROM letter_pages")
    letters.execute(
        "INSERT INTO letter_pages SELECT letter_id, doc_id, pidx FROM "
        "(SELECT DISTINCT letter_id, doc_id FROM letters_resolved) JOIN "
        "(SELECT DISTINCT doc_id, pidx FROM texts.stz_sentences) USING (doc_id) ORDER BY ALL"
    )
    letters.execute("DETACH texts")
    found = letters.execute("SELECT count(DISTINCT letter_id) FROM letter_pages").fetchone()
    return int(found[0]) if found else 0


def _imports(collection: Collection) -> dict[str, Any]:
    imports = (collection.open_status().model_extra or {}).get("imports")
    return dict(imports) if isinstance(imports, dict) else {}
