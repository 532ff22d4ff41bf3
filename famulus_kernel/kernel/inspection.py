"""What is known of the word under a cursor, or of a name that was asked for: a key, a block, an artefact."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from famulus_kernel.adapter.showing import shown
from famulus_kernel.artefacts.card import verdict_badge
from famulus_kernel.artefacts.characters import visible
from famulus_kernel.artefacts.labels import label
from famulus_kernel.artefacts.view import Table
from famulus_kernel.errors import FamulusError, UnresolvedReference, counted
from famulus_kernel.kernel.cards import described
from famulus_kernel.kernel.keys import explain, keys_at
from famulus_kernel.kernel.naming import catalog_in
from famulus_kernel.kernel.pointers import (
    about_golden,
    about_partitur,
    about_register,
    about_setting,
    about_value,
    chosen_collections,
)
from famulus_kernel.kernel.position import spot
from famulus_kernel.kernel.query import sources_at
from famulus_kernel.kernel.sections import mappings, section
from famulus_kernel.kernel.sql import SQL, query_at

if TYPE_CHECKING:
    from famulus_kernel.adapter.showing import Shown
    from famulus_kernel.kernel.position import Path
    from famulus_kernel.project.project import Project


def inspect(code: str, cursor: int, project: Project | None) -> dict[str, Any] | None:
    """Return what is known of the word at offset `cursor` (in characters) of a cell, as a MIME bundle.

    None where nothing is. Without a project only the language is known.
    """
    here = spot(code, cursor)
    word = here.word.removeprefix("ref:")
    if here.part == "preamble" and here.asks == "entry" and here.word.endswith(":"):
        return _bundle(_explain_nearest((*spot(code, here.start).path, here.word.removesuffix(":"))))
    in_sql = here.part == "preamble" and here.path[-1:] == (SQL,)
    known = _in_sql(code, here.end, word, project) if in_sql and project is not None else None
    if known is None and project is not None and word:
        known = _about_reference(project, word) or about_value(project, word)
    if known is None and here.part == "preamble" and here.path == ("subtask",) and word:
        known = described(word, project)
    if known is None and here.part == "preamble" and here.asks == "value":
        known = _about_pointer(project, here.path, code, here.word)
    if known is None and here.part == "preamble" and here.asks == "value":
        known = _explain_nearest(here.path)
    if known is None and here.part in {"other", "options"}:
        known = explain(tuple(word.split(".")))
    return _bundle(known)


def about_name(project: Project, name: str) -> dict[str, Any]:
    """Return what is known of a name that a cell asks for: `oracle?`, `years.from?`, `roster.table?`.

    Raises
    ------
    UnresolvedReference
        When it is neither a block, an artefact nor a key.
    """
    known = _bundle(
        _about_reference(project, name)
        or explain(tuple(name.split(".")))
        or about_value(project, name)
        or about_golden(project, name)
        or about_partitur(project, name)
    )
    if known is None:
        names = [*keys_at(()), *project.blocks]
        raise UnresolvedReference.of(name, "it is neither a block, an artefact nor a key", names)
    return known


def _about_pointer(project: Project | None, path: Path, code: str, word: str) -> str | None:
    """Describe what the value of a key points at: a partitur, a setting file, a golden row, a register."""
    key = tuple(step for step in path if step != 0)
    if key == ("partiturs", "id"):
        return about_partitur(project, word)
    if project is None:
        return None
    if key == ("partiturs", "setting"):
        return about_setting(project, word)
    if key == ("golden",):
        return about_golden(project, str(section(code, "golden")))
    if key[-2:] == ("input", "register"):
        named = section(code, "collections")
        return about_register(project, word, chosen_collections(project, named if isinstance(named, list) else None))
    return None


def _in_sql(code: str, cursor: int, word: str, project: Project) -> str | None:
    """Describe a table, an alias of one, or a column of the query's tables."""
    catalog = catalog_in(project, mappings(section(code, "duckdb")))
    sources = sources_at(query_at(code, cursor).without(0), catalog)
    table = sources.tables.get(word) or word
    columns = sources.columns(word, catalog)
    if columns is not None:
        listed = "\n".join(f"- `{name}` {kind}" for name, kind in columns.items())
        return f"**{table}**: {counted(len(columns), 'column')}\n\n{listed}"
    before, _, name = word.rpartition(".")
    for source in [before] if before else sources.tables:
        kind = (sources.columns(source, catalog) or {}).get(name)
        if kind is not None:
            return f"**{name}**: {kind + ', ' if kind else ''}a column of {sources.tables.get(source) or source}"
    tables = catalog.databases.get(word)
    return f"**{word}**: " + ", ".join(f"`{one}`" for one in tables) if tables else None


def _explain_nearest(path: Path) -> str | None:
    """Explain the key that ends `path`; below one whose content is free, that one."""
    return next((known for end in range(len(path), 0, -1) if (known := explain(path[:end]))), None)


def _about_reference(project: Project, word: str) -> str | None:
    try:
        found = shown(project, word)
    except FamulusError:
        return _never_run(project, word)
    manifest = found.version.manifest
    verdict = label(f"badge.{verdict_badge(found.version.verdict().model_dump(mode='json'))}", "en")
    lines = [f"**{word}**: {found.version.name} of {manifest.created[:10]}: {verdict}"]
    if found.card is not None:
        lines.append(f"> {found.card.question}")
        names = ", ".join(f"`{manifest.block}.{entry.name}` ({entry.kind})" for entry in manifest.artefacts)
        lines.append(f"Artefacts: {names or 'none'}")
    lines += _columns(found)
    return "\n\n".join(lines)


def _never_run(project: Project, word: str) -> str | None:
    block = project.blocks.get(word.partition(".")[0].partition("@")[0])
    if block is None or "." in word or "@" in word:
        return None
    return f"**{word}**: a block of {block.notebook}; it has no version yet\n\n> {block.source.instruction}"


def _columns(found: Shown) -> list[str]:
    """Return the columns of the tables that are shown, with their types."""
    lines = []
    for envelope in found.envelopes:
        for part in envelope.view.parts:
            if isinstance(part, Table):
                columns = "\n".join(f"- `{column.key}` {column.type}" for column in part.columns)
                lines.append(f"`{envelope.famulus.name}`: {counted(part.total, 'row')}\n\n{columns}")
    return lines


def _bundle(words: str | None) -> dict[str, Any] | None:
    if words is None:
        return None
    words = visible(words)
    return {"text/plain": words.replace("**", "").replace("`", ""), "text/markdown": words}
