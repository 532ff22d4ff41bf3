"""What a cell is, where it stands, and what was asked before."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.kernel.cells import BlockCell, Command, EmptyCell, Expression, Question, read_cell
from famulus_kernel.kernel.place import notebook_of, start_of


@pytest.mark.parametrize(
    ("code", "cell"),
    [
        ("", EmptyCell()),
        ("\ufeff \n\t", EmptyCell()),
        ("---\nid: x\n---\n", BlockCell("---\nid: x\n---\n")),
        ("---", BlockCell("---")),
        ("#| echo: false", BlockCell("#| echo: false")),
        ("Wie viele Briefe?", BlockCell("Wie viele Briefe?")),
        ("roster", Expression("roster")),
        (" roster.table@v3:rows.0.1\n", Expression("roster.table@v3:rows.0.1")),
        ("fam:other/briefe/roster.table:n_rows", Expression("fam:other/briefe/roster.table:n_rows")),
        ("wörter-zählen.größe", Expression("wörter-zählen.größe")),
        ("roster.table?", Question("roster.table")),
        ("?years.from", Question("years.from")),
        ("%status a b", Command("status", ("a", "b"))),
        ("%", Command("", ())),
        ('%params {"a":  "b  c"}', Command("params", ('{"a":  "b  c"}',))),
        ('% params {"a": 1}', Command("params", ('{"a": 1}',))),
        ("%params", Command("params", ())),
    ],
)
def test_a_single_line_may_be_more_than_a_block(code: str, cell: object) -> None:
    assert read_cell(code) == cell


@given(st.text())
def test_any_text_is_a_cell_and_more_lines_are_a_block(text: str) -> None:
    read_cell(text)
    assert isinstance(read_cell(f"a\n{text}b"), BlockCell)


def test_the_notebook_is_the_one_that_the_nearest_to_it_names(tmp_path: Path) -> None:
    for name in ("a.fam", "b.qmd", "c.ipynb"):
        (tmp_path / name).touch()
    environ = {
        "QUARTO_DOCUMENT_PATH": str(tmp_path),
        "QUARTO_DOCUMENT_FILE": "b.qmd",
        "JPY_SESSION_NAME": str(tmp_path / "c.ipynb"),
    }
    metadata = {"famulus": {"file": str(tmp_path / "a.fam")}}
    assert notebook_of(environ, tmp_path, metadata) == tmp_path / "a.fam"
    assert notebook_of(environ, tmp_path) == tmp_path / "b.qmd"
    assert notebook_of({"JPY_SESSION_NAME": "c.ipynb"}, tmp_path) == tmp_path / "c.ipynb"


@pytest.mark.parametrize("name", ["", "renamed.fam", "Console 1", "\0", "x" * 5000])
def test_a_name_of_nothing_counts_for_nothing(name: str, tmp_path: Path) -> None:
    assert notebook_of({"JPY_SESSION_NAME": name}, tmp_path, {"famulus": "odd"}) is None


def test_without_a_notebook_the_project_is_looked_for_from_the_working_folder(tmp_path: Path) -> None:
    inner = tmp_path / "site" / "briefe"
    inner.mkdir(parents=True)
    root = {"QUARTO_PROJECT_ROOT": str(tmp_path / "site")}
    assert start_of(None, {}, inner) == inner
    assert start_of(None, root, inner) == inner
    assert start_of(None, root, tmp_path) == tmp_path / "site"
    assert start_of(inner / "a.fam", root, tmp_path) == inner
