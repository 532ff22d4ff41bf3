"""What a collection is: its files, its tables and columns, and what its status.json says (spec 4.1).

`<root>/<name>/` holds `<name>.duckdb` (letters and persons), `<name>_stanza.duckdb` (sentences and words),
`lemma_index.parquet` and `status.json`. Any of the three data files may be missing: a register of letters has no
texts, a corpus of texts has no letters.

Identity, as every table here has it:

- A letter is one `letter_id`, however many rows it has: one for each pair of a sender and a recipient.
- A person is one `ent_id`. A missing party is a row whose id is NULL. Somebody unnamed ("Unbekannt", "N. N.") is an
  entity of kind `unknown`, a new one in each letter: two unknown hands are never one person.
- A sentence is (doc_id, pidx, sent_idx), a word that and `tid`: `sent_idx` restarts on every page. page = pidx + 1.
- A letter's text is the document that `letter_pages` names, or the one with the letter's own `doc_id`.

Collections made elsewhere may name columns otherwise: `schema:` of famulus.yml maps ours to theirs
(`letters_resolved: {sender_id: from_ent}`), and :meth:`Table.select` reads any of them under our names.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from famulus_kernel.errors import CollectionError, Where

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from duckdb import DuckDBPyConnection

    ColumnMap = Mapping[str, Mapping[str, str]]
    """Table to {our column: the collection's column}, as `schema:` of famulus.yml has it."""

File = Literal["letters", "texts", "lemmata"]
"""Which of a collection's files a table lies in."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table.

    Attributes
    ----------
    name, type
        The type is DuckDB's.
    meaning
        One phrase, for the documentation and for `collection show`.
    otherwise
        The SQL expression that stands for the column where a collection does not have it; `{name}` in it is
        another column of the same table. None: the column must be there.
    """

    name: str
    type: str
    meaning: str
    otherwise: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a collection; `required` says that its file is of no use without it."""

    name: str
    file: File
    columns: tuple[Column, ...]
    required: bool = True

    def definition(self, database: str = "") -> str:
        """Return the CREATE TABLE statement, in the attached database of that name if one is given."""
        columns = ", ".join(f"{column.name} {column.type}" for column in self.columns)
        return f"CREATE TABLE {quoted(database) + '.' if database else ''}{self.name} ({columns})"

    def select(
        self, relation: str, present: Iterable[str], names: Mapping[str, str] | None = None, *, collection: str = ""
    ) -> str:
        """Return the SELECT that reads a collection's table under our names and types.

        Parameters
        ----------
        relation
            SQL that stands after FROM: `alias.letters_resolved`, `read_parquet('…')`.
        present
            The columns that the relation has.
        names
            Our column to the collection's column, where they differ.
        collection
            Its name, for the error.

        Raises
        ------
        CollectionError
            A column without substitute is missing, or the mapping names a column that is not there.
        """
        expressions = self._expressions(tuple(present), dict(names or {}), collection)
        listed = ", ".join(
            f"CAST({expressions[column.name]} AS {column.type}) AS {column.name}" for column in self.columns
        )
        return f"SELECT {listed} FROM {relation}"  # noqa: S608 - identifiers are quoted, the rest is ours

    def _expressions(self, present: tuple[str, ...], names: dict[str, str], collection: str) -> dict[str, str]:
        """Return for each of our columns the SQL that reads it."""
        # DuckDB's identifiers do not regard case.
        known = {name.casefold(): name for name in present}
        expressions: dict[str, str] = {}
        for column in self.columns:
            theirs = known.get(names.get(column.name, column.name).casefold())
            if theirs is not None:
                expressions[column.name] = quoted(theirs)
            elif column.name in names or column.otherwise is None:
                wanted = names.get(column.name, column.name)
                raise CollectionError.missing_column(self.name, wanted, present, column.name, collection)
            else:
                expressions[column.name] = column.otherwise.format_map(expressions)
        return expressions


_DOC: Final = Column("doc_id", "VARCHAR", "the document")
_PIDX: Final = Column("pidx", "INTEGER", "its page, counted from 0", "0")
_SENTENCE: Final = Column("sent_idx", "INTEGER", "the sentence on that page, counted from 0")
_TID: Final = Column("tid", "INTEGER", "the word in that sentence, counted from 1")
_LEMMA: Final = Column("lemma", "VARCHAR", "the headword")
_UPOS: Final = Column("upos", "VARCHAR", "part of speech (Universal Dependencies)", "NULL")

_WRITTEN: Final = "trim(CAST({date_when} AS VARCHAR))"
_DAY, _MONTH, _YEAR = (f"TRY_CAST({_WRITTEN} || '{rest}' AS DATE)" for rest in ("", "-01", "-01-01"))
_FIRST_DAY: Final = f"coalesce({_DAY}, {_MONTH}, {_YEAR})"
_LAST_DAY: Final = f"coalesce({_DAY}, last_day({_MONTH}), {_YEAR.replace('-01-01', '-12-31')})"
"""What a date says where nobody worked out its bounds: a day, a month, a year. All else counts as undated."""


def _basis(of: str) -> Column:
    return Column(
        f"{of}_basis", "VARCHAR", "stated, supplied, inferred, uncertain or unknown: how the source has it", "'stated'"
    )


LETTERS: Final = Table(
    "letters_resolved",
    "letters",
    (
        Column("letter_id", "VARCHAR", "the letter; several rows may share it"),
        Column("doc_id", "VARCHAR", "the document that holds its text", "NULL"),
        Column("sender_id", "VARCHAR", "ent_id of who wrote it; NULL where none is named"),
        Column("sender_name", "VARCHAR", "the name as the source has it", "NULL"),
        Column("recipient_id", "VARCHAR", "ent_id of who it went to; NULL where none is named"),
        Column("recipient_name", "VARCHAR", "the name as the source has it", "NULL"),
        Column("date_when", "VARCHAR", "the date as EDTF", "NULL"),
        Column("date_from", "DATE", "earliest day; NULL: open or unknown", _FIRST_DAY),
        Column("date_to", "DATE", "latest day; NULL: open or unknown", _LAST_DAY),
        Column("calendar", "VARCHAR", "julian or gregorian; NULL: unsaid", "NULL"),
        _basis("date"),
        _basis("sender"),
        _basis("recipient"),
        Column("place", "VARCHAR", "where it was written", "NULL"),
        Column("url", "VARCHAR", "where the letter is published", "NULL"),
    ),
)
ENTITIES: Final = Table(
    "ent_canonical",
    "letters",
    (
        Column("ent_id", "VARCHAR", "the person or body: gnd:118541013, viaf:…, name:… where there is no number"),
        Column("canonical", "VARCHAR", "the name it is known by"),
        Column("kind", "VARCHAR", "person, org, group, or unknown: somebody unnamed", "'person'"),
    ),
)
VARIANTS: Final = Table(
    "ent_variants",
    "letters",
    (
        Column("ent_id", "VARCHAR", "the person or body"),
        Column("variant", "VARCHAR", "another name for it; the canonical one is not repeated"),
    ),
    required=False,
)
LETTER_PAGES: Final = Table(
    "letter_pages",
    "letters",
    (Column("letter_id", "VARCHAR", "the letter"), _DOC, _PIDX),
    required=False,
)
MANUSCRIPTS: Final = Table(
    "manuscripts",
    "letters",
    (
        _DOC,
        Column("title", "VARCHAR", "what it is called"),
        Column("date_when", "VARCHAR", "the date as EDTF", "NULL"),
        Column("n_pages", "INTEGER", "how many pages it has", "NULL"),
        Column("signature", "VARCHAR", "shelf mark", "NULL"),
    ),
    required=False,
)
SENTENCES: Final = Table(
    "stz_sentences",
    "texts",
    (
        _DOC,
        _PIDX,
        _SENTENCE,
        Column("lang", "VARCHAR", "language, as la, de", "NULL"),
        Column("text", "VARCHAR", "the sentence"),
    ),
)
TOKENS: Final = Table(
    "stz_tokens",
    "texts",
    (_DOC, _PIDX, _SENTENCE, _TID, Column("form", "VARCHAR", "the word as it stands"), _LEMMA, _UPOS),
)
MENTIONS: Final = Table(
    "stz_entities",
    "texts",
    (
        _DOC,
        _PIDX,
        _SENTENCE,
        Column("ent_id", "VARCHAR", "who or what is named; NULL: not resolved", "NULL"),
        Column("text", "VARCHAR", "the words that name it"),
        Column("kind", "VARCHAR", "as the recogniser has it: PER, LOC, ORG …", "NULL"),
    ),
    required=False,
)
LEMMA_FAMILY: Final = Table(
    "lemma_family",
    "texts",
    (_LEMMA, Column("variant", "VARCHAR", "a lemma that counts with it"), _UPOS),
    required=False,
)
LEMMA_INDEX: Final = Table("lemma_index", "lemmata", (_LEMMA, _UPOS, _DOC, _PIDX, _SENTENCE, _TID))

TABLES: Final[Mapping[str, Table]] = MappingProxyType(
    {
        table.name: table
        for table in (
            LETTERS, ENTITIES, VARIANTS, LETTER_PAGES, MANUSCRIPTS, SENTENCES, TOKENS, MENTIONS, LEMMA_FAMILY,
            LEMMA_INDEX,
        )
    }
)  # fmt: skip
"""Every table of a collection by name. `lemma_index` is that of lemma_index.parquet."""


def create_tables(connection: DuckDBPyConnection, file: File, *, database: str = "") -> None:
    """Create the empty tables of one of a collection's files, optional ones included except `manuscripts`.

    Parameters
    ----------
    connection
        An open connection that may write.
    file
        Which file it is.
    database
        Name of the attached database; the connection's own when empty.
    """
    for table in TABLES.values():
        if table.file == file and table not in (MANUSCRIPTS, LEMMA_FAMILY):
            connection.execute(table.definition(database))


class Status(BaseModel):
    """status.json: what is there, what is missing, and what a page must say of it (spec 4.1, 5.4).

    Keys that we do not know are kept.
    """

    model_config = ConfigDict(extra="allow", frozen=True)

    overall: str | None = Field(default=None, description="State of the collection in a word: ready, partial …")
    artifacts: Any = Field(default=None, description="What the collection holds.")
    gaps: tuple[Any, ...] = Field(default=(), description="What is missing, in words.")
    person: str | None = Field(default=None, description="The person at its centre: name, variant or ent_id.")
    registers: tuple[str, ...] = Field(default=(), description="Tables that are registers.")
    viewer: str | None = Field(default=None, description="Base of finding URLs, before that of famulus.yml.")
    source: str | None = Field(default=None, description="Where the data come from.")
    licence: str | None = Field(default=None, description="Under which licence.")
    credit: str | None = Field(default=None, description="Who is to be credited.")
    cite: str | None = Field(default=None, description="How it is cited.")


@dataclass(frozen=True, slots=True)
class Collection:
    """A collection as a place: nothing is opened before it is asked for."""

    root: Path
    name: str

    @classmethod
    def at(cls, folder: Path | str) -> Collection:
        """Return the collection that is this folder."""
        whole = Path(os.path.normpath(Path(folder).expanduser().absolute()))
        return cls(whole.parent, whole.name)

    @property
    def folder(self) -> Path:
        """The collection's folder."""
        return self.root / self.name

    @property
    def letters_path(self) -> Path:
        """Where `letters_resolved`, `ent_canonical` … lie."""
        return self.folder / f"{self.name}.duckdb"

    @property
    def texts_path(self) -> Path:
        """Where `stz_sentences`, `stz_tokens` … lie."""
        return self.folder / f"{self.name}_stanza.duckdb"

    @property
    def lemmata_path(self) -> Path:
        """Where the lemma index lies."""
        return self.folder / "lemma_index.parquet"

    @property
    def status_path(self) -> Path:
        """Where status.json lies."""
        return self.folder / "status.json"

    def path_of(self, file: File) -> Path:
        """Return the path of one of the data files, whether it is there or not."""
        return {"letters": self.letters_path, "texts": self.texts_path, "lemmata": self.lemmata_path}[file]

    @property
    def secondary(self) -> Collection | None:
        """The collection of secondary literature that belongs to this one; None: this one is such, or has none."""
        if self.name.endswith("-sec"):
            return None
        sibling = Collection(self.root, self.name.removesuffix("-prim") + "-sec")
        return sibling if sibling.folder.is_dir() else None

    def require(self) -> Collection:
        """Return this collection if its folder is there.

        Raises
        ------
        CollectionError
            It is not; the hint names those that are, or the root that is not mounted.
        """
        if not self.folder.is_dir():
            raise CollectionError.missing(self.name, self.root, collection_names(self.root))
        return self

    def open_status(self) -> Status:
        """Return what status.json says; an empty status where there is none.

        Raises
        ------
        CollectionError
            It is no JSON, or a known key holds what it cannot hold.
        """
        try:
            data = json.loads(self.status_path.read_bytes())
        except FileNotFoundError:
            return Status()
        except (OSError, ValueError) as error:
            raise CollectionError.bad_status(str(error)).at(Where(str(self.status_path))) from None
        try:
            return Status.model_validate(data)
        except ValidationError as error:
            first = error.errors()[0]
            key = ".".join(str(part) for part in first["loc"])
            raise CollectionError.bad_status(first["msg"]).at(Where(str(self.status_path), key=key or None)) from None


def collection_names(root: Path) -> list[str]:
    """Return the collections of a root, sorted: folders that hold one of a collection's files."""
    if not root.is_dir():
        return []
    places = (Collection(root, folder.name) for folder in root.iterdir() if folder.is_dir())
    return sorted(one.name for one in places if any(path.is_file() for path in _files_of(one)))


def _files_of(collection: Collection) -> tuple[Path, ...]:
    return collection.letters_path, collection.texts_path, collection.lemmata_path, collection.status_path


def quoted(identifier: str) -> str:
    """Return an SQL identifier in quotes."""
    return '"' + identifier.replace('"', '""') + '"'
