"""A project: its folder, its famulus.yml, its notebooks and blocks, its store (spec 2.1, 2.2)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from famulus_kernel.errors import DuplicateId, FamulusError, ProjectError, Where
from famulus_kernel.language.references import same_id_key
from famulus_kernel.project.blocks import Block, BrokenBlock, Notebook, Parsed, read_notebook, read_text
from famulus_kernel.project.cells import is_text_of, read_cell
from famulus_kernel.project.graph import Graph, build_graph
from famulus_kernel.project.including import included_notebooks
from famulus_kernel.project.locate import PROJECT_FILE, has_own_block, locate, notebook_files
from famulus_kernel.project.outline import Outline, recall, remember
from famulus_kernel.project.places import Places, collections_root
from famulus_kernel.store.stamps import stamp_of
from famulus_kernel.store.store import BlockStore

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from famulus_kernel.harness.register import Register
    from famulus_kernel.language.project_file import ProjectFile
    from famulus_kernel.project.blocks import Facts
    from famulus_kernel.store.stamps import Stamp
    from famulus_kernel.store.stat_cache import StatCache

FALLBACK_LANGUAGE = "en"


@dataclass(frozen=True)
class Project:
    """A project as it stands on the disk at the moment of :meth:`open`; notebooks are read when first asked for."""

    root: Path
    only: Path | None = None
    """The one notebook of a project that has no famulus.yml."""
    selected: Path | None = None
    """The notebook that the caller named; commands then mean its blocks."""
    cells: tuple[Block, ...] = field(default=())
    """Blocks that are open as cells elsewhere and go before what the disk says."""

    @classmethod
    def open(cls, path: Path | str = ".") -> Self:
        """Open the project that a folder or a notebook belongs to.

        Raises
        ------
        ProjectError
            When there is none, or famulus.yml cannot be read.
        """
        located = locate(Path(path))
        project = cls(located.root, located.notebook if located.lone else None, located.notebook)
        if project._outline is None:
            project.config  # noqa: B018 - what is wrong with famulus.yml is told here
        return project

    @cached_property
    def config(self) -> ProjectFile:
        """What famulus.yml says.

        Raises
        ------
        ProjectError
            When it cannot be read.
        """
        from famulus_kernel.language.project_file import parse_project_file  # noqa: PLC0415 - not where all is remembered

        file = self.root / PROJECT_FILE
        return parse_project_file(read_text(file, PROJECT_FILE) if file.is_file() else "", PROJECT_FILE)

    @cached_property
    def given(self) -> Mapping[str, Any]:
        """The values that were given for parameters of its documents (`-P`), by name."""
        from famulus_kernel.language.parameters import given_parameters  # noqa: PLC0415 - see config

        return given_parameters()

    @cached_property
    def _outline(self) -> Outline | None:
        return None if self.given else recall(self.root)

    @cached_property
    def _own_words(self) -> Mapping[str, Any]:
        """What of famulus.yml is remembered."""
        if self._outline is not None:
            return self._outline.project
        config = self.config
        return {
            "id": config.id,
            "uses": dict(config.uses),
            "collections_root": config.collections_root,
            "register": config.partitur_register,
        }

    @cached_property
    def id(self) -> str:
        """The project's id: famulus.yml's, else the folder's name."""
        return self._own_words["id"] or self.root.name

    @cached_property
    def title(self) -> str:
        """The project's title, else its id."""
        return self.config.title or self.id

    @cached_property
    def places(self) -> Places:
        """Where paths of this project start."""
        return Places(self.root, collections_root(self.root, self._own_words["collections_root"]))

    @property
    def has_register(self) -> bool:
        """Whether famulus.yml names a register of partituren."""
        return self._own_words.get("register") is not None

    @cached_property
    def register(self) -> Register:
        """Where partituren are looked up: the register of famulus.yml, then the package's own. Opened when asked."""
        from famulus_kernel.project.register_memory import register_of  # noqa: PLC0415 - a mere status plays nothing

        return register_of(self._own_words.get("register"), self.places, self.store.ours)

    @cached_property
    def store(self) -> BlockStore:
        """The project's block store."""
        return BlockStore(self.root)

    @cached_property
    def stats(self) -> StatCache:
        """What is known of files, read once; `with project.stats as cache:` keeps what was learnt."""
        return self.store.stat_cache()

    @cached_property
    def lang(self) -> str:
        """The language of `_quarto.yml`, for documents that name none; else English."""
        from famulus_kernel.language.yaml import load_strict  # noqa: PLC0415 - see config

        file = self.root / "_quarto.yml"
        if file.is_file():
            try:
                data = load_strict(read_text(file, file.name), file=file.name).value
            except ProjectError:  # Quarto's file is Quarto's to complain about
                data = None
            if isinstance(data, dict) and isinstance(data.get("lang"), str):
                return str(data["lang"])
        return FALLBACK_LANGUAGE

    def language_of(self, block: Block) -> str:
        """Return the language in which a block's words are shown: its document's."""
        notebook = self._notebook(block.file) if block.file in self._files else None
        return (notebook.lang if isinstance(notebook, Notebook) else None) or self.lang

    @cached_property
    def uses(self) -> Mapping[str, str]:
        """The projects that famulus.yml lets references name, by id."""
        return {str(name): str(path) for name, path in self._own_words["uses"].items()}

    @cached_property
    def _files(self) -> tuple[Path, ...]:
        """The notebooks' files: every `.fam`, and each `.qmd` that has a block and was not made of a `.fam`."""
        if self.only is not None:
            return (self.only, *included_notebooks(self.root, self.only))
        return tuple(file for file in notebook_files(self.root) if file.suffix == ".fam" or has_own_block(file))

    @cached_property
    def _parsed(self) -> dict[Path, tuple[Stamp | None, int, Notebook | FamulusError]]:
        """The notebooks that were parsed, with their stamp and when that was; filled as they are asked for."""
        return {}

    def _notebook(self, file: Path) -> Notebook | FamulusError:
        if file not in self._parsed:
            stamp, now = stamp_of(file), time.time_ns()
            found: Notebook | FamulusError
            try:
                found = read_notebook(self.root, file, self.config.defaults, self.given)
            except FamulusError as error:
                found = error.at(Where(file.relative_to(self.root).as_posix()))
            self._parsed[file] = (stamp, now, found)
        return self._parsed[file][2]

    @cached_property
    def notebooks(self) -> tuple[Notebook, ...]:
        """The notebooks that could be read, in the order of their paths."""
        found = (self._notebook(file) for file in self._files)
        return tuple(one for one in found if isinstance(one, Notebook))

    @cached_property
    def _on_disk(self) -> dict[Path, tuple[Block | BrokenBlock, ...]]:
        """The blocks of every notebook: remembered ones where the notebook did not change, else parsed."""
        remembered = self._outline.notebooks if self._outline is not None else {}
        found: dict[Path, tuple[Block | BrokenBlock, ...]] = {}
        for file in self._files:
            facts = remembered.get(file.relative_to(self.root).as_posix())
            if facts is not None:
                found[file] = tuple(Block(one, file, partial(self._text_of, file, one.id)) for one in facts)
            else:
                notebook = self._notebook(file)
                found[file] = notebook.blocks if isinstance(notebook, Notebook) else ()
        return found

    def _text_of(self, file: Path, name: str) -> Parsed:
        notebook = self._notebook(file)
        if isinstance(notebook, FamulusError):
            raise notebook
        for block in notebook.blocks:
            if block.id == name:
                if isinstance(block, BrokenBlock):
                    raise block.error
                return block.parsed
        raise ProjectError.unknown_block(name, [block.id for block in notebook.blocks if block.id])

    def remember(self) -> None:
        """Keep what was parsed for the next command; nothing happens where nothing was."""
        parsed: dict[str, tuple[Stamp, int, tuple[Facts, ...]]] = {}
        for file, (stamp, seen_ns, found) in self._parsed.items():
            if isinstance(found, Notebook) and stamp is not None:
                facts = tuple(block.facts for block in found.blocks if isinstance(block, Block))
                if len(facts) == len(found.blocks):
                    parsed[file.relative_to(self.root).as_posix()] = (stamp, seen_ns, facts)
        if not parsed or self.cells or self.given or not self.store.ours.is_dir():
            return
        kept = {}
        if self._outline is not None:
            for file in self._files:
                name = file.relative_to(self.root).as_posix()
                stamp = stamp_of(file)
                if name in self._outline.notebooks and name not in parsed and stamp is not None:
                    kept[name] = (stamp, time.time_ns(), self._outline.notebooks[name])
        remember(self.root, self._own_words, {**kept, **parsed})

    @cached_property
    def errors(self) -> tuple[FamulusError, ...]:
        """Everything that keeps a notebook or a block from being read, double ids included."""
        blocks = [block for found in self._on_disk.values() for block in found]
        unread = [found for _, _, found in self._parsed.values() if isinstance(found, FamulusError)]
        broken = [block.error for block in blocks if isinstance(block, BrokenBlock)]
        return (*unread, *broken, *self._doubles.values())

    @cached_property
    def blocks(self) -> dict[str, Block]:
        """The blocks by id, in the order of notebooks and text; double ones are left out (see :attr:`errors`)."""
        every = (block for found in self._on_disk.values() for block in found)
        found = {block.id: block for block in every if isinstance(block, Block)}
        found |= {cell.id: cell for cell in self.cells}
        doubles = self._doubles
        return {name: block for name, block in found.items() if same_id_key(name) not in doubles} if doubles else found

    @cached_property
    def _doubles(self) -> dict[str, DuplicateId]:
        first: dict[str, Block] = {}
        doubles: dict[str, DuplicateId] = {}
        for block in (block for found in self._on_disk.values() for block in found):
            if not isinstance(block, Block):
                continue
            key = same_id_key(block.id)
            if key in first:
                doubles.setdefault(key, DuplicateId.of(block.id, first[key].where, block.where))
            first.setdefault(key, block)
        return doubles

    @cached_property
    def graph(self) -> Graph:
        """The order of the blocks.

        Raises
        ------
        CycleError
            When blocks wait for one another.
        """
        return build_graph(self.blocks, self.id)

    def block(self, name: str) -> Block:
        """Return a block by id.

        Raises
        ------
        DuplicateId, ProjectError
            When the id is used twice, or by no block that can be read.
        """
        if name in self.blocks:
            return self.blocks[name]
        double = self._doubles.get(same_id_key(name))
        if double is not None:
            raise double
        for block in (block for found in self._on_disk.values() for block in found):
            if isinstance(block, BrokenBlock) and block.id == name:
                raise block.error
        raise ProjectError.unknown_block(name, self.blocks)

    def selection(self, names: list[str] | None = None) -> list[str]:
        """Return the ids that a command means: the named ones, else those on the named notebook's page, else all."""
        if names:
            return [self.block(name).id for name in names]
        if self.selected is not None:
            shown = {self.selected, *included_notebooks(self.root, self.selected)}
            return [name for name, block in self.blocks.items() if block.file in shown]
        return list(self.blocks)

    def folder_of(self, block: Block) -> Path:
        """Return the folder of a block's versions."""
        return self.store.block_folder(block.notebook, block.id, block.facts.log)

    @classmethod
    def of_cells(cls, root: Path) -> Self:
        """Return a project of open cells only: that of a notebook that is no file of ours, where no famulus.yml is."""
        from famulus_kernel.language.project_file import ProjectFile  # noqa: PLC0415 - see config

        project = cls(root)
        project.__dict__.update(config=ProjectFile(), _outline=None, _files=())
        return project

    def with_cell(self, body: str, file: Path | None) -> tuple[Project, Block]:
        """Return this project with the block of an open cell put before what the disk says, and that block.

        Parameters
        ----------
        body
            The cell's text.
        file
            The notebook it stands in, which may be none of this project's (an .ipynb); None where nobody knows: then
            it stands for the block of the same id, wherever that is.

        Raises
        ------
        FamulusError
            When the cell is no block, or its id is that of a block of another notebook.
        """
        home = self._notebook_at(file) if file else None
        included = included_notebooks(self.root, home.file) if home else ()
        shown = [*(home.blocks if home else ()), *(one for other in included for one in self._on_disk.get(other, ()))]
        written = next((one for one in shown if is_text_of(one, body)), None)
        if isinstance(written, BrokenBlock):
            raise written.error
        if written is not None:
            project = self.with_cells(cell for cell in self.cells if cell.id != written.id) if self.cells else self
            return project, project.block(written.id)
        block = read_cell(body, file, home, root=self.root, defaults=self.config.defaults, given=self.given)
        key = same_id_key(block.id)
        if key in self._doubles:
            raise self._doubles[key]
        other = next((one for name, one in self.blocks.items() if same_id_key(name) == key), None)
        if other is not None and file is None:
            block = replace(block, facts=replace(block.facts, notebook=other.notebook), file=other.file)
        if other is not None and (other.id != block.id or other.notebook != block.notebook):
            raise DuplicateId.of(block.id, other.where, block.where)
        return self.with_cells([*(cell for cell in self.cells if cell.id != block.id), block]), block

    def _notebook_at(self, file: Path) -> Notebook | None:
        """Return the notebook that is `file`, by whatever links it was reached.

        Raises
        ------
        FamulusError
            When it cannot be read: what its cells are called nobody knows then.
        """
        alike = (one for one in self._files if one.name == file.name)
        place = next((one for one in alike if one == file or (file.exists() and one.samefile(file))), None)
        notebook = self._notebook(place) if place else None
        if isinstance(notebook, FamulusError):
            raise notebook
        return notebook

    def with_cells(self, cells: Iterable[Block]) -> Project:
        """Return this project with these blocks, and no others, open as cells. What was read from the disk is kept."""
        other = replace(self, cells=tuple(cells))
        read = ("config", "lang", "places", "stats", "store", "_outline", "_files", "_parsed", "_on_disk", "_doubles")
        other.__dict__.update({name: getattr(self, name) for name in read})
        return other

    def partner(self, name: str, block: Block | None = None) -> Project:
        """Return the project that `fam:<name>/…` means: this one, or one that `uses` names.

        Raises
        ------
        ProjectError
            When `uses` does not name it, or nothing is there.
        """
        if name == self.id:
            return self
        uses: dict[str, Any] = dict(self.uses)
        for notebook in self.notebooks:
            if block is not None and notebook.file == block.file:
                uses |= notebook.document.front_matter.famulus.uses
        if name not in uses:
            raise ProjectError(
                f"**{name}** is not a project that this one uses",
                hint=f"add uses: {{{name}: <path of the project>}} to famulus.yml",
            )
        other = Project.open(self.places.existing(str(uses[name])))
        if other.id != name:
            raise ProjectError(
                f"the project at {uses[name]} is called **{other.id}**, not {name}",
                hint=f"write uses: {{{other.id}: {uses[name]}}}, and fam:{other.id}/… in references",
            )
        return other
