"""What a cell shows: expressions, bundles of every size, words about names, progress."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from desk import build
from projects import ProjectFolder, read_block

from famulus_kernel.adapter.bundle import MIME, MOST_CHARACTERS, bundle_of, latex_of
from famulus_kernel.adapter.runner import Runner
from famulus_kernel.adapter.showing import Shown, shown
from famulus_kernel.corpus.progress import Progress
from famulus_kernel.errors import BadReference, FamulusError, UnresolvedReference
from famulus_kernel.kernel.desk import Desk
from famulus_kernel.kernel.expressions import Value, at_path, evaluate
from famulus_kernel.kernel.frontend import Frontend
from famulus_kernel.kernel.inspection import about_name, inspect
from famulus_kernel.kernel.naming import Naming
from famulus_kernel.kernel.progress import ProgressDisplay
from famulus_kernel.project.project import Project

if TYPE_CHECKING:
    from pathlib import Path

TEXT_STEP = """---
id: {block}
partiturs:
  - id: artifact:markdown
    input: {{content: {content}}}
    artefact: text
artefacts:
  - {{name: text, kind: markdown}}
---
Was?
"""


def played(project: ProjectFolder, *bodies: str, lang: str = "en") -> Project:
    project.write("_quarto.yml", f"lang: {lang}\n")
    project.blocks("a.fam", *bodies)
    opened = Project.open(project.root)
    outcomes = list(Runner(opened).run(list(opened.blocks)))
    assert [one.status for one in outcomes if one.is_error] == []
    return opened


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """Give a project with one block that was played."""
    folder = ProjectFolder(tmp_path_factory.mktemp("showing"))
    folder.write("famulus.yml", "id: probe\n")
    return played(folder, read_block("zahl", "SELECT 1 AS x"))


def test_a_value_is_one_of_the_data_in_the_words_of_the_document(project: ProjectFolder) -> None:
    opened = played(project, read_block("zahl", "SELECT 12345.5 AS x", extra="oracle: {n_rows: 1}"), lang="de")
    value = evaluate(opened, " zahl.tab:rows.0.0 ")
    assert isinstance(value, Value)
    assert value.text == "12.345,5"
    assert evaluate(opened, "zahl.tab@v1:n_rows").bundle() == {"text/plain": "1", "text/markdown": "1"}  # type: ignore[union-attr]
    assert isinstance(evaluate(opened, "zahl"), Shown)
    assert evaluate(opened, "zahl:counts.n_rows").text == "1"  # type: ignore[union-attr]
    assert evaluate(opened, "zahl.report:counts.n_rows").text == "1"  # type: ignore[union-attr]


def test_a_value_of_a_block_that_failed_is_not_seen_without_its_verdict(project: ProjectFolder) -> None:
    opened = played(project, read_block("zahl", "SELECT 1 AS x", extra="oracle: {x: 2}\noutput: artefacts"))
    bundle = evaluate(opened, "zahl.tab:rows.0.0").bundle()  # type: ignore[union-attr]
    assert bundle["text/plain"] == "1"
    assert "✗" in bundle["text/markdown"]


def test_a_value_of_another_project_is_told_by_its_name(project: ProjectFolder, tmp_path: Path) -> None:
    other = ProjectFolder(tmp_path / "other")
    other.write("famulus.yml", "id: other\n")
    played(other, read_block("base", "SELECT 8 AS n"))
    project.write("famulus.yml", "id: probe\nuses: {other: ../other}\n")
    opened = played(project, read_block("zahl", "SELECT 1 AS x"))
    assert evaluate(opened, "fam:other/a/base.tab:rows.0.0").text == "8"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("written", "error", "words"),
    [
        ("zahl.tab:rows", UnresolvedReference, "list or a group"),
        ("zahl.tab:rows.9", UnresolvedReference, "no value 9"),
        ("zahl.tab:rows.-1", UnresolvedReference, "no value -1"),
        ("zahl.tab:nix", UnresolvedReference, "no value nix"),
        ("zahl.nix", UnresolvedReference, "holds no artefact nix"),
        ("zahl.tab@v9", UnresolvedReference, "no such version"),
        ("nobody:x", FamulusError, "no block"),
        ("fam:a/b", BadReference, "is not"),
        ("a b", FamulusError, "no block"),
        ("", BadReference, "is not"),
    ],
)
def test_what_there_is_not_is_told_with_what_there_is(
    opened: Project, written: str, error: type[FamulusError], words: str
) -> None:
    with pytest.raises(error, match=words):
        evaluate(opened, written)


def test_a_path_leads_through_mappings_and_lists() -> None:
    data = {"a": [{"b": None}, {"b": False}], "": 3}
    assert at_path(data, "a.1.b", "x") is False
    assert at_path(data, "", "x") == 3
    with pytest.raises(UnresolvedReference):
        at_path(data, "a.0.b.c", "x")


def sizes(bundle: dict[str, Any]) -> dict[str, int]:
    return {kind: len(part if isinstance(part, str) else json.dumps(part)) for kind, part in bundle.items()}


def test_a_wide_table_is_shown_with_fewer_rows(project: ProjectFolder) -> None:
    sql = "SELECT repeat('ä <&> ', 3000) AS text, i FROM range(100) t(i)"
    opened = played(project, read_block("wide", sql))
    bundle = bundle_of(shown(opened, "wide"), project.root)
    assert max(sizes(bundle).values()) < 300_000
    view = bundle[MIME]["artefacts"][0]["view"]["parts"][0]
    assert view["total"] == 100
    assert 0 < len(view["rows"]) < 100
    assert "of 100 rows" in bundle["text/html"]


def test_a_question_of_a_megabyte_is_cut_in_the_card(project: ProjectFolder) -> None:
    opened = played(project, read_block("long", "SELECT 1 AS x", instruction="Wie viele? " + "ä <&> " * 160_000))
    found = shown(opened, "long")
    bundle = bundle_of(found, project.root)
    assert max(sizes(bundle).values()) < 400_000
    assert len(latex_of(found, project.root)) < 400_000
    assert bundle[MIME]["card"]["question"].endswith("…")


def test_an_artefact_that_fits_nowhere_is_linked_to(project: ProjectFolder) -> None:
    content = "'" + "**fett** und <b> " * 5900 + "'"
    opened = played(project, *(TEXT_STEP.format(block=f"text{n}", content=content) for n in range(1)))
    found = shown(opened, "text0")
    many = Shown(found.version, found.card, found.envelopes * 4, found.lang, found.marks)
    bundle = bundle_of(many, project.root)
    assert max(sizes(bundle).values()) < 2 * MOST_CHARACTERS
    link = "_famulus/store/a/text0/v0001/artefacts/text.json"
    assert f'href="{link}"' in bundle["text/html"]
    assert f"(<{link}>)" in bundle["text/markdown"]
    assert "artefacts/text.json" in bundle["text/plain"]
    assert bundle[MIME]["artefacts"][0]["view"]["parts"] == []


FIGURE = """---
id: {block}
partiturs:
  - id: artifact:figure
    input: {{path: {file}, alt: Ein Bild}}
    artefact: bild
artefacts:
  - {{name: bild, kind: figure}}
---
Was ist zu sehen?
"""
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c63606060f80f0001040100b1e5d4c40000000049454e44ae426082"
)


def test_a_small_image_is_in_the_page_and_a_large_one_is_linked_to(project: ProjectFolder) -> None:
    (project.root / "small.png").write_bytes(PNG)
    (project.root / "large.png").write_bytes(PNG + bytes(400_000))
    opened = played(project, *(FIGURE.format(block=name, file=f"{name}.png") for name in ("small", "large")))
    small = bundle_of(shown(opened, "small"), project.root)
    large = bundle_of(shown(opened, "large"), project.root / "sub")
    assert 'src="data:image/png;base64,' in small["text/html"]
    assert 'src="../_famulus/store/a/large/v0001/artefacts/bild.png"' in large["text/html"]
    assert "](<_famulus/store/a/small/v0001/artefacts/bild.png>)" in small["text/markdown"]


def test_words_about_a_name_say_its_version_and_verdict_or_its_meaning(project: ProjectFolder) -> None:
    opened = played(project, read_block("zahl", "SELECT 1 AS x", extra="oracle: {x: 1}"))
    project.blocks("b.fam", read_block("spaeter", "SELECT 2 AS y", instruction="Und dann?"))
    opened = Project.open(project.root)
    assert "v0001" in about_name(opened, "zahl")["text/plain"]
    assert "passed" in about_name(opened, "zahl.tab")["text/plain"]
    assert "- x INTEGER" in about_name(opened, "zahl.tab")["text/plain"]
    assert "no version yet" in about_name(opened, "spaeter")["text/plain"]
    assert "Und dann?" in about_name(opened, "spaeter")["text/plain"]
    assert "First year" in about_name(opened, "years.from")["text/markdown"]
    with pytest.raises(UnresolvedReference, match="neither"):
        about_name(opened, "nobody")


@pytest.mark.parametrize(
    ("marked", "words"),
    [
        ("---\nid: x\nev|idence: both\n---\n", "Primary collections"),
        ("---\nid: x\nyears: {fr|om: 1}\n---\n", "First year"),
        ("---\nid: x\npartiturs:\n  - inp|ut: {}\n---\n", "Arguments"),
        ("---\nid: x\nevidence: bo|th\n---\n", "One of"),
        ("---\nid: x\nduckdb: [{alias: a, ref: zahl.t|ab}]\n---\n", "1 row\n"),
        ("---\nid: x\n---\nSiehe {{ref:zahl.t|ab}}.", "1 row\n"),
        ("zahl|", "unchecked"),
        ("limits|", "What a run may spend"),
        ("---\nid: x\noracle: {n: 1|}\n---\n", "The expected answer"),
        ("---\nid: x\noracle: {n|: 1}\n---\n", "The expected answer"),
        ("---\nid: x\n---\nei|n Wort", None),
        ("", None),
    ],
)
def test_the_word_under_the_cursor_is_explained(opened: Project, marked: str, words: str | None) -> None:
    cursor = max(0, marked.find("|"))
    found = inspect(marked.replace("|", ""), cursor, opened)
    if words is None:
        assert found is None
    else:
        assert found is not None
        assert words in found["text/plain"]


def test_without_a_project_the_language_is_known(project: ProjectFolder) -> None:
    assert inspect("---\nid: x\nyears:", 12, None) is not None
    assert "correspondence-roster" in Naming().of(None).subtasks


def test_collections_of_this_machine_are_offered(project: ProjectFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    (project.root / "corpora" / "zotero").mkdir(parents=True)
    monkeypatch.setenv("PDAI_COLLECTIONS", str(project.root / "corpora"))
    assert Naming().of(Project.open(project.root)).collections == ("zotero",)


@pytest.fixture
def said() -> list[tuple[str, dict[str, Any]]]:
    return []


@pytest.fixture
def frontend(said: list[tuple[str, dict[str, Any]]]) -> Frontend:
    return Frontend(lambda kind, content: said.append((kind, content)), count=4)


def test_progress_is_shown_in_one_place_and_not_too_often(
    frontend: Frontend, said: list[tuple[str, dict[str, Any]]]
) -> None:
    progress = ProgressDisplay(frontend)
    progress.begin("<zahl>")
    for tenth in range(5):
        progress.advance(Progress(tenth / 10, 0, 1.0 + tenth / 10, 64_000))
    assert [kind for kind, _ in said] == ["display_data"]
    assert said[0][1]["data"]["text/plain"] == "<zahl>: 0% · about 0 of 64,000 rows · 1 s"
    assert "<zahl>" not in said[0][1]["data"]["text/html"]
    progress.finish({"text/plain": "10"})
    assert [kind for kind, _ in said[1:]] == ["clear_output", "display_data"]
    assert said[1][1] == {"wait": True}
    assert said[2][1]["data"] == {"text/plain": "10"}


def test_progress_speaks_the_language_of_the_document(
    frontend: Frontend, said: list[tuple[str, dict[str, Any]]]
) -> None:
    progress = ProgressDisplay(frontend, "de")
    progress.begin("zahl")
    progress.advance(Progress(0.5, 0, 1.0, 64_000))
    progress.stop()
    assert [content["data"]["text/plain"] for _, content in said] == [
        "zahl: 50\u00a0% · etwa 32.000 von 64.000 Zeilen · 1 s",
        "zahl: angehalten",
    ]


def test_progress_goes_where_there_is_nothing_to_be_seen_in_the_end(
    frontend: Frontend, said: list[tuple[str, dict[str, Any]]]
) -> None:
    progress = ProgressDisplay(frontend)
    progress.advance(Progress(0.5, 0, 1.0))
    progress.finish({})
    assert [kind for kind, _ in said] == ["display_data", "clear_output"]
    assert said[1][1] == {"wait": False}


def test_quick_work_shows_its_result_alone(frontend: Frontend, said: list[tuple[str, dict[str, Any]]]) -> None:
    progress = ProgressDisplay(frontend)
    progress.begin("zahl")
    progress.stop()
    progress.finish({"text/plain": "10"})
    assert [kind for kind, _ in said] == ["display_data"]
    assert frontend.said == "10"


def test_a_silent_cell_says_nothing_but_keeps_its_page(said: list[tuple[str, dict[str, Any]]]) -> None:
    frontend = Frontend(lambda kind, content: said.append((kind, content)), silent=True)
    frontend.write("x")
    frontend.clear()
    frontend.result({"text/plain": "1"})
    frontend.page({"text/plain": "help"})
    assert said == []
    assert frontend.payload == [{"source": "page", "data": {"text/plain": "help"}, "start": 0}]


def test_commands_print_what_the_terminal_prints(
    project: ProjectFolder, frontend: Frontend, said: list[tuple[str, dict[str, Any]]]
) -> None:
    played(project, read_block("zahl", "SELECT 12 AS x"))
    project.blocks("b.fam", read_block("spaeter", "SELECT 2 AS y"))
    desk = Desk({}, project.root)
    desk.turn_to()
    for command in ("%status", "%status zahl", "%print zahl zahl.tab:n_rows", "%clear"):
        desk.answer(command, frontend)
    texts = [content["text"] for kind, content in said if kind == "stream"]
    assert [text.split()[:2] for text in texts[:3]] == [["fresh", "zahl"], ["missing", "spaeter"], ["fresh", "zahl"]]
    assert "12" in "".join(texts[3:-1])
    assert texts[-1] == "1\n"
    assert said[-1] == ("clear_output", {"wait": False})


QUERY = """---
id: q
duckdb: [{alias: d, path: d.duckdb}]
partiturs:
  - id: duckdb-read
    input:
      sql: |
        SELECT l.sender, n
        FROM d.letters l
---
Wer?"""


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("d.letters", "d.letters: 2 columns\n\n- sender VARCHAR\n- n BIGINT"),
        ("l.sender", "sender: VARCHAR, a column of d.letters"),
        ("n\n        FROM", "n: BIGINT, a column of d.letters"),
    ],
)
def test_a_name_in_a_query_is_described_by_the_data_it_means(project: ProjectFolder, word: str, says: str) -> None:
    build(project.root / "d.duckdb", "CREATE TABLE letters (sender VARCHAR, n BIGINT)")
    found = inspect(QUERY, QUERY.index(word) + 1, Project.open(project.root))
    assert found is not None
    assert found["text/plain"] == says


@pytest.mark.parametrize(
    ("environ", "kinds"),
    [({}, ["display_data"]), ({"QUARTO_DOCUMENT_PATH": "/x"}, []), ({"QUARTO_BIN_PATH": "/q"}, [])],
)
def test_a_block_that_a_page_does_not_show_has_its_card_in_a_notebook(
    project: ProjectFolder, environ: dict[str, str], kinds: list[str]
) -> None:
    project.write("famulus.yml", "id: probe\n")
    sent: list[tuple[str, dict[str, Any]]] = []
    frontend = Frontend(lambda kind, content: sent.append((kind, content)))
    Desk(environ, project.root).answer(read_block("still", "SELECT 1 AS x", extra="output: none"), frontend)
    assert [kind for kind, _ in sent] == kinds
    assert all(content["data"][MIME]["card"]["block"] == "still" for _, content in sent)
