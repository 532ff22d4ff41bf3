"""A cell in each block's place, and nothing else changed."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pypandoc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from projects import ProjectFolder, read_block

from famulus_kernel.errors import MissingId, Where
from famulus_kernel.language.document import parse_document
from famulus_kernel.project.project import Project
from famulus_kernel.render.cells import Cell, CellOptions, cell_of, with_cells, with_cells_around

if TYPE_CHECKING:
    from pathlib import Path

FENCE = "```{famulus}\n---\nid: a\n---\nWie viele?\n```"
INDENTED = FENCE.replace("\n", "\n  ")
QUOTED = FENCE.replace("\n", "\n> ")


def page(text: str, **more: Any) -> str:
    """Return a text with a cell that shows the card of `a` for each of its blocks."""
    document = parse_document(text)
    return with_cells(document, [Cell("a", ("card",)) for _ in document.fences], **more)


def pandoc_blocks(markdown: str) -> list[Any]:
    """Return pandoc's blocks of a markdown."""
    command = [pypandoc.get_pandoc_path(), "--from", "markdown", "--to", "json"]
    done = subprocess.run(command, input=markdown.encode(), capture_output=True, check=True)
    blocks: list[Any] = json.loads(done.stdout)["blocks"]
    return blocks


def test_a_block_gives_way_to_a_div_with_its_shortcodes() -> None:
    document = parse_document(f"Davor.\n\n{FENCE}\n\nDanach.\n")
    written = with_cells(document, [Cell("a", ("card", "tab"))], first_place=100)
    assert written == (
        "Davor.\n\n\n::: {.famulus-cell #famulus-a}\n\n{{< famulus a card at=103 cell=true >}}\n\n"
        "{{< famulus a tab at=103 cell=true >}}\n\n:::\n\nDanach.\n"
    )


@pytest.mark.parametrize(
    ("text", "path"),
    [
        pytest.param(FENCE, [], id="alone"),
        pytest.param(f"Absatz\n{FENCE}\nweiter", [1], id="within-a-paragraph"),
        pytest.param(f"- {INDENTED}", [0, "c", 0, 0], id="first-in-an-item"),
        pytest.param(f"- Punkt\n  {INDENTED}\n- zwei", [0, "c", 0, 1], id="in-an-item"),
        pytest.param(f"> {QUOTED}", [0, "c", 0], id="in-a-quote"),
        pytest.param(f"> Zitat\n> {QUOTED}\n\nText", [0, "c", 1], id="after-quoted-text"),
        pytest.param(f"  {INDENTED}", [0], id="indented"),
        pytest.param(f"::: {{.column-margin}}\n{FENCE}\n:::", [0, "c", 1, 0], id="in-a-div"),
        pytest.param("~~~~{famulus}\n---\nid: a\n---\n~~~\nx\n~~~\n~~~~", [0], id="tildes"),
        pytest.param("```{famulus .wide}\n---\nid: a\n---\nnicht zu Ende", [0], id="unclosed"),
    ],
)
def test_pandoc_finds_the_cell_where_the_block_stood(text: str, path: list[Any]) -> None:
    found: Any = pandoc_blocks(page(text))
    for step in path or [0]:
        found = found[step]
    assert found["t"] == "Div", found
    assert found["c"][0] == ["famulus-a", ["famulus-cell"], []]


def test_line_breaks_and_the_byte_order_mark_are_kept() -> None:
    text = "\ufeffDavor.\r\n\r\n" + FENCE.replace("\n", "\r\n") + "\r\n\r\nDanach."
    written = page(text)
    assert written.startswith("\ufeffDavor.\r\n\r\n")
    assert written.endswith(":::\r\n\r\nDanach.")
    assert "\n" not in written.replace("\r\n", "")


@pytest.mark.parametrize(
    "text",
    [
        f"Text\n{FENCE}\nmehr\n",
        f"- Punkt\n\n  {INDENTED}\n- noch einer\n",
        f"> {QUOTED}\n",
        FENCE.replace("```{famulus}", "~~~~{famulus #x .y}\n#| echo: true").replace("```", "~~~~") + "\n",
        f"\ufeff---\ntitle: T\n---\n\n{FENCE}\n".replace("\n", "\r\n"),
    ],
)
def test_a_block_that_another_engine_plays_stands_inside_its_cell(text: str) -> None:
    document = parse_document(text)
    around = with_cells_around(document, [Cell("a", ("card", "tab"))])
    again = parse_document(around)
    assert [fence.body for fence in again.fences] == [fence.body for fence in document.fences]
    before, _, after = around.partition("{famulus")
    assert ".famulus-cell .famulus-played #famulus-a" in before
    assert [line.strip("> ") for line in after.splitlines() if "cell=true" in line] == [
        "{{< famulus a card cell=true >}}",
        "{{< famulus a tab cell=true >}}",
    ]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["Text", "", "- x", "> y", FENCE, "    code", "<!-- -->", "# Titel"]), max_size=8))
def test_what_is_no_block_stays_as_it_is(parts: list[str]) -> None:
    document = parse_document("\n".join(parts))
    written = with_cells(document, [Cell("a", ("card",)) for _ in document.fences])
    outside, done = [], 0
    for fence in document.fences:
        outside += document.text[done : document.scan.starts[fence.start]].splitlines()
        done = fence.offset_end
    outside += document.text[done:].splitlines()
    left = iter(written.splitlines())
    assert all(line in left for line in outside), "every line outside is there, in order"


def test_text_without_blocks_is_returned_as_it_is() -> None:
    text = "````markdown\n" + FENCE + "\n````\n\n<!--\n" + FENCE + "\n-->\r\n"
    assert page(text) == text


@pytest.fixture
def block_of(tmp_path: Path) -> Any:
    """Give a function that reads one block from a body."""
    folder = ProjectFolder(tmp_path / "probe")
    folder.write("famulus.yml", "id: probe\n")

    def read(body: str) -> Any:
        folder.blocks("a.fam", body)
        notebook = Project.open(folder.root).notebooks[0]
        return notebook.blocks[0], notebook.document.fences[0]

    return read


@pytest.mark.parametrize(
    ("extra", "names"),
    [("", ("card", "tab")), ("output: card", ("card",)), ("output: artefacts", ("tab",)), ("output: none", ())],
)
def test_the_preamble_says_what_is_shown(block_of: Any, extra: str, names: tuple[str, ...]) -> None:
    cell = cell_of(*block_of(read_block("a", "SELECT 1 AS n", extra=extra)))
    assert cell == Cell("a", names)


@pytest.mark.parametrize(
    ("lines", "shown", "source"),
    [
        ("#| output: false", False, False),
        ("#| include: false", False, False),
        ("#| echo: true", True, True),
        ("#| echo: fenced", True, True),
        ("#| echo: false", True, False),
        ("#| echo: true\n#| output: false", False, True),
        ("#| eval: false", True, False),
    ],
)
def test_cell_options_of_quarto_hold_for_a_block(block_of: Any, lines: str, shown: bool, source: bool) -> None:
    body = f"{lines}\n{read_block('a', 'SELECT 1 AS n')}"
    cell = cell_of(*block_of(body))
    assert bool(cell.names) is shown
    assert (cell.source is not None) is source


def test_a_block_goes_before_its_document() -> None:
    document = CellOptions(run=False, echo=True, output=False)
    assert document.of_block({"eval": True, "output": "asis", "echo": False}) == CellOptions()
    assert document.of_block({"fig-cap": "x"}) == document


def test_the_source_of_a_block_is_shown_in_a_fence_longer_than_any_in_it() -> None:
    body = "---\nid: a\n---\n````\n{{< famulus a tab >}}\n````\n"
    document = parse_document(FENCE)
    written = with_cells(document, [Cell("a", source=body)])
    block = pandoc_blocks(written)[0]["c"][1][0]
    assert block["t"] == "CodeBlock"
    assert block["c"] == [["", ["famulus", "cell-code"], []], body.rstrip()]


def test_a_block_that_cannot_be_read_leaves_a_box_that_says_why() -> None:
    error = MissingId.of(Where("a.fam", 3))
    written = with_cells(parse_document(FENCE), [Cell(None, error=error)])
    assert "#famulus-" not in written
    box = pandoc_blocks(written)[0]["c"][1][0]
    assert box["c"][0] == ["", ["famulus-box"], [["data-code", "id-missing"], ["role", "note"]]]
    assert "a.fam:3" in written


def test_what_an_error_quotes_is_text_in_its_box() -> None:
    error = MissingId.of(Where("a.fam", 3))
    error.message = "the key **x** is <b>`no`</b> {{< meta title >}}\n\n# key"
    written = with_cells(parse_document(FENCE), [Cell(None, error=error)])
    assert "{{<" not in written
    title = pandoc_blocks(written)[0]["c"][1][0]["c"][1][0]["c"][1]
    assert [block["t"] for block in title] == ["Para"]
    assert {inline["t"] for inline in title[0]["c"][0]["c"]} == {"Str", "Space"}
