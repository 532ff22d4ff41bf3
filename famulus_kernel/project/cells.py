"""Open cells: blocks as an editor has them, before they are saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from famulus_kernel.project.blocks import Block, BrokenBlock, read_block
from famulus_kernel.project.locate import default_notebook_id

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from famulus_kernel.project.blocks import Notebook


def read_cell(
    body: str,
    file: Path | None,
    home: Notebook | None,
    *,
    root: Path,
    defaults: Mapping[str, Any],
    given: Mapping[str, Any],
) -> Block:
    """Read the text of a cell as a block; its place is told as a line of the cell.

    Parameters
    ----------
    body
        The cell's text.
    file
        The notebook it stands in; None where nobody knows.
    home
        That notebook, where it is one of the project.
    root, defaults, given
        The project's folder, what famulus.yml says for every block, the parameters given from outside: all that a cell
        has whose notebook nobody knows.

    Raises
    ------
    FamulusError
        When the cell is no block.
    """
    from famulus_kernel.language.parameters import Parameters, parameters_of  # noqa: PLC0415 - a mere status reads no cell

    inside = file is not None and file.is_relative_to(root)
    notebook = home.id if home else "cells"
    if file is not None and home is None:
        notebook = default_notebook_id(root, file) if inside else file.stem
    name = f"cell of {file.relative_to(root).as_posix() if inside else file.name}" if file else "cell"
    block = read_block(
        body,
        notebook=notebook,
        file=file or root / "cell.fam",
        name=name,
        line=1,
        fence=None,
        defaults=defaults,
        parameters=parameters_of(home.document.front_matter, given) if home else Parameters(given),
    )
    if isinstance(block, BrokenBlock):
        raise block.error
    return block


def is_text_of(block: Block | BrokenBlock, body: str) -> bool:
    """Say whether a cell is what the disk has; frontends drop blank lines around a cell."""
    return block.fence is not None and block.fence.body.strip() == body.strip()
