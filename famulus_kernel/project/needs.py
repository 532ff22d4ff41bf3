"""What a block needs of other blocks: its references, placeholders and depends_on, each with the key that holds it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self

from famulus_kernel.language.references import BlockRef, Reference, find_placeholders, find_refs, parse_dependency

if TYPE_CHECKING:
    from famulus_kernel.language.preamble import Preamble

Kind = Literal["input", "table", "placeholder", "order"]


@dataclass(frozen=True, slots=True)
class Need:
    """One need. `kind` "order" asks for a version of the block only, the others for an artefact of it."""

    reference: Reference | BlockRef
    key: str
    kind: Kind

    @property
    def block(self) -> str:
        """The id of the block that is needed."""
        return self.reference.block

    @property
    def name(self) -> str | None:
        """The artefact that is needed; None for a need of order."""
        return self.reference.name if isinstance(self.reference, Reference) else None

    @property
    def project(self) -> str | None:
        """The project the block is in; None for this one."""
        return self.reference.project if isinstance(self.reference, Reference) else None

    @property
    def notebook(self) -> str | None:
        """The notebook that the reference names, if it does."""
        return self.reference.notebook if isinstance(self.reference, Reference) else None

    def as_json(self) -> list[Any]:
        """Return the need as a plain list."""
        return [str(self.reference), self.key, self.kind]

    @classmethod
    def from_json(cls, data: list[Any]) -> Self:
        """Return the need of :meth:`as_json`."""
        reference, key, kind = data
        return cls(parse_dependency(reference), key, kind)


def needs_of(preamble: Preamble, instruction: str, line: int) -> tuple[Need, ...]:
    """Return every need of a block, in the order of its text, each reference and kind once.

    Parameters
    ----------
    preamble
        The effective preamble.
    instruction, line
        The instruction, and the line of the file it begins in.

    Raises
    ------
    BadReference
        When a placeholder of the instruction holds no reference.
    """
    found: list[Need] = []
    for number, reference in enumerate(preamble.dependencies()):
        found.append(Need(reference, f"depends_on.{number}", "input" if isinstance(reference, Reference) else "order"))
    for number, attachment in enumerate(preamble.duckdb):
        if attachment.ref:
            found.append(Need(Reference.parse(attachment.ref), f"duckdb.{number}.ref", "table"))
    for number, step in enumerate(preamble.partiturs or ()):
        found += [Need(ref, _key("partiturs", number, "input", *path), "input") for path, ref in find_refs(step.input)]
    found += [Need(ref, _key("input", *path), "input") for path, ref in find_refs(preamble.input)]
    if preamble.guard is not None:
        evidence = find_refs(preamble.guard.evidence)
        found += [Need(ref, _key("guard", "evidence", *path), "input") for path, ref in evidence]
    if "{{ref:" in instruction:
        placeholders = find_placeholders(instruction, line=line)
        found += [Need(placeholder.reference, "instruction", "placeholder") for placeholder in placeholders]
    return tuple({(str(need.reference), need.kind): need for need in reversed(found)}.values())[::-1]


def _key(*parts: str | int) -> str:
    return ".".join(map(str, parts))
