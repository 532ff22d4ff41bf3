"""From one form of a notebook to another: `.fam`, `.ipynb`, and the `.qmd` that Quarto before 1.9 needs."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import ProjectError
from famulus_kernel.project.blocks import BrokenBlock, read_text
from famulus_kernel.project.locate import MADE_BY, made_of

if TYPE_CHECKING:
    from famulus_kernel.language.document import Fence
    from famulus_kernel.project.blocks import Block, Notebook
    from famulus_kernel.project.project import Project
    from famulus_kernel.render.cells import Cell

_FRONT_MATTER = re.compile(r"\A(\ufeff?---[ \t]*\r?\n)")


def convert_file(source: Path, target: Path | None, *, force: bool = False) -> Path:
    """Write `source` in its other form and return the new file.

    Raises
    ------
    ProjectError
        For a suffix that is no notebook's, or a target that is there already.
    """
    import nbformat

    from famulus_kernel.language.notebook import fam_to_notebook, notebook_to_fam

    if source.suffix in {".fam", ".qmd"}:
        target = target or source.with_suffix(".ipynb")
        notebook = fam_to_notebook(read_text(source, source.name))
        notebook.metadata.kernelspec.path = ""  # `quarto render --execute` of an .ipynb asks for it and fails without
        text = nbformat.writes(notebook)
    elif source.suffix == ".ipynb":
        target = target or source.with_suffix(".fam")
        text = notebook_to_fam(nbformat.reads(read_text(source, source.name), as_version=4))
    else:
        raise ProjectError(f"**{source}** is neither .fam, .qmd nor .ipynb", hint="convert turns one into the other")
    if target.exists() and not force:
        raise ProjectError(f"**{target}** is there already", hint="name another file, or replace it with --force")
    target.write_bytes(text.encode())
    return target


def write_qmd(project: Project, *, write: bool = True) -> list[Path]:
    """Write the `.qmd` of each `.fam` notebook where it is missing or old, and return those files.

    Raises
    ------
    ProjectError
        Where a `.qmd` of that name was not made by this command: nothing of the user's is replaced.
    """
    changed = []
    for notebook in project.notebooks:
        if notebook.file.suffix != ".fam" or notebook.file.name.startswith("_"):  # no page of its own
            continue
        target = notebook.file.with_suffix(".qmd")
        text = as_qmd(project, notebook)
        old = read_text(target, target.name) if target.exists() else None
        if old is not None and made_of(target) is None:
            raise ProjectError(
                f"**{target.name}** and {notebook.file.name} would be one page", hint="rename one of them"
            )
        if old != text:
            changed.append(target)
            if write:
                target.write_bytes(text.encode())
    return changed


def as_qmd(project: Project, notebook: Notebook) -> str:
    """Return a `.fam` notebook as Quarto's jupyter engine takes it.

    Its origin is noted and the kernel named; each block stands inside its cell, which the filter draws. YAML is not
    shown; and Quarto does not stop, with no page at all, where a block ends in an error. What the page says under
    `execute` goes before these two.
    """
    from famulus_kernel.render.cells import with_cells_around

    said = notebook.document.front_matter.data
    cells = [
        _cell(project, block, fence, said)
        for block, fence in zip(notebook.blocks, notebook.document.fences, strict=True)
    ]
    text = with_cells_around(notebook.document, cells)
    defaults = {"echo": "false", "error": "true"}
    ours = [MADE_BY.format(name=notebook.file.name), "jupyter: famulus"]
    ours += [f"{key}: {value}" for key, value in defaults.items() if key not in said]
    lines = "".join(f"{line}\n" for line in ours)
    head = _FRONT_MATTER.match(text)
    return f"{head[1]}{lines}{text[head.end() :]}" if head else f"---\n{lines}---\n\n{text}"


def _cell(project: Project, block: Block | BrokenBlock, fence: Fence, said: dict[str, Any]) -> Cell:
    """Return what the filter draws of a block; its text is shown by Quarto, if at all."""
    from famulus_kernel.render.cells import Cell, CellOptions, cell_of

    execute = said.get("execute")
    options = CellOptions().of_block({**said, **(execute if isinstance(execute, dict) else {})})
    cell = replace(cell_of(block, fence, options), source=None)
    if isinstance(block, BrokenBlock) or options.of_block(block.source.options).run:
        return cell
    return cell if project.store.newest(project.folder_of(block)) else Cell(block.id)
