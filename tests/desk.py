"""A folder with data, and a session over it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from famulus_kernel.corpus import Attachment, DataSession, TableResult


@dataclass
class Desk:
    """A project's folder `project`, a file beside it that is nobody's business, and a folder for results."""

    root: Path
    kept: DataSession | None = None
    """A session that stays open from run to run."""

    @property
    def project(self) -> Path:
        return self.root / "project"

    @property
    def secret(self) -> Path:
        return self.root / "secret.csv"

    @property
    def out(self) -> Path:
        return self.root / "out"

    @property
    def database(self) -> Attachment:
        return Attachment("letters", self.project / "letters.duckdb", "duckdb")

    def session(self, *attachments: Attachment, **options: Any) -> DataSession:
        options.setdefault("folder", self.project)
        options.setdefault("allowed_directories", [self.project])
        return DataSession(attachments or [self.database], **options)

    def run(self, sql: str, *attachments: Attachment, **options: Any) -> TableResult:
        if self.kept and not attachments:
            return self.kept.run(sql, self.out / "result.parquet", **options)
        with self.session(*attachments) as session:
            return session.run(sql, self.out / "result.parquet", **options)

    def rows(self, sql: str, *attachments: Attachment) -> list[tuple[object, ...]]:
        return list(self.run(sql, *attachments).rows)

    def stored(self, sql: str = "FROM result") -> list[tuple[Any, ...]]:
        """Ask the Parquet file that was written, with another connection."""
        with duckdb.connect() as connection:
            connection.execute(f"CREATE VIEW result AS FROM read_parquet('{self.out / 'result.parquet'}')")
            return connection.execute(sql).fetchall()

    def left(self) -> list[str]:
        """Return the names of what lies in the folder for results."""
        return sorted(path.name for path in self.out.iterdir())

    def inventory(self) -> dict[str, str]:
        """Return every file and folder with the hash of its bytes, links as such."""
        return {
            str(path.relative_to(self.root)): hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
            for path in sorted(self.root.rglob("*"))
        }


def build(path: Path, *statements: str) -> None:
    """Make a database."""
    with duckdb.connect(str(path)) as connection:
        for statement in statements:
            connection.execute(statement)
