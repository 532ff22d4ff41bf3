"""Play the blocks of a page that somebody else renders, and write the cells in their places (spec 7.3).

The page is a text: the document with its includes expanded, and for each of its lines where that line was written.
A page needs what it shows: its own blocks, and those of other notebooks whose artefacts it embeds, so that it is right
in whatever order a website is rendered.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from famulus_kernel.adapter.executors.in_process import InProcess
from famulus_kernel.adapter.refreshing import refresh_status
from famulus_kernel.adapter.runner import Outcome, Runner
from famulus_kernel.errors import BadReference, Blocked, DuplicateId, FamulusError, Interrupted, ProjectError, plain
from famulus_kernel.language.document import parse_document
from famulus_kernel.language.parameters import parameters_of
from famulus_kernel.language.references import Reference
from famulus_kernel.language.shortcodes import Shortcode, find_shortcodes
from famulus_kernel.project.blocks import BrokenBlock, read_block
from famulus_kernel.project.including import files_of
from famulus_kernel.project.locate import PROJECT_FILE, default_notebook_id, locate
from famulus_kernel.project.project import Project
from famulus_kernel.render.cells import Cell, CellOptions, cell_of, with_cells
from famulus_kernel.store.stamps import stamp_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from famulus_kernel.adapter.executors.executor import Executor
    from famulus_kernel.language.document import Document, Fence
    from famulus_kernel.project.blocks import Block


_CELL = re.compile(r"\{([A-Za-z][A-Za-z0-9_]*)(?:[ ,.][^{}]*)?\}\Z")


@dataclass(frozen=True, slots=True)
class Origins:
    """Where the lines of a text were written.

    Attributes
    ----------
    runs
        `(line, file, file_line)`, ascending: from `line` on (1-based), lines are those of `file` from `file_line` on.
    """

    runs: tuple[tuple[int, str, int], ...]

    def place(self, line: int) -> tuple[str, int] | None:
        """Return the file and its line (1-based) that a line of the text comes from."""
        at = bisect_right(self.runs, line, key=lambda run: run[0]) - 1
        if at < 0:
            return None
        first, file, file_line = self.runs[at]
        return file, file_line + line - first


@dataclass(frozen=True, slots=True)
class PageRequest:
    """A page to play.

    Attributes
    ----------
    file
        The document, absolute.
    markdown
        Its text, includes expanded.
    origins
        Where that text's lines come from.
    first_place
        Number from which the places of this page's cells count (`with_cells`).
    options
        Quarto's execute options.
    play
        Whether anything is played at all (`--no-execute`).
    lenient
        Whether problems are warnings (`famulus: {on-error: warn}`).
    handled
        Languages whose cells somebody else looks after.
    """

    file: Path
    markdown: str
    origins: Origins
    first_place: int = 0
    options: CellOptions = field(default_factory=CellOptions)
    play: bool = True
    lenient: bool = False
    handled: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PageProblem:
    """What is wrong with a page: `file:line`, a sentence, what to do, and whether the render must fail."""

    place: str
    message: str
    hint: str
    severity: Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class PlayedPage:
    """A page's markdown with its cells; its problems; the blocks whose error is among these."""

    markdown: str
    problems: tuple[PageProblem, ...]
    reported: tuple[str, ...]


@dataclass
class _Opened:
    """A project as it was when it was opened, and the blocks played since then."""

    project: Project
    signature: object
    played: set[str] = field(default_factory=set)
    looked_at: bool = False


class PagePlayer:
    """Plays page after page of one render.

    A project stays open until one of its notebooks changes. While it is open no block is played twice: not one that
    ended in error, which many pages may embed, and not one that says `rerun: always`, for each format of its page.

    Parameters
    ----------
    executor
        Where the blocks of a project are played.
    """

    def __init__(self, executor: Callable[[Project], Executor] = InProcess) -> None:
        self._executor = executor
        self._opened: dict[tuple[Path, Path | None], _Opened] = {}

    def play(self, page: PageRequest, on_played: Callable[[Outcome], None] = lambda _outcome: None) -> PlayedPage:
        """Play what is stale of a page, look at the project's state, and return the page with its cells.

        Parameters
        ----------
        on_played
            Told each block that got a new version.

        Raises
        ------
        FamulusError
            The document or its project cannot be read at all. Everything else is a problem of the page.
        Interrupted
            The user stopped it.
        """
        opened = self._open(page.file)
        project = opened.project
        name = _shown(project, page.file)
        document = parse_document(page.markdown, name)
        blocks = _blocks_of(project, document, page)
        errors: list[FamulusError] = [block.error for block in blocks if isinstance(block, BrokenBlock)]
        outcomes: list[Outcome] = []
        try:
            wanted = list(_wanted(project, document, blocks, page.options)) if page.play else []
            runner = Runner(project, self._executor(project), settled=opened.played)
            for outcome in runner.run(wanted):
                outcomes.append(outcome)
                if outcome.action == "played":
                    opened.played.add(outcome.block)
                    opened.looked_at = False
                    on_played(outcome)
            if not opened.looked_at:
                refresh_status(project)
                opened.looked_at = True
        except Interrupted:
            raise
        except FamulusError as error:  # a cycle, a store that cannot be written: the page shows what there is
            errors.append(error)
        stopped = {one.block: _why_stopped(one, project) for one in outcomes if one.action in {"blocked", "refused"}}
        failed = {one.block: one.error for one in outcomes if one.action == "played" and one.error is not None}
        cells = [
            _cell(project, block, fence, page.options, stopped)
            for block, fence in zip(blocks, document.fences, strict=True)
        ]
        errors += [*stopped.values(), *failed.values()]
        return PlayedPage(
            with_cells(document, cells, first_place=page.first_place),
            (
                *(_problem(error, name, lenient=page.lenient) for error in errors),
                *_foreign_cells(project, document, page),
            ),
            tuple(failed),
        )

    def _open(self, file: Path) -> _Opened:
        located = locate(file)
        only = located.notebook if located.lone else None
        signature = _signature(located.root, only)
        known = self._opened.get((located.root, only))
        if known is None or known.signature != signature:
            known = _Opened(Project.open(file), signature)
            self._opened[located.root, only] = known
        return known


def _signature(root: Path, only: Path | None) -> object:
    """Return what changes when a notebook of the project, or its settings, change."""
    files = [root / PROJECT_FILE, root / "_quarto.yml", *files_of(root, only)]
    return [(file, stamp_of(file)) for file in files]


def _shown(project: Project, file: Path) -> str:
    return file.relative_to(project.root).as_posix() if file.is_relative_to(project.root) else str(file)


def _blocks_of(project: Project, document: Document, page: PageRequest) -> list[Block | BrokenBlock]:
    """Return the project's block for each fence of a page, wherever it was included from."""
    blocks: list[Block | BrokenBlock] = []
    for fence in document.fences:
        read = _read(project, document, fence, page)
        if isinstance(read, BrokenBlock):
            blocks.append(read)
            continue
        try:
            known = project.block(read.id)
        except DuplicateId as error:
            blocks.append(_broken(read, error))
        except ProjectError:  # no notebook of the project has it
            blocks.append(_broken(read, ProjectError.no_notebook(str(read.where.file), read.where)))
        else:
            same = _same_text(known, read)
            blocks.append(known if same else _broken(read, DuplicateId.of(read.id, known.where, read.where)))
    return blocks


def _read(project: Project, document: Document, fence: Fence, page: PageRequest) -> Block | BrokenBlock:
    """Read a block of a page with the parameters of the document it was written in."""
    written, line = page.origins.place(fence.body_line) or (str(page.file), fence.body_line)
    file = Path(written)
    included = () if file == page.file else project.notebooks
    home = next((one.document for one in included if one.file == file), document)
    return read_block(
        fence.body,
        notebook=home.front_matter.famulus.id or default_notebook_id(project.root, page.file),
        file=file,
        name=_shown(project, file),
        line=line,
        fence=fence,
        defaults=project.config.defaults,
        parameters=parameters_of(home.front_matter, project.given),
    )


def _same_text(one: Block, other: Block) -> bool:
    """Say whether two blocks are one, as far as a text that went through Quarto can say: line breaks may differ."""
    same = one.source.data == other.source.data and one.source.options == other.source.options
    return same and one.source.instruction.splitlines() == other.source.instruction.splitlines()


def _broken(block: Block, error: FamulusError) -> BrokenBlock:
    return BrokenBlock(block.notebook, block.file, block.fence, block.id, error)


def _wanted(
    project: Project, document: Document, blocks: Iterable[Block | BrokenBlock], options: CellOptions
) -> Iterator[str]:
    """Yield the blocks that the page needs: its own, then those it embeds. `eval: false` holds for either."""
    named = dict.fromkeys(block.id for block in blocks if not isinstance(block, BrokenBlock))
    named |= dict.fromkeys(_embedded(project, find_shortcodes(document.text, document.scan)))
    for name in named:
        if options.of_block(project.blocks[name].source.options).run:
            yield name


def _embedded(project: Project, shortcodes: Sequence[Shortcode]) -> Iterator[str]:
    for shortcode in shortcodes:
        if shortcode.literal or "version" in shortcode.kwargs or not 1 <= len(shortcode.args) <= 2:  # noqa: PLR2004 - block, name
            continue
        try:
            found = Reference.parse(".".join(shortcode.args))
        except BadReference:  # the filter says so at its place
            continue
        if found.version is None and found.project in {None, project.id} and found.block in project.blocks:
            yield found.block


def _why_stopped(outcome: Outcome, project: Project) -> FamulusError:
    place = project.blocks[outcome.block].place()
    return (outcome.error or Blocked.of(outcome.block, outcome.reasons)).at(place)


def _cell(
    project: Project,
    block: Block | BrokenBlock,
    fence: Fence,
    options: CellOptions,
    stopped: dict[str, FamulusError],
) -> Cell:
    cell = cell_of(block, fence, options)
    if isinstance(block, BrokenBlock) or not cell.names:
        return cell
    if block.id in stopped:
        return Cell(block.id, error=stopped[block.id])
    may_run = options.of_block(block.source.options).run
    if not may_run and project.store.newest(project.folder_of(block)) is None:
        return Cell(block.id, source=fence.body)  # what is not to be evaluated and never was is shown as it stands
    return cell


def _foreign_cells(project: Project, document: Document, page: PageRequest) -> Iterator[PageProblem]:
    """Yield a warning for each cell of another language: a page has one engine, and this one is ours."""
    for fence in document.scan.fences:
        cell = _CELL.match(fence.info)
        if cell and cell[1].lower() not in {"famulus", *page.handled}:
            file, line = page.origins.place(fence.start + 1) or (str(page.file), fence.start + 1)
            yield PageProblem(
                f"{_shown(project, Path(file))}:{line}",
                f"the {cell[1]} cell is not run: a page with famulus blocks has no other engine",
                f"put it into a page of its own, or write ```{cell[1]} where it is only to be shown",
                "warning",
            )


def _problem(error: FamulusError, name: str, *, lenient: bool) -> PageProblem:
    where = error.where
    place = f"{where.file or name}:{where.line}" if where.line else where.file or name
    about = ", ".join(f"{what} {value}" for what, value in (("block", where.block), ("key", where.key)) if value)
    message = f"{about}: {plain(error.message)}" if about else plain(error.message)
    return PageProblem(place, message, error.hint, "warning" if lenient else "error")
