"""Show, diff, log: read what the store holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from famulus_kernel.cli.printing import AsJson, ProjectPath, mark, print_drawn, print_json, printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from famulus_kernel.project.project import Project
    from famulus_kernel.store.accepted import Acceptance
    from famulus_kernel.store.store import StoredVersion

WHAT_HELP = "A block id, or block.name for one artefact; @v3 for an older version."


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(show)
    app.command()(diff)
    app.command()(log)


def show(
    project: ProjectPath = ".",
    what: Annotated[str | None, typer.Argument(metavar="ID[.NAME]", help=WHAT_HELP)] = None,
    as_json: AsJson = False,
) -> None:
    """Show a block's card and artefacts, or one artefact, in the terminal."""
    from famulus_kernel.adapter.showing import Shown, shown
    from famulus_kernel.project.project import Project

    project, what = _project_and_word(project, what)
    found: Shown = shown(Project.open(project), what)
    if as_json:
        print_json(found.as_json())
        return
    from famulus_kernel.artefacts import text

    if found.card is not None:
        print_drawn(text.render_card(found.card, found.lang))
    for envelope in found.envelopes:
        # of one artefact alone, what a reader must know of its version
        marks = [mark for mark in found.marks if mark.status != "pass"] if found.card is None else []
        print_drawn(text.render(envelope.view, found.lang, marks=marks))


def _project_and_word(project: str, word: str | None) -> tuple[str, str]:
    """Read `show ID` as `show . ID`: the project may be left out, the block may not."""
    if word is None and (project in {"", ".", ".."} or "/" in project or project.endswith(".fam")):
        raise typer.BadParameter("name a block", param_hint="ID")
    return (".", project) if word is None else (project, word)


def diff(
    project: Annotated[str, typer.Argument(metavar="PROJECT", help="A project folder or a .fam file.")],
    block: Annotated[str, typer.Argument(metavar="ID", help="A block id.")],
    old: Annotated[str, typer.Argument(metavar="V1", help="The older version, such as v1.")],
    new: Annotated[str | None, typer.Argument(metavar="V2", help="The newer version.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what changed between two versions: preamble, inputs, counts, rows added and removed, verdict."""
    from famulus_kernel.cli.diffing import print_difference
    from famulus_kernel.language.references import parse_version
    from famulus_kernel.project.project import Project
    from famulus_kernel.store.diff import diff as compare

    if new is None:  # diff ID V1 V2
        project, block, old, new = ".", project, block, old
    opened = Project.open(project)
    pair = [_version(opened, block, parse_version(text)) for text in (old, new)]
    found = compare(*pair)
    if as_json:
        print_json(found.as_dict())
    else:
        print_difference(found)


def _version(project: Project, block: str, number: int) -> StoredVersion:
    from famulus_kernel.errors import UnresolvedReference

    folder = project.folder_of(project.block(block))
    version = project.store.version(folder, number)
    if version is None:
        names = [one.name for one in project.store.versions(folder)]
        raise UnresolvedReference.unknown(f"{block}@v{number}", "there is no such version", f"v{number:04d}", names)
    return version


def log(
    project: ProjectPath = ".",
    block: Annotated[str | None, typer.Argument(metavar="ID", help="A block id.")] = None,
    version: Annotated[
        str | None, typer.Option("--version", help="Show the trace of this version, such as v3.")
    ] = None,
    trace: Annotated[bool, typer.Option("--trace", help="Show the trace of the newest version.")] = False,
    as_json: AsJson = False,
) -> None:
    """List the versions of a block, or the trace of one: what was done, with what, how long it took."""
    from famulus_kernel.cli.tracing import trace_tree
    from famulus_kernel.language.references import parse_version
    from famulus_kernel.project.project import Project
    from famulus_kernel.store.accepted import acceptances_of

    project, block = _project_and_word(project, block)
    opened = Project.open(project)
    versions = opened.store.versions(opened.folder_of(opened.block(block)))
    if version is not None or (trace and versions):
        shown = versions[-1] if version is None else _version(opened, block, parse_version(version))
        print_json(shown.trace()) if as_json else print_drawn(trace_tree(shown.trace()))
        return
    accepted = acceptances_of(opened.store, opened.block(block).id)
    if as_json:
        print_json([_log_entry(one, accepted.get(one.name, ())) for one in versions])
        return
    _print_versions(versions, accepted)


def _log_entry(one: StoredVersion, accepted: Iterable[Acceptance]) -> dict[str, Any]:
    manifest = one.manifest
    return {
        "version": one.name,
        "created": manifest.created,
        "duration_s": manifest.duration_s,
        "status": manifest.status,
        "checked": manifest.checked,
        "artefacts": [entry.name for entry in manifest.artefacts],
        "accepted": [acceptance.said() for acceptance in accepted],
    }


def _print_versions(versions: list[StoredVersion], accepted: Mapping[str, Iterable[Acceptance]]) -> None:
    from rich.table import Table

    from famulus_kernel.cli.running import verdict_word

    table = Table(box=None, pad_edge=False)
    for heading in ("version", "verdict", "created", "seconds", "artefacts"):
        table.add_column(heading, justify="right" if heading == "seconds" else "left")
    for one in versions:
        manifest = one.manifest
        word = mark(verdict_word(manifest.status, checked=manifest.checked))
        names = ", ".join(entry.name for entry in manifest.artefacts)
        table.add_row(one.name, word, manifest.created, f"{manifest.duration_s:.3f}", names)
        for by in accepted.get(one.name, ()):
            table.add_row("", "accepted", by.when, "", printable(f"by {by.who}: {by.why}"), style="dim")
    print_drawn(table if versions else "no version yet", whole_lines=True)  # half a date says nothing
