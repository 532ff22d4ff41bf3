from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from projects import ProjectFolder

if TYPE_CHECKING:
    from pathlib import Path

NOTEBOOK = """---
title: Briefe
params: {year: 1506, n: 2}
---

```{famulus}
---
id: letters
duckdb:
  - {alias: db, path: data/letters.duckdb}
partiturs:
  - id: duckdb-read
    input:
      sql: SELECT count(*) AS n FROM db.letters WHERE year = $year
      parameters: {year: {param: year}}
    artefact: tab
artefacts:
  - {name: tab, kind: table}
oracle: {n: {param: n}}
---
Wie viele Briefe?
```
"""


@pytest.fixture
def project(tmp_path: Path) -> ProjectFolder:
    folder = ProjectFolder(tmp_path / "probe")
    folder.write("famulus.yml", "id: probe\n")
    folder.write("a.fam", NOTEBOOK)
    folder.database()
    return folder


def test_a_block_is_played_and_kept_with_the_values_of_its_document(project: ProjectFolder) -> None:
    assert project.cli("run").status == 0
    assert project.verdict("letters")["status"] == "pass"
    assert project.cli("status").status == 0
    project.write("a.fam", NOTEBOOK.replace("year: 1506, n: 2", "year: 1515, n: 2"))
    assert "partiturs" in project.reasons("letters")


def test_given_values_go_before_them_in_every_process_and_page(project: ProjectFolder) -> None:
    given = ("-P", "year=1515", "-P", "n=1")
    assert project.cli("run", ".", "--jobs", "2", *given).status == 0
    assert project.verdict("letters")["oracle"] == {"n": 1}
    assert project.cli("status", ".", *given).status == 0
    assert project.cli("status").status == 1, "it was played with other values than those it has"
    assert project.cli("refresh", ".", *given).status == 0
    assert not project.version("letters", 2).exists()
    assert "Wie viele Briefe?" in (project.root / "_site" / "a.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("word", "said"), [("yaer=1515", "known are: n, year"), ("year", "NAME=VALUE")])
def test_a_value_for_no_parameter_is_an_error(project: ProjectFolder, word: str, said: str) -> None:
    ran = project.cli("run", ".", "-P", word)
    assert ran.status == 2
    assert said in " ".join(ran.err.split())
