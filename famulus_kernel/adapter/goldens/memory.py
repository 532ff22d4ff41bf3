"""agent_memory.duckdb (spec 4.4, 6.3): the rows of expected answers and the registered subtasks.

Others may fill it, so nothing in it is taken on trust: it is opened for reading only, without access to anything beside
it, and each row is looked at by itself. The one thing that writes is :meth:`AgentMemory.promote`.
"""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Self

from famulus_kernel.corpus.columns import columns_of
from famulus_kernel.corpus.failures import translated
from famulus_kernel.corpus.registered import subtask_aliases
from famulus_kernel.errors import FamulusError, GoldenError, UnknownGolden, Where, plain
from famulus_kernel.store.durable import locked, make_folders, writing
from famulus_kernel.verdict import check_oracle

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import duckdb

    from famulus_kernel.project.project import Project

FILE: Final = "agent_memory.duckdb"
GAP: Final = "gap"

_TABLES: Final = """
CREATE TABLE golden_ground (
    golden_id VARCHAR PRIMARY KEY,
    question VARCHAR NOT NULL,
    expected_answer JSON,
    expected_route VARCHAR,
    collections VARCHAR[],
    subtask VARCHAR,
    status VARCHAR NOT NULL DEFAULT 'candidate' CHECK (status IN ('candidate', 'golden', 'gap')),
    created TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE TABLE subtasks (subtask VARCHAR PRIMARY KEY, question_form VARCHAR, artefact_kind VARCHAR, alias_of VARCHAR);
"""
_PROMOTIONS: Final = """
CREATE TABLE IF NOT EXISTS promotions (
    golden_id VARCHAR, project VARCHAR, notebook VARCHAR, block VARCHAR, version VARCHAR, inputs VARCHAR,
    promoted TIMESTAMPTZ DEFAULT now()
)
"""
_COLUMNS: Final = (
    "golden_id", "question", "expected_answer", "expected_route", "collections", "subtask", "status", "created",
)  # fmt: skip

SUBTASKS: Final = (
    ("correspondence-count", "how many partners or letters", "report", None),
    ("correspondence-roster", "which partners", "roster-table", None),
    ("letter-subject", "what the letters are about", "markdown", None),
    ("mention-in-letters", "who names a person, in letters to whom", "roster-table", None),
    ("terminology-find", "attestations of a lemma or term", "kwic", None),
    ("concept-statements", "statements on a concept", "markdown", None),
    ("statement-mention", "statements on a concept", "markdown", "concept-statements"),
    ("source-attestation", "where a source is cited", "citation-list", None),
    ("sentence-mention", "sentences holding a string", "kwic", None),
    ("cooccurrence", "sentences with several lemmata", "kwic", None),
    ("manuscript-inventory", "manuscripts: date, extent, title", "roster-table", None),
    ("register-inventory", "what a register holds", "roster-table", None),
    ("entity-mention-count", "how often an entity is named", "report", None),
)
"""What the table `subtasks` of a new database holds: subtask, question_form, artefact_kind, alias_of."""


@dataclass(frozen=True, slots=True)
class GoldenRow:
    """A row of `golden_ground`; `answer` is the JSON of `expected_answer` as it is stored."""

    golden_id: str
    question: str
    answer: str | None
    route: str | None
    collections: tuple[str, ...]
    subtask: str | None
    status: str
    created: str | None

    def expected(self) -> dict[str, Any]:
        """Return the expected answer in the forms of an oracle; empty where the row has none.

        Raises
        ------
        GoldenError
            It is no JSON object, or holds what no result can be compared with.
        """
        if self.answer is None:
            return {}
        try:
            value = json.loads(self.answer, object_pairs_hook=_each_once, parse_constant=_no_number)
        except (ValueError, RecursionError) as error:
            raise GoldenError.malformed(self.golden_id, f"it is not JSON ({error})") from None
        if not isinstance(value, dict):
            raise GoldenError.malformed(self.golden_id, "it is no JSON object")
        try:
            check_oracle(value)
        except FamulusError as error:
            raise GoldenError.malformed(self.golden_id, plain(error.message)) from None
        return value


@dataclass(frozen=True, slots=True)
class Promotion:
    """The version that proved a row; `inputs` is the fingerprint of what it was made from."""

    golden_id: str
    project: str
    notebook: str
    block: str
    version: str
    inputs: str


class AgentMemory:
    """The database of a project.

    Parameters
    ----------
    path
        Of a file that is there; :meth:`of` finds or makes the one of a project.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def of(cls, project: Project) -> Self:
        """Return the database that famulus.yml names, else the project's own, which is made where it is missing.

        Raises
        ------
        MissingFile
            famulus.yml names a file that is not there.
        StoreError
            It cannot be made.
        """
        written = project.config.agent_memory
        if written is not None:
            try:
                return cls(project.places.existing_file(written))
            except FamulusError as error:
                raise error.at(Where("famulus.yml", key="agent_memory")) from None
        path = project.store.ours / FILE
        if not path.exists():
            _make(path)
        return cls(path)

    @classmethod
    def if_there(cls, project: Project) -> Self | None:
        """Return the database of a project, or None where there is none; makes nothing."""
        written = project.config.agent_memory
        path = project.store.ours / FILE if written is None else project.places.expand(written)
        return cls(path) if path.is_file() else None

    def rows(self) -> dict[str, GoldenRow]:
        """Return the rows by golden_id, the oldest first.

        Raises
        ------
        DatabaseBusy
            Another process has it open for writing.
        GoldenError
            The table or a column of it is missing, or an id stands twice.
        """
        # expected_answer and created are asked for as text: other types of columns give the same, and need no pytz
        asked = ", ".join(f"{one}::VARCHAR" if one in {"expected_answer", "created"} else one for one in _COLUMNS)
        with self._open() as connection:
            self._require(connection)
            found = connection.execute(
                f"SELECT {asked} FROM golden_ground WHERE golden_id IS NOT NULL"  # noqa: S608 - names of ours only
                " ORDER BY golden_ground.created, golden_id"
            ).fetchall()
        rows: dict[str, GoldenRow] = {}
        for name, question, answer, route, collections, subtask, status, created in found:
            if str(name) in rows:
                raise GoldenError.twice(str(name), self.path)
            rows[str(name)] = GoldenRow(
                golden_id=str(name),
                question=str(question or ""),
                answer=answer,
                route=route,
                collections=_names(collections),
                subtask=subtask,
                status=str(status),
                created=created,
            )
        return rows

    def aliases(self) -> Mapping[str, str]:
        """Return the aliases of the table `subtasks`; none where there is no such table."""
        return subtask_aliases(self.path)

    def promote(self, row: GoldenRow, promotion: Promotion) -> None:
        """Make a row golden and record the version that proved it, both or neither.

        Raises
        ------
        DatabaseBusy
            Another process has it open.
        GoldenError
            The row is no longer what it was.
        """
        with self._open(read_only=False) as connection, _transaction(connection):
            connection.execute(_PROMOTIONS)
            changed = connection.execute(
                "UPDATE golden_ground SET status = 'golden'"
                " WHERE golden_id = ? AND expected_answer::VARCHAR IS NOT DISTINCT FROM ? RETURNING golden_id",
                [row.golden_id, row.answer],
            ).fetchall()
            if len(changed) != 1:
                raise GoldenError.not_proven(row.golden_id, ["its row was changed meanwhile"])
            one = promotion
            connection.execute(
                "INSERT INTO promotions (golden_id, project, notebook, block, version, inputs)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                [one.golden_id, one.project, one.notebook, one.block, one.version, one.inputs],
            )

    @contextmanager
    def _open(self, *, read_only: bool = True) -> Iterator[duckdb.DuckDBPyConnection]:
        import duckdb  # noqa: PLC0415 - loaded where it is used

        with translated(file=self.path, keep_place=False):
            shut_in = {"enable_external_access": False, "autoinstall_known_extensions": False}
            with duckdb.connect(str(self.path), read_only=read_only, config={**shut_in}) as connection:
                yield connection

    def _require(self, connection: duckdb.DuckDBPyConnection) -> None:
        has = columns_of(connection, "golden_ground")
        for column in _COLUMNS:
            if column not in has:
                raise GoldenError.no_column(self.path, column, table_is_there=bool(has))


def row_of(rows: Mapping[str, GoldenRow], golden_id: str) -> GoldenRow:
    """Return the row of an id.

    Raises
    ------
    UnknownGolden
        There is none.
    """
    if golden_id not in rows:
        raise UnknownGolden.of(golden_id, rows)
    return rows[golden_id]


def is_known_gap(project: Project, golden_id: str) -> bool:
    """Say whether a row is a recognised gap of what can be played; not where nobody can read that now."""
    memory = AgentMemory.if_there(project)
    try:
        rows = memory.rows() if memory is not None else {}
    except FamulusError:  # the block's own error is then told, as it is without a row
        return False
    return golden_id in rows and rows[golden_id].status == GAP


def _make(path: Path) -> None:
    """Make a database without rows in one step: nobody sees it half made."""
    import duckdb  # noqa: PLC0415 - loaded where it is used

    with writing(path), translated(file=path):
        make_folders(path.parent)
        with locked(path.with_name(".agent_memory.lock")):
            if path.exists():
                return
            fresh = path.with_name(f".new-{path.name}")
            fresh.unlink(missing_ok=True)
            with duckdb.connect(str(fresh)) as connection:
                connection.execute(_TABLES)
                connection.executemany("INSERT INTO subtasks VALUES (?, ?, ?, ?)", SUBTASKS)
            fresh.replace(path)


@contextmanager
def _transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    connection.begin()
    try:
        yield
    except BaseException:
        connection.rollback()
        raise
    connection.commit()


def _names(value: object) -> tuple[str, ...]:
    """Return the names of collections: a list, or text that is JSON or has commas between them."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = [part.strip() for part in str(value).split(",")]
    if isinstance(value, str):
        value = [value]
    return tuple(str(one) for one in value if one) if isinstance(value, list | tuple) else ()


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {key} stands twice")
        found[key] = value
    return found


def _no_number(word: str) -> Any:
    raise ValueError(f"{word} is no number")
