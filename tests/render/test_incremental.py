"""A page is made again when something it is made of changed, and only then."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from projects import ProjectFolder, read_block

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.adapter.refreshing import refresh_status
from famulus_kernel.project.project import Project
from famulus_kernel.render.ingredients import stamp
from famulus_kernel.render.renderer import RenderResult, render_project

PAGES = ("block.fam", "index.fam", "other.md")


def render(root: Path, **options: object) -> tuple[RenderResult, set[str]]:
    """Render, and say which pages were written anew."""
    site = root / "_site"
    before = {path.name: path.stat().st_mtime_ns for path in site.glob("*.html")}
    result = render_project(root, **options)  # type: ignore[arg-type]
    after = {path.name: path.stat().st_mtime_ns for path in site.glob("*.html")}
    return result, {name for name, time in after.items() if before.get(name) != time}


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose pages were made."""
    folder = ProjectFolder(tmp_path_factory.mktemp("rendered"))
    folder.write("famulus.yml", "id: p\n")
    folder.write("_quarto.yml", "project: {type: website}\nwebsite: {title: T}\n")
    folder.blocks("block.fam", read_block("one", "SELECT 1 AS n", extra="oracle: {n: 1}"))
    folder.write(
        "index.fam",
        "# I\n\n{{< include _part.md >}}\n\n{{< famulus one tab >}}\n\n{{< famulus gone tab >}}\n\n"
        "{{< include _two.fam >}}\n\n{{< include _later.md >}}\n",
    )
    folder.blocks("_two.fam", read_block("two", "SELECT 2 AS n", extra="oracle: {n: 2}"))
    folder.write("_part.md", "A part.\n")
    folder.write("other.md", "---\ntitle: Other\nbibliography: refs.bib\n---\n\nSee [@a].\n")
    folder.write("refs.bib", "@book{a, title={First}, author={A, B}, year={1500}}\n")
    play(folder.root)
    render(folder.root)
    return folder.root


@pytest.fixture
def folder(rendered: Path, tmp_path: Path) -> ProjectFolder:
    """A copy of it, the times of its files too."""
    return ProjectFolder(shutil.copytree(rendered, tmp_path / "p"))


def edited(path: Path) -> None:
    path.write_text(path.read_text() + "\nMore.\n")


def play(root: Path) -> None:
    project = Project.open(root)
    for block in project.blocks.values():
        Adapter(project).run(block)
    refresh_status(Project.open(root))


def test_nothing_is_made_twice_and_the_problems_are_told_again(folder: ProjectFolder) -> None:
    result, written = render(folder.root)
    assert written == set()
    assert result.unchanged == len(result.pages) == 3
    places = [(problem.where.file, problem.where.line) for problem in result.problems]
    assert places == [("index.fam", 7), ("index.fam", 11)]
    assert "gone" in result.problems[0].message
    page = (folder.root / "_site" / "index.html").read_text(encoding="utf-8")
    assert re.search(r'id="famulus-two".*<td[^>]*>2</td>', page, re.DOTALL), "an included block is shown"


CHANGES: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "the text of a page": (lambda root: (root / "other.md").write_text("# Other\n\nElse.\n"), {"other.html"}),
    "an included file": (lambda root: (root / "_part.md").write_text("Another part.\n"), {"index.html"}),
    "an included notebook": (lambda root: edited(root / "_two.fam"), {"index.html"}),
    "a file that is to be included": (lambda root: (root / "_later.md").write_text("At last.\n"), {"index.html"}),
    "a bibliography": (
        lambda root: (root / "refs.bib").write_text("@book{a, title={Second}, author={A, C}, year={1501}}\n"),
        {"other.html"},
    ),
    "a new version of a block": (play, {"block.html", "index.html"}),
    "the state of a block": (
        lambda root: (
            (root / "block.fam").write_text((root / "block.fam").read_text().replace("SELECT 1", "SELECT 1+0")),
            refresh_status(Project.open(root)),
        ),
        {"block.html", "index.html"},
    ),
    "a page that was spoilt": (lambda root: (root / "_site" / "other.html").write_text("x"), {"other.html"}),
    "a page that was deleted": (lambda root: (root / "_site" / "other.html").unlink(), {"other.html"}),
    "the site": (
        lambda root: (root / "_quarto.yml").write_text("project: {type: website}\nwebsite: {title: U}\n"),
        {"block.html", "index.html", "other.html"},
    ),
    "the project's defaults": (
        lambda root: (root / "famulus.yml").write_text("id: p\nevidence: both\n"),
        {"block.html", "index.html", "other.html"},
    ),
    "a new page, which all navigate to": (
        lambda root: (root / "new.md").write_text("# New\n"),
        {"block.html", "index.html", "other.html", "new.html"},
    ),
    "the memory": (
        lambda root: (root / "_famulus" / "rendered.json").unlink(),
        {"block.html", "index.html", "other.html"},
    ),
    "a memory that somebody wrote into": (
        lambda root: (root / "_famulus" / "rendered.json").write_text(
            '{"format": 1, "outputs": {"html ../_site": {"other.md": 3}}}'
        ),
        {"block.html", "index.html", "other.html"},
    ),
    "the index of the search": (
        lambda root: shutil.rmtree(root / "_site" / "famulus"),
        {"block.html", "index.html", "other.html"},
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_page_is_made_again_when_something_it_is_made_of_changed(folder: ProjectFolder, what: str) -> None:
    change, expected = CHANGES[what]
    change(folder.root)
    _, written = render(folder.root)
    assert written == expected
    assert render(folder.root)[1] == set()


def test_what_was_made_of_a_page_goes_with_it_unless_it_is_somebody_elses_by_now(folder: ProjectFolder) -> None:
    site = folder.root / "_site"
    for name in ("other.md", "block.fam"):
        (folder.root / name).unlink()
    (site / "block.html").write_text("mine")
    memory = folder.root / "_famulus" / "rendered.json"
    told = json.loads(memory.read_text())
    told["outputs"]["html ../_site"]["../gone.md"] = {"output": stamp(folder.write("gone.html", "not a page"))}
    memory.write_text(json.dumps(told))
    render(folder.root)
    assert sorted(path.name for path in site.glob("*.html")) == ["block.html", "index.html"]
    assert (folder.root / "gone.html").exists()
    assert list(json.loads(memory.read_text())["outputs"]["html ../_site"]) == ["index.fam"]


def test_an_unchanged_page_stays_in_the_search(folder: ProjectFolder) -> None:
    (folder.root / "other.md").write_text("# Other\n\nUnheard-of.\n")
    render(folder.root)
    index = (folder.root / "_site" / "famulus" / "search-index.js").read_text()
    assert "Unheard-of" in index
    assert "A part." in index


def test_everything_is_made_when_that_is_asked_for(folder: ProjectFolder) -> None:
    result, written = render(folder.root, force=True)
    assert result.unchanged == 0
    assert len(written) == 3


def test_other_folders_and_formats_are_remembered_apart(folder: ProjectFolder, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    assert render_project(folder.root, output_dir=elsewhere).unchanged == 0
    assert render_project(folder.root, to="gfm").unchanged == 0
    assert render_project(folder.root).unchanged == 3
    assert render_project(folder.root, output_dir=elsewhere).unchanged == 3
    assert render_project(folder.root, to="gfm").unchanged == 3
    names = json.loads((folder.root / "_famulus" / "rendered.json").read_text())["outputs"]
    assert sorted(names) == ["gfm ../_site", "html ../../elsewhere", "html ../_site"]


def test_a_page_with_the_date_of_today_is_made_every_time(folder: ProjectFolder) -> None:
    (folder.root / "other.md").write_text("---\ntitle: Other\ndate: today\n---\n")
    render(folder.root)
    assert render(folder.root)[1] == {"other.html"}


def test_the_command_says_how_much_was_left_as_it_was(folder: ProjectFolder) -> None:
    ran = folder.cli("render", ".", "--embedded")
    assert "3 pages by the embedded renderer (3 unchanged)" in ran.out
    assert "index.fam:7" in ran.err
    assert ran.status == 1
    assert "unchanged" not in folder.cli("render", ".", "--embedded", "--force").out
