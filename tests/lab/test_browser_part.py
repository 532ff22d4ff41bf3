"""What is served to the browser: modules that hang together, and say of numbers what Python says of them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path

import deno
import pytest
from labs import install_shared_data
from projects import REPOSITORY

from famulus_kernel.adapter.bundle import MIME
from famulus_kernel.artefacts.cells import GLYPHS
from famulus_kernel.artefacts.numbers import format_number
from famulus_kernel.language.info import LANGUAGE_INFO
from famulus_kernel.language.lexer import sql_spans
from famulus_kernel.version import __version__

FOLDER = REPOSITORY / "labextension"
SCRIPTS = sorted((FOLDER / "modules").glob("*.js"))
NUMBERS = [0, -0.0, 7, -1234, 1234567, 0.5, 1.5, 2.5, 0.125, -0.375, 1.005, 1234.5678, 0.0012344, 1e-7, 1.5e15, 1e21,
           -2.5e-9, 99999.99995, "12345678901234567890", "-1234.50", "NaN"]  # fmt: skip
FORMATS = [None, ",", "d", ",d", ".0f", ".2f", ",.2f", "f", "%", ".1%", ",.0%"]


PREAMBLES = [
    "sql: SELECT 1",
    "id: a\nsql: SELECT a,\n  b FROM t # so\nmysql: SELECT 1\n",
    "a: {sql: \"SELECT 'a', \\\"b\\\" FROM t\", y: 2}\nb: [{sql: SELECT 1}, {sql: 'SELECT ''x'''}]\n",
    "\"sql\": \"SELECT\n  1\"\n'sql': 'SELECT\n  2'\n",
    "p:\n  - input:\n      sql: |\n        SELECT 1\n\n          FROM t\n    x: 1\n",
    "- sql: >-\n   SELECT 1\n- sql: |2 # so\n    SELECT 2\n",
    'steps: [{sql:\n  "SELECT d"}]\nrequest: |\n  sql: SELECT 1\nnote: it\'s {sql, "sql: no\n',
    "# sql: SELECT 1\na: x # sql: no\nduckdb: {sql: SELECT 1 FROM v}\nb: 'sql: no'\nc: [x, {y: [sql, z]}]\n",
    "a: {sql: {x: 1}, b: 2}\nc: {d: {sql: SELECT 1}, sql: SELECT 2}\nsql: [SELECT 1]\n",
]


def run(*words: str | Path, **environment: str) -> str:
    """Run Deno without a network and return what it said."""
    quiet = {"DENO_NO_UPDATE_CHECK": "1", "NO_COLOR": "1"}
    command = [deno.find_deno_bin(), *map(str, words)]
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **quiet, **environment}, timeout=120, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_words_numbers_queries_and_parts_of_cells_are_those_of_python() -> None:
    cases = [
        (value, lang, fmt, format_number(value, lang, fmt))
        for value in NUMBERS
        for lang in ("de", "en")
        for fmt in FORMATS
    ]
    queries = [(yaml, [yaml[start:end].strip() for start, end in sql_spans(yaml)]) for yaml in PREAMBLES]
    assert sum(len(found) for _, found in queries) == 14
    test = Path(__file__).parent / "extension_test.js"
    said = run("test", "--allow-read", "--allow-env", "--no-check", "--no-config", "--no-lock", "--no-remote", test,
               NUMBERS=json.dumps(cases), QUERIES=json.dumps(queries))  # fmt: skip
    assert "0 failed" in said


def test_the_linter_finds_nothing() -> None:
    run("lint", "--no-config", "--rules-exclude=no-control-regex,no-window", *SCRIPTS)


def test_every_module_that_is_imported_is_there_and_every_one_there_is_imported() -> None:
    used = {"remoteEntry.js", *re.findall(r'"\./(\S+?\.js)"', "".join(script.read_text() for script in SCRIPTS))}
    assert used == {script.name for script in SCRIPTS}


def test_what_the_modules_fetch_is_put_beside_them(tmp_path: Path) -> None:
    install_shared_data(tmp_path)
    modules = tmp_path / "share" / "jupyter" / "labextensions" / "famulus" / "modules"
    fetched = {name for script in SCRIPTS for name in re.findall(r'"(page/\S+?|\w+\.css)"', script.read_text())}
    assert "page/labels.json" in fetched
    for name in fetched:
        assert (modules / name).is_file(), name


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.name)
def test_no_module_writes_html_or_fetches_from_elsewhere(script: Path) -> None:
    text = script.read_text()
    assert set(re.findall(r"https?://[\w.]+", text)) <= {"http://www.w3.org"}
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", text)


def test_the_manifest_names_what_there_is() -> None:
    manifest = json.loads((FOLDER / "package.json").read_text())
    assert manifest["version"] == __version__
    assert (FOLDER / manifest["jupyterlab"]["_build"]["load"]).is_file()
    installed = json.loads((FOLDER / "install.json").read_text())
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    assert installed["packageName"] == project["name"]


def test_names_that_both_sides_know_are_the_same() -> None:
    text = "".join(script.read_text() for script in SCRIPTS)
    assert f'"{MIME}"' in text
    assert f'"{LANGUAGE_INFO["mimetype"]}"' in text
    for status, glyph in GLYPHS.items():
        assert f'{status}: "{glyph}"' in text
