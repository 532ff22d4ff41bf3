"""What an editor offers at a cursor, and when it takes a cell for a whole one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.kernel.completeness import completeness
from famulus_kernel.kernel.completion import Names, complete
from famulus_kernel.kernel.keys import explain, keys_at

NAMES = Names(
    blocks={"roster": ("table", "graph"), "zahl": ("t",)},
    subtasks=("letter-subject", "correspondence-count"),
    collections=("zotero", "briefe"),
    commands=("status", "print"),
)
HEAD = "---\nid: x\n"


def offered(text: str, names: Names = NAMES) -> set[str]:
    found = complete(text, len(text), names)
    assert text[found.start : found.end] == text[found.start :]
    return set(found.matches)


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        ("subt", {"subtask: "}),
        ("subtask: l", {"letter-subject"}),
        ("subtask: nothing", set()),
        ("evidence: ", {"grounding", "secondary", "both"}),
        ("locked: t", {"true"}),
        ("rerun: if", {"if-stale", "if-missing"}),
        ("years: {t", {"to: "}),
        ("collections: [zotero, b", {"briefe"}),
        ("depends_on: [ro", {"roster", "roster.table", "roster.graph"}),
        ("duckdb:\n  - {alias: r, ref: roster.g", {"roster.graph"}),
        ("duckdb:\n  - al", {"alias: "}),
        ("partiturs:\n  - id: duckdb", {"duckdb-read"}),
        ("partiturs:\n  - id: artifact:tab", {"artifact:table"}),
        ("partiturs:\n  - id: duckdb-read\n    input:\n      s", {"sql: "}),
        ("artefacts: [{name: liste, kind: table}]\npartiturs:\n  - id: duckdb-read\n    artefact: l", {"liste"}),
        ("artefacts:\n  - name: a\n    kind: roster", {"roster-table"}),
        ("duckdb: [{alias: briefe, path: x}]\npartiturs:\n  - input:\n      sql: |\n        FROM br", {"briefe"}),
        ("oracle:\n  n_", set()),
    ],
)
def test_a_preamble_is_completed_by_what_may_stand_there(text: str, matches: set[str]) -> None:
    assert offered(HEAD + text) == matches


def test_every_key_of_the_language_is_offered_and_explained() -> None:
    keys = keys_at(())
    assert offered(HEAD) == {f"{key}: " for key in keys}
    for key in keys:
        text = explain((key,))
        assert text is not None
        assert "no description" not in text, key


def test_a_cell_of_one_line_is_completed_by_names() -> None:
    assert offered("roster.") == {"roster.table", "roster.graph", "roster.report"}
    assert offered("%st") == {"status"}
    assert offered("%print zahl.t") == {"zahl.t"}
    assert offered("?zahl.r") == {"zahl.report"}
    assert offered("Wie viele ro") == set()


def test_an_instruction_is_completed_inside_placeholders_only() -> None:
    head = HEAD + "---\nLies "
    assert offered(head + "{{ref:ros") == {"roster.table", "roster.graph"}
    assert offered(head + "ros") == set()


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("", "complete"),
        ("roster.table", "complete"),
        ("%status", "complete"),
        ("years?", "complete"),
        ("---\nid: x\n---\nWas?", "complete"),
        ("---\r\nid: x\r\n---\r\nWas?", "complete"),
        ("---\nnot: a known key\n---", "complete"),
        ("---", "incomplete"),
        ("#| label: x\n---\nid: [x\n", "incomplete"),
        ("#| label: x\n", "incomplete"),
        ("---\nid: [x\n---\n", "invalid"),
        ("---\n- x\n---\n", "invalid"),
        ("zwei Wörter", "invalid"),
    ],
)
def test_a_cell_is_whole_when_its_preamble_is_closed(code: str, status: str) -> None:
    assert completeness(code) == status


@given(st.text(alphabet="ab: -{}[]\n?%.@|&*!", max_size=60))
def test_no_text_keeps_an_editor_waiting(code: str) -> None:
    assert completeness(code) in {"complete", "incomplete", "invalid"}
    assert complete(code, len(code), NAMES).start <= len(code)
