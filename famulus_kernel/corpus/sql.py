"""What may be said of a query before it runs: that it is one, and which files it reads (spec 2.5, 3.7)."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class SqlFiles:
    """The files that a query names, as it writes them: plain paths and globs, in order, without repetition."""

    paths: tuple[str, ...]
    globs: tuple[str, ...]


def check_query(sql: str) -> None:
    """Raise NotOneQuery unless `sql` is exactly one read-only query."""


def files_in_sql(sql: str) -> SqlFiles:
    """Return the files that literals of the file-reading functions name in a query."""
    return SqlFiles((), ())


def expand_collections(text: str, root: Path | str) -> str:
    """Return `text` with `$PDAI_COLLECTIONS` and `${PDAI_COLLECTIONS}` replaced by the collections' root."""
    return text.replace("${PDAI_COLLECTIONS}", str(root)).replace("$PDAI_COLLECTIONS", str(root))
