"""What a project and its pages may say to Quarto, and what then becomes of blocks."""

from __future__ import annotations

import json
import re
import shutil
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from .conftest import SITE, QuartoProject, Rendered, fenced, new_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.quarto

LISTING = """---
title: Anfang
listing:
  contents: beitraege
  type: table
  fields: [title]
---

"""

PYTHON = """---
title: Python
---

```{python}
print("gerechnet")
```

Die Zahl ist {{< famulus one tab value=rows.0.0 >}}.
"""

CODE = "SELECT 1 AS n"


def page(block: str, says: str = "", sql: str = CODE, extra: str = "oracle: {n: 1}") -> str:
    """Return a page with one block."""
    return f"---\ntitle: Seite {block}\n{says}---\n\n{fenced(block, sql, extra)}"


@pytest.fixture(scope="module")
def rendered(command: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[QuartoProject, Rendered]:
    """Give a frozen website whose pages say different things, and how its render went."""
    project = new_project(command, tmp_path_factory.mktemp("options") / "probe", SITE + "execute:\n  freeze: true\n")
    project.write("_quarto-en.yml", "lang: en\n")
    project.write("index.fam", LISTING + fenced("one"))
    project.write("beitraege/erster.fam", page("first"))
    project.write("beitraege/_metadata.yml", "execute:\n  echo: true\nfamulus:\n  on-error: warn\n")
    project.write("beitraege/zweiter.fam", page("second") + "\n{{< famulus nowhere tab >}}\n")
    project.write("echo.fam", page("echoed", "execute:\n  echo: true\nformat:\n  html:\n    code-fold: true\n"))
    project.write("silent.fam", page("silent", "execute:\n  output: false\n"))
    project.write("python.qmd", PYTHON)
    project.write("unplayed.fam", page("unplayed", "execute:\n  eval: false\n"))
    project.write("other.qmd", page("lost", "engine: markdown\n"))
    return project, project.quarto("render")


def text(project: QuartoProject, name: str) -> str:
    """Return a page's main part."""
    whole = project.page(f"_site/{name}")
    return whole[whole.index("<main") : whole.index("</main>")]


def test_a_listing_shows_the_pages_of_a_folder(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, run = rendered
    assert run.status == 0, run.said
    listing = text(project, "index.html")
    assert "Seite first" in listing
    assert "Seite second" in listing


def test_what_a_folder_says_holds_for_its_pages(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, run = rendered
    assert [problem.partition(":")[0] for problem in project.problems(run)] == ["WARN beitraege/zweiter.fam"]
    assert CODE in text(project, "beitraege/erster.html")


def test_code_is_shown_where_it_is_asked_for_and_folds(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, _ = rendered
    shown = text(project, "echo.html")
    assert re.search(r"<details[^>]*code-fold[^>]*>.*SELECT 1 AS n", shown, re.DOTALL)
    assert CODE not in text(project, "index.html")


def test_a_page_without_output_plays_and_shows_nothing(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, _ = rendered
    assert "silent v0001: pass" in rendered[1].said
    assert "Wie viele?" not in text(project, "silent.html")


def test_a_page_without_evaluation_plays_nothing(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, run = rendered
    assert "unplayed v0001" not in run.said
    assert CODE in text(project, "unplayed.html")


def test_a_block_on_a_page_of_another_engine_is_told(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, run = rendered
    assert "WARN: other.qmd: Block lost is not played." in run.said.replace("WARNING: ", "")
    assert CODE in text(project, "other.html")


def test_no_page_with_blocks_is_frozen(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, _ = rendered
    assert [path.parent.parent.name for path in (project.root / "_freeze").rglob("*.json")] == ["python"]
    project.write("index.fam", LISTING + fenced("one", "SELECT 4711 AS n", "oracle: {n: 4711}"))
    again = project.quarto("render")
    assert again.status == 0, again.said
    assert "one v0002: pass" in again.said
    assert "4.711" in text(project, "index.html")
    assert "Starting python3 kernel" not in again.said
    # what a frozen page embeds is drawn anew
    assert '<span class="famulus-value">4.711</span>' in text(project, "python.html")
    assert "gerechnet" in text(project, "python.html")


def test_a_profile_holds_for_blocks_too(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, _ = rendered
    project.write("index.fam", LISTING + fenced("one", "SELECT 4711 AS n", "oracle: {n: 4711}"))
    assert project.quarto("render", "index.fam", "--profile", "en").status == 0
    assert "4,711" in text(project, "index.html")


def test_a_page_that_was_made_before_its_block_was_played_is_told(site: QuartoProject) -> None:
    site.write("index.qmd", "Die Zahl ist {{< famulus one tab value=rows.0.0 >}}.\n")
    site.write("seite.fam", page("one"))
    assert site.cli("run").status == 0
    site.write("seite.fam", page("one", sql="SELECT 2 AS n", extra="oracle: {n: 2}"))
    run = site.quarto("render")
    assert run.status == 1
    assert "index.qmd: shows one v0001, but v0002 was played after this page was made" in run.said
    site.write("index.qmd", "---\nengine: famulus\n---\n\nDie Zahl ist {{< famulus one tab value=rows.0.0 >}}.\n")
    site.write("seite.fam", page("one", sql="SELECT 3 AS n", extra="oracle: {n: 3}"))
    assert site.quarto("render").status == 0
    assert '<span class="famulus-value">3</span>' in text(site, "index.html")


def test_a_website_may_be_a_folder_of_a_larger_project(command: str, tmp_path: Path) -> None:
    project = new_project(command, tmp_path / "probe", config="")
    project.write("web/_quarto.yml", SITE)
    (project.root / "_extensions").rename(project.root / "web" / "_extensions")
    project.write("web/index.fam", page("one") + "\n{{< famulus above tab value=rows.0.0 >}}\n")
    project.write("above.fam", page("above", sql="SELECT 22 AS n", extra="oracle: {n: 22}"))
    run = project.quarto("render", "web")
    assert run.status == 0, run.said
    table = re.search(r'href="([^"]+)"[^>]*>Parquet', project.page("web/_site/index.html"))
    assert table is not None
    assert (project.root / "web" / "_site" / table[1]).is_file(), "what lies outside of the website is in it"
    assert (project.root / "_famulus" / "store" / "web.index" / "one").is_dir()
    assert "above v0001: pass" in run.said
    told = project.quarto("inspect", "web").said
    assert [path.rpartition("/")[2] for path in json.loads(told[told.index("{") :])["files"]["input"]] == ["index.fam"]


def test_a_larger_website_may_hold_the_project(command: str, tmp_path: Path) -> None:
    outer = new_project(command, tmp_path / "outer")
    (outer.root / "famulus.yml").unlink()
    outer.write("index.qmd", "Text.\n")
    outer.write("arbeit/famulus.yml", "id: probe\n")
    outer.write("arbeit/seite.fam", page("one"))
    run = outer.quarto("render")
    assert run.status == 0, run.said
    assert (outer.root / "arbeit" / "_famulus" / "store" / "seite" / "one").is_dir()
    assert not (outer.root / "_famulus").exists()
    assert "famulus-one" in outer.page("_site/arbeit/seite.html")


def test_parameters_are_given_as_quarto_gives_them(site: QuartoProject) -> None:
    says = "params:\n  n: 1\n  day: 2020-01-01\n"
    sql = "SELECT 22 AS n, '2021-02-03' AS day"
    site.write("index.fam", page("one", says, sql, "oracle: {n: {param: n}, day: {param: day}}"))
    site.write("given.yml", "n: 22\nday: 2021-02-03\n")
    assert "one v0001: fail" in site.quarto("render").said
    assert "one v0002: fail" in site.quarto("render", "index.fam", "-P", "n:22").said
    said = site.quarto("render", "index.fam", "--execute-params", "given.yml", "-P", "m:1").said
    assert "one v0003: pass" in said
    assert "no page has a parameter m (those of the pages rendered: n, day)" in said


def test_two_renders_at_once_leave_one_whole_store(command: str, tmp_path: Path) -> None:
    project = new_project(command, tmp_path / "probe", config="")
    for web, own, other in (("links", "one", "two"), ("rechts", "two", "one")):
        # a website each, for two renders of one website take its site_libs from one another
        project.write(f"{web}/_quarto.yml", SITE)
        shutil.copytree(project.root / "_extensions", project.root / web / "_extensions")
        project.write(f"{web}/index.fam", page(own) + f"\n{{{{< famulus {other} tab >}}}}\n")
    with ThreadPoolExecutor(2) as threads:
        runs = list(threads.map(lambda web: project.quarto("render", web), ("links", "rechts")))
    assert [run.status for run in runs] == [0, 0], "".join(run.said for run in runs)
    assert project.cli("verify").status == 0
    assert project.cli("status").status == 0
    for web in ("links", "rechts"):
        assert "famulus-box" not in project.page(f"{web}/_site/index.html")
