"""Quarto's engine under Deno: what Quarto itself would run it with."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import deno
from projects import REPOSITORY

HERE = Path(__file__).parent
EXTENSION = REPOSITORY / "_extensions" / "famulus"
SCRIPTS = [EXTENSION / "famulus-engine.js", *sorted((EXTENSION / "engine").glob("*.js"))]


def run(*words: str | Path) -> str:
    """Run Deno without a network and return what it said."""
    environment = {
        **os.environ,
        "DENO_NO_UPDATE_CHECK": "1",
        "NO_COLOR": "1",
        "PYTHONPATH": str(REPOSITORY),
        "QUARTO_PYTHON": sys.executable,
    }
    command = [deno.find_deno_bin(), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_engine_does_what_quarto_asks_of_it() -> None:
    said = run("test", "--allow-all", "--no-check", "--no-config", "--no-lock", "--no-remote", HERE / "engine_test.js")
    assert "0 failed" in said


def test_the_types_in_its_comments_hold() -> None:
    run("check", "--no-lock", "--no-remote", "--config", HERE / "deno.json", SCRIPTS[0])


def test_it_is_written_as_the_linter_and_the_formatter_want_it() -> None:
    run("lint", "--no-config", *SCRIPTS)
    run("fmt", "--check", "--no-config", "--line-width", "120", *SCRIPTS, *HERE.glob("*.js"))
