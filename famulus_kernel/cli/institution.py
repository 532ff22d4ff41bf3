"""Institution: serve the tools of our language institution over MCP."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from famulus_kernel.cli.printing import console

if TYPE_CHECKING:
    from famulus_kernel.institution.tools import Institution


def register(app: typer.Typer) -> None:
    """Add the command of this module."""
    app.command()(institution)


def institution(
    project: Annotated[
        str | None,
        typer.Option("--project", help="The project whose collections are searched; default: that of this folder."),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 5116,
    host: Annotated[
        str,
        typer.Option("--host", help="Address to listen on; there is no password, so anyone who reaches it may ask."),
    ] = "127.0.0.1",
    collections: Annotated[
        Path | None, typer.Option("--collections", help="Root of the collections, in place of the project's.")
    ] = None,
) -> None:
    """Serve the language institution: lw_evaluate, lw_sense_history, lw_situate_specimen. Ctrl-C ends it.

    A project asks it with institution: http://127.0.0.1:5116/mcp in famulus.yml, which is the default; with
    institution: embedded the same tools play without a server.
    """
    from famulus_kernel.institution.tools import NAME
    from famulus_kernel.remote import serve

    own = _institution(project, collections)

    def told(url: str) -> None:
        console().print(f"language institution at {url}", highlight=False, soft_wrap=True)

    serve(own.tools, name=NAME, host=host, port=port, ready=told)


def _institution(project: str | None, collections: Path | None) -> Institution:
    from famulus_kernel.institution.tools import Institution
    from famulus_kernel.project.places import collections_root
    from famulus_kernel.project.project import Project

    if collections is not None:
        return Institution(collections.resolve())
    here = Path.cwd()
    if project is None and not any((folder / "famulus.yml").is_file() for folder in (here, *here.parents)):
        return Institution(collections_root(here, None))
    opened = Project.open(project or ".")
    return Institution(opened.places.collections, opened.config.column_map)
