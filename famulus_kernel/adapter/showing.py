"""What a surface shows of a block: the card of a version and its artefacts, as values (spec 5.1, 7.1)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.building import REPORT
from famulus_kernel.artefacts.card import Accepted, Card, Mark, card
from famulus_kernel.artefacts.envelope import Envelope
from famulus_kernel.errors import UnresolvedReference
from famulus_kernel.language.references import Reference, parse_dependency
from famulus_kernel.project.needs import Need
from famulus_kernel.project.resolve import resolve
from famulus_kernel.store.accepted import acceptances_of
from famulus_kernel.store.status_file import read_status

if TYPE_CHECKING:
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project
    from famulus_kernel.store.store import StoredVersion


@dataclass(frozen=True)
class Shown:
    """A version as a surface draws it. `card` is None where one artefact was asked for, or no card is to be seen.

    `marks` are the badges of the version; where there is no card, they belong beside the artefacts.
    """

    version: StoredVersion
    card: Card | None
    envelopes: tuple[Envelope, ...]
    lang: str
    marks: tuple[Mark, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the form of `--json`: the manifest, the verdict and the data of each artefact."""
        return {
            "manifest": self.version.manifest.model_dump(mode="json"),
            "verdict": self.version.verdict().model_dump(mode="json"),
            "artefacts": {one.famulus.name: one.data for one in self.envelopes},
        }


def shown_version(
    project: Project, block: Block, version: StoredVersion, stale_since: str | None = None, output: str | None = None
) -> Shown:
    """Return a version with its card and artefacts, as far as `output` (default: the block's own) lets them be seen."""
    output = output or block.preamble.output
    manifest = version.manifest
    drawn = card(
        version.report()["data"],
        block=block.id,
        version=version.name,
        created=manifest.created,
        newest_file_ns=max((file.mtime_ns for file in manifest.inputs.files), default=None),
        stale_since=stale_since,
        unverified=version.verdict().is_unverified,
        accepted=_accepted(project, version),
    )
    with_card = output in {"card", "both"} or manifest.status == "error"
    names = [entry.name for entry in manifest.artefacts] if output in {"artefacts", "both"} else []
    envelopes = tuple(version.envelope(name) for name in names)
    return Shown(version, drawn if with_card else None, envelopes, project.language_of(block), drawn.marks)


def _accepted(project: Project, version: StoredVersion) -> Accepted | None:
    """Return who took a version for good last, if anybody did."""
    found = acceptances_of(project.store, version.manifest.block).get(version.name)
    return Accepted(**found[-1].said()) if found else None


def output_in_cell(block: Block) -> str:
    """Return what is seen of a block below its cell: its `output`, but a card where its place in a page stays empty.

    A cell that shows nothing looks as if it had never run.
    """
    return "card" if block.preamble.output == "none" else block.preamble.output


def shown(project: Project, what: str) -> Shown:
    """Return what `block`, `block.name` or either with `@v3` means.

    Raises
    ------
    FamulusError
        When that is no reference, or there is no such version or artefact.
    """
    reference = parse_dependency(what)
    if isinstance(reference, Reference) and reference.project is not None:
        resolved = resolve(project, Need(reference, "", "input"))
        return Shown(resolved.version, None, (resolved.version.envelope(reference.name),), project.lang)
    block = project.block(reference.block)
    folder = project.folder_of(block)
    number = reference.version
    version = project.store.newest(folder) if number is None else project.store.version(folder, number)
    if version is None:
        names = [one.name for one in project.store.versions(folder)]
        if names:
            raise UnresolvedReference.unknown(what, "there is no such version", f"v{number or 0:04d}", names)
        raise UnresolvedReference.of(what, "it was never run")
    status = read_status(project.store)
    state = status.blocks.get(block.id) if status else None
    is_known = status is not None and status.checked >= version.manifest.created  # else it is about an older version
    since = state.since if state and state.state == "stale" and number is None and is_known else None
    whole = shown_version(project, block, version, since, "both")  # who asks by name wants to see
    if not isinstance(reference, Reference):
        return whole
    if reference.name == REPORT and version.manifest.artefact(REPORT) is None:
        envelope = Envelope.model_validate(version.report())
    else:
        envelope = version.envelope(reference.name)
    return replace(whole, card=None, envelopes=(envelope,))
