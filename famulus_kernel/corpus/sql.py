"""What may be said of a query before it runs: that it is one, and which files it reads (spec 2.5, 3.7)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from famulus_kernel.corpus.files import is_glob
from famulus_kernel.corpus.syntax import Query, parse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

_READS_FILES = re.compile(r"read_|glob|parquet_|sniff_csv", re.IGNORECASE)
_VARIABLE = re.compile(r"\$PDAI_COLLECTIONS(?![A-Za-z0-9_])|\$\{PDAI_COLLECTIONS\}")


@dataclass(frozen=True)
class SqlFiles:
    """The files that a query names, as it writes them: plain paths and globs, in order, none twice."""

    paths: tuple[str, ...]
    globs: tuple[str, ...]


def check_query(sql: str) -> None:
    """Check that `sql` is exactly one query which only asks (spec 3.7).

    Raises
    ------
    NotOneQuery
        It is another statement, several, none, or holds a node or function that does more than ask.
    QueryFailed
        It does not parse.
    ForbiddenPath
        A function reads a file that is not named by a literal.
    """
    parse(sql)


def files_in_sql(sql: str) -> SqlFiles:
    """Return the files that a query reads by name (spec 2.5): literals of `read_csv`, `glob` and their like.

    Raises as :func:`check_query` does, where the text has the name of such a function; no other text is parsed.
    """
    if not _READS_FILES.search(sql):
        return SqlFiles((), ())
    names = dict.fromkeys(literal.text for literal in parse(sql).files)
    return SqlFiles(
        tuple(name for name in names if not is_glob(name)), tuple(name for name in names if is_glob(name))
    )


def with_files(query: Query, paths: Mapping[str, Sequence[Path]]) -> str:
    """Return the text of a query with each name of a file replaced by the paths it stands for.

    Parameters
    ----------
    query : Query
    paths : Mapping of str to sequences of Path
        For each name as written the absolute paths; a list for a glob.
    """
    text = query.text.encode()
    for literal in sorted(query.files, key=lambda literal: literal.start, reverse=True):
        found = [quoted(str(path)) for path in paths[literal.text]]
        inner = ", ".join(found)
        if not literal.in_list and len(found) != 1:
            inner = f"[{inner}]"
        text = text[: literal.start] + inner.encode() + text[literal.end :]
    return text.decode()


def expand_collections(text: str, root: Path | str, *, in_sql: bool = False) -> str:
    """Return `text` with `$PDAI_COLLECTIONS` (or `${PDAI_COLLECTIONS}`) replaced by the collections' root.

    Parameters
    ----------
    text : str
        A path, or SQL.
    root : Path or str
    in_sql : bool
        The variable stands inside string literals of SQL: a quotation mark in the root is doubled.
    """
    written = str(root).replace("'", "''") if in_sql else str(root)
    return _VARIABLE.sub(lambda _: written, text)


def quoted(text: str) -> str:
    """Return a text as a string literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def identifier(name: str) -> str:
    """Return a name as a quoted identifier of SQL."""
    return '"' + name.replace('"', '""') + '"'
