"""A block with everything the project knows of it; and a block that cannot be read, with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import FamulusError, ProjectError, Where
from famulus_kernel.language.block import BlockSource, guess_id, parse_block
from famulus_kernel.language.document import Document, Fence, parse_document
from famulus_kernel.language.preamble import Effective, Preamble, effective, parse_preamble
from famulus_kernel.project.locate import default_notebook_id

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Block:
    """One block: what it says (`source`), what holds for it (`effective`), and where it stands."""

    notebook: str
    file: Path
    fence: Fence | None
    """None for a block that came as a cell of a notebook that is open elsewhere."""
    source: BlockSource
    effective: Effective
    where: Where

    @cached_property
    def id(self) -> str:
        """The block's id (NFC)."""
        return self.effective.preamble.id

    @property
    def preamble(self) -> Preamble:
        """The effective preamble."""
        return self.effective.preamble

    def place(self, key: str | None = None) -> Where:
        """Return where the block, or one of its keys, stands."""
        lines = self.source.key_lines
        while key and key not in lines and "." in key:
            key = key.rpartition(".")[0]
        line = lines.get(key or "", self.where.line)
        return Where(self.where.file, line, self.id, key)


@dataclass(frozen=True)
class BrokenBlock:
    """A block whose preamble cannot be read. It has no folder in the store; its error is shown where it stands."""

    notebook: str
    file: Path
    fence: Fence | None
    id: str | None
    error: FamulusError


@dataclass(frozen=True)
class Notebook:
    """One notebook of the project with its blocks in the order of the text."""

    id: str
    file: Path
    document: Document
    blocks: tuple[Block | BrokenBlock, ...]

    @property
    def lang(self) -> str | None:
        """The language the document names, or None."""
        lang = self.document.front_matter.data.get("lang")
        return str(lang) if lang else None


def read_notebook(root: Path, file: Path, defaults: Mapping[str, Any]) -> Notebook:
    """Read a notebook and every block in it; a block that cannot be read becomes a :class:`BrokenBlock`.

    Raises
    ------
    ProjectError
        When the file is not UTF-8 or its front matter is not YAML.
    """
    name = file.relative_to(root).as_posix()
    document = parse_document(read_text(file, name), name)
    notebook = document.front_matter.famulus.id or default_notebook_id(root, file)
    blocks = tuple(
        read_block(
            fence.body, notebook=notebook, file=file, name=name, line=fence.body_line, fence=fence, defaults=defaults
        )
        for fence in document.fences
    )
    return Notebook(notebook, file, document, blocks)


def read_block(
    body: str, *, notebook: str, file: Path, name: str, line: int, fence: Fence | None, defaults: Mapping[str, Any]
) -> Block | BrokenBlock:
    """Read one block from the text between its fences; `line` is the line of the file where the body starts."""
    try:
        source = parse_block(body, line=line, file=name)
        own = parse_preamble(source, file=name)
        made = effective(defaults, own.set_items())
    except FamulusError as error:
        return BrokenBlock(notebook, file, fence, guess_id(body), error.at(Where(name, line)))
    return Block(notebook, file, fence, source, made, Where(name, line, made.preamble.id))


def read_text(file: Path, name: str) -> str:
    """Return the text of a file with its line ends and BOM as they are.

    Raises
    ------
    ProjectError
        When it is not UTF-8.
    """
    try:
        return file.read_bytes().decode("utf-8")
    except UnicodeDecodeError as error:
        raise ProjectError.not_utf8(name, error.start) from error
