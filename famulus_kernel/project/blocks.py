"""A block with everything the project knows of it; and a block that cannot be read, with the reason."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from famulus_kernel.errors import FamulusError, ProjectError, Where
from famulus_kernel.harness.operations import GUARD, SUBTASK_PREFIX, version_of
from famulus_kernel.project.locate import default_notebook_id
from famulus_kernel.project.needs import Need, needs_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from famulus_kernel.language.block import BlockSource
    from famulus_kernel.language.document import Document, Fence
    from famulus_kernel.language.parameters import Parameters
    from famulus_kernel.language.preamble import Effective, Preamble

PAGE_ONLY_KEYS = frozenset({"output", "rerun", "log", "limits"})
"""Keys that decide what a page shows, or when and where a block runs, but not what its result is."""


@dataclass(frozen=True)
class Facts:
    """What staleness and the graph ask of a block. It is remembered between commands, so it is small and plain JSON.

    Attributes
    ----------
    id, notebook
        Of the block.
    name, line
        Where it stands: the file relative to the project, and the line.
    log
        Folder of its versions, where the block names one.
    claims
        The keys of the effective preamble that are set and that the result depends on.
    operations
        The version of every operation that the plan uses.
    """

    id: str
    notebook: str
    name: str
    line: int | None
    log: str | None
    claims: Mapping[str, Any]
    instruction: str
    operations: Mapping[str, int]
    needs: tuple[Need, ...]

    def as_json(self) -> list[Any]:
        """Return the facts as a plain list."""
        needs = [need.as_json() for need in self.needs]
        return [
            self.id,
            self.notebook,
            self.name,
            self.line,
            self.log,
            self.claims,
            self.instruction,
            self.operations,
            needs,
        ]

    @classmethod
    def from_json(cls, data: list[Any]) -> Self:
        """Return the facts of :meth:`as_json`."""
        name, notebook, file, line, log, claims, instruction, operations, needs = data
        every = tuple(Need.from_json(need) for need in needs)
        return cls(name, notebook, file, line, log, claims, instruction, operations, every)


@dataclass(frozen=True)
class Parsed:
    """What a block says, word by word: `fence` is None where it came as a cell of a notebook that is open elsewhere."""

    fence: Fence | None
    source: BlockSource
    effective: Effective


@dataclass(frozen=True)
class Block:
    """One block: its facts at once, what it says word by word (`source`, `effective`) when first asked for."""

    facts: Facts
    file: Path
    _text: Parsed | Callable[[], Parsed]

    @cached_property
    def parsed(self) -> Parsed:
        """The block as parsed; a remembered one is read now."""
        return self._text if isinstance(self._text, Parsed) else self._text()

    @property
    def id(self) -> str:
        """The block's id (NFC)."""
        return self.facts.id

    @property
    def notebook(self) -> str:
        """The id of its notebook."""
        return self.facts.notebook

    @property
    def where(self) -> Where:
        """Where the block begins."""
        return Where(self.facts.name, self.facts.line, self.facts.id)

    @property
    def fence(self) -> Fence | None:
        """Its fence in the document."""
        return self.parsed.fence

    @property
    def source(self) -> BlockSource:
        """Its text, taken apart."""
        return self.parsed.source

    @property
    def effective(self) -> Effective:
        """The effective preamble, with the origin of each key."""
        return self.parsed.effective

    @property
    def preamble(self) -> Preamble:
        """The effective preamble."""
        return self.parsed.effective.preamble

    def place(self, key: str | None = None) -> Where:
        """Return where the block, or one of its keys, stands."""
        lines = self.source.key_lines
        while key and key not in lines and "." in key:
            key = key.rpartition(".")[0]
        return Where(self.facts.name, lines.get(key or "", self.facts.line), self.id, key)


_UNWRITABLE = frozenset({"Cc", "Cs"})
"""Control characters, and bytes of a name that are not UTF-8: no manifest, index or page can carry them."""


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

    @property
    def is_lenient(self) -> bool:
        """Whether errors of its blocks let a render pass (`famulus: {on-error: warn}`)."""
        return self.document.front_matter.famulus.on_error == "warn"


def read_notebook(root: Path, file: Path, defaults: Mapping[str, Any], given: Mapping[str, Any]) -> Notebook:
    """Read a notebook and every block in it; a block that cannot be read becomes a :class:`BrokenBlock`.

    Parameters
    ----------
    root
        The project's folder.
    file
        The notebook, absolute.
    defaults
        What famulus.yml says for every block.
    given
        Values that go before those of the front matter's `params`.

    Raises
    ------
    ProjectError
        When the file or its name is not UTF-8 or its front matter is not YAML.
    """
    name = file.relative_to(root).as_posix()
    if any(unicodedata.category(sign) in _UNWRITABLE for sign in name):
        shown = name.encode(errors="backslashreplace").decode()
        raise ProjectError(f"the name **{shown!r}** holds signs that are no text", hint="rename the file or folder")
    from famulus_kernel.language.document import parse_document  # noqa: PLC0415 - not where all is remembered
    from famulus_kernel.language.parameters import parameters_of  # noqa: PLC0415 - the same

    document = parse_document(read_text(file, name), name)
    notebook = document.front_matter.famulus.id or default_notebook_id(root, file)
    parameters = parameters_of(document.front_matter, given)
    blocks = tuple(
        read_block(
            fence.body,
            notebook=notebook,
            file=file,
            name=name,
            line=fence.body_line,
            fence=fence,
            defaults=defaults,
            parameters=parameters,
        )
        for fence in document.fences
    )
    return Notebook(notebook, file, document, blocks)


def read_block(
    body: str,
    *,
    notebook: str,
    file: Path,
    name: str,
    line: int,
    fence: Fence | None,
    defaults: Mapping[str, Any],
    parameters: Parameters | None = None,
) -> Block | BrokenBlock:
    """Read one block from the text between its fences.

    Parameters
    ----------
    line
        The line of the file where the body starts.
    parameters
        Those of the document it stands in; None: it stands in none.
    """
    from famulus_kernel.language.block import guess_id, parse_block  # noqa: PLC0415 - not where all is remembered
    from famulus_kernel.language.parameters import Parameters, with_parameters  # noqa: PLC0415 - the same
    from famulus_kernel.language.preamble import effective, parse_preamble  # noqa: PLC0415 - the same

    try:
        source = with_parameters(parse_block(body, line=line, file=name), parameters or Parameters())
        own = parse_preamble(source, file=name)
        made = effective(defaults, own.set_items())
    except FamulusError as error:
        return BrokenBlock(notebook, file, fence, guess_id(body), error.at(Where(name, line)))
    preamble = made.preamble
    facts = Facts(
        id=preamble.id,
        notebook=notebook,
        name=name,
        line=line,
        log=preamble.log,
        claims={key: value for key, value in preamble.set_items().items() if key not in PAGE_ONLY_KEYS},
        instruction=source.instruction,
        operations={name: version_of(name) for name in _operations(preamble)},
        needs=needs_of(preamble, source.instruction, source.instruction_line),
    )
    return Block(facts, file, Parsed(fence, source, made))


def _operations(preamble: Preamble) -> Iterator[str]:
    """Yield the operations of a plan; a subtask is one of its own."""
    yield from (step.id for step in preamble.partiturs or ())
    named = (preamble.subtask, *(step.input.get("subtask") for step in preamble.partiturs or ()))
    yield from (f"{SUBTASK_PREFIX}{name}" for name in named if isinstance(name, str))
    if preamble.guard is not None:
        yield GUARD


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
