"""Views and cards as LaTeX: data is text, what fonts lack is marked, tables fit on a page."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.artefacts import latex
from famulus_kernel.artefacts.view import Column, Edge, Figure, Graph, Label, Node, Prose, Table, View

COMMAND = re.compile(r"\\(?:[a-zA-Z]+(?:\{\})?|[{}$&#_%])")


@given(st.text())
def test_no_character_of_data_acts_in_tex(data: str) -> None:
    written = latex.text(data)
    left = COMMAND.sub("", written.replace("{[}", "[").replace("{]}", "]").replace("-{}", "-"))
    left = re.sub(r"\{(?:\\?[^{}\\]*)\}", "", left)  # what the commands enclose
    assert not set(left) & set("\\$&#_%^{}")
    assert written.count("{") - written.count(r"\{") == written.count("}") - written.count(r"\}")


@pytest.mark.parametrize(
    ("data", "written"),
    [
        ("50% & 3_a", r"50\% \& 3\_a"),
        (r"\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("---", "-{}-{}-{}"),
        ("*a", "{*}a"),  # after a row's end a bare one would be part of it
        ("✗ Καλός!", r"\ensuremath{\times} \famulusother{Καλός}!"),
        ("Dürer “Š”", "Dürer “Š”"),
    ],
)
def test_data_is_written_as_itself(data: str, written: str) -> None:
    assert latex.text(data) == written


def table(*rows: tuple[str, ...]) -> View:
    columns = tuple(Column(key=f"c{at}", label=Label(text=f"c{at}")) for at in range(len(rows[0])))
    return View(parts=(Table(columns=columns, rows=rows, total=len(rows)),))


def test_a_table_that_fits_is_as_wide_as_its_texts_and_another_breaks_lines() -> None:
    assert "{@{}ll@{}}" in latex.render(table(("a", "b")), "en")
    assert "p{" in latex.render(table(("a" * 300, "b")), "en")
    shares = re.findall(r"p\{([\d.]+)\\linewidth\}", latex.render(table(tuple("x" * 300 for _ in range(12))), "en"))
    assert len(shares) == 12
    assert sum(map(float, shares)) < 1


def test_prose_keeps_its_form_and_runs_nothing() -> None:
    drawn = latex.render(View(parts=(Prose(markdown="# A\n\n- *b* `c_d`\n- e\n\n> **f**\n\n\\input{x}"),)), "en")
    for piece in (r"\textbf{A}", r"\item \emph{b} \texttt{c\_d}", r"\begin{quote}", r"\textbackslash{}input\{x\}"):
        assert piece in drawn


def test_a_small_graph_is_drawn_and_of_a_large_one_its_picture_is_named() -> None:
    def drawn(count: int) -> str:
        nodes = tuple(Node(id=str(at), label=f"N_{at}") for at in range(count))
        edges = tuple(Edge(source="0", target=str(at)) for at in range(1, count))
        view = View(parts=(Graph(nodes=nodes, edges=edges, svg="artefacts/g.svg"),))
        return latex.render(view, "en", files=lambda name: name)

    small = drawn(3)
    assert (small.count(r"\qbezier"), small.count(r"\circle*")) == (2, 3)
    assert r"N\_2" in small
    assert "Graph of 3 nodes and 2 edges" in small
    assert r"\qbezier" not in drawn(200)
    assert r"\texttt{artefacts/g.svg}" in drawn(200)


def test_lists_are_no_deeper_than_latex_has_them() -> None:
    drawn = latex.prose("".join(f"{'  ' * depth}- p{depth}\n" for depth in range(9)) + "\n" + "> " * 9 + "q")
    assert (drawn.count(r"\begin{itemize}"), drawn.count(r"\begin{quote}")) == (4, 4)
    assert all(f"p{depth}" in drawn for depth in range(9))


def test_an_image_that_latex_cannot_set_is_told_and_a_missing_one_stops_nothing() -> None:
    view = View(parts=(Figure(file="artefacts/x.svg", alt="An image"), Figure(file="artefacts/y.png", alt="Another")))
    drawn = latex.render(view, "en", files=lambda name: name)
    assert r"An image (\texttt{artefacts/x.svg})" in drawn
    assert r"\IfFileExists{artefacts/y.png}{\includegraphics" in drawn
    assert "Another" in latex.render(view, "en")
