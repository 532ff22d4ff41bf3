"""famulus-notebook collection: once through a real process, else in this one, for a process takes long to begin."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result
from importing import A, B, cmif, letter, person
from projects import ProjectFolder
from typer.testing import CliRunner

from famulus_kernel.cli.app import app
from famulus_kernel.errors import CollectionError, MissingFile

TEXT = "# newdoc id = v1:1\n1\tPax\tpax\tNOUN\t_\t_\t_\t_\t_\t_\n\n"
OTHERS = "CREATE TABLE letters_resolved AS SELECT 1 AS letter_id, 'a' AS von, 'b' AS recipient_id"

Collect = Callable[..., Result]


@pytest.fixture
def collect(project: ProjectFolder, monkeypatch: pytest.MonkeyPatch) -> Collect:
    """Give what runs `famulus-notebook collection …` in the project's folder."""
    monkeypatch.chdir(project.root)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.delenv("PDAI_COLLECTIONS", raising=False)

    def run(*words: str) -> Result:
        return CliRunner().invoke(app, ["collection", *words], catch_exceptions=True)

    return run


def data(result: Result) -> Any:
    return json.loads(result.stdout)


def test_a_register_is_imported_checked_and_shown_with_three_commands(project: ProjectFolder, collect: Collect) -> None:
    project.write("famulus.yml", "id: probe\ncollections_root: collections\n")
    project.write("briefe.xml", cmif(letter("1", A, B), letter("2", B, person("Unbekannt"))))
    ran = project.cli("collection", "import", "cmif", "briefe.xml", "--into", "collections/briefe")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "2 letters read, 2 kept, 0 there already, 0 unreadable",
        "2 letters, 2 persons, 1 unnamed",
        "collections/briefe",
    ]
    assert collect("check", "briefe").stdout == "briefe: sound\n"
    shown = collect("show", "briefe").stdout
    assert "2 letters, 0 undated, 2 persons, 1 unnamed" in shown
    assert "Anna (gnd:118541013): 1 sent, 0 received" in shown
    assert "licence: https://creativecommons.org/licenses/by/4.0/" in shown
    assert data(collect("show", "collections/briefe", "--json"))["years"] == {"1522": 2}


def test_lost_letters_are_printed_with_their_lines_and_the_exit_status_says_so(
    project: ProjectFolder, collect: Collect
) -> None:
    project.write("briefe.xml", cmif(letter("1", A, B), letter("2", A, "&")))
    ran = collect("import", "cmif", "briefe.xml", "--into", "c")
    assert ran.exit_code == 1
    assert "2 letters read, 1 kept, 0 there already, 1 unreadable" in ran.stdout
    assert "  briefe.xml:11: not well-formed (invalid token) (line 13)\n" in ran.stdout
    assert collect("show", "c").stdout.endswith("gap: 1 letters could not be read (import_letters.json)\n")


def test_names_cannot_steer_the_terminal(project: ProjectFolder, collect: Collect) -> None:
    name = "A\u009b31mB"
    project.write("briefe.csv", f"sender,addressee,date\n{name},{name},1541\n")
    printed = collect("import", "edtf-csv", "briefe.csv", "--into", "c").stdout + collect("show", "c").stdout
    assert "31mB" in printed
    assert "\u009b" not in printed


def test_many_oddities_are_cut_on_the_screen_and_whole_in_json(project: ProjectFolder, collect: Collect) -> None:
    project.write("briefe.xml", cmif(*(letter(str(at), A, A) for at in range(15))))
    words = ("import", "cmif", "briefe.xml", "--into", "c")
    printed = collect(*words).stdout
    assert "letters whose sender is their recipient: 15\n" in printed
    assert "  and 5 more\n" in printed
    assert len(data(collect(*words, "--json"))["odd"]["self"]["notes"]) == 15


def test_tables_and_texts_are_imported_too(project: ProjectFolder, collect: Collect) -> None:
    project.write("briefe.csv", "sender,addressee,date\nAnna,Bert,1541\n")
    project.write("text.conllu", TEXT)
    assert collect("import", "edtf-csv", "briefe.csv", "--into", "c").exit_code == 0
    assert collect("import", "conllu", "text.conllu", "--into", "c", "--lang", "la").exit_code == 0
    project.write("hss.csv", "title,signature,date,pages\nBriefe,Cod. 1,1520,12\n")
    assert collect("import", "manuscripts-csv", "hss.csv", "--into", "c").exit_code == 0
    shown = collect("show", "c").stdout
    assert "\n1 manuscripts, 0 undated, 12 pages\n" in shown
    assert "1 documents, 1 pages, 1 sentences, 1 words, 1 lemmata\nlanguages: la 1\n" in shown


def test_an_unsound_collection_is_told_and_ends_with_one(project: ProjectFolder, collect: Collect) -> None:
    project.database("c/c.duckdb", OTHERS)
    ran = collect("check", "c")
    assert ran.exit_code == 1
    assert "has no column sender_id" in ran.stdout
    assert "ent_canonical: the table is missing" in ran.stdout


def test_the_columns_of_a_project_are_mapped(project: ProjectFolder, collect: Collect) -> None:
    project.write("famulus.yml", "id: probe\nschema: {letters_resolved: {sender_id: von}}\n")
    project.database("c/c.duckdb", OTHERS)
    assert data(collect("show", "c", "--json"))["letters"] == {"n_letters": 1, "n_undated": 1}


def test_outside_a_project_a_folder_is_enough(project: ProjectFolder, collect: Collect) -> None:
    (project.root / "famulus.yml").unlink()
    project.write("text.conllu", TEXT)
    assert collect("import", "conllu", "text.conllu", "--into", "c").exit_code == 0
    assert collect("check", "./c").exit_code == 0


def test_errors_name_the_thing(project: ProjectFolder, collect: Collect, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PDAI_COLLECTIONS", str(project.root))
    shown = collect("show", "nothere").exception
    assert isinstance(shown, CollectionError)
    assert "there is no collection nothere" in str(shown)
    imported = collect("import", "cmif", "nothere.xml", "--into", "c").exception
    assert isinstance(imported, MissingFile)
    assert not (project.root / "c").exists()
