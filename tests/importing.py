"""Small published files, made by tests, and the collection that is imported from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from famulus_kernel.corpus.collection import Collection
from famulus_kernel.corpus.importers import Report, import_cmif, import_conllu, import_table

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc>
<titleStmt><title>Briefe &amp; mehr</title><editor>E</editor></titleStmt>
<publicationStmt><publisher>Akademie</publisher><idno type="url">https://example.org/a.xml</idno>
<availability><licence target="https://creativecommons.org/licenses/by/4.0/">CC BY</licence></availability>
</publicationStmt></fileDesc><profileDesc>
"""
TAIL = "</profileDesc></teiHeader></TEI>\n"


def person(name: str, reference: str = "", extra: str = "") -> str:
    """Return a persName."""
    ref = f' ref="{reference}"' if reference else ""
    return f"<persName{ref}{extra}>{name}</persName>"


def letter(
    key: str, sent: str, received: str, date: str = '<date when="1522-05-03"/>', *, source: str = "v1", extra: str = ""
) -> str:
    """Return a correspDesc, on lines of its own."""
    return (
        f'<correspDesc key="{key}" source="#{source}"{extra}>\n'
        f'<correspAction type="sent">{sent}{date}<placeName>Wien</placeName></correspAction>\n'
        f'<correspAction type="received">{received}</correspAction>\n</correspDesc>\n'
    )


def cmif(*letters: str, head: str = HEAD, tail: str = TAIL) -> str:
    """Return a CMIF file."""
    return head + "".join(letters) + tail


A, B = person("Anna", "http://d-nb.info/gnd/118541013"), person("Bert", "http://d-nb.info/gnd/118616099")


@dataclass
class Place:
    """Files given, and the collection made of them."""

    root: Path
    report: Report = field(default_factory=lambda: Report("nothing"))

    @property
    def collection(self) -> Collection:
        return Collection(self.root / "collections", "probe")

    def file(self, name: str, content: str | bytes) -> Path:
        path = self.root / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def cmif(self, *contents: str | bytes, replace: bool = False) -> Report:
        files = [self.file(f"{'abcdef'[at]}.xml", content) for at, content in enumerate(contents)]
        self.report = import_cmif(files, self.collection.folder, replace=replace)
        return self.report

    def csv(self, content: str | bytes) -> Report:
        self.report = import_table([self.file("a.csv", content)], self.collection.folder)
        return self.report

    def conllu(self, *contents: str | bytes, lang: str | None = None, replace: bool = False) -> Report:
        files = [self.file(f"{'abcdef'[at]}.conllu", content) for at, content in enumerate(contents)]
        self.report = import_conllu(files, self.collection.folder, lang=lang, replace=replace)
        return self.report

    def letters(self, sql: str) -> Sequence[Any]:
        with duckdb.connect(str(self.collection.letters_path), read_only=True) as connection:
            return connection.execute(sql).fetchall()

    def texts(self, sql: str) -> Sequence[Any]:
        with duckdb.connect(str(self.collection.texts_path), read_only=True) as connection:
            return connection.execute(sql).fetchall()

    def odd(self, kind: str) -> list[str]:
        return [str(note) for note in self.report.notes.get(kind, [])]
