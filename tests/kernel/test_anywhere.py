"""Whatever stands in a cell, and wherever the cursor is: an editor gets an answer, and soon."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from projects import ProjectFolder, read_block

from famulus_kernel.kernel.completeness import completeness
from famulus_kernel.kernel.desk import Desk

if TYPE_CHECKING:
    from collections.abc import Callable

MOST_S = 0.2
"""Of the processor's time: other programs on the machine do not count."""

CELLS = {
    "block": read_block("one", "WITH x AS (SELECT l.a FROM l) SELECT x.a FROM x JOIN d.t ON x.a = t.b"),
    "flow": "---\n{id: x, years: {from: 1, to: 2}, persons: [A, 'B, C', \"D\n---\n?",
    "step": '---\nid: x\npartiturs:\n- id: duckdb-read\n  input: {sql: "SELECT 1 FROM ", register: y}\n  setting: z\n',
    "options": "#| label: x\n\n---\nid: x\noracle: {n: {min: 1}}\n---\nSiehe {{ref:one.tab@v1}} und {{ref:",
    "windows": "---\r\nid: x\r\n\tsubtask: y\r\ngolden: '🙂'\r\n---\r\nWas?\r\n",
    "wrong": "---\nid: [\n- {a: ]\n  |\n  b: 'c\n---\n---\n\x00\ud800",
    "command": "%print one one.tab:n_rows one@v1",
    "question": "?one.tab",
    "text": "Wie viele {famulus} one.tab n_rows gibt es?",
    "fences": "```{famulus}\n---\nid: x\n---\n```\n```{famulus}\n---\nid: y\n",
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    folder = ProjectFolder(tmp_path_factory.mktemp("anywhere"))
    folder.write("famulus.yml", "id: probe\n")
    folder.blocks("a.fam", read_block("one", "SELECT 1 AS n"), read_block("two", "SELECT 2 AS n"))
    made = Desk({}, folder.root)
    made.get_ready()
    made.inspect("one", 1)
    return made


def took(question: Callable[[], object]) -> float:
    begun = time.thread_time()
    question()
    return time.thread_time() - begun


@pytest.mark.parametrize("name", CELLS)
def test_every_place_of_a_cell_is_answered(desk: Desk, name: str) -> None:
    code = CELLS[name]
    for cursor in range(len(code) + 1):
        found = desk.complete(code, cursor)
        assert 0 <= found.start <= found.end <= len(code)
        assert took(lambda cursor=cursor: desk.complete(code, cursor)) < MOST_S  # type: ignore[misc]
        assert took(lambda cursor=cursor: desk.inspect(code, cursor)) < MOST_S  # type: ignore[misc]


@pytest.mark.parametrize(
    "code",
    [
        "y" * 10**6,
        "---\nid: m\nx: " + "[ " * 50_000,
        "---\nid: m\nx: [" + "a,\n  " * 20_000,
        "---\nid: m\nx:\n" + "- a: b\n" * 20_000,
        "---\nid: m\npartiturs: [{id: duckdb-read, input: {sql: " + "SELECT (" * 5_000,
        "---\nid: m\n---\n" + "{{ref:" * 20_000,
    ],
    ids=["word", "brackets", "list", "lines", "sql", "placeholders"],
)
def test_a_cell_without_measure_keeps_nobody_waiting(desk: Desk, code: str) -> None:
    for cursor in (40, len(code)):
        assert took(lambda cursor=cursor: desk.complete(code, cursor)) < 2 * MOST_S  # type: ignore[misc]
        assert took(lambda cursor=cursor: desk.inspect(code, cursor)) < 2 * MOST_S  # type: ignore[misc]
    assert took(lambda: completeness(code)) < 2 * MOST_S
