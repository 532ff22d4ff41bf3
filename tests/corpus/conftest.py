"""Desks with data to read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from desk import Desk, build


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
