"""A page's blocks are played, and what is wrong with it is told by file and line."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from projects import ProjectFolder, read_block

from famulus_kernel.errors import FamulusError
from famulus_kernel.project.project import Project
from famulus_kernel.render.cells import CellOptions
from famulus_kernel.render.playing import Origins, PagePlayer, PageRequest, PlayedPage

if TYPE_CHECKING:
    from pathlib import Path

NOT_EVALUATED = CellOptions(run=False)


def fenced(body: str) -> str:
    return f"```{{famulus}}\n{body.strip()}\n```\n"


ONE = fenced(read_block("one", "SELECT 1 AS n", extra="oracle: {n: 1}"))
BAD = fenced(read_block("bad", "SELEC 1"))


def request(file: Path, markdown: str | None = None, **more: Any) -> PageRequest:
    """Return a request for a page as it lies on the disk, or with another text."""
    text = file.read_text(encoding="utf-8") if markdown is None else markdown
    return PageRequest(file, text, **{"origins": Origins(((1, str(file), 1),)), **more})


class Render:
    """A player, and what it said that it played."""

    def __init__(self) -> None:
        self.player = PagePlayer()
        self.played: list[str] = []

    def __call__(self, file: Path, markdown: str | None = None, **more: Any) -> PlayedPage:
        self.played.clear()
        page = request(file, markdown, **more)
        return self.player.play(page, lambda outcome: self.played.append(f"{outcome.block} {outcome.version}"))


@pytest.fixture
def folder(tmp_path: Path) -> ProjectFolder:
    """Give an empty project with the id `probe`, whose blocks are really played."""
    folder = ProjectFolder(tmp_path / "probe")
    folder.write("famulus.yml", "id: probe\n")
    return folder


@pytest.fixture
def render() -> Render:
    """Give what plays the pages of one render."""
    return Render()


def part_of(file: Path, line: int) -> Origins:
    """Return the origins of a text that is all of one included file, from a line of it on."""
    return Origins(((1, str(file), line),))


def places(page: PlayedPage) -> list[str]:
    return [problem.place for problem in page.problems]


def line_of(text: str, words: str) -> int:
    return text[: text.index(words)].count("\n") + 1


def test_the_stale_blocks_of_a_page_are_played_and_have_their_cells(folder: ProjectFolder, render: Render) -> None:
    file = folder.write("a.fam", f"# Titel\n\n{ONE}")
    page = render(file)
    assert render.played == ["one v0001"]
    assert page.problems == ()
    assert "{{< famulus one card at=3 cell=true >}}" in page.markdown
    render(file)
    assert render.played == []


def test_blocks_of_other_notebooks_are_played_where_the_page_embeds_them(folder: ProjectFolder, render: Render) -> None:
    for name in ("b", "c", "d", "e", "f", "g"):
        folder.blocks(f"{name}.fam", read_block(f"in-{name}", "SELECT 1 AS n", extra="oracle: {n: 1}"))
    file = folder.write(
        "a.fam",
        "{{< famulus in-b tab >}} und <<< famulus in-c.tab >>> und {{< famulus fam:probe/d/in-d.tab >}},\n"
        "aber nicht {{< famulus in-e tab version=v1 >}} und {{< famulus in-f.tab@v1 >}}\n"
        "und {{{< famulus in-g tab >}}} und `{{< famulus in-g tab >}}`.\n",
    )
    render(file)
    assert sorted(render.played) == ["in-b v0001", "in-c v0001", "in-d v0001"]


def test_what_a_page_needs_is_played_before_it(folder: ProjectFolder, render: Render) -> None:
    folder.write("b.fam", ONE)
    body = read_block("two", "SELECT count(*) AS n FROM t", extra="duckdb: [{alias: t, ref: one.tab}]\noracle: {n: 1}")
    render(folder.write("a.fam", fenced(body)))
    assert render.played == ["one v0001", "two v0001"]


def test_an_error_is_told_at_the_line_of_its_key(folder: ProjectFolder, render: Render) -> None:
    text = f"Text.\n\n{BAD}"
    page = render(folder.write("a.fam", text))
    [problem] = page.problems
    assert problem.place == f"a.fam:{line_of(text, '- id: duckdb-read')}"
    assert problem.message.startswith("block bad, key partiturs.0")
    assert problem.severity == "error"
    assert page.reported == ("bad",)
    assert "{{< famulus bad card" in page.markdown, "the card says so on the page"


def test_a_page_may_say_that_problems_are_warnings(folder: ProjectFolder, render: Render) -> None:
    page = render(folder.write("a.fam", BAD), lenient=True)
    assert [problem.severity for problem in page.problems] == ["warning"]


def test_a_block_that_cannot_be_read_has_a_box_and_its_line(folder: ProjectFolder, render: Render) -> None:
    page = render(folder.write("a.fam", f"Text.\n\n```{{famulus}}\n---\nide: x\n---\n```\n\n{ONE}"))
    assert places(page) == ["a.fam:5"]
    assert "famulus-box" in page.markdown
    assert render.played == ["one v0001"], "the others are played"


def test_an_id_that_stands_twice_has_a_box_at_either_place(folder: ProjectFolder, render: Render) -> None:
    folder.write("b.fam", ONE)
    file = folder.write("a.fam", f"Text.\n\n{ONE}")
    page = render(file)
    assert render.played == []
    assert "a.fam:4 and b.fam:2" in page.problems[0].message
    assert "cell=true" not in page.markdown


def test_a_block_behind_a_failed_one_has_a_box_and_is_told(folder: ProjectFolder, render: Render) -> None:
    waiting = fenced(read_block("waiting", "SELECT 1 AS n", extra="depends_on: [bad]"))
    page = render(folder.write("a.fam", f"{BAD}\n{waiting}"))
    about = [problem.message.partition(":")[0] for problem in page.problems]
    assert about == ["block waiting", "block bad, key partiturs.0"]
    assert 'data-code="blocked"' in page.markdown
    assert "{{< famulus waiting" not in page.markdown


def test_blocks_that_wait_for_one_another_are_told_and_the_page_is_made(folder: ProjectFolder, render: Render) -> None:
    bodies = [read_block(a, "SELECT 1 AS n", extra=f"depends_on: [{b}]") for a, b in (("x", "y"), ("y", "x"))]
    page = render(folder.blocks("a.fam", *bodies))
    assert "wait for one another" in page.problems[0].message
    assert "{{< famulus x card" in page.markdown


def test_lines_of_an_included_file_are_named_as_that_file_has_them(folder: ProjectFolder, render: Render) -> None:
    part = folder.write("teil/_part.fam", f"Eingefügt.\n\n{BAD}")
    file = folder.write("a.fam", "Vor.\n\n{{< include teil/_part.fam >}}\n\n```{python}\n1\n```\n")
    text = f"Vor.\n\n{part.read_text()}\n\n```{{python}}\n1\n```\n"
    begin = text[: text.index("```{python}")].count("\n") + 1
    origins = Origins(((1, str(file), 1), (3, str(part), 1), (begin, str(file), 5)))
    page = render.player.play(replace(request(file), markdown=text, origins=origins))
    assert places(page) == [f"teil/_part.fam:{line_of(part.read_text(), '- id: duckdb-read')}", "a.fam:5"]
    assert folder.version("bad", notebook="teil.part").is_dir(), "it belongs to the file it stands in"


def test_an_included_block_is_one_block_on_all_pages(folder: ProjectFolder, render: Render) -> None:
    body = ONE.replace("oracle: {n: 1}", "oracle: {n: {param: n}}")
    part = folder.write("_part.fam", f"---\nparams: {{n: 1}}\n---\n\n{body}")
    files = {name: folder.write(name, "{{< include _part.fam >}}\n") for name in ("a.fam", "b.fam")}

    def page(name: str) -> PlayedPage:
        return render(files[name], part.read_text()[len("---\nparams: {n: 1}\n---\n") :], origins=part_of(part, 4))

    assert page("a.fam").problems == ()
    assert render.played == ["one v0001"]
    assert page("b.fam").problems == ()
    assert render.played == []
    part.write_text(part.read_text().replace("SELECT 1", "SELECT 1 + 0"))
    assert page("a.fam").problems == ()
    assert render.played == ["one v0002"]
    folder.blocks("c.fam", read_block("one", "SELECT 2 AS n"))
    assert "is used twice: _part.fam:6 and c.fam:2" in page("b.fam").problems[0].message


@pytest.mark.parametrize("name", ["_part.md", "_parts/part.fam"])
def test_a_block_in_an_included_file_that_is_no_notebook_is_told(
    folder: ProjectFolder, render: Render, name: str
) -> None:
    part = folder.write(name, f"Text.\n\n{ONE}")
    page = render(folder.write("a.fam", f"{{{{< include {name} >}}}}\n"), part.read_text(), origins=part_of(part, 1))
    assert places(page) == [f"{name}:4"]
    assert "no notebook of the project" in page.problems[0].message
    assert (render.played, page.markdown.count("famulus-box ")) == ([], 1)


def test_what_a_lone_notebook_includes_belongs_to_its_project(tmp_path: Path, render: Render) -> None:
    part = tmp_path / "_part.fam"
    part.write_text(ONE, encoding="utf-8")
    page = tmp_path / "lone.fam"
    page.write_text("{{< include _part.fam >}}\n", encoding="utf-8")
    assert render(page, ONE, origins=part_of(part, 1)).problems == ()
    assert render.played == ["one v0001"]
    assert Project.open(page).selection() == ["one"]
    part.write_text(ONE.replace("SELECT 1", "SELECT 1 + 0"), encoding="utf-8")
    render(page, part.read_text(), origins=part_of(part, 1))
    assert render.played == ["one v0002"]


def test_a_notebook_that_is_included_keeps_its_blocks(folder: ProjectFolder, render: Render) -> None:
    other = folder.write("b.fam", ONE)
    file = folder.write("a.fam", "{{< include b.fam >}}\n")
    page = render(file, other.read_text())
    assert render.played == ["one v0001"]
    assert folder.version("one", notebook="b").is_dir()
    assert page.problems == ()


def test_without_execution_nothing_is_played(folder: ProjectFolder, render: Render) -> None:
    file = folder.write("a.fam", ONE)
    page = render(file, play=False)
    assert render.played == []
    assert "{{< famulus one card" in page.markdown, "which says on the page that there is nothing to see yet"


def test_what_is_not_evaluated_is_shown_from_the_store_or_as_it_stands(folder: ProjectFolder, render: Render) -> None:
    file = folder.write("a.fam", ONE)
    before = render(file, options=NOT_EVALUATED)
    assert render.played == []
    assert "cell=true" not in before.markdown
    assert "SELECT 1 AS n" in before.markdown
    render(file)
    after = render(file, options=NOT_EVALUATED)
    assert "{{< famulus one card" in after.markdown
    assert "SELECT" not in after.markdown


def test_a_block_may_say_for_itself_that_it_is_not_to_be_evaluated(folder: ProjectFolder, render: Render) -> None:
    quiet = f"#| eval: false\n{read_block('quiet', 'SELECT 1 AS n')}"
    folder.blocks("b.fam", quiet)
    file = folder.write("a.fam", f"{ONE}\n{{{{< famulus quiet tab >}}}}\n")
    render(file)
    assert render.played == ["one v0001"]


def test_no_block_is_played_twice_in_one_render(folder: ProjectFolder, render: Render) -> None:
    always = fenced(read_block("always", "SELECT 1 AS n", extra="rerun: always\noracle: {n: 1}"))
    file = folder.write("a.fam", f"{always}\n{BAD}")
    other = folder.write("b.fam", "{{< famulus always tab >}} {{< famulus bad tab >}}\n")
    render(file)
    assert sorted(render.played) == ["always v0001", "bad v0001"]
    render(file)
    render(other)
    assert render.played == []
    file.write_text(file.read_text() + "\nMehr Text.\n")
    render(file)
    assert sorted(render.played) == ["always v0002", "bad v0002"], "a changed notebook is another render"


def test_a_change_on_the_disk_is_seen_by_the_next_page(folder: ProjectFolder, render: Render) -> None:
    file = folder.write("a.fam", ONE)
    render(file)
    file.write_text(ONE.replace("SELECT 1 AS n", "SELECT 1 AS n -- again"))
    render(file)
    assert render.played == ["one v0002"]


def test_pages_are_told_which_blocks_are_stale(folder: ProjectFolder, render: Render) -> None:
    file = folder.write("a.fam", ONE)
    render(file)
    file.write_text(ONE.replace("SELECT 1 AS n", "SELECT 1 AS n -- again"))
    render(file, play=False)
    status = json.loads((folder.root / "_famulus" / "status.json").read_bytes())
    assert status["blocks"]["one"]["state"] == "stale"


def test_cells_that_no_engine_runs_are_told(folder: ProjectFolder, render: Render) -> None:
    infos = ("{python}", "{mermaid}", "{=html}", "python", "{.python}")
    text = "".join(f"```{info}\n1\n```\n\n" for info in infos) + "````\n```{r}\n```\n````\n"
    page = render(folder.write("a.fam", text), handled=frozenset({"mermaid"}))
    [problem] = page.problems
    assert (problem.place, problem.severity) == ("a.fam:1", "warning")
    assert "python" in problem.message


def test_a_front_matter_that_cannot_be_read_stops_the_page(folder: ProjectFolder, render: Render) -> None:
    file = folder.write("a.fam", "---\ntitle: x\nfamulus:\n  on-eror: warn\n---\n")
    with pytest.raises(FamulusError) as stopped:
        render(file)
    assert str(stopped.value.where).startswith("a.fam:4")


def test_a_notebook_without_a_project_is_one_of_its_own(tmp_path: Path, render: Render) -> None:
    file = tmp_path / "lone.fam"
    file.write_text(ONE, encoding="utf-8")
    page = render(file)
    assert render.played == ["one v0001"]
    assert page.problems == ()
    assert Project.open(file).store.newest(tmp_path / "_famulus" / "store" / "lone" / "one") is not None


def test_a_line_is_that_of_the_last_run_before_it() -> None:
    origins = Origins(((1, "a.fam", 1), (5, "b.fam", 1), (9, "a.fam", 6)))
    assert [origins.place(line) for line in (1, 4, 5, 8, 9, 12)] == [
        ("a.fam", 1),
        ("a.fam", 4),
        ("b.fam", 1),
        ("b.fam", 4),
        ("a.fam", 6),
        ("a.fam", 9),
    ]
    assert Origins(()).place(1) is None
