"""Register: the partituren of a project, on this machine or served."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from famulus_kernel.cli.printing import AsJson, console, print_json, printable, shown_path

if TYPE_CHECKING:
    from famulus_kernel.harness.register import Register
    from famulus_kernel.project.project import Project

register_app = typer.Typer(help="Partituren: the plans that chains of blocks name.", no_args_is_help=True)

Named = Annotated[str, typer.Argument(metavar="NAME", help="An id, id@version or goal_path.")]
InProject = Annotated[str, typer.Option("--project", help="The project whose register: holds.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(register_app, name="register")


@register_app.command("list")
def list_partituren(project: InProject = ".", as_json: AsJson = False) -> None:
    """List the partituren that blocks of a project can name: those of its register, then the package's own."""
    from dataclasses import asdict

    found = [{**asdict(entry), "place": place} for place, entry in _register(project).entries()]
    if as_json:
        print_json(found)
        return
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for heading in ("id", "version", "goal_path", "place", "created"):
        table.add_column(heading, overflow="fold")
    for one in found:
        words = (one["id"], one["version"], one["goal_path"], one["place"], one["created"] or "")
        table.add_row(*(Text(printable(word)) for word in words))
    console().print(table)


@register_app.command()
def show(name: Named, project: InProject = ".", as_json: AsJson = False) -> None:
    """Print the document of a partitur, byte for byte; with --json what it says, its hash and where it was found."""
    found = _register(project).lookup(name)
    document = found.document
    if as_json:
        said = document.partitur.model_dump(mode="json", by_alias=True)
        print_json({"place": found.place, "sha256": document.sha256, "partitur": said})
        return
    if sys.stdout.isatty():
        console().print(printable(document.text.decode()), markup=False)
        return
    sys.stdout.flush()
    sys.stdout.buffer.write(document.text)


@register_app.command()
def add(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Documents, YAML or JSON.")],
    into: Annotated[Path | None, typer.Option("--into", metavar="FILE", help="The register; made if missing.")] = None,
    project: InProject = ".",
    as_json: AsJson = False,
) -> None:
    """Put partituren into the register of a project, all or none; a version that is there never changes.

    The register is the one that register: in famulus.yml names, else partitur_register.duckdb in the project.
    """
    from famulus_kernel.errors import PartiturError, Where
    from famulus_kernel.harness.contract import check_contract
    from famulus_kernel.harness.partitur import read_partitur
    from famulus_kernel.harness.register_file import RegisterFile

    documents = []
    for file in files:
        document = read_partitur(_bytes_of(file), str(file))
        try:
            check_contract(document.partitur.contract)
        except PartiturError as error:
            raise error.at(Where(str(file), key="contract")) from None
        documents.append(document)
    target, is_named = (into.absolute(), True) if into is not None else _own_file(project)
    added = RegisterFile(target).add(documents)
    if as_json:
        unchanged = [one.name for one in documents if one.name not in added]
        print_json({"register": str(target), "added": added, "unchanged": unchanged})
        return
    for one in documents:
        console().print(f"{one.name}: {'added' if one.name in added else 'there already'}", markup=False)
    console().print(shown_path(target), style="bold", markup=False)
    if not is_named:
        console().print(f"blocks find them with register: {target.name} in famulus.yml", markup=False)


@register_app.command()
def export(
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="The folder to write to; made where missing.")],
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Default: all, every version.")] = None,
    project: InProject = ".",
    as_json: AsJson = False,
) -> None:
    """Write documents to files, byte for byte: id@version.yaml, or .json."""
    register_ = _register(project)
    wanted = names or [entry.name for _, entry in register_.entries()]
    into.mkdir(parents=True, exist_ok=True)
    written = []
    for name in wanted:
        document = register_.lookup(name).document
        suffix = "json" if document.text.lstrip().startswith(b"{") else "yaml"
        path = into / f"{document.name}.{suffix}"
        path.write_bytes(document.text)
        written.append(path)
    if as_json:
        print_json([str(path) for path in written])
    else:
        for path in written:
            console().print(printable(shown_path(path.absolute())), markup=False)


@register_app.command()
def serve(
    project: InProject = ".",
    host: Annotated[str, typer.Option("--host", help="Address to listen on; there is no password.")] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 5117,
) -> None:
    """Serve the register over MCP until Ctrl-C; register: in the famulus.yml of another project then names its URL."""
    from famulus_kernel.harness.register_serving import NAME, tools_of
    from famulus_kernel.remote import serve as serve_tools

    list(_register(project).entries())  # what is wrong with it is told now
    serve_tools(
        tools_of(lambda: _register(project)),
        name=NAME,
        host=host,
        port=port,
        ready=lambda url: console().print(f"the register is at {url}", markup=False),
    )


def _register(project: str) -> Register:
    """Return the register of a project; where there is no project, the package's own partituren."""
    from famulus_kernel.errors import ProjectError
    from famulus_kernel.harness.register import open_register

    try:
        return _project(project).register
    except ProjectError:
        if project != "." or Path("famulus.yml").exists():
            raise
        return open_register(None)


def _own_file(project: str) -> tuple[Path, bool]:
    """Return the file that `add` writes to, and whether famulus.yml names it."""
    from famulus_kernel.errors import RegisterError
    from famulus_kernel.harness.register import is_url
    from famulus_kernel.harness.register_file import FILE

    opened = _project(project)
    written = opened.config.partitur_register
    if written is None:
        return opened.root / FILE, False
    if is_url(written):
        raise RegisterError.of(written, "it is served elsewhere", "add the document where the register lies, or --into")
    return opened.places.expand(written), True


def _project(project: str) -> Project:
    from famulus_kernel.project.project import Project

    return Project.open(project)


def _bytes_of(file: Path) -> bytes:
    from famulus_kernel.errors import MissingFile

    if not file.is_file():
        raise MissingFile.of(str(file), file.absolute())
    return file.read_bytes()
