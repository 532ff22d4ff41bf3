"""Projects made in a temporary folder, blocks made of a query, and the command line as a subprocess."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED_DATA = REPOSITORY.parent / "shared" / "data"

LETTERS = """
CREATE TABLE letters AS SELECT * FROM (VALUES
    (1, 'Pirckheimer', 'Dürer', 1506), (2, 'Dürer', 'Pirckheimer', 1506), (3, 'Erasmus', 'Pirckheimer', 1515)
) AS t(letter_id, sender, recipient, year)
"""


@dataclass(frozen=True)
class Ran:
    """What a command printed and how it ended."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)


@dataclass(frozen=True)
class ProjectFolder:
    """A project on the disk that a test writes into and runs commands on."""

    root: Path

    def write(self, name: str, text: str) -> Path:
        """Write a file of the project."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def blocks(self, name: str, *bodies: str) -> Path:
        """Write a notebook of blocks."""
        return self.write(name, "\n\n".join(f"```{{famulus}}\n{body.strip()}\n```" for body in bodies) + "\n")

    def database(self, name: str = "data/letters.duckdb", sql: str = LETTERS) -> Path:
        """Make a database with a small table of letters."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        with duckdb.connect(str(path)) as connection:
            connection.execute(sql)
        return path

    def cli(self, *words: str, env: dict[str, str] | None = None, stdin: str | None = None) -> Ran:
        """Run `famulus-notebook` with the project's folder as the current one."""
        return run_cli(*words, cwd=self.root, env=env, stdin=stdin)

    def states(self) -> dict[str, str]:
        """Return the state of every block by `status --json`."""
        return {one["block"]: one["state"] for one in self.cli("status", ".", "--json").json["blocks"]}

    def reasons(self, block: str) -> str:
        """Return why a block is in its state."""
        found = self.cli("status", ".", "--json").json["blocks"]
        return "; ".join(next(one["reasons"] for one in found if one["block"] == block))

    def version(self, block: str, number: int = 1, notebook: str = "a") -> Path:
        """Return the folder of a version."""
        return self.root / "_famulus" / "store" / notebook / block / f"v{number:04d}"

    def verdict(self, block: str, number: int = 1, notebook: str = "a") -> dict[str, Any]:
        """Return the verdict of a version."""
        found: dict[str, Any] = json.loads((self.version(block, number, notebook) / "verdict.json").read_bytes())
        return found


def run_cli(*words: str, cwd: Path, env: dict[str, str] | None = None, stdin: str | None = None) -> Ran:
    """Run the command line as a subprocess, without a terminal."""
    surroundings = {key: value for key, value in os.environ.items() if not key.startswith(("FAMULUS_", "PDAI_"))}
    surroundings |= {"COLUMNS": "200", **(env or {})}
    done = subprocess.run(
        [sys.executable, "-m", "famulus_kernel.cli", *words],
        cwd=cwd,
        env=surroundings,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def read_block(
    block: str,
    sql: str,
    *,
    artefact: str = "tab",
    extra: str = "",
    instruction: str = "Wie viele?",
    kind: str = "table",
) -> str:
    """Return the body of a block that reads with one query and makes a table."""
    indented = sql.strip().replace("\n", "\n        ")
    return f"""---
id: {block}
partiturs:
  - id: duckdb-read
    input:
      sql: |
        {indented}
    artefact: {artefact}
artefacts:
  - {{name: {artefact}, kind: {kind}}}
{extra.strip()}
---
{instruction}
"""
