"""Importing letters: from CMIF files and from tables, into `<name>.duckdb` (spec 4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from famulus_kernel.corpus.collection import LETTERS, Collection, create_tables
from famulus_kernel.corpus.importers import cmif, edtf_csv
from famulus_kernel.corpus.importers.building import (
    Source,
    check_replaces,
    keep_tables,
    link_pages,
    sources_of,
    workshop,
    write_status,
)
from famulus_kernel.corpus.importers.reading import read_all
from famulus_kernel.corpus.importers.register import Register
from famulus_kernel.corpus.importers.report import Report
from famulus_kernel.corpus.importers.same_persons import SamePersons
from famulus_kernel.errors import ImportRefused, Where

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from famulus_kernel.corpus.importers.letter import Imprint, SourceLetter, Unreadable
    from famulus_kernel.corpus.importers.reading import Progress

    Reader = Callable[[Path], Iterator[SourceLetter | Unreadable]]

PART = "letters"
_FORMS = {"cmif": "TEI CMIF, with correspDesc elements", "edtf-csv": "a table with a row for each letter"}


def import_cmif(
    files: Iterable[Path],
    into: Path,
    *,
    persons: Path | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Import TEI CMIF files as the letters of a collection.

    Parameters
    ----------
    files
        All files of the collection's letters, in the order of their rows.
    into
        The collection's folder; its name is the collection's.
    persons
        A table of who is who (`same_persons`).
    replace
        Put them in the place of letters that were made of other files.
    progress
        Told how far the reading is, now and then and at its end.

    Returns
    -------
    Report
        What came in, what is there, what was odd. It also lies in the folder as `import_letters.json`.

    Raises
    ------
    ImportRefused, MissingFile, CollectionError
        Nothing was written then.
    """
    sources = sources_of(files)
    report = Report("letters")
    imprints: list[Imprint] = []
    for source in sources:
        found = cmif.survey(source.path)
        imprints.append(found.imprint)
        if found.fault:
            what = f"not well-formed from column {found.fault.column} on: {found.fault.why}"
            report.odd("malformed", source.path.name, found.fault.line, what)
    return _import(
        "cmif", cmif.read_letters, sources, into, report, imprints, persons=persons, replace=replace, progress=progress
    )


def import_table(
    files: Iterable[Path],
    into: Path,
    *,
    persons: Path | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Import tables with EDTF dates as the letters of a collection; parameters and errors are those of CMIF."""
    sources = sources_of(files)
    report = Report("letters")
    read = edtf_csv.read_letters
    return _import("edtf-csv", read, sources, into, report, [], persons=persons, replace=replace, progress=progress)


def _import(
    form: str,
    reader: Reader,
    sources: Sequence[Source],
    into: Path,
    report: Report,
    imprints: Sequence[Imprint],
    *,
    persons: Path | None,
    replace: bool,
    progress: Progress | None,
) -> Report:
    collection = Collection.at(into)
    known = [Source.of(persons)] if persons else []
    same = SamePersons(persons)
    with workshop(collection) as place:
        check_replaces(collection, PART, collection.letters_path, LETTERS, sources, replace=replace)
        connection = place.database(collection.letters_path)
        try:
            create_tables(connection, "letters")
            register = Register(connection, report, same)
            for letter in read_all(reader, sources, report, progress):
                register.add(letter)
            register.finish()
            for line, name in same.unmet():
                report.odd("nobody", persons.name if persons else "", line, f"{name} stands in none of the files")
            report.settle()
            keep_tables(connection, collection.letters_path)
            if collection.texts_path.exists():
                report.contents["letters with text"] = link_pages(connection, collection.texts_path)
        finally:
            connection.close()
        if not report.kept:
            raise ImportRefused.nothing("letter", _FORMS[form]).at(_where(report, sources))
        write_status(place, PART, form, sources, report, imprints, known)
        place.place()
    return report


def _where(report: Report, sources: Sequence[Source]) -> Where:
    """Return the place of the first letter that was lost, or the first file."""
    if report.rejects:
        return Where(report.rejects[0].file, report.rejects[0].line)
    return Where(str(sources[0].path) if sources else None)
