"""Is one version what was committed? Every file is hashed again and compared with the manifest (spec 2.4)."""

from __future__ import annotations

import stat
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from famulus_kernel.errors import NewerFormat, StoreError, counted, plain
from famulus_kernel.store.content import hash_file
from famulus_kernel.store.draft import ALWAYS, files_below
from famulus_kernel.store.reading import inside, read_json
from famulus_kernel.store.store import version_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from famulus_kernel.store.manifest import ArtefactEntry, CompanionFile, Manifest
    from famulus_kernel.store.store import BlockStore, StoredVersion

FOREIGN = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
"""What file managers leave in folders; not worth a word."""

Kind = Literal["torn", "unreadable", "newer", "missing", "altered", "unknown", "mismatch", "behind"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be.

    `damage`: a version, or what a person said, is not what was written. `derived`: a file that can be written
    anew is behind.
    """

    kind: Kind
    path: Path
    message: str
    level: Literal["damage", "derived"] = "damage"


def unreadable(path: Path, error: StoreError) -> Finding:
    """Return the finding for a file that the store cannot read."""
    return Finding("newer" if isinstance(error, NewerFormat) else "unreadable", path, plain(error.message))


def check_version(store: BlockStore, folder: Path, number: int) -> list[Finding]:
    """Return what is wrong with version `number` of the block in `folder`; nothing if it goes meanwhile."""
    place = folder / version_name(number)
    findings = list(_findings(store, folder, number))
    return findings if place.exists() else []  # else prune removed it while we looked


def _findings(store: BlockStore, folder: Path, number: int) -> Iterator[Finding]:
    place = folder / version_name(number)
    try:
        version = store.version(folder, number)
    except StoreError as error:
        yield unreadable(place / "manifest.json", error)
        return
    if version is None:
        yield Finding("torn", place, "there is no manifest.json, so this version does not exist")
        return
    manifest = version.manifest
    if (manifest.version, manifest.block) != (version.name, unicodedata.normalize("NFC", folder.name)):
        words = f"it is the manifest of {manifest.version} of {manifest.block}"
        yield Finding("mismatch", place / "manifest.json", words)
    records = dict(manifest.all_files())
    for file, record in records.items():
        yield from _check_file(place, file, record)
    present = {file for file in files_below(place) if Path(file).name not in FOREIGN}
    for file in sorted(present - records.keys() - {"manifest.json"}):
        yield Finding("unknown", place / file, "the manifest does not name it")
    for file in sorted(set(ALWAYS) - records.keys()):
        yield Finding("missing", place / file, "every version has it, but the manifest does not name it")
    yield from _check_verdict(version)
    for entry in manifest.artefacts:
        yield from _check_envelope(version, entry)


def _check_file(place: Path, file: str, record: ArtefactEntry | CompanionFile) -> Iterator[Finding]:
    try:
        path = inside(place, file)
        facts = path.lstat()
        if not stat.S_ISREG(facts.st_mode):
            yield Finding("altered", path, "it is not a file of its own (a link, perhaps)")
        elif facts.st_size != record.bytes:
            yield Finding("altered", path, f"it has {counted(facts.st_size, 'byte')}, but had {record.bytes:,}")
        elif hash_file(path) != record.sha256:
            yield Finding("altered", path, "its content is not what was written")
    except (FileNotFoundError, NotADirectoryError):
        yield Finding("missing", place / file, "the manifest names it, but it is not there")
    except OSError as error:
        yield Finding("unreadable", place / file, error.strerror or str(error))
    except StoreError as error:
        yield unreadable(place / "manifest.json", error)


# The manifest carries no sum of its own, but what verdict and envelopes repeat of it must agree with it.


def _check_verdict(version: StoredVersion) -> Iterator[Finding]:
    path = version.folder / "verdict.json"
    manifest = version.manifest
    if not path.is_file():
        return  # said already
    try:
        verdict = version.verdict()
    except StoreError as error:
        yield unreadable(path, error)
        return
    if (verdict.id, verdict.status) != (manifest.block, manifest.status):
        words = f"it says {verdict.status} of {verdict.id}, the manifest {manifest.status}"
        yield Finding("mismatch", path, words)


def _check_envelope(version: StoredVersion, entry: ArtefactEntry) -> Iterator[Finding]:
    path = version.folder / "artefacts" / entry.file
    if path.suffix != ".json" or not path.is_file():
        return
    try:
        header = read_json(path).get("famulus")
    except StoreError as error:
        yield unreadable(path, error)
        return
    said = header if isinstance(header, dict) else {}
    expected = {**_repeated(version.manifest), "name": entry.name, "kind": entry.kind}
    differing = [key for key, value in expected.items() if said.get(key) != value]
    if differing:
        yield Finding("mismatch", path, f"its envelope and the manifest differ in {', '.join(differing)}")


def _repeated(manifest: Manifest) -> dict[str, str]:
    return {
        "project": manifest.project,
        "notebook": manifest.notebook,
        "block": manifest.block,
        "version": manifest.version,
        "created": manifest.created,
        "inputs": manifest.inputs.fingerprint(),
    }
