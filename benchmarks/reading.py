"""A duckdb-read block over 10 million rows beside DuckDB's own COPY of the same query, and a fresh block's answer."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING

import duckdb

from benchmarks.measuring import Result, against, seconds
from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.adapter.runner import Runner
from famulus_kernel.project.project import Project

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

QUERY = "SELECT letter_id, hash(letter_id) % 1000 AS person, letter_id * 0.5 AS weight, 'Brief ' || letter_id AS title"
BLOCK = """```{{famulus}}
---
id: lesen
duckdb: [{{alias: main, path: data.duckdb}}]
partiturs:
  - id: duckdb-read
    input:
      sql: {query} FROM main.letters
    artefact: table
artefacts: [{{name: table, kind: table}}]
---
Read all.
```
"""


def measure(work: Path, *, quick: bool = False) -> Iterator[Result]:
    """Yield the ratio of a block to a plain COPY, and the time of a block that is fresh."""
    rows = 100_000 if quick else 10_000_000
    root = work / f"reading-{rows}"
    _make(root, rows)
    project = Project.open(root)
    block = project.block("lesen")

    def raw() -> None:
        with duckdb.connect(":memory:") as connection:
            connection.execute(f"ATTACH '{root / 'data.duckdb'}' AS d (READ_ONLY)")
            target = root / "raw.parquet"
            connection.execute(f"COPY ({QUERY} FROM d.letters) TO '{target}' (FORMAT parquet, COMPRESSION zstd)")
            with target.open("rb") as file:
                os.fsync(file.fileno())

    def ours() -> None:
        Adapter(project).run(block)
        shutil.rmtree(root / "_famulus" / "store", ignore_errors=True)

    yield Result(f"duckdb-read block of {rows:,} rows over COPY to Parquet", against(seconds(ours), seconds(raw)))
    Adapter(project).run(block)
    fresh = seconds(lambda: list(Runner(project).run(["lesen"])), repeat=50)
    yield Result("a fresh block, runner in this process", f"{fresh * 1000:.2f} ms")


def _make(root: Path, rows: int) -> None:
    if (root / "data.duckdb").exists():
        return
    root.mkdir(parents=True, exist_ok=True)
    (root / "famulus.yml").write_text("id: reading\n")
    (root / "a.fam").write_text(BLOCK.format(query=QUERY))
    with duckdb.connect(str(root / "data.duckdb")) as connection:
        connection.execute(f"CREATE TABLE letters AS SELECT i AS letter_id FROM range({rows}) t(i)")
