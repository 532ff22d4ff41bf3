"""Importing texts: sentences and words, into `<name>_stanza.duckdb` and `lemma_index.parquet` (spec 4.2)."""

from __future__ import annotations

import shutil
from collections import Counter
from typing import TYPE_CHECKING, Final

import duckdb

from famulus_kernel.corpus.collection import MENTIONS, SENTENCES, TOKENS, Collection, create_tables
from famulus_kernel.corpus.importers import conllu, stanza
from famulus_kernel.corpus.importers.building import (
    check_replaces,
    keep_tables,
    link_pages,
    sources_of,
    workshop,
    write_status,
)
from famulus_kernel.corpus.importers.reading import read_all
from famulus_kernel.corpus.importers.register import insert
from famulus_kernel.corpus.importers.report import Report
from famulus_kernel.errors import ImportRefused, Where

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from famulus_kernel.corpus.importers.building import Source, Workshop
    from famulus_kernel.corpus.importers.letter import Unreadable
    from famulus_kernel.corpus.importers.reading import Progress
    from famulus_kernel.corpus.importers.sentence import SourceSentence

    Reader = Callable[[Path], Iterator[SourceSentence | Unreadable]]

PART: Final = "texts"
_BATCH: Final = 50_000
_INDEX: Final = "SELECT lemma, upos, doc_id, pidx, sent_idx, tid FROM stz_tokens WHERE lemma IS NOT NULL ORDER BY ALL"


def import_conllu(
    files: Iterable[Path],
    into: Path,
    *,
    lang: str | None = None,
    replace: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Import CoNLL-U files as the texts of a collection.

    Parameters
    ----------
    files
        All files of the collection's texts, in the order of their rows.
    into
        The collection's folder; its name is the collection's.
    lang
        The language of sentences that do not say theirs.
    replace
        Put them in the place of texts that were made of other files.
    progress
        Told how far the reading is, now and then and at its end.

    Returns
    -------
    Report
        What came in, what is there, what was odd. It also lies in the folder as `import_texts.json`.

    Raises
    ------
    ImportRefused, MissingFile, CollectionError
        Nothing was written then.
    """

    def reader(path: Path) -> Iterator[SourceSentence | Unreadable]:
        return conllu.read_sentences(path, lang)

    return _import("conllu", reader, sources_of(files), into, Report("sentences"), replace=replace, progress=progress)


def import_stanza(
    files: Iterable[Path], into: Path, *, lang: str, replace: bool = False, progress: Progress | None = None
) -> Report:
    """Import plain texts through Stanza, which must be installed with the models of the language.

    Raises
    ------
    MissingExtra
        Stanza is not installed.
    ImportRefused, MissingFile, CollectionError
        Nothing was written then.
    """
    sources = sources_of(files)
    annotate, finds_names = stanza.annotator(lang)
    report = Report("sentences")
    if not finds_names:
        report.odd("no-names", "", 0, f"Stanza has no models of names in {lang} here; stz_entities stays empty")

    def reader(path: Path) -> Iterator[SourceSentence | Unreadable]:
        return stanza.read_sentences(path, lang, annotate)

    return _import("stanza", reader, sources, into, report, replace=replace, progress=progress)


class _Corpus:
    """Writes sentences and words into the empty tables of a database."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, report: Report) -> None:
        self._connection = connection
        self._report = report
        self._sentences: list[tuple[object, ...]] = []
        self._tokens: list[tuple[object, ...]] = []
        self._mentions: list[tuple[object, ...]] = []
        self._next: Counter[tuple[str, int]] = Counter()
        self._file_of: dict[str, str] = {}
        self._words = self._unlemmatised = 0

    def add(self, sentence: SourceSentence) -> None:
        """Add a sentence as the next one of its page."""
        odd = self._report.odd
        for kind, what in sentence.remarks:
            odd(kind, sentence.file, sentence.line, what)
        if sentence.begins_document and sentence.doc_id in self._file_of:
            what = f"the document {sentence.doc_id} began in {self._file_of[sentence.doc_id]}"
            odd("same-document", sentence.file, sentence.line, what)
        self._file_of.setdefault(sentence.doc_id, f"{sentence.file}:{sentence.line}")
        page = (sentence.doc_id, sentence.pidx)
        place = (*page, self._next[page])
        self._next[page] += 1
        self._sentences.append((*place, sentence.lang, sentence.text))
        self._tokens += [(*place, word.tid, word.form, word.lemma, word.upos) for word in sentence.words]
        self._mentions += [(*place, None, mention.text, mention.kind) for mention in sentence.mentions]
        self._words += len(sentence.words)
        if without := sum(word.lemma is None for word in sentence.words):
            odd("no-lemma", sentence.file, sentence.line, f"{without} words")
        self._report.kept += 1
        if len(self._tokens) >= _BATCH:
            self._flush()

    def finish(self) -> None:
        """Write what is left."""
        self._flush()
        self._report.contents |= {
            "documents": len(self._file_of),
            "pages": len(self._next),
            "sentences": self._report.kept,
            "words": self._words,
        }

    def _flush(self) -> None:
        for table, rows in ((SENTENCES, self._sentences), (TOKENS, self._tokens), (MENTIONS, self._mentions)):
            insert(self._connection, table, rows)
            rows.clear()


def _import(
    form: str,
    reader: Reader,
    sources: Sequence[Source],
    into: Path,
    report: Report,
    *,
    replace: bool,
    progress: Progress | None,
) -> Report:
    collection = Collection.at(into)
    with workshop(collection) as place:
        check_replaces(collection, PART, collection.texts_path, SENTENCES, sources, replace=replace)
        connection = place.database(collection.texts_path)
        try:
            create_tables(connection, "texts")
            corpus = _Corpus(connection, report)
            for sentence in read_all(reader, sources, report, progress):
                corpus.add(sentence)
            corpus.finish()
            report.settle()
            keep_tables(connection, collection.texts_path)
            index = str(place.path(collection.lemmata_path)).replace("'", "''")
            connection.execute(f"COPY ({_INDEX}) TO '{index}' (FORMAT parquet, COMPRESSION zstd)")
        finally:
            connection.close()
        if not report.kept:
            where = Where(report.rejects[0].file, report.rejects[0].line) if report.rejects else _first(sources)
            raise ImportRefused.nothing("sentence", "CoNLL-U, ten columns between tabs").at(where)
        _link(collection, place, report)
        write_status(place, PART, form, sources, report)
        place.place()
    return report


def _link(collection: Collection, place: Workshop, report: Report) -> None:
    """Say in a copy of the letters which pages hold them."""
    if not collection.letters_path.exists():
        return
    copy = place.path(collection.letters_path)
    shutil.copyfile(collection.letters_path, copy)
    with duckdb.connect(str(copy)) as letters:
        report.contents["letters with text"] = link_pages(letters, place.path(collection.texts_path))


def _first(sources: Sequence[Source]) -> Where:
    return Where(str(sources[0].path) if sources else None)
