"""What a preamble points at: offered as the project has it, and described under the cursor."""

from __future__ import annotations

import json

import duckdb
import pytest
from projects import ProjectFolder, read_block

from famulus_kernel.adapter.goldens.memory import AgentMemory
from famulus_kernel.adapter.runner import Runner
from famulus_kernel.kernel.completion import Names, complete
from famulus_kernel.kernel.inspection import inspect
from famulus_kernel.kernel.naming import Naming
from famulus_kernel.project.project import Project

HEAD = "---\nid: neu\n"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Give a project with a block that was played, settings, golden rows and a register."""
    folder = ProjectFolder(tmp_path_factory.mktemp("pointers"))
    folder.write("famulus.yml", "id: probe\ncollections_root: corpora\ncollections: [briefe]\n")
    folder.write("settings/jung/früh.yaml", "collections: [briefe]\nterms: [pax]\n")
    folder.write("settings/notes.txt", "none of ours")
    folder.write("corpora/briefe/status.json", json.dumps({"registers": ["personen"]}))
    folder.write("corpora/kaputt/status.json", "{")
    folder.blocks("a.fam", read_block("zahl", "SELECT 41 AS x, [1, 2] AS y"))
    project = Project.open(folder.root)
    assert [one.status for one in Runner(project).run(["zahl"])] == ["pass"]
    with duckdb.connect(str(AgentMemory.of(project).path)) as database:
        database.execute(
            "INSERT INTO golden_ground (golden_id, question, expected_answer)"
            " VALUES ('g-1', 'Wie viele Briefe?', '{\"n_letters\": 7}'), ('g-2', 'Und wer?', NULL)"
        )
    return project


@pytest.fixture(scope="module")
def names(opened: Project) -> Names:
    return Naming().of(opened)


@pytest.mark.parametrize(
    ("text", "matches"),
    [
        (HEAD + "partiturs:\n  - setting: ", {"settings/jung/früh.yaml"}),
        (HEAD + "golden: G", {"g-1", "g-2"}),
        (HEAD + "input: {register: ", {"personen"}),
        (HEAD + "collections: [kaputt]\ninput: {register: ", set()),
        (HEAD + "collections: [niemand]\ninput: {register: ", set()),
        (HEAD + "partiturs: [{id: ai-query-phase1@", {"ai-query-phase1@1"}),
        (HEAD + "partiturs:\n- id: ai-query-phase1\n  input:\n    reading", {"reading_doc: "}),
        ("zahl.tab:", {"columns", "rows", "n_rows"}),
        ("zahl.tab:rows.0.", {"rows.0.0", "rows.0.1"}),
        ("zahl:counts.n", {"counts.n_rows"}),
        ("zahl.tab:nothing.", set()),
        ("zahl.tab:n_rows.", set()),
        ("niemand.tab:", set()),
    ],
)
def test_what_the_project_has_is_offered(names: Names, text: str, matches: set[str]) -> None:
    assert set(complete(text, len(text), names).matches) == matches


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        (HEAD + "golden: g|-1\n---\nWas?", "Expected: {"),
        (HEAD + "golden: g|-2\n---\nWas?", "no expected answer"),
        (HEAD + "golden: g|-3\n---\nWas?", "golden_id of the row"),
        (HEAD + "partiturs: [{id: ai-query|-phase1}]\n---\nWas?", "- persons list: Canonical"),
        (HEAD + "partiturs: [{setting: settings/jung/f|rüh.yaml}]\n---\n", "- terms: ['pax']"),
        (HEAD + "partiturs: [{setting: settings/none|.yaml}]\n---\n", "Setting file"),
        (HEAD + "input: {register: pers|onen}\n---\n", "a register of the collection briefe"),
        ("zahl.tab:row|s.0.0", "zahl.tab:rows.0.0: 41"),
    ],
)
def test_what_the_project_has_is_described(opened: Project, marked: str, words: str) -> None:
    found = inspect(marked.replace("|", ""), marked.index("|"), opened)
    assert found is not None
    assert words in found["text/plain"]


def test_golden_rows_that_cannot_be_read_are_none(opened: Project) -> None:
    file = AgentMemory.of(opened).path
    before = file.read_bytes()
    try:
        file.write_bytes(b"no database")
        text = HEAD + "golden: "
        assert complete(text, len(text), Naming().of(opened)).matches == ()
    finally:
        file.write_bytes(before)
