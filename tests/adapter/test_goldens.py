"""Golden rows: read from agent_memory.duckdb, written as blocks, compared with them, proven by them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pytest
from collections_made import Letter, make_collection
from projects import ProjectFolder, read_block

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.adapter.checking import check_project
from famulus_kernel.adapter.goldens.memory import SUBTASKS, AgentMemory, GoldenRow
from famulus_kernel.adapter.goldens.proving import compare_blocks, promote
from famulus_kernel.adapter.goldens.writing import Written, write_blocks
from famulus_kernel.corpus.subtasks import ALIASES, names
from famulus_kernel.errors import DatabaseBusy, GoldenError, MissingFile, ProjectError, UnknownGolden
from famulus_kernel.language.preamble import Preamble
from famulus_kernel.project.project import Project

COUNT = {"golden_id": "golden-c782fab71c", "question": "Wie viele Partner?", "subtask": "correspondence-count"}


@pytest.fixture(scope="module")
def collections(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a root with a collection `haus` of two letters between two persons."""
    root = tmp_path_factory.mktemp("collections")
    letters = [Letter("L1", "w", "a", "1520-05-03"), Letter("L2", "a", "w", "1521-01-01")]
    persons = [("w", "Willibald Wirt", "person"), ("a", "Albrecht Maler", "person")]
    words = [("Pax", "pax", "NOUN"), ("anima", "anima", "NOUN")]
    sentences = [("d1", 0, 0, "la", words)]
    make_collection(root, "haus", letters=letters, persons=persons, status={"person": "w"}, sentences=sentences)
    return root


@pytest.fixture
def house(project: ProjectFolder, collections: Path) -> ProjectFolder:
    """Give a project that asks the collection `haus`."""
    project.write("famulus.yml", f"id: probe\ncollections_root: {collections}\n")
    return project


def memory_of(project: ProjectFolder, *rows: dict[str, Any]) -> AgentMemory:
    """Make the project's database and put rows into it, as somebody else would."""
    memory = AgentMemory.of(Project.open(project.root))
    with duckdb.connect(str(memory.path)) as connection:
        for row in rows:
            given = {"question": "Frage?", "collections": ["haus"], **row}
            answer = given.get("expected_answer")
            given["expected_answer"] = answer if isinstance(answer, str | None) else json.dumps(answer)
            marks = ", ".join("?" for _ in given)
            connection.execute(f"INSERT INTO golden_ground ({', '.join(given)}) VALUES ({marks})", [*given.values()])
    return memory


def write(project: ProjectFolder, memory: AgentMemory, name: str = "goldens.fam") -> Written:
    return write_blocks(Project.open(project.root), memory, project.root / name)


def written_preamble(project: ProjectFolder, memory: AgentMemory) -> Preamble:
    """Write the one row of a database as a block that `check` finds nothing wrong with, and return its preamble."""
    found = write(project, memory)
    assert found.problems == ()
    opened = Project.open(project.root)
    assert check_project(opened, opened.selection()) == []
    return opened.block(found.blocks[0][1]).preamble


def in_database(memory: AgentMemory, sql: str) -> list[Any]:
    with duckdb.connect(str(memory.path), read_only=True) as connection:
        return connection.execute(sql).fetchall()


def test_a_database_is_made_where_none_is_named_and_has_every_subtask_of_ours(project: ProjectFolder) -> None:
    memory = memory_of(project)
    assert memory.path == project.root / "_famulus" / "agent_memory.duckdb"
    assert [path.name for path in memory.path.parent.iterdir() if path.suffix == ".duckdb"] == [memory.path.name]
    assert memory.rows() == {}
    assert {name for name, *_ in SUBTASKS} == set(names())
    assert memory.aliases() == dict(ALIASES)


def test_a_block_may_call_a_subtask_as_the_database_does(project: ProjectFolder, tmp_path: Path) -> None:
    root = tmp_path / "collections"
    make_collection(root, "haus", letters=[Letter("L1", "w", "a", "1520-05-03")], persons=[("w", "Wirt", "person")])
    project.write("famulus.yml", f"id: probe\ncollections_root: {root}\nagent_memory: m.duckdb\n")
    project.database(
        "m.duckdb",
        """CREATE TABLE subtasks AS SELECT * FROM (VALUES ('briefpartner', 'zahl'), ('zahl', 'correspondence-count'),
        ('kreis', 'kreis')) AS t(subtask, alias_of)""",
    )
    body = "---\nid: {}\ncollections: [haus]\npersons: [w]\nsubtask: {}\noracle: {{n_letters: 1}}\n---\nWie viele?"
    project.blocks("a.fam", body.format("eins", "briefpartner"), body.format("zwei", "kreis"))
    opened = Project.open(project.root)
    assert [error.code for error in check_project(opened, opened.selection())] == ["subtask-unknown"]
    Adapter(opened).run(opened.block("eins"))
    assert project.verdict("eins")["status"] == "pass"


def test_a_database_that_famulus_yml_names_must_be_there(project: ProjectFolder) -> None:
    project.write("famulus.yml", "id: probe\nagent_memory: lernen/agent_memory.duckdb\n")
    with pytest.raises(MissingFile, match=r"lernen/agent_memory\.duckdb") as caught:
        AgentMemory.of(Project.open(project.root))
    assert caught.value.where.key == "agent_memory"
    assert not (project.root / "lernen").exists()


def test_rows_of_a_database_made_elsewhere_are_read_whatever_types_it_has(project: ProjectFolder) -> None:
    project.write("famulus.yml", "id: probe\nagent_memory: m.duckdb\n")
    project.database(
        "m.duckdb",
        """CREATE TABLE golden_ground AS SELECT 'g' AS golden_id, 'Q' AS question, '{"n": 3}' AS expected_answer,
        'attestation' AS expected_route, '["haus", "hof"]' AS collections, NULL AS subtask, 'candidate' AS status,
        TIMESTAMP '2026-09-22 10:00:00' AS created, 7 AS more""",
    )
    memory = AgentMemory.of(Project.open(project.root))
    row = memory.rows()["g"]
    assert (row.expected(), row.collections, row.route) == ({"n": 3}, ("haus", "hof"), "attestation")
    assert memory.aliases() == {}


@pytest.mark.parametrize(
    ("sql", "named"),
    [
        ("CREATE TABLE x (i INTEGER)", "golden_ground"),
        ("CREATE TABLE golden_ground (golden_id VARCHAR, question VARCHAR)", "expected_answer"),
    ],
)
def test_a_database_without_the_table_or_a_column_says_which(project: ProjectFolder, sql: str, named: str) -> None:
    project.write("famulus.yml", "id: probe\nagent_memory: m.duckdb\n")
    project.database("m.duckdb", sql)
    with pytest.raises(GoldenError, match=named):
        AgentMemory.of(Project.open(project.root)).rows()


def test_a_view_in_the_database_reaches_no_file_beside_it(project: ProjectFolder) -> None:
    project.write("famulus.yml", "id: probe\nagent_memory: m.duckdb\n")
    secret = project.write("geheim.csv", "golden_id,question\ng,geheim\n")
    columns = (
        "NULL AS expected_answer, '' AS expected_route, '' AS collections, '' AS subtask, '' AS status, 1 AS created"
    )
    project.database("m.duckdb", f"CREATE VIEW golden_ground AS SELECT *, {columns} FROM read_csv('{secret}')")
    with pytest.raises(Exception, match=r"geheim\.csv") as caught:
        AgentMemory.of(Project.open(project.root)).rows()
    assert type(caught.value).__name__ in {"ForbiddenPath", "QueryFailed"}


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("[75]", "no JSON object"),
        ("75", "no JSON object"),
        ('{"n": {"low": 3}}', "tolerance"),
        ('{"n": {"min": 9, "max": 3}}', "min not above max"),
        ('{"n": 1, "n": 2}', "twice"),
        ('{"n": NaN}', "NaN is no number"),
        ("viele", "not JSON"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_a_malformed_answer_names_its_row(answer: str, why: str) -> None:
    row = GoldenRow("golden-c782fab71c", "Frage?", answer, None, ("haus",), None, "candidate", None)
    with pytest.raises(GoldenError, match=f"golden-c782fab71c.*{why}"):
        row.expected()


def test_a_row_becomes_a_block_with_its_expectation_as_oracle(house: ProjectFolder) -> None:
    expected = {"n_correspondents": 75, "n_letters": {"min": 15}, "note": "Yes: 'so' #1", "status": "candidate",
                "answer_contains": "0o17", "share": {"value": 0.5, "tolerance": 1e-07}}  # fmt: skip
    memory = memory_of(house, {**COUNT, "expected_answer": expected})
    found = written_preamble(house, memory)
    assert (found.id, found.golden) == (COUNT["golden_id"], COUNT["golden_id"])
    assert (found.subtask, found.collections) == ("correspondence-count", ("haus",))
    assert found.oracle == expected
    assert "  n_correspondents: 75\n" in (house.root / "goldens.fam").read_text()


@pytest.mark.parametrize("column", ["expected_route", "subtask"])
def test_attestation_finds_one_lemma_and_seeks_several_together(house: ProjectFolder, column: str) -> None:
    rows: list[tuple[dict[str, Any], str, tuple[str, ...]]] = [
        ({"expected_answer": {"lemma": "pax", "n_sentences": 3}}, "terminology-find", ("pax",)),
        ({"expected_answer": {"terms": ["saphea", "horologium"]}}, "cooccurrence", ("saphea", "horologium")),
        ({"expected_answer": {"terms": {"all": ["pax", "anima"]}}}, "cooccurrence", ("pax", "anima")),
        ({"question": "Wo stehen «anima» und „vis“ beisammen?"}, "cooccurrence", ("anima", "vis")),
        ({"question": "Wo steht das Wort?"}, "terminology-find", ()),
    ]
    named = [{"golden_id": f"g{i}", column: "attestation", **row} for i, (row, _, _) in enumerate(rows)]
    assert write(house, memory_of(house, *named)).problems == ()
    opened = Project.open(house.root)
    assert check_project(opened, opened.selection()) == []
    for number, (_, subtask, lemmata) in enumerate(rows):
        found = opened.block(f"g{number}").preamble
        assert (found.subtask, found.lemmata, found.counting_mode) == (subtask, lemmata, "canonical")


def test_the_projects_own_counting_mode_is_left_to_it(house: ProjectFolder, collections: Path) -> None:
    house.write("famulus.yml", f"id: probe\ncollections_root: {collections}\ncounting_mode: family\n")
    row = {"golden_id": "g", "expected_route": "attestation", "expected_answer": {"lemma": "pax"}}
    assert written_preamble(house, memory_of(house, row)).counting_mode == "family"


def test_a_subtask_is_known_by_the_aliases_of_the_database_too(house: ProjectFolder) -> None:
    memory = memory_of(house, {**COUNT, "subtask": "briefpartner", "expected_answer": {"n_letters": 2}})
    with duckdb.connect(str(memory.path)) as connection:
        connection.execute("INSERT INTO subtasks VALUES ('briefpartner', '', '', 'correspondence-count')")
    assert written_preamble(house, memory).subtask == "correspondence-count"


@pytest.mark.parametrize(
    "old", ["", "Text ohne Ende", "Text\n", "# Titel\r\n\r\nText\r\n", "\ufeff---\ntitle: T\n---\n\n- a\n  - b\n\n"]
)
def test_what_stands_in_the_notebook_is_not_touched(house: ProjectFolder, old: str) -> None:
    memory = memory_of(house, {**COUNT, "expected_answer": {"n_letters": 2}}, {**COUNT, "golden_id": "g2"})
    file = house.root / "goldens.fam"
    file.write_bytes(old.encode())
    assert len(write(house, memory).blocks) == 2
    now = file.read_bytes().decode()
    assert now.startswith(old)
    assert now[len(old) :].replace("\r\n", "\n").lstrip("\n").startswith("```{famulus}\n---\nid: golden-c782fab71c\n")
    assert ("\r\n" in old) == ("\r\n" in now)
    opened = Project.open(house.root)
    assert list(opened.blocks) == ["golden-c782fab71c", "g2"]
    assert check_project(opened, opened.selection()) == []


@pytest.mark.parametrize("old", ["<!-- offen\n", "```\nCode\n", "---\ntitle: T\n"])
def test_nothing_is_added_where_the_notebook_would_swallow_it(house: ProjectFolder, old: str) -> None:
    memory = memory_of(house, {**COUNT, "expected_answer": {"n_letters": 2}})
    file = house.write("goldens.fam", old)
    with pytest.raises(ProjectError, match="open at its end"):
        write(house, memory)
    assert file.read_text() == old


def test_a_row_that_a_block_of_any_notebook_names_is_skipped(house: ProjectFolder) -> None:
    memory = memory_of(house, {**COUNT, "expected_answer": {"n_letters": 2}}, {**COUNT, "golden_id": "g2"})
    house.blocks("a.fam", read_block("eigener", "SELECT 2 AS n_letters", extra=f"golden: {COUNT['golden_id']}"))
    first = write(house, memory)
    assert (first.skipped, first.blocks) == (("golden-c782fab71c",), (("g2", "g2"),))
    before = (house.root / "goldens.fam").read_bytes()
    assert write(house, memory).blocks == ()
    assert (house.root / "goldens.fam").read_bytes() == before


def test_an_id_that_is_taken_or_none_is_mended(house: ProjectFolder) -> None:
    house.blocks("a.fam", read_block("G1", "SELECT 1 AS n"))
    memory = memory_of(
        house,
        {**COUNT, "golden_id": "g1", "created": "2026-01-01"},
        {**COUNT, "golden_id": "Frage: 7/b", "created": "2026-01-02"},
        {**COUNT, "golden_id": "123", "created": "2026-01-03"},
    )
    found = write(house, memory)
    assert found.blocks == (("g1", "g1-2"), ("Frage: 7/b", "golden-frage-7-b"), ("123", "123"))
    opened = Project.open(house.root)
    assert opened.block("golden-frage-7-b").preamble.golden == "Frage: 7/b"
    assert opened.block("123").preamble.golden == "123"


def test_a_question_cannot_break_out_of_its_block(house: ProjectFolder) -> None:
    question = "Was?\n```\n````{famulus}\n---\nid: fremd\n---\n````"
    found = write(house, memory_of(house, {**COUNT, "question": question}))
    opened = Project.open(house.root)
    assert list(opened.blocks) == [found.blocks[0][1]]
    assert opened.block("golden-c782fab71c").source.instruction == question


def test_a_row_that_makes_no_sound_block_is_told_and_the_others_are_written(house: ProjectFolder) -> None:
    memory = memory_of(
        house,
        {**COUNT, "expected_answer": {"n_letters": 2}},
        {**COUNT, "golden_id": "falsch", "subtask": "correspondence-cuont"},
        {"golden_id": "ohne-weg"},
        {**COUNT, "golden_id": "ohne-sammlung", "collections": []},
        {**COUNT, "golden_id": "kaputt", "expected_answer": "[1]"},
    )
    found = write(house, memory)
    assert [golden for golden, _ in found.blocks] == ["golden-c782fab71c"]
    told = {name: str(one) for one in found.problems for name in ("falsch", "ohne-weg", "ohne-sammlung", "kaputt")
            if f"{name}" in str(one)}  # fmt: skip
    assert len(told) == len(found.problems) == 4
    assert "correspondence-cuont" in told["falsch"]
    assert "collections" in told["ohne-sammlung"]


@pytest.mark.parametrize("name", ["../draussen.fam", "_ab/goldens.fam", "goldens.md"])
def test_only_a_notebook_of_the_project_is_written(house: ProjectFolder, name: str) -> None:
    memory = memory_of(house, {**COUNT, "expected_answer": {"n_letters": 2}})
    file = Path(str(house.root)) / name
    with pytest.raises(ProjectError, match="no notebook of the project"):
        write_blocks(Project.open(house.root), memory, file.resolve())
    assert not file.exists()


def test_comparing_shows_what_differs_and_nothing_else(house: ProjectFolder) -> None:
    expected = {"n": 75, "terms": ["a", "b"], "more": 1, "name": "e\u0301", "note": "so"}
    memory = memory_of(house, {**COUNT, "expected_answer": expected})
    oracle = "oracle: {n: 75.0, terms: [b, a], less: 2, name: \u00e9, more: true, note: anders}"
    house.blocks("a.fam", read_block("eins", "SELECT 1 AS n", extra=f"golden: {COUNT['golden_id']}\n{oracle}"))
    found = compare_blocks(Project.open(house.root), memory)
    assert {one.key: one.sides for one in found.differences} == {
        "more": {"row": 1, "oracle": True},
        "less": {"oracle": 2},
    }
    assert (found.compared, found.problems) == (1, ())


def test_a_golden_that_no_row_has_is_an_error_at_its_line_with_the_nearest(house: ProjectFolder) -> None:
    memory = memory_of(house, COUNT)
    house.blocks("a.fam", read_block("eins", "SELECT 1 AS n", extra="golden: golden-c782fab71d"))
    (problem,) = compare_blocks(Project.open(house.root), memory).problems
    assert isinstance(problem, UnknownGolden)
    assert "golden-c782fab71c" in problem.hint
    assert (problem.where.file, problem.where.line, problem.where.block) == ("a.fam", 12, "eins")


def proof(project: ProjectFolder, sql: str, oracle: str = "oracle: {n: 75}", golden: str = COUNT["golden_id"]) -> None:
    """Run a block that names a row."""
    project.blocks("a.fam", read_block("beweis", sql, extra=f"golden: {golden}\n{oracle}"))
    opened = Project.open(project.root)
    Adapter(opened).run(opened.block("beweis"))


def test_promoting_makes_the_row_golden_and_records_the_version(house: ProjectFolder) -> None:
    memory = memory_of(house, {**COUNT, "expected_answer": {"n": 75}}, {**COUNT, "golden_id": "anders"})
    proof(house, "SELECT 75 AS n", "oracle: {n: 75, n_rows: 1}")
    made = promote(Project.open(house.root), memory, COUNT["golden_id"])
    assert (made.block, made.version) == ("beweis", "v0001")
    assert {name: row.status for name, row in memory.rows().items()} == {
        COUNT["golden_id"]: "golden",
        "anders": "candidate",
    }
    assert in_database(memory, "SELECT golden_id, project, notebook, block, version FROM promotions") == [
        (COUNT["golden_id"], "probe", "a", "beweis", "v0001")
    ]


@pytest.mark.parametrize(
    ("sql", "oracle", "golden", "why"),
    [
        ("SELECT 74 AS n", "oracle: {n: 75}", COUNT["golden_id"], "v0001 is fail"),
        ("SELECT 75 AS m", "oracle: {n: 75}", COUNT["golden_id"], "v0001 is error"),
        ("SELECT 75 AS n", "", COUNT["golden_id"], "v0001 is unchecked"),
        ("SELECT 77 AS n", "oracle: {n: 77}", COUNT["golden_id"], "something else in n"),
        ("SELECT 77 AS n", "oracle: {n_rows: 1}", COUNT["golden_id"], "something else in n"),
        ("SELECT 75 AS n", "oracle: {n: 75}", "anders", "no block names it"),
    ],
)
def test_only_a_version_that_passed_against_the_row_promotes_it(
    house: ProjectFolder, sql: str, oracle: str, golden: str, why: str
) -> None:
    memory = memory_of(house, {**COUNT, "expected_answer": {"n": 75}})
    proof(house, sql, oracle, golden)
    before = memory.path.read_bytes()
    with pytest.raises(GoldenError, match=why):
        promote(Project.open(house.root), memory, COUNT["golden_id"])
    assert memory.path.read_bytes() == before


def test_the_newest_version_counts_and_not_an_older_one_that_passed(house: ProjectFolder) -> None:
    memory = memory_of(house, {**COUNT, "expected_answer": {"n": 75}})
    proof(house, "SELECT 75 AS n")
    proof(house, "SELECT 76 AS n")
    with pytest.raises(GoldenError, match="v0002 is fail"):
        promote(Project.open(house.root), memory, COUNT["golden_id"])


def test_a_version_from_before_the_block_named_the_row_proves_nothing(house: ProjectFolder) -> None:
    memory = memory_of(house, {**COUNT, "expected_answer": {"n": 75}})
    proof(house, "SELECT 75 AS n", golden="anders")
    body = read_block("beweis", "SELECT 75 AS n", extra=f"golden: {COUNT['golden_id']}\noracle: {{n: 75}}")
    house.blocks("a.fam", body)
    with pytest.raises(GoldenError, match="before the block named this row"):
        promote(Project.open(house.root), memory, COUNT["golden_id"])


def test_promoting_a_row_that_is_not_there_names_the_nearest(house: ProjectFolder) -> None:
    memory = memory_of(house, COUNT)
    with pytest.raises(UnknownGolden) as caught:
        promote(Project.open(house.root), memory, "golden-c782fab71")
    assert COUNT["golden_id"] in caught.value.hint


def test_a_database_that_another_process_writes_is_busy(house: ProjectFolder) -> None:
    memory = memory_of(house, COUNT)
    holding = f"import duckdb; c = duckdb.connect({str(memory.path)!r}); print('open', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", holding], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(DatabaseBusy, match=str(other.pid)):
            memory.rows()
        other.communicate("\n")
    assert list(memory.rows()) == [COUNT["golden_id"]]


@pytest.mark.parametrize(("status", "verdict"), [("gap", "gap"), ("candidate", "error")])
def test_a_run_that_reports_the_gap_of_its_row_is_a_gap(house: ProjectFolder, status: str, verdict: str) -> None:
    memory_of(house, {**COUNT, "status": status})
    house.blocks("a.fam", f"---\nid: luecke\nziel: entfalten\ngolden: {COUNT['golden_id']}\n---\nWer?")
    opened = Project.open(house.root)
    version = Adapter(opened).run(opened.block("luecke"))
    assert (version.manifest.status, version.manifest.checked) == (verdict, False)
    error = version.verdict().observed["error"]
    assert error["code"] == "not-available"


def test_an_error_that_is_no_gap_stays_one_whatever_the_row_says(house: ProjectFolder) -> None:
    memory_of(house, {**COUNT, "status": "gap"})
    proof(house, "SELECT 1 AS n WHERE false", oracle="")
    assert house.verdict("beweis")["status"] == "error"


def test_a_run_makes_no_database(house: ProjectFolder) -> None:
    house.blocks("a.fam", f"---\nid: luecke\nziel: entfalten\ngolden: {COUNT['golden_id']}\n---\nWer?")
    opened = Project.open(house.root)
    assert Adapter(opened).run(opened.block("luecke")).manifest.status == "error"
    assert not (house.root / "_famulus" / "agent_memory.duckdb").exists()
