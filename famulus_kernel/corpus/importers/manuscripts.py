"""Importing lists of manuscripts: tables with a row for each, into `manuscripts` of `<name>.duckdb` (spec 4.1, 4.2).

The columns are found by their names in the header: the document, what it is called, its date as EDTF, how many pages
it has and its shelf mark. A manuscript that has no id of a document is known by its shelf mark.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Final, NamedTuple

from famulus_kernel.corpus.collection import MANUSCRIPTS, Collection
from famulus_kernel.corpus.importers.building import check_replaces, sources_of, workshop, write_status
from famulus_kernel.corpus.importers.csv_rows import read_rows
from famulus_kernel.corpus.importers.dates import read_edtf
from famulus_kernel.corpus.importers.names import spaced
from famulus_kernel.corpus.importers.reading import read_all
from famulus_kernel.corpus.importers.register import insert
from famulus_kernel.corpus.importers.report import Report
from famulus_kernel.errors import ImportRefused, Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from famulus_kernel.corpus.importers.building import Source
    from famulus_kernel.corpus.importers.reading import Progress

PART: Final = "manuscripts"
_NAMES: Final = {
    "doc_id": ("doc_id", "document", "doc", "id", "key"),
    "title": ("title", "name", "titel"),
    "date": ("date_when", "date", "datum"),
    "pages": ("n_pages", "pages", "extent", "seiten", "umfang"),
    "signature": ("signature", "shelfmark", "shelf_mark", "signatur"),
}
_NEEDED: Final = ("title",)


class _Manuscript(NamedTuple):
    """A row as the table holds it."""

    doc_id: str
    title: str | None
    date: str | None
    pages: int | None
    signature: str | None


def import_manuscripts(
    files: Iterable[Path], into: Path, *, replace: bool = False, progress: Progress | None = None
) -> Report:
    """Import tables of manuscripts; letters and registers that the collection holds stay.

    Parameters
    ----------
    files
        All files of the collection's manuscripts: CSV, the first row names the columns.
    into
        The collection's folder; its name is the collection's.
    replace
        Put them in the place of manuscripts that were made of other files.
    progress
        Told how far the reading is, now and then and at its end.

    Returns
    -------
    Report
        What came in, what is there, what was odd. It also lies in the folder as `import_manuscripts.json`.

    Raises
    ------
    ImportRefused, MissingFile, CollectionError
        Nothing was written then.
    """
    sources = sources_of(files)
    collection = Collection.at(into)
    report = Report("manuscripts")
    with workshop(collection) as place:
        check_replaces(collection, PART, collection.letters_path, MANUSCRIPTS, sources, replace=replace)
        if collection.letters_path.exists():
            shutil.copyfile(collection.letters_path, place.path(collection.letters_path))
        rows = list(_rows(sources, report, progress))
        report.kept = len(rows)
        report.settle()
        if not rows:
            lost = report.rejects[0] if report.rejects else None
            where = Where(lost.file, lost.line) if lost else Where(str(sources[0].path) if sources else None)
            raise ImportRefused.nothing("manuscript", "a table with a row for each manuscript").at(where)
        report.contents = {"manuscripts": len(rows), "pages of manuscripts": sum(row.pages or 0 for row in rows)}
        connection = place.database(collection.letters_path)
        try:
            connection.execute(f"DROP TABLE IF EXISTS {MANUSCRIPTS.name}")
            connection.execute(MANUSCRIPTS.definition())
            insert(connection, MANUSCRIPTS, rows)
        finally:
            connection.close()
        write_status(place, PART, "manuscripts-csv", sources, report)
        place.place()
    return report


def _rows(sources: Sequence[Source], report: Report, progress: Progress | None) -> Iterator[_Manuscript]:
    """Yield the manuscripts of all files in their order, each once, and note what is odd."""
    seen: dict[str, tuple[_Manuscript, str]] = {}
    for file, line, cells in read_all(lambda path: read_rows(path, _NAMES, _NEEDED), sources, report, progress):
        found = _manuscript(file, line, cells, report)
        if found is None:
            report.reject(file, line, "the row has neither an id nor a shelf mark")
            continue
        first, place = seen.setdefault(found.doc_id, (found, f"{file}:{line}"))
        if first is not found and first == found:
            report.double(file, line, f"{found.doc_id} stands in {place} already")
            continue
        if first is not found:
            report.odd("same-manuscript", file, line, f"{found.doc_id} stands in {place} otherwise")
        yield found


def _manuscript(file: str, line: int, cells: dict[str, str], report: Report) -> _Manuscript | None:
    signature = spaced(cells.get("signature", "")) or None
    doc_id = cells.get("doc_id") or signature
    if not doc_id:
        return None
    date, remark = read_edtf(cells.get("date", ""))
    if remark:
        report.odd("date", file, line, remark)
    if date is None:
        report.odd("undated-manuscript", file, line, doc_id)
    written = cells.get("pages", "")
    pages = int(written) if written.isascii() and written.isdigit() and len(written) < 10 else None  # noqa: PLR2004
    if pages is None:
        report.odd("no-pages", file, line, f"{doc_id}: {written or 'nothing'}")
    return _Manuscript(doc_id, spaced(cells["title"]) or None, date, pages, signature)
