"""Keys of a block that runs a query, or shows what another block found in another form."""

# ruff: noqa: S608 - identifiers in this SQL are quoted

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from famulus_kernel.adapter.drafting.heard import says
from famulus_kernel.adapter.drafting.keys import Key
from famulus_kernel.corpus import Attachment, DataSession, check_query
from famulus_kernel.corpus.collection import Collection, collection_names, quoted
from famulus_kernel.corpus.sql import quoted as text_literal
from famulus_kernel.errors import DraftError, FamulusError, listed
from famulus_kernel.language.flow import in_one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from famulus_kernel.adapter.drafting.heard import Heard
    from famulus_kernel.language.data import ArtefactSpec
    from famulus_kernel.project.blocks import Block
    from famulus_kernel.project.project import Project

DUCKDB_READ: Final = "duckdb-read"
ARTIFACT: Final = "artifact"
FIRST_ROWS: Final = 100
"""How many rows a guessed query shows."""
_SQL: Final = re.compile(r"(?:^|[:`]\s*)(?P<sql>(?:SELECT|WITH|FROM)\b.+?)(?:`|;?\s*$)", re.IGNORECASE | re.DOTALL)
_HOW_MANY: Final = r"wie ?viele?n?|anzahl|how many|number of|count|z\w*hle?"
_KINDS: Final[Mapping[str, str]] = {
    "d3-graph": r"netz\w*|\w*graph\w*|network\w*|knoten|nodes|kanten|edges|beziehungs\w+",
    "timeline": r"zeit(?:leiste|strahl|achse)\w*|timelines?|time line|chronolog\w*",
    "json": r"json",
    "roster-table": r"roster|namensliste|verzeichnis",
}
_LISTS: Final = frozenset({"roster-table", "kwic", "citation-list", "markdown"})
_DRAWN: Final[Mapping[str, str]] = {"d3-graph": "edges", "timeline": "years"}
"""Kinds that no list can be shown as, and what it lacks for them."""
_ITS_TABLES: Final = "SELECT table_name FROM duckdb_tables() WHERE database_name = 'looked_at' ORDER BY table_name"
_FILE: Final = re.compile(r"(?<![\w/.-])(?P<path>[\w./-]+\.(?:svg|png|jpe?g|pdf))\b", re.IGNORECASE)


def query_keys(project: Project, heard: Heard) -> Iterator[Key]:
    """Yield the keys of a block that runs a query: that of the question, else one over the table that it names.

    Raises
    ------
    DraftError
        The question names neither a query nor a table that there is.
    """
    entries, guess = _attachments(project, heard)
    if entries:
        yield Key("duckdb", lines=tuple(f"  - {in_one_line(one)}" for one in entries), guess=guess)
    match = _SQL.search(heard.raw.strip())
    sql, why = (match["sql"].strip(), None) if match else _guessed_query(project, heard, entries)
    if match:
        check_query(sql)
    comment = f"        -- guessed: {why}\n" if why else ""
    yield _steps(f"  - id: {DUCKDB_READ}\n    input:\n      sql: |\n{comment}        {_below(sql)}\n    artefact: rows")
    yield Key("artefacts", lines=("  - {name: rows, kind: table}",))


def artefact_keys(project: Project, heard: Heard) -> Iterator[Key]:
    """Yield the keys of a block that shows a file, or another block's rows as a table, network or timeline.

    Raises
    ------
    DraftError
        The question names neither a picture nor a block with rows.
    """
    file = _FILE.search(heard.text)
    if file is not None:
        given = {"path": file["path"], "alt": heard.text}
        if not project.places.expand(file["path"]).is_file():
            raise DraftError.of(ARTIFACT, f"there is no file {file['path']}", "paths start at the project's folder")
        yield _steps(f"  - id: artifact:figure\n    input: {in_one_line(given)}\n    artefact: figure")
        yield Key("artefacts", lines=("  - {name: figure, kind: figure}",))
        return
    block, spec = _source(project, heard)
    said = heard.bare.replace(block.id, " ")
    kind = next((kind for kind, pattern in _KINDS.items() if says(pattern, said)), "table")
    yield Key("duckdb", lines=(f"  - {{alias: source, ref: {block.id}.{spec.name}}}",))
    query = f"  - id: {DUCKDB_READ}\n    input: {in_one_line({'sql': _rows_for(kind, block, spec)})}"
    last = "    artefact: rows" if kind == "table" else f"  - id: artifact:{kind}\n    artefact: rows"
    yield _steps(f"{query}\n{last}")
    yield Key("artefacts", lines=(f"  - {{name: rows, kind: {kind}}}",))


def _below(sql: str) -> str:
    """Return a query as it stands below `sql: |`."""
    return "\n        ".join(line.rstrip() for line in sql.splitlines())


def _steps(text: str) -> Key:
    return Key("partiturs", lines=tuple(text.split("\n")))


def _source(project: Project, heard: Heard) -> tuple[Block, ArtefactSpec]:
    """Return the block that a question names, and its first artefact that has rows."""
    rows: dict[str, tuple[Block, ArtefactSpec]] = {}
    for block in project.blocks.values():
        for spec in block.preamble.artefacts:
            if spec.kind not in {"report", "figure"}:
                rows.setdefault(block.id, (block, spec))
    named = [id_ for id_ in rows if says(re.escape(id_), heard.text)]
    if not named:
        raise DraftError.of(
            ARTIFACT, "the question names no block that has rows", f"name one of {listed(rows) if rows else 'yours'}"
        )
    return rows[max(named, key=len)]


def _rows_for(kind: str, block: Block, spec: ArtefactSpec) -> str:
    """Return the query that makes of an artefact the rows that another kind needs.

    Raises
    ------
    DraftError
        A list, which has neither edges nor dates, is to be drawn.
    """
    needed = _DRAWN.get(kind)
    if needed is None or spec.kind not in _LISTS:
        return "FROM source"
    preamble = block.preamble
    if kind == "d3-graph" and preamble.subtask == "correspondence-roster" and preamble.persons:
        return f"SELECT {text_literal(preamble.persons[0])} AS source, name AS target, count AS weight FROM source"
    raise DraftError.of(
        ARTIFACT,
        f"{block.id}.{spec.name} is a {spec.kind} and has no {needed}",
        f"add {{name: drawn, kind: {kind}}} to the artefacts of {block.id}, if its subtask can show that",
    )


def _attachments(project: Project, heard: Heard) -> tuple[list[dict[str, object]], str | None]:
    """Return the entries of `duckdb` that a query is about, and the reason where they are a guess."""
    own = [dict(entry) for entry in project.config.defaults.get("duckdb", ()) if "path" in entry]
    if own:
        return own, "that of famulus.yml"
    root = project.places.collections
    known = [name for name in collection_names(root) if Collection(root, name).letters_path.is_file()]
    named = [name for name in known if says(rf"{re.escape(name)}s?", heard.text)]
    if not named and len(known) != 1:
        return [], None
    name = (named or known)[0]
    path = f"$PDAI_COLLECTIONS/{name}/{name}.duckdb"
    return [{"alias": "main", "path": path, "read_only": True}], None if named else "the only collection"


def _guessed_query(project: Project, heard: Heard, entries: list[dict[str, object]]) -> tuple[str, str]:
    tables = [table for entry in entries for table in _tables(project, str(entry["alias"]), str(entry["path"]))]
    named = [table for table in tables if says(re.escape(table.rpartition(".")[2]), heard.text)]
    if not named:
        raise DraftError.of(
            DUCKDB_READ,
            "the question holds no SQL and names no table that there is",
            f"write the query itself, or name one of {listed(tables)}"
            if tables
            else "write the query itself; a database under duckdb: in famulus.yml is attached to it",
        )
    table = max(named, key=len)
    if heard.says(_HOW_MANY):
        return f"SELECT count(*) AS n FROM {_identifier(table)}", "all rows of the table; write what the question means"
    return (
        f"SELECT * FROM {_identifier(table)} LIMIT {FIRST_ROWS}",
        "the first rows of the table; write what the question means",
    )


def _tables(project: Project, alias: str, written: str) -> list[str]:
    """Return `alias.table` of a database's tables, or a Parquet file's alias; nothing where it cannot be read."""
    path = project.places.expand(written)
    if path.suffix != ".duckdb":
        return [alias]
    try:
        with TemporaryDirectory() as folder, DataSession([Attachment("looked_at", path, "duckdb")]) as session:
            rows = session.run(_ITS_TABLES, Path(folder) / "tables.parquet").rows
    except FamulusError:
        return []
    return [f"{alias}.{name}" for (name,) in rows]


def _identifier(table: str) -> str:
    """Return `alias.table` as SQL has it; quoted where it must be."""
    return ".".join(part if part.isidentifier() and part.islower() else quoted(part) for part in table.split(".", 1))
