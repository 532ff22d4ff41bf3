"""A folder with data, and a session over it."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from famulus_kernel.corpus import Attachment, DataSession, TableResult


@dataclass
class Desk:
    """A project's folder `project`, a file beside it that is nobody's business, and a folder for results."""

    root: Path

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


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = Desk(tmp_path_factory.mktemp("template"))
    (made.project / "data").mkdir(parents=True)
    made.out.mkdir()
    (made.project / "data" / "a.csv").write_text("x,y\n1,2\n")
    (made.project / "data" / "b.csv").write_text("x,y\n3,4\n")
    (made.project / "data" / "n.json").write_text('[{"n": 1}]')
    made.secret.write_text("x,y\n9,9\n")
    build(
        made.database.path,
        "CREATE TABLE t AS SELECT i AS id, 'letter ' || i AS title FROM range(3) r(i)",
        "CREATE SEQUENCE numbers",
        "CREATE VIEW first AS SELECT * FROM t WHERE id = 0",
        "CREATE MACRO above(n) AS TABLE SELECT * FROM t WHERE id > n",
        f"CREATE VIEW reads_secret AS FROM read_csv('{made.secret}')",
        "CREATE MACRO reads(name) AS TABLE FROM read_text(name)",
        f"COPY (SELECT 7 AS n) TO '{made.project / 'data' / 'p.parquet'}'",
    )
    return made.root


@pytest.fixture
def desk(template: Path, tmp_path: Path) -> Desk:
    """Give a project with a database `letters.t` of three rows, CSV, JSON and Parquet files."""
    return Desk(Path(shutil.copytree(template, tmp_path / "desk")))


@pytest.fixture(scope="module")
def shared_desk(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Give a desk that the tests of a module share, since they leave it as it is."""
    return Desk(Path(shutil.copytree(template, tmp_path_factory.mktemp("shared") / "desk")))
