"""A website of `.fam` and `.qmd` pages, rendered once by Quarto, and what it holds."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from famulus_kernel.errors import RenderError
from famulus_kernel.render.quarto import render_with_quarto

from .conftest import QuartoProject, Rendered, fenced, new_project

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.quarto

INDEX = f"""---
title: Anfang
---

Die Zahl ist {{{{< famulus one tab value=rows.0.0 >}}}}.

{fenced("one")}

`{{{{< famulus one tab >}}}}` bleibt stehen.
"""

INNER = fenced("inner", "SELECT 7 AS n", "oracle: {n: 7}").rstrip().replace("\n", "\n  ")

CHAPTER = f"""\ufeff---
title: Kapitel
---

<<< famulus one tab >>>

- Punkt

  {INNER}

{{{{< include _part.fam >}}}}

````markdown
{fenced("shown")}````

<!--
{fenced("hidden")}-->

{{{{< famulus nowhere tab >}}}}
"""


@pytest.fixture(scope="module")
def rendered(command: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[QuartoProject, Rendered]:
    """Give a website and how its render went."""
    project = new_project(command, tmp_path_factory.mktemp("site") / "probe")
    project.write("index.fam", INDEX)
    project.write("teil/kapitel.fam", CHAPTER.replace("\n", "\r\n"))
    project.write("teil/_part.fam", f"Eingefügt.\n\n{fenced('bad', 'SELEC 1')}")
    project.write("plain.qmd", "---\ntitle: Ohne Block\n---\n\nNur {{< famulus inner tab value=rows.0.0 >}}.\n")
    project.write("block.qmd", f"---\ntitle: Mit Block\n---\n\n{fenced('in-qmd')}")
    return project, project.quarto("render")


def text(project: QuartoProject, name: str) -> str:
    """Return the text of a page's main part."""
    page = project.page(f"_site/{name}")
    main = page[page.index("<main") : page.index("</main>")]
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", main))


def test_every_page_is_written(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, _ = rendered
    for name in ("index.html", "teil/kapitel.html", "plain.html", "block.html"):
        assert "famulus" in project.page(f"_site/{name}"), name


def test_problems_are_told_by_file_and_line_and_the_render_fails(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, run = rendered
    assert run.status == 1
    source = (project.root / "teil" / "kapitel.fam").read_text(encoding="utf-8")
    line = source[: source.index("{{< famulus nowhere")].count("\n") + 1
    assert sorted(project.problems(run)) == ["ERROR teil/_part.fam:7", f"ERROR teil/kapitel.fam:{line}"]
    assert "2 places to look at" in run.said


def test_the_site_is_whole_although_a_page_has_problems(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, _ = rendered
    found = {entry["href"] for entry in json.loads(project.page("_site/search.json"))}
    assert {"index.html", "teil/kapitel.html", "plain.html", "block.html"} <= {href.partition("#")[0] for href in found}
    assert "famulus-box" in project.page("_site/teil/kapitel.html")


def test_sidebar_and_titles_come_from_the_front_matter(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, _ = rendered
    page = project.page("_site/index.html")
    assert 'href="./teil/kapitel.html"' in page
    for title in ("Kapitel", "Ohne Block", "Mit Block"):
        assert f'<span class="menu-text">{title}</span>' in page, "a byte order mark and CRLF hide no front matter"


def test_blocks_are_drawn_where_they_stand(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, _ = rendered
    page = project.page("_site/teil/kapitel.html")
    assert re.search(r"<li>.*?famulus-inner.*?</li>", page, re.DOTALL)
    assert 'id="famulus-bad"' in page
    assert "id: shown" in text(project, "teil/kapitel.html"), "a block inside a longer fence is only shown"
    assert not (project.root / "_famulus" / "store" / "teil.kapitel" / "shown").exists()
    assert not (project.root / "_famulus" / "store" / "teil.kapitel" / "hidden").exists()


def test_values_stand_in_the_text_and_code_stays_code(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, _ = rendered
    assert "Die Zahl ist 1" in text(project, "index.html")
    assert "{{&lt; famulus one tab &gt;}} bleibt stehen" in text(project, "index.html")
    assert "Nur 7" in text(project, "plain.html")


def test_a_block_of_a_qmd_page_is_played_too(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, run = rendered
    assert "in-qmd v0001: pass" in run.said
    assert 'id="famulus-in-qmd"' in project.page("_site/block.html")


def test_a_second_render_plays_only_what_failed(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, _ = rendered
    again = project.quarto("render", "index.fam")
    assert again.status == 0
    assert "v000" not in again.said


def test_inspect_knows_the_pages_and_starts_nothing(rendered: tuple[QuartoProject, Rendered]) -> None:
    project, _ = rendered
    found = project.quarto("inspect", QUARTO_PYTHON="/nowhere/python")
    told = json.loads(found.said[found.said.index("{") :])
    assert {"famulus", "markdown"} <= set(told["engines"])
    assert any(path.endswith("kapitel.fam") for path in told["files"]["input"])


def test_a_lost_engine_is_noticed(command: str, tmp_path: Path) -> None:
    project = new_project(command, tmp_path / "probe", "project:\n  type: website\n")
    project.write("index.fam", INDEX)
    (project.root / "_extensions").rename(project.root / "_elsewhere")
    with pytest.raises(RenderError, match="did not take"):
        render_with_quarto(command, project.root, to="html")
