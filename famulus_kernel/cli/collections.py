"""Collection: make one out of published files, check one, say what one holds."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from famulus_kernel.cli.printing import AsJson, console, is_terminal, print_json, printable, shown_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from famulus_kernel.corpus.collection import Collection
    from famulus_kernel.corpus.importers import Reading, Report
    from famulus_kernel.corpus.overview import Overview

SHOWN = 10
"""So many notes of a kind are printed; the file beside the collection has more."""

collection_app = typer.Typer(help="Collections: letters and texts that blocks ask.", no_args_is_help=True)
import_app = typer.Typer(
    help="Make a collection out of files. Exit status 1 where a letter or sentence could not be read.",
    no_args_is_help=True,
)
collection_app.add_typer(import_app, name="import")

Files = Annotated[list[Path], typer.Argument(metavar="FILE", help="All files of the collection.")]
Into = Annotated[Path, typer.Option("--into", metavar="DIR", help="The collection's folder; made where missing.")]
Replace = Annotated[bool, typer.Option("--replace", help="Put it in the place of what other files were made into.")]
Persons = Annotated[
    Path | None, typer.Option("--persons", metavar="FILE", help="A table of who is who: CSV with name and person.")
]
Language = Annotated[str | None, typer.Option("--lang", help="Language of sentences that say none: la, de …")]
Named = Annotated[str, typer.Argument(metavar="COLLECTION", help="A folder, or a name under the collections' root.")]
InProject = Annotated[str, typer.Option("--project", help="The project whose root and schema: hold.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this module."""
    app.add_typer(collection_app, name="collection")


@import_app.command("cmif")
def import_cmif(
    files: Files, into: Into, persons: Persons = None, replace: Replace = False, as_json: AsJson = False
) -> None:
    """Import letters from TEI CMIF files."""
    from famulus_kernel.corpus import importers

    with _progress() as advance:
        report = importers.import_cmif(files, into, persons=persons, replace=replace, progress=advance)
    _tell(report, into, as_json)


@import_app.command("edtf-csv")
def import_table(
    files: Files, into: Into, persons: Persons = None, replace: Replace = False, as_json: AsJson = False
) -> None:
    """Import letters from tables with EDTF dates: CSV, one letter a row, the first row names the columns."""
    from famulus_kernel.corpus import importers

    with _progress() as advance:
        report = importers.import_table(files, into, persons=persons, replace=replace, progress=advance)
    _tell(report, into, as_json)


@import_app.command("manuscripts-csv")
def import_manuscripts(files: Files, into: Into, replace: Replace = False, as_json: AsJson = False) -> None:
    """Import manuscripts from tables: CSV, one manuscript a row, the first row names the columns.

    They are doc_id, title, date_when (EDTF), n_pages and signature; only the title is needed, and an id or a signature.
    Letters that the collection holds stay.
    """
    from famulus_kernel.corpus import importers

    with _progress() as advance:
        report = importers.import_manuscripts(files, into, replace=replace, progress=advance)
    _tell(report, into, as_json)


@import_app.command("conllu")
def import_conllu(
    files: Files, into: Into, lang: Language = None, replace: Replace = False, as_json: AsJson = False
) -> None:
    """Import sentences, words and lemmata from CoNLL-U files."""
    from famulus_kernel.corpus import importers

    with _progress() as advance:
        report = importers.import_conllu(files, into, lang=lang, replace=replace, progress=advance)
    _tell(report, into, as_json)


@import_app.command("stanza")
def import_stanza(
    files: Files,
    into: Into,
    lang: Annotated[str, typer.Option("--lang", help="Language of the texts: la, de …")],
    replace: Replace = False,
    as_json: AsJson = False,
) -> None:
    """Run Stanza over plain texts and import what it finds; it and its models must be installed."""
    from famulus_kernel.corpus import importers

    with _progress() as advance:
        report = importers.import_stanza(files, into, lang=lang, replace=replace, progress=advance)
    _tell(report, into, as_json)


@collection_app.command()
def check(collection: Named, project: InProject = ".", as_json: AsJson = False) -> None:
    """Check tables, columns and numbers of a collection. Exit status 1 where answers would be wrong."""
    from famulus_kernel.corpus.soundness import check_collection

    found = check_collection(*_collection(collection, project))
    if as_json:
        print_json([finding._asdict() for finding in found])
    else:
        for finding in found:
            style = "red" if finding.level == "error" else "yellow"
            console().print(f"[{style}]{finding.level:5}[/{style}] ", end="")
            said = f"{finding.table}: {finding.what}" if finding.table else finding.what
            console().print(printable(said), markup=False)
        if not any(finding.level == "error" for finding in found):
            console().print(f"{collection}: sound", markup=False)
    if any(finding.level == "error" for finding in found):
        raise typer.Exit(1)


@collection_app.command()
def show(collection: Named, project: InProject = ".", as_json: AsJson = False) -> None:
    """Say what a collection holds: letters and years, persons, texts and languages, gaps, whom to credit."""
    from famulus_kernel.corpus.overview import overview

    found = overview(*_collection(collection, project))
    if as_json:
        print_json(found.as_dict())
    else:
        for line in _lines(found):
            console().print(printable(line), markup=False)


def _collection(named: str, project: str) -> tuple[Collection, Mapping[str, Mapping[str, str]]]:
    """Return the collection that a folder or a name means, and the project's names of columns."""
    from famulus_kernel.corpus.collection import Collection
    from famulus_kernel.errors import ProjectError
    from famulus_kernel.project.places import collections_root
    from famulus_kernel.project.project import Project

    try:
        opened = Project.open(project)
    except ProjectError:
        if (Path(project) / "famulus.yml").exists():
            raise
        root, names = collections_root(Path.cwd(), None), {}
    else:
        root, names = opened.places.collections, opened.config.column_map
    if Path(named).is_dir() or "/" in named:
        return Collection.at(named), names
    return Collection(root, named).require(), names


@contextmanager
def _progress() -> Iterator[Callable[[Reading], None] | None]:
    """Give what moves a bar on standard error; nothing where nobody looks."""
    if not is_terminal():
        yield None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    told = TextColumn("{task.fields[read]:,} {task.fields[unit]}")
    columns = (TextColumn("reading"), BarColumn(), TaskProgressColumn(), told, TimeElapsedColumn())
    with Progress(*columns, console=console(errors=True), transient=True) as bar:
        task = bar.add_task("reading", total=None, read=0, unit="")
        yield lambda far: bar.update(task, completed=far.lines, total=far.total, read=far.read, unit=far.unit)


def _tell(report: Report, into: Path, as_json: bool) -> None:
    """Print the report of an import; what was lost line by line."""
    if as_json:
        print_json(report.as_dict())
    else:
        _print_report(report, into)
    if report.rejects:
        raise typer.Exit(1)


def _print_report(report: Report, into: Path) -> None:
    from famulus_kernel.corpus.importers.report import ODDITIES

    out = console()
    out.print(
        f"{report.read:,} {report.unit} read, {report.kept:,} kept, {len(report.doubles):,} there already, "
        f"{len(report.rejects):,} unreadable",
        markup=False,
    )
    out.print(", ".join(f"{number:,} {name}" for name, number in report.contents.items()), markup=False)
    for note in (*report.rejects, *report.doubles):
        out.print(printable(f"  {note}"), style="red" if note.kind == "reject" else None, markup=False)
    for kind in ODDITIES:
        if count := report.counts[kind]:
            out.print(f"{ODDITIES[kind]}: {count:,}", style="yellow", markup=False)
            notes = report.notes[kind]
            for note in notes[:SHOWN]:
                out.print(printable(f"  {note}"), markup=False)
            if count > SHOWN:
                out.print(f"  and {count - SHOWN:,} more", style="dim", markup=False)
    out.print(f"{shown_path(into.absolute())}", style="bold", markup=False)


def _lines(found: Overview) -> Iterator[str]:
    """Yield what a reader wants to know of a collection, line by line."""
    yield found.name
    if found.letters:
        yield _counted(found.letters)
        yield from _timeline(found)
        for name, ent_id, sent, received in found.persons:
            yield f"  {name} ({ent_id}): {sent:,} sent, {received:,} received"
    if found.texts:
        yield _counted(found.texts)
        yield "languages: " + ", ".join(f"{lang or 'unsaid'} {number:,}" for lang, number in found.languages.items())
    if found.manuscripts:
        yield _counted(found.manuscripts)
    status = found.status
    for name in ("overall", "person", "source", "credit", "licence", "cite"):
        if said := getattr(status, name):
            yield f"{name}: {said}"
    for gap in status.gaps:
        yield f"gap: {gap}"


def _timeline(found: Overview) -> Iterator[str]:
    """Yield the years that have letters, with their numbers."""
    if found.years:
        yield f"letters by year, {min(found.years)} to {max(found.years)}:"
        for year, number in found.years.items():
            yield f"  {year:>5}  {number:>6,}"
    if found.n_wider:
        yield f"  {found.n_wider:,} more are dated, but not to one year"


def _counted(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{number:,} {name.removeprefix('n_')}" for name, number in counts.items())
