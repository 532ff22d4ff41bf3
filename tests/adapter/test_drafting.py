"""From a question to a block: what is read from its words, what is guessed, and what is refused."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from collections_made import Letter, make_collection
from hypothesis import given
from hypothesis import strategies as st
from projects import ProjectFolder, read_block

from famulus_kernel.adapter.adapter import Adapter
from famulus_kernel.adapter.drafting.counts import asked_count
from famulus_kernel.adapter.drafting.directions import spoken_direction
from famulus_kernel.adapter.drafting.draft import Draft, draft
from famulus_kernel.adapter.drafting.heard import heard
from famulus_kernel.adapter.drafting.persons import KnownName, spoken_persons
from famulus_kernel.adapter.drafting.years import spoken_years
from famulus_kernel.cards.registry import load
from famulus_kernel.errors import DraftError, FamulusError, ProjectError
from famulus_kernel.language.yaml import load_strict
from famulus_kernel.project.project import Project
from famulus_kernel.resources import registry_dir


@pytest.mark.parametrize(
    ("question", "first", "last"),
    [
        ("zwischen 1520 und 1530", 1520, 1530),
        ("between 1530 and 1520", 1520, 1530),
        ("von 1520 bis 1530", 1520, 1530),
        ("1520-30", 1520, 1530),
        ("1520\u20131530", 1520, 1530),
        ("in den 1520er Jahren", 1520, 1529),
        ("the 1520s", 1520, 1529),
        ("in den 1520ern", 1520, 1529),
        ("in the 1520's", 1520, 1529),
        ("1510er bis 1520er", 1510, 1529),
        ("im 16. Jahrhundert", 1501, 1600),
        ("15th and 16th centuries", 1401, 1600),
        ("im 16. Jh.", 1501, 1600),
        ("vor 1510", None, 1509),
        ("until 1510", None, 1510),
        ("nach 1510", 1511, None),
        ("since 1510", 1510, None),
        ("ab dem Jahr 1510", 1510, None),
        ("im Jahr 996", 996, 996),
        ("briefe 1525?", 1525, 1525),
        ("44 v. Chr.", -43, -43),
        ("44 BC", -43, -43),
        ("1. Jh. v. Chr.", -99, 0),
    ],
)
def test_years_are_read_in_both_languages(question: str, first: int | None, last: int | None) -> None:
    found = spoken_years(f"Wie viele Briefe {question}")
    assert found is not None
    assert (found.first, found.last, found.is_guess) == (first, last, False)


def test_years_that_are_listed_become_a_span_as_a_guess() -> None:
    found = spoken_years("Briefe von 1520, 1525 oder 1522")
    assert found is not None
    assert (found.first, found.last, found.is_guess) == (1520, 1525, True)


@pytest.mark.parametrize("question", ["Seite 12", "WPBw 101", "1.520 Briefe", "Brief 15200", "a1520b", ""])
def test_a_number_that_is_no_year_is_none(question: str) -> None:
    assert spoken_years(question) is None


def test_quotations_marked_words_and_languages_are_heard() -> None:
    found = heard('Belege für „amicitia“ und "virtus" in lateinischen Texten,  in der Sekundärliteratur')
    assert found.quotations == ("amicitia", "virtus")
    assert found.languages == ("la",)
    assert found.evidence == "secondary"
    assert heard("das Lemma ars und natura").marked == ("ars", "natura")
    assert heard("die Begriffe der Natur, Kunst").marked == ("Natur", "Kunst")
    assert heard("the terms fortuna and virtus").marked == ("fortuna", "virtus")
    assert heard("mit Wortfamilie").counting_mode == "family"
    assert heard("suche 'vale', Großschreibung egal").ignore_case


@given(st.text(max_size=200))
def test_any_question_can_be_heard(question: str) -> None:
    found = heard(question)
    spoken_years(found.bare)
    spoken_persons(found.bare, NAMES, None, dict.fromkeys)


CARDS = load(registry_dir())

NAMES = [
    KnownName("d1", "Albrecht Dürer", "Albrecht Dürer"),
    KnownName("d1", "Albrecht Dürer", "Durerus"),
    KnownName("d2", "Agnes Dürer", "Agnes Dürer"),
    KnownName("p1", "Willibald Pirckheimer", "Willibald Pirckheimer"),
    KnownName("p2", "Caritas Pirckheimer", "Caritas Pirckheimer"),
    KnownName("v1", "Ulrich Varnbüler", "Vlrich Varnbüler"),
    KnownName("h1", "Ulrich von Hutten", "Ulrich von Hutten"),
    KnownName("m1", "Maximilian I, Emperor", "Maximilian I, Emperor"),
]


@pytest.mark.parametrize(
    ("question", "persons"),
    [
        ("Briefe an Agnes Dürer", ["Agnes Dürer"]),
        ("Briefe Albrecht Dürers", ["Albrecht Dürer"]),
        ("duerers briefe", ["Albrecht Dürer"]),
        ("letters of durerus", ["Albrecht Dürer"]),
        ("Pirckheimer und Ulrich von Hutten", ["Willibald Pirckheimer", "Ulrich von Hutten"]),
        ("an Vlrich Uarnbüler", ["Ulrich Varnbüler"]),
        ("Huttens Briefe", ["Ulrich von Hutten"]),
        ("Maximilian I schrieb", ["Maximilian I, Emperor"]),
        ("die Ulriche", []),
        ("Wie viele Briefe", []),
        ("Dürer und Dürers Frau", ["Albrecht Dürer"]),
    ],
)
def test_persons_are_found_by_any_name_with_a_genitive_too(question: str, persons: list[str]) -> None:
    found = spoken_persons(question, NAMES, "p1", lambda asked: {one: {"d1": 5}.get(one, 0) for one in asked})
    assert [one.canonical for one in found] == persons


@pytest.mark.parametrize(
    ("question", "direction"),
    [
        ("Wie viele Briefe schrieb Pirckheimer zwischen 1520 und 1530?", "sent"),
        ("how many letters did he write", "sent"),
        ("wieviele briefe hat er zwischen 1520 und 1530 bekommen", "received"),
        ("zahl der empfangenen briefe im jahr 1522", "received"),
        ("Wie viele Briefe schrieb Dürer an Pirckheimer?", "received"),
        ("Wie viele Briefe bekam Dürer von Pirckheimer?", "sent"),
        ("wie viele briefe gingen an Hutten", "received"),
        ("Briefe von Pirckheimer an seinen Freund Dürer", "sent"),
        ("letters from Hutten", "sent"),
        ("wer schrieb an Pirckheimer", "received"),
        ("Wer hat Pirckheimer geschrieben?", "received"),
        ("who wrote to Pirckheimer", "received"),
        ("An wen schrieb Pirckheimer?", "sent"),
        ("who did Pirckheimer write to", "sent"),
        ("wer waren die Leute, denen er schrieb", "sent"),
        ("wie oft schrieb ihm Dürer", "sent"),
        ("hat er mehr briefe geschrieben oder mehr bekommen", None),
        ("letters sent vs received, totals", None),
        ("how many letters did Dürer and Pirckheimer exchange", None),
        ("Wie viele Briefe schrieben Dürer und Pirckheimer?", None),
        ("sag mir wie viel sie einander geschrieben haben", None),
        ("zaehl mal die briefe von und an Hutten", None),
        ("wie umfangreich ist die korrespondenz mit Hutten", None),
        ("die Briefpartner von Pirckheimer", None),
        ("Wie viele Schreiben gibt es?", None),
        ("Wie viele Briefe Pirckheimers sind erhalten?", None),
        ("Wie viele Briefe hat Pirckheimer von 1520 bis 1530 erhalten?", "received"),
        ("Wie viele Briefe wurden 1522 geschrieben?", None),
        ("Wie viele Briefe wurden Pirckheimer geschickt?", None),
        ("how many letters were sent by Hutten", "sent"),
        ("who were the people he wrote to", "sent"),
    ],
)
def test_which_way_the_letters_went_is_heard(question: str, direction: str | None) -> None:
    spoken = spoken_persons(question, NAMES, "p1", lambda asked: {one: {"d1": 5}.get(one, 0) for one in asked})
    spoken = tuple(sorted(spoken, key=lambda one: one.canonical != "Willibald Pirckheimer"))
    assert spoken_direction(question, spoken, spoken[0].canonical if spoken else None) == direction


@pytest.mark.parametrize(
    ("question", "card", "name"),
    [
        ("Wie viele Briefpartner hatte er?", "correspondence-count", "n_correspondents"),
        ("wie viele briefe schrieb er", "correspondence-count", "n_letters"),
        ("how many letters did they exchange", "correspondence-count", "n_letters"),
        ("in how many sentences is virtus", "terminology-find", "n_sentences"),
        ("wo kommt virtus vor", "terminology-find", "n_occurrences"),
    ],
)
def test_the_number_that_is_asked_for_is_known(question: str, card: str, name: str) -> None:
    assert asked_count(CARDS.card(card), question) == name


def test_who_else_may_be_meant_is_kept() -> None:
    (found,) = spoken_persons("Briefe an Dürer", NAMES, "p1", lambda asked: {"d1": 5})
    assert found.others == ("Agnes Dürer",)
    assert found.is_addressee


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> ProjectFolder:
    folder = ProjectFolder(tmp_path_factory.mktemp("drafting"))
    folder.write("famulus.yml", "id: probe\ncollections_root: data\n")
    make_collection(
        folder.root / "data",
        "briefe",
        letters=[Letter("1", "p1", "d1", "1520-01-01", doc="b-1"), Letter("2", "d1", "p1", "1521-01-01", doc="b-2")],
        persons=[("p1", "Willibald Pirckheimer", "person"), ("d1", "Albrecht Dürer", "person")],
        variants=[("d1", "Durerus")],
        pages=[("1", "b-1", 0), ("2", "b-2", 0)],
        sentences=[("b-1", 0, 0, "la", [("Durero", "Durerus", "PROPN"), ("amicitiam", "amicitia", "NOUN")])],
        mentions=[("b-1", 0, 0, "d1", "Durero")],
        manuscripts=[("b-1", "Codex", "1480", 12, "Cod. 1")],
        sql="CREATE TABLE orte AS SELECT 'Venedig' AS name; CREATE TABLE personen AS SELECT 'A' AS name",
        status={"person": "p1", "registers": ["orte", "personen"]},
    )
    make_collection(
        folder.root / "data",
        "werke",
        sentences=[("w", 0, 0, "la", [("ars", "ars", "NOUN"), ("et", "et", "CCONJ"), ("natura", "Natura", "NOUN")])],
    )
    folder.database()
    folder.blocks("a.fam", read_block("liste", "SELECT 'a' AS name, 1 AS n", artefact="leute"))
    return folder


def drafted(house: ProjectFolder, question: str, card: str, **more: Any) -> Draft:
    return draft(Project.open(house.root), question, CARDS.card(card), house.root / "neu.fam", **more)


def keys(made: Draft) -> dict[str, Any]:
    found: dict[str, Any] = load_strict(made.body.split("---")[1]).value
    return found


@pytest.mark.parametrize(
    ("question", "card", "expected"),
    [
        (
            "Wie viele Briefe wechselten Dürer und Pirckheimer zwischen 1520 und 1530?",
            "correspondence-count",
            {
                "collections": ["briefe"],
                "locked": True,
                "years": {"from": 1520, "to": 1530},
                "persons": ["Willibald Pirckheimer", "Albrecht Dürer"],
                "subtask": "correspondence-count",
            },
        ),
        ("wer waren seine briefpartner", "correspondence-roster", {"persons": ["Willibald Pirckheimer"]}),
        ("Wie viele Briefe schrieb Dürer?", "correspondence-count", {"input": {"direction": "sent"}}),
        ("wem schrieb er", "correspondence-roster", {"input": {"direction": "sent"}}),
        (
            "wer erwähnt Dürer in Briefen an Pirckheimer",
            "mention-in-letters",
            {"persons": ["Albrecht Dürer", "Willibald Pirckheimer"]},
        ),
        (
            "who writes to Pirckheimer about Dürer",
            "mention-in-letters",
            {"persons": ["Albrecht Dürer", "Willibald Pirckheimer"]},
        ),
        ("wie oft wird Durerus genannt", "entity-mention-count", {"persons": ["Albrecht Dürer"]}),
        ("worum geht es in Dürers Briefen", "letter-subject", {"persons": ["Albrecht Dürer"]}),
        (
            "Belege für das Lemma amicitia in lateinischen Texten",
            "terminology-find",
            {"collections": ["briefe"], "lemmata": ["amicitia"], "counting_mode": "canonical", "language": ["la"]},
        ),
        ("where do ars and natura meet", "cooccurrence", {"collections": ["werke"], "lemmata": ["ars", "Natura"]}),
        ("was wird über ARS gesagt", "concept-statements", {"collections": ["werke"], "lemmata": ["ars"]}),
        ('Sätze mit "Durero"', "sentence-mention", {"input": {"text": "Durero"}}),
        ('"durero", Großschreibung egal', "sentence-mention", {"input": {"text": "durero", "ignore_case": True}}),
        ("wo wird Dürer zitiert", "source-attestation", {"input": {"source": "Albrecht Dürer"}}),
        ('wo wird "naturalis historia" zitiert', "source-attestation", {"input": {"source": "naturalis historia"}}),
        ("welche handschriften gibt es im 15. jh.", "manuscript-inventory", {"years": {"from": 1401, "to": 1500}}),
        ("was steht im Ortsregister", "register-inventory", {"input": {"register": "orte"}}),
        ("die personen des registers", "register-inventory", {"input": {"register": "personen"}}),
        (
            "briefe: SELECT count(*) AS n -- alle\n  FROM main.letters_resolved;",
            "duckdb-read",
            {"duckdb": [{"alias": "main", "path": "$PDAI_COLLECTIONS/briefe/briefe.duckdb", "read_only": True}]},
        ),
    ],
)
def test_the_scope_is_read_from_the_question(
    house: ProjectFolder, question: str, card: str, expected: dict[str, Any]
) -> None:
    found = keys(drafted(house, question, card))
    assert {key: found.get(key) for key in expected} == expected


def test_a_query_keeps_its_lines_and_comments(house: ProjectFolder) -> None:
    found = keys(drafted(house, "briefe: SELECT 1 AS n -- eins\n\n, 2 AS m", "duckdb-read"))
    assert found["partiturs"][0]["input"]["sql"] == "SELECT 1 AS n -- eins\n\n, 2 AS m\n"


def test_a_table_that_is_named_is_read_as_a_guess(house: ProjectFolder) -> None:
    made = drafted(house, "wie viele zeilen hat die tabelle orte in briefe", "duckdb-read")
    assert "-- guessed:" in made.body
    assert "SELECT count(*) AS n FROM main.orte" in made.body


def test_every_guess_is_a_comment_in_the_block_and_named(house: ProjectFolder) -> None:
    made = drafted(house, "wie oft wird amicitia gebraucht", "terminology-find")
    assert set(made.guesses) == {"collections", "lemmata", "counting_mode"}
    for key in made.guesses:
        line = next(line for line in made.body.splitlines() if line.startswith(f"{key}:"))
        assert "# guessed: " in line


def test_a_block_shows_what_another_one_found_as_a_network(house: ProjectFolder) -> None:
    found = keys(drafted(house, "zeichne ein netz aus liste", "artifact"))
    assert found["duckdb"] == [{"alias": "source", "ref": "liste.leute"}]
    assert [step["id"] for step in found["partiturs"]] == ["duckdb-read", "artifact:d3-graph"]


def test_the_name_of_a_block_says_nothing_of_how_it_is_shown(house: ProjectFolder) -> None:
    house.blocks("b.fam", read_block("netz-verzeichnis", "SELECT 'a' AS name, 1 AS n", artefact="leute"))
    found = keys(drafted(house, "zeig netz-verzeichnis als tabelle", "artifact"))
    assert found["artefacts"] == [{"name": "rows", "kind": "table"}]


def test_a_roster_becomes_a_network_with_the_person_at_its_centre(house: ProjectFolder) -> None:
    roster = drafted(house, "wer waren die briefpartner von Dürer", "correspondence-roster")
    roster.write()
    network = drafted(house, f"zeichne ein netz aus {roster.block}", "artifact")
    network.write()
    project = Project.open(house.root)
    for block in (roster.block, network.block):
        version = Adapter(project).run(project.block(block))
        assert version.verdict().status == "pass"
    assert version.envelope("rows").data["n_edges"] == 1
    (house.root / "neu.fam").unlink()


def test_a_list_without_edges_or_years_is_not_drawn(house: ProjectFolder) -> None:
    drafted(house, "wer waren die briefpartner von Dürer", "correspondence-roster").write()
    with pytest.raises(DraftError, match="is a roster-table and has no years"):
        drafted(house, "zeitleiste aus wer-briefpartner-duerer", "artifact")
    (house.root / "neu.fam").unlink()


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("wie viele briefe von Johannes Quappenstein an Pirckheimer", "briefe has no name Johannes, Quappenstein"),
        ("how many letters did Pirckheimer get from his sister Caritas", "briefe has no name Caritas"),
    ],
)
def test_a_name_that_nobody_has_is_told(house: ProjectFolder, question: str, words: str) -> None:
    assert words in drafted(house, question, "correspondence-count").guesses["persons"]


def test_a_picture_that_is_there_becomes_a_figure(house: ProjectFolder) -> None:
    house.write("bild.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    found = keys(drafted(house, "füge bild.svg ein", "artifact"))
    assert found["partiturs"][0]["input"] == {"path": "bild.svg", "alt": "füge bild.svg ein"}


def test_an_expected_answer_becomes_the_oracle(house: ProjectFolder) -> None:
    found = keys(drafted(house, "wie viele briefe", "correspondence-count", oracle={"n_letters": 2}))
    assert found["oracle"] == {"n_letters": 2}


@pytest.mark.parametrize(
    ("question", "card", "words"),
    [
        ("wie oft wird er genannt", "entity-mention-count", "names nobody whom briefe knows"),
        ("in welchen sätzen stehen beide", "cooccurrence", "names fewer than 2 lemmata"),
        ("wo steht es", "terminology-find", "names no lemma"),
        ("sätze mit dem wort", "sentence-mention", "the question quotes nothing"),
        ("zeig die zeilen der tabelle", "duckdb-read", "holds no SQL and names no table"),
        ("zeichne ein netz", "artifact", "names no block that has rows"),
        ("füge fehlt.png ein", "artifact", "there is no file fehlt.png"),
        ("  ", "correspondence-count", "the question is empty"),
    ],
)
def test_what_a_question_lacks_is_said(house: ProjectFolder, question: str, card: str, words: str) -> None:
    with pytest.raises(DraftError, match=words):
        drafted(house, question, card)


def test_a_query_that_writes_is_refused(house: ProjectFolder) -> None:
    with pytest.raises(FamulusError, match="a block runs exactly one read-only query"):
        drafted(house, "lies briefe: WITH x AS (SELECT 1) DELETE FROM main.orte", "duckdb-read")


@pytest.mark.parametrize("name", ["neu.txt", "neu", "../neu.fam", "_famulus/neu.fam", ".x/neu.fam"])
def test_a_file_that_would_be_no_notebook_is_refused(house: ProjectFolder, name: str) -> None:
    with pytest.raises(ProjectError, match="would be no notebook"):
        draft(Project.open(house.root), "wie viele briefe", CARDS.card("correspondence-count"),
              Path(os.path.normpath(house.root / name)))  # fmt: skip


@pytest.mark.parametrize(
    "before",
    [
        b"",
        b"Text ohne Ende",
        b"---\r\ntitle: x\r\n---\r\n\r\nText\r\n",
        "\ufeffText\n\n\n".encode(),
        b"a\n```{r}\n1\n```\n",
    ],
)
def test_what_stands_in_the_notebook_is_not_touched(project: ProjectFolder, before: bytes) -> None:
    file = project.root / "n.fam"
    file.write_bytes(before)
    opened = Project.open(project.root)
    card = CARDS.card("artifact")
    project.write("b.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    made = draft(opened, "füge b.svg ein", card, file)
    made.write()
    assert file.read_bytes().startswith(before)
    assert made.block in Project.open(project.root).blocks


def test_ids_stay_unique_and_a_question_cannot_break_out_of_its_block(project: ProjectFolder) -> None:
    project.write("b.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    question = "füge b.svg ein\n```\n---\nid: zwei\n---"
    for _ in range(3):
        draft(Project.open(project.root), question, CARDS.card("artifact"), project.root / "n.fam").write()
    blocks = Project.open(project.root).blocks
    assert len(blocks) == 3
    assert all(block.startswith("fuege-b-svg") for block in blocks)
