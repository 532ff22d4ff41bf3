"""A `.qmd` that `famulus-notebook qmd` made of a `.fam` is that notebook, and no second one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projects import ProjectFolder, read_block

from famulus_kernel.kernel.place import notebook_of
from famulus_kernel.project.locate import locate, made_of
from famulus_kernel.project.project import Project

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = read_block("one", "SELECT 1 AS n", extra="oracle: {n: 1}")


def made(project: ProjectFolder, front: str = "") -> tuple[Path, Path]:
    """Return a notebook and what was made of it."""
    source = project.write("a.fam", f"{front}```{{famulus}}\n{BLOCK}```\n")
    ran = project.cli("qmd")
    assert ran.status == 0, ran.err
    return source, source.with_suffix(".qmd")


def test_its_blocks_are_those_of_the_fam(project: ProjectFolder) -> None:
    source, _ = made(project)
    opened = Project.open(project.root)
    assert not opened.errors
    assert [(block.id, block.file) for block in opened.blocks.values()] == [("one", source)]


def test_whoever_names_it_means_the_fam(project: ProjectFolder) -> None:
    source, copy = made(project)
    assert made_of(copy) == source
    assert locate(copy).notebook == source
    environment = {"QUARTO_DOCUMENT_PATH": str(project.root), "QUARTO_DOCUMENT_FILE": "a.qmd"}
    assert notebook_of(environment, project.root) == source, "a kernel that Quarto starts for it"


def test_it_says_so_and_what_quarto_needs_in_its_front_matter(project: ProjectFolder) -> None:
    _, copy = made(project)
    assert copy.read_text().startswith(
        "---\n# Made by famulus-notebook qmd from a.fam: change that file, not this one.\n"
        "jupyter: famulus\necho: false\nerror: true\n---\n"
    )
    _, copy = made(project, front="---\ntitle: T\nexecute: {echo: true}\n---\n\n")
    assert "execute: {echo: true}" in copy.read_text(), "what the author says of echo goes before"


def test_a_qmd_that_somebody_wrote_is_a_notebook_and_is_not_replaced(project: ProjectFolder) -> None:
    project.write("a.fam", "Text\n")
    written = project.write("a.qmd", f"```{{famulus}}\n{BLOCK}```\n")
    assert made_of(written) is None
    assert [block.file for block in Project.open(project.root).blocks.values()] == [written]
    refused = project.cli("qmd")
    assert refused.status == 2
    assert "would be one page" in refused.err
