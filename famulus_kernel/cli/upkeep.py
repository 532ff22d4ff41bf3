"""Verify, prune, accept: look after the store."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from famulus_kernel.cli.printing import AsJson, ProjectPath, console, print_json
from famulus_kernel.errors import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from famulus_kernel.store.prune import Pruned


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(verify)
    app.command()(prune)
    app.command()(accept)


def verify(
    project: ProjectPath = ".",
    repair: Annotated[bool, typer.Option("--repair", help="Write the derived index anew.")] = False,
    as_json: AsJson = False,
) -> None:
    """Hash every artefact again and say what was altered. Exit status 1 where anything is not as it was written."""
    from famulus_kernel.adapter.upkeep import verify_project
    from famulus_kernel.project.project import Project

    result = verify_project(Project.open(project), repair=repair)
    if as_json:
        print_json(result.as_dict())
    else:
        for one in result.findings:
            style = "red" if one.level == "damage" else "yellow"
            console().print(f"{one.path}: {one.message}", style=style, markup=False)
        for path in result.repaired:
            console().print(f"{path}: written anew", markup=False)
        state = "as written" if result.clean else "damaged"
        console().print(f"{counted(result.versions, 'version')}, {state}")
    if not result.clean:
        raise typer.Exit(1)


def prune(
    project: ProjectPath = ".",
    keep: Annotated[int, typer.Option("--keep", min=1, help="How many versions with a result stay of each block.")] = 5,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would go, remove nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Remove old versions; never one that a reference with a version, or a project used by this one, names.

    Versions that ended in error go where a result followed.
    """
    from famulus_kernel.adapter.upkeep import prune_project
    from famulus_kernel.project.project import Project

    result = prune_project(Project.open(project), keep=keep, dry_run=dry_run)
    if as_json:
        print_json({"removed": _names(result.removed), "spared": _names(result.spared), "dry_run": dry_run})
        return
    for one in result.removed:
        console().print(f"{one.block} {one.version}", markup=False)
    for one in result.spared:
        console().print(f"{one.block} {one.version} stays: something names it", style="dim", markup=False)
    gone = f"{counted(len(result.removed), 'version')} {'would be ' if dry_run else ''}removed"
    console().print(f"{gone} ({counted(result.bytes, 'byte')})")


def _names(versions: Iterable[Pruned]) -> list[dict[str, object]]:
    return [{"block": one.block, "version": one.version, "bytes": one.bytes} for one in versions]


def accept(
    project: ProjectPath = ".",
    blocks: Annotated[list[str] | None, typer.Argument(metavar="BLOCK", help="Ids of blocks, one at least.")] = None,
    why: Annotated[str, typer.Option("--why", help="Why the result still holds.")] = "",
    who: Annotated[str | None, typer.Option("--who", help="Who says so; default: git's user, else the login.")] = None,
) -> None:
    """Take stale blocks as fresh without running them: records who says so and why."""
    from famulus_kernel.adapter.refreshing import refresh_status
    from famulus_kernel.adapter.upkeep import accept_blocks
    from famulus_kernel.project.project import Project

    if not blocks:
        raise typer.BadParameter("name the blocks that are to be accepted", param_hint="BLOCK")
    if not why and sys.stdin.isatty():
        why = typer.prompt("Why does the result still hold?")
    if not why.strip():
        raise typer.BadParameter("say why the result still holds", param_hint="--why")
    opened = Project.open(project)
    names = opened.selection(blocks)
    made = accept_blocks(opened, names, why=why, who=who)
    if made:
        refresh_status(opened)  # so that pages and cards call them fresh from now on
    for acceptance in made:
        console().print(
            f"{acceptance.block} {acceptance.version} accepted by {acceptance.who}: {acceptance.why}", markup=False
        )
    accepted = {acceptance.block for acceptance in made}
    for name in names:
        if name not in accepted:
            console().print(f"{name} is fresh: there is nothing to accept", markup=False)
