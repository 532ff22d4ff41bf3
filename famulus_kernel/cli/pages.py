"""Render, convert, qmd: from notebooks to pages and to other notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from famulus_kernel.cli.parameters import Given, open_with
from famulus_kernel.cli.printing import ProjectPath, console, print_error, shown_path
from famulus_kernel.errors import counted

if TYPE_CHECKING:
    from famulus_kernel.project.project import Project

WATCH_PORT = 5119


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(render)
    app.command()(convert)
    app.command()(qmd)


def render(
    project: ProjectPath = ".",
    to: Annotated[
        str, typer.Option("--to", help="html, pdf, docx, typst, latex, gfm, revealjs, epub or odt.")
    ] = "html",
    output: Annotated[
        Path | None, typer.Option("--output", help="Folder of the pages; default: that of _quarto.yml.")
    ] = None,
    quarto: Annotated[
        bool | None,
        typer.Option("--quarto/--embedded", help="Use Quarto or the embedded renderer; default: Quarto where it is."),
    ] = None,
    pdf_engine: Annotated[
        str, typer.Option("--pdf-engine", help="What makes a PDF: typst, lualatex, xelatex, tectonic or pdflatex.")
    ] = "",
    embed: Annotated[
        bool, typer.Option("--embed-resources", help="Put all that a page of HTML needs into its one file.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Make the pages too that would be the same.")] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Stay, serve the pages here, and render what changes until Ctrl-C.")
    ] = False,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port of --watch; 0 for any that is free.")
    ] = WATCH_PORT,
    parameters: Given = None,
) -> None:
    """Write the pages of a project, from what the store holds. Exit status 1 where a page shows a box for a problem."""
    opened = open_with(project, parameters)
    if watch:
        if quarto or to != "html":
            why = "it is for HTML of the embedded renderer; for Quarto there is: quarto preview"
            raise typer.BadParameter(why, param_hint="--watch")
        watch_pages(project, output=output, port=port)
        return
    if not render_pages(
        opened, to=to, output=output, quarto=quarto, pdf_engine=pdf_engine, embed=embed, force=force
    ):
        raise typer.Exit(1)


def watch_pages(path: str, *, output: Path | None, port: int) -> None:
    """Render a project and go on with it whenever something changes; a project that cannot be read is waited for."""
    from famulus_kernel.errors import FamulusError, RenderError
    from famulus_kernel.project.project import Project
    from famulus_kernel.render.site import read_site
    from famulus_kernel.render.watching import watch

    def render_once() -> None:
        try:
            render_pages(Project.open(path), to="html", output=output, quarto=False)
        except FamulusError as error:
            print_error(error)
        except OSError as error:  # an editor took a file away while it was read: the next look finds it whole
            print_error(RenderError.of(error.filename or path, error.strerror or str(error)))

    root = Project.open(path).root
    pages = read_site(root, output_dir=output.resolve() if output else None).output_dir
    render_once()
    watch(root, pages, render_once, port=port, on_served=lambda url: console().print(f"{url} (Ctrl-C ends)"))


def check_format(to: str) -> None:
    """Say at once that nobody writes a format; what Quarto writes it says itself.

    Raises
    ------
    UnknownFormat
    """
    from famulus_kernel.render.formats import format_of
    from famulus_kernel.render.quarto import quarto_command

    if quarto_command() is None:
        format_of(to)


def render_pages(
    project: Project,
    *,
    to: str,
    output: Path | None = None,
    quarto: bool | None = None,
    pdf_engine: str = "",
    embed: bool = False,
    force: bool = False,
) -> bool:
    """Render a project and print what came of it; True where no page has a problem."""
    from famulus_kernel.adapter.refreshing import refresh_status
    from famulus_kernel.render.quarto import quarto_command, render_with_quarto
    from famulus_kernel.render.renderer import render_project

    refresh_status(project)
    command = quarto_command() if quarto is None or quarto else None
    if quarto and command is None:
        raise typer.BadParameter("there is no quarto on PATH", param_hint="--quarto")
    if command is not None:
        console().print(f"rendered with {command} (--embedded for the embedded renderer)", style="dim", markup=False)
        more = [*(["--pdf-engine", pdf_engine] if pdf_engine else []), *(["--embed-resources"] if embed else [])]
        return render_with_quarto(command, project.root, to=to, only=project.selected, output=output, more=more)
    pages = [project.selected] if project.selected is not None else None
    result = render_project(
        project.root, to=to, output_dir=output, pages=pages, pdf_engine=pdf_engine, embed=embed, force=force
    )
    for problem in result.problems:
        print_error(problem)
    fronts = sorted((page for page in result.pages if page.stem == "index"), key=lambda page: len(page.parts))
    first = next(iter([*fronts, *result.pages]), None)
    count = counted(len(result.pages), "page")
    same = f" ({result.unchanged} unchanged)" if result.unchanged else ""
    console().print(f"{count} by the embedded renderer{same}: {shown_path(first or result.output_dir)}", markup=False)
    return not any(problem.exit_status for problem in result.problems)


def convert(
    source: Annotated[Path, typer.Argument(help="A .fam, .qmd or .ipynb file.", exists=True, dir_okay=False)],
    target: Annotated[
        Path | None, typer.Argument(help="The new file; default: the same name with the other suffix.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there.")] = False,
) -> None:
    """Turn a `.fam` notebook into `.ipynb`, or back; the text comes back byte for byte."""
    from famulus_kernel.cli.converting import convert_file

    written = convert_file(source, target, force=force)
    console().print(shown_path(written), markup=False)


def qmd(
    project: ProjectPath = ".",
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit status 1 where a file would change.")
    ] = False,
) -> None:
    """Write a `.qmd` with `jupyter: famulus` beside each `.fam`, for Quarto before 1.9 (as a pre-render script)."""
    from famulus_kernel.cli.converting import write_qmd
    from famulus_kernel.project.project import Project

    changed = write_qmd(Project.open(project), write=not check)
    for path in changed:
        console().print(shown_path(path), markup=False)
    if check and changed:
        raise typer.Exit(1)


__all__ = ["print_error", "register", "render_pages"]
