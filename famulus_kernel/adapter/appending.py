"""Blocks written at the end of a notebook; what stands there is not touched."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from famulus_kernel.errors import FamulusError, ProjectError, bold
from famulus_kernel.language.document import parse_document
from famulus_kernel.language.flow import in_one_line
from famulus_kernel.language.identifiers import MAX_LENGTH
from famulus_kernel.language.references import same_id_key
from famulus_kernel.project.blocks import read_text
from famulus_kernel.store.durable import make_folders, writing

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from famulus_kernel.project.project import Project


def notebook_name(project: Project, file: Path) -> str:
    """Return the name of a file in the project.

    Raises
    ------
    ProjectError
        It is or would be no notebook of it.
    """
    inside = file.is_relative_to(project.root) and (project.only is None or file == project.only)
    name = file.relative_to(project.root) if inside else file
    if not inside or file.suffix != ".fam" or any(part.startswith(("_", ".")) for part in name.parts):
        raise ProjectError(
            f"{bold(file)} would be no notebook of the project {project.root}",
            hint="name a .fam file of the project, such as goldens.fam; its path counts from the current folder",
        )
    return name.as_posix()


def taken_ids(project: Project) -> set[str]:
    """Return the ids of a project's blocks, as they are compared; those of broken blocks too."""
    return {same_id_key(block.id) for notebook in project.notebooks for block in notebook.blocks if block.id}


def free_id(wanted: str, taken: Collection[str]) -> str:
    """Return an identifier, cut and with a number where it is taken (:func:`taken_ids`)."""
    base = wanted[: MAX_LENGTH - 6].rstrip("-")
    return next(one for one in _numbered(base) if same_id_key(one) not in taken)


def _numbered(base: str) -> Iterator[str]:
    yield base
    number = 2
    while True:
        yield f"{base}-{number}"
        number += 1


def append_blocks(file: Path, name: str, bodies: Sequence[str]) -> None:
    """Add blocks at the end of a notebook, which is made with a title where it is missing; all of them or none.

    Parameters
    ----------
    file
        The notebook.
    name
        Its name for messages.
    bodies
        What stands between the fences of each block.

    Raises
    ------
    ProjectError
        A fence, a comment or a front matter is open at its end.
    StoreError
        It cannot be written.
    """
    old = read_text(file, name) if file.exists() else ""
    added = _fenced(bodies)
    if not file.exists():
        added = f"---\ntitle: {in_one_line(_title_of(file))}\n---\n\n{added}"
    elif old:
        added = "\n" * (2 - (old.endswith(("\n", "\r")) + old.replace("\r", "").endswith("\n\n"))) + added
    if "\r\n" in old:
        added = added.replace("\n", "\r\n")
    if _number_of_blocks(old + added, name) != _number_of_blocks(old, name) + len(bodies):
        raise ProjectError(
            f"nothing can be added to {bold(name)}: a fence, a comment or a front matter is open at its end",
            hint="close it, or name another file",
        )
    with writing(file):
        make_folders(file.parent)
        with file.open("ab") as stream:
            size = stream.tell()
            try:
                stream.write(added.encode())
                stream.flush()
            except OSError:  # a full disk must not leave half a block
                stream.truncate(size)
                raise


def _title_of(file: Path) -> str:
    """Return the title of a new notebook: its name in words."""
    words = " ".join(re.split(r"[-_\s]+", file.stem)).strip()
    return words[:1].upper() + words[1:]


def _number_of_blocks(text: str, name: str) -> int:
    try:
        return len(parse_document(text, name).fences)
    except FamulusError:  # what is added would end a front matter that is open, and no longer be a block
        return 0


def _fenced(bodies: Sequence[str]) -> str:
    return "\n\n".join(f"{fence}{{famulus}}\n{body}\n{fence}" for body in bodies for fence in [_fence(body)]) + "\n"


def _fence(body: str) -> str:
    """Return a fence that no line of the body can close."""
    longest = max((len(run) for run in re.findall(r"`{3,}", body)), default=2)
    return "`" * (longest + 1)
