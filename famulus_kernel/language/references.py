"""References (spec 1.4): how one block names an artefact of another, in preambles and in instructions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from famulus_kernel.errors import BadReference, Where
from famulus_kernel.language.identifiers import check_identifier, check_notebook_id, same_id_key

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "BlockRef",
    "Placeholder",
    "Reference",
    "check_identifier",
    "check_notebook_id",
    "find_placeholders",
    "find_refs",
    "parse_dependency",
    "parse_version",
    "replace_placeholders",
    "replace_refs",
    "same_id_key",
]

Path = tuple[str | int, ...]
_VERSION = re.compile(r"v([0-9]{1,9})\Z")
_PLACEHOLDER = re.compile(r"\{\{ref:([^{}\r\n]*)\}\}")


@dataclass(frozen=True, slots=True)
class Reference:
    """`[fam:project/notebook/]block.name[@version]`: an artefact of a block.

    Attributes
    ----------
    block, name
        The block's id and the artefact's name.
    version
        Number of the version, or None for the newest one.
    project, notebook
        Both set (`fam:`) or both None.
    """

    block: str
    name: str
    version: int | None = None
    project: str | None = None
    notebook: str | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a reference.

        Raises
        ------
        BadReference
            `text` does not follow the grammar of spec 1.4.
        """
        project, notebook, rest = _place(text)
        rest, version = _versioned(rest, text)
        block, dot, name = rest.partition(".")
        if not dot:
            raise BadReference.of(text, "a reference to an artefact (block.name)")
        return cls(check_identifier(block), check_identifier(name), version, project, notebook)

    def __str__(self) -> str:
        place = f"fam:{self.project}/{self.notebook}/" if self.project else ""
        return f"{place}{self.block}.{self.name}{_suffix(self.version)}"


@dataclass(frozen=True, slots=True)
class BlockRef:
    """`block[@version]`: a block of the same project, as `depends_on` may name it."""

    block: str
    version: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a block reference.

        Raises
        ------
        BadReference
            `text` does not follow the grammar of spec 1.4.
        """
        block, version = _versioned(text, text)
        return cls(check_identifier(block), version)

    def __str__(self) -> str:
        return f"{self.block}{_suffix(self.version)}"


@dataclass(frozen=True, slots=True)
class Placeholder:
    """`{{ref:…}}` in an instruction: characters `start` to `end` of it, in the file's line `line`."""

    start: int
    end: int
    reference: Reference
    line: int


def parse_dependency(text: str) -> BlockRef | Reference:
    """Read an entry of `depends_on`: a block, or an artefact of one.

    Raises
    ------
    BadReference
        `text` is neither.
    """
    return Reference.parse(text) if "." in text.partition("@")[0] or text.startswith("fam:") else BlockRef.parse(text)


def parse_version(text: str) -> int:
    """Return the number of `v3` or `v0003`.

    Raises
    ------
    BadReference
        `text` is not a version.
    """
    match = _VERSION.match(text)
    if not match or int(match.group(1)) == 0:
        raise BadReference.of(text, "a version (v1, v2, … or v0001)")
    return int(match.group(1))


def find_placeholders(instruction: str, *, line: int = 1, file: str | None = None) -> list[Placeholder]:
    """Find every `{{ref:…}}` of an instruction whose first line is line `line` of the file.

    Raises
    ------
    BadReference
        What stands in one is not a reference; names file and line.
    """
    found = []
    at, counted = line, 0
    for match in _PLACEHOLDER.finditer(instruction):
        at += instruction.count("\n", counted, match.start())
        counted = match.start()
        try:
            reference = Reference.parse(match.group(1).strip())
        except BadReference as error:
            raise error.at(Where(file=file, line=at)) from None
        found.append(Placeholder(match.start(), match.end(), reference, at))
    return found


def replace_placeholders(instruction: str, resolve: Callable[[Reference], str]) -> str:
    """Return the instruction with every `{{ref:…}}` replaced by what `resolve` gives for it."""
    parts = []
    done = 0
    for placeholder in find_placeholders(instruction):
        parts += [instruction[done : placeholder.start], resolve(placeholder.reference)]
        done = placeholder.end
    return "".join([*parts, instruction[done:]])


def find_refs(value: Any) -> list[tuple[Path, Reference]]:
    """Find every `{ref: …}` inside a value of a preamble, with the path of keys and indices that leads to it.

    Raises
    ------
    BadReference
        A mapping has the single key `ref`, but not a reference under it.
    """
    found: list[tuple[Path, Reference]] = []

    def visit(part: Any, path: Path) -> None:
        if isinstance(part, dict):
            if part.keys() == {"ref"}:
                found.append((path, _reference_of(part["ref"], path)))
                return
            for key, below in part.items():
                visit(below, (*path, key))
        elif isinstance(part, (list, tuple)):
            for index, below in enumerate(part):
                visit(below, (*path, index))

    visit(value, ())
    return found


def replace_refs(value: Any, resolve: Callable[[Reference], Any]) -> Any:
    """Return `value` with every `{ref: …}` replaced by what `resolve` gives for it; nothing is changed in place."""
    if isinstance(value, dict):
        if value.keys() == {"ref"}:
            return resolve(_reference_of(value["ref"], ()))
        return {key: replace_refs(below, resolve) for key, below in value.items()}
    if isinstance(value, (list, tuple)):
        return [replace_refs(below, resolve) for below in value]
    return value


def _reference_of(text: Any, path: Path) -> Reference:
    try:
        if not isinstance(text, str):
            raise BadReference.of(str(text), "a reference to an artefact (block.name)")
        return Reference.parse(text)
    except BadReference as error:
        raise error.at(Where(key=".".join(map(str, (*path, "ref"))))) from None


def _place(text: str) -> tuple[str | None, str | None, str]:
    if not text.startswith("fam:"):
        return None, None, text
    parts = text.removeprefix("fam:").split("/")
    if len(parts) != 3:  # noqa: PLR2004 - project, notebook, block.name
        raise BadReference.of(text, "a reference into another project (fam:project/notebook/block.name)")
    return check_identifier(parts[0]), check_notebook_id(parts[1]), parts[2]


def _versioned(text: str, whole: str) -> tuple[str, int | None]:
    rest, at, version = text.partition("@")
    if not at:
        return rest, None
    try:
        return rest, parse_version(version)
    except BadReference:
        raise BadReference.of(whole, "a reference whose version is v1, v2, …") from None


def _suffix(version: int | None) -> str:
    return "" if version is None else f"@v{version:04d}"
