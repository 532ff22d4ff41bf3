"""Init, doctor, kernel install, schema: everything before the first block."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from famulus_kernel.cli.printing import AsJson, ProjectPath, console, print_json, printable, shown_path

kernel_app = typer.Typer(help="The Jupyter kernel.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.command()(init)
    app.command()(doctor)
    app.command()(schema)
    app.add_typer(kernel_app, name="kernel")


def init(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="The project's folder; made where missing.")
    ] = Path(),
    title: Annotated[str | None, typer.Option("--title", help="Title of the project.")] = None,
    lang: Annotated[str, typer.Option("--lang", help="Language of the pages: de or en.")] = "en",
    update: Annotated[bool, typer.Option("--update", help="Only renew the Quarto extension.")] = False,
    editor: Annotated[
        bool, typer.Option("--editor", help="Also tell VS Code and Positron of .fam files, famulus.yml and blocks.")
    ] = False,
) -> None:
    """Make a project: famulus.yml, _quarto.yml, a first notebook, the Quarto extension. Replaces nothing."""
    from famulus_kernel.project.editors import write_editor_files
    from famulus_kernel.project.scaffold import copy_extension, scaffold

    if lang not in {"de", "en"}:
        raise typer.BadParameter(f"{lang} is neither de nor en", param_hint="--lang")
    made = [copy_extension(folder)] if update else scaffold(folder, title=title, lang=lang)
    made += write_editor_files(folder) if editor else []
    for path in made:
        console().print(shown_path(path.absolute()), markup=False)
    if not update:
        console().print("next: famulus-notebook refresh " + shown_path(folder.absolute()), markup=False)


def doctor(project: ProjectPath = ".", as_json: AsJson = False) -> None:
    """Say what is installed and what is missing, here and for this project. Exit status 1 where something is wrong."""
    from famulus_kernel.cli.diagnosis import diagnose

    findings = diagnose(Path(project))
    if as_json:
        print_json([finding.as_json() for finding in findings])
    else:
        for finding in findings:
            style = {"ok": "green", "note": "yellow", "wrong": "red"}[finding.level]
            console().print(f"[{style}]{finding.level:5}[/{style}] ", end="")
            console().print(f"{finding.subject}: {finding.says}", markup=False)
    if any(finding.level == "wrong" for finding in findings):
        raise typer.Exit(1)


def schema(
    what: Annotated[str, typer.Argument(help="preamble (of a block), project (famulus.yml) or card.")] = "preamble",
) -> None:
    """Print a JSON Schema for editors."""
    from famulus_kernel.cards.card import card_schema
    from famulus_kernel.language.schema import preamble_schema, project_schema

    schemas = {"preamble": preamble_schema, "project": project_schema, "card": card_schema}
    if what not in schemas:
        raise typer.BadParameter(f"{what} is none of {', '.join(schemas)}")
    print_json(schemas[what]())


@kernel_app.command("install")
def kernel_install(
    user: Annotated[bool, typer.Option("--user", help="For this user (default).")] = False,
    prefix: Annotated[Path | None, typer.Option("--prefix", help="Below this folder.")] = None,
    sys_prefix: Annotated[bool, typer.Option("--sys-prefix", help="Into the running environment.")] = False,
) -> None:
    """Install the kernelspec: Jupyter and Quarto find the kernel, which runs in the Python of this command.

    What makes .fam files notebooks in JupyterLab comes with the package into the environment that JupyterLab runs in,
    and needs no command.
    """
    from famulus_kernel.kernel.install import install

    if sum([user, prefix is not None, sys_prefix]) > 1:
        raise typer.BadParameter("give one of --user, --prefix and --sys-prefix")
    place = install(
        user=user or (prefix is None and not sys_prefix), prefix=str(prefix) if prefix else None, sys_prefix=sys_prefix
    )
    console().print(printable(str(place)), markup=False)
