"""A session of reading: one locked DuckDB connection over the files a block names (spec 3.7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

from famulus_kernel.corpus.result import TableResult


@dataclass(frozen=True)
class Attachment:
    """A database or table that the SQL may use under `alias`; `path` is absolute; `glob` is the pattern, if it is one."""

    alias: str
    path: Path
    kind: Literal["duckdb", "parquet"]
    glob: str | None = None


@dataclass(frozen=True)
class Progress:
    """How far a query is: `fraction` 0 to 1 (None when unknown), rows written so far, seconds since its start."""

    fraction: float | None
    rows: int | None
    elapsed: float


class DataSession:
    """A locked connection that reads the attached files and nothing else."""

    def __init__(
        self,
        attachments: Sequence[Attachment],
        allowed_paths: Sequence[Path] = (),
        allowed_directories: Sequence[Path] = (),
        *,
        folder: Path | None = None,
        threads: int | None = None,
        memory_limit: str | None = None,
    ) -> None:
        self.attachments = tuple(attachments)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(
        self,
        sql: str,
        sink: Path,
        *,
        view_rows: int = 1000,
        view_bytes: int = 256 * 1024,
        progress: Callable[[Progress], None] | None = None,
    ) -> TableResult:
        """Run one query and write all its rows to the Parquet file `sink`."""
        raise NotImplementedError

    def interrupt(self) -> None:
        """Stop the running query, from another thread or a signal handler."""

    def close(self) -> None:
        """Close the connection and remove its temporary folder."""
