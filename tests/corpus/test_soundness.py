"""What collection check finds."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import duckdb
import pytest
from importing import A, B, Place, cmif, letter

from famulus_kernel.corpus.soundness import check_collection
from famulus_kernel.errors import CollectionError

TEXT = "# newdoc id = v1:1\n1\tPax\tpax\tNOUN\t_\t_\t_\t_\t_\t_\n\n"


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a sound collection of two letters and one text."""
    made = Place(tmp_path_factory.mktemp("template"))
    made.cmif(cmif(letter("1", A, B), letter("2", B, A)))
    made.conllu(TEXT)
    return made.root


@pytest.fixture
def place(template: Path, tmp_path: Path) -> Place:
    """Give a copy of it."""
    return Place(Path(shutil.copytree(template, tmp_path / "place")))


def found(place: Place, level: str = "error") -> list[str]:
    return [f"{one.table}: {one.what}" for one in check_collection(place.collection) if one.level == level]


def change(path: Path, sql: str) -> None:
    with duckdb.connect(str(path)) as connection:
        connection.execute(sql)


def test_what_was_imported_is_sound(place: Place) -> None:
    assert check_collection(place.collection) == ()


def test_persons_who_may_be_there_twice_are_notes_and_no_errors(place: Place) -> None:
    change(
        place.collection.letters_path,
        "INSERT INTO ent_canonical VALUES ('p1', 'Zwingli, Ulrich (1484-1531)', 'person'), ('p2', 'Ulrich Zwingli', "
        "'person'), ('p3', 'Unbekannt', 'unknown'), ('p4', 'Unbekannt', 'unknown');"
        "UPDATE letters_resolved SET sender_name = 'Carl Beck' WHERE sender_name = 'Anna'",
    )
    assert found(place) == []
    assert found(place, "note") == [
        "ent_canonical: may be one person: Zwingli, Ulrich (1484-1531) (p1) = Ulrich Zwingli (p2)",
        "ent_canonical: may be two persons under one number: gnd:118541013: Anna; Carl Beck",
    ]


def test_persons_without_a_name_and_names_of_any_signs_are_looked_at(place: Place) -> None:
    change(
        place.collection.letters_path,
        "INSERT INTO ent_canonical VALUES ('p1', NULL, 'person'), ('p2', 'Ulrich' || chr(31) || 'Zwingli', 'person');"
        "INSERT INTO ent_variants (ent_id, variant) VALUES ('p1', 'Zwingli, Ulrich')",
    )
    assert "may be one person: Zwingli, Ulrich (p1)" in "".join(found(place, "note"))


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("UPDATE letters_resolved SET letter_id = NULL", "letters_resolved: 2 rows have no letter_id"),
        ("UPDATE letters_resolved SET date_from = DATE '1600-01-01'", "letters_resolved: 2 rows end before they begin"),
        ("UPDATE letters_resolved SET date_basis = 'guess'", "letters_resolved: 2 rows have a basis that is none of"),
        ("DELETE FROM ent_canonical", "ent_canonical: the table has no rows"),
        ("DELETE FROM ent_canonical WHERE canonical = 'Anna'", "letters_resolved: 1 senders or recipients are not in"),
        (
            "INSERT INTO ent_canonical FROM ent_canonical",
            "ent_canonical: 2 rows of ent_canonical have no ent_id, or one",
        ),
        ("UPDATE ent_canonical SET kind = 'cat'", "ent_canonical: 2 entities are neither person"),
        ("UPDATE letter_pages SET letter_id = 'gone'", "letter_pages: 1 pages belong to no letter"),
        (
            "INSERT INTO letters_resolved SELECT * REPLACE (NULL AS date_from) FROM letters_resolved LIMIT 1",
            "letters_resolved: 1 letters have rows with different dates",
        ),
        ("DROP TABLE ent_canonical", "ent_canonical: the table is missing"),
        (
            "ALTER TABLE letters_resolved RENAME sender_id TO from_ent",
            "letters_resolved: the table letters_resolved of the collection probe has no column sender_id",
        ),
    ],
)
def test_letters_that_give_wrong_answers_are_told(place: Place, sql: str, told: str) -> None:
    change(place.collection.letters_path, sql)
    assert any(one.startswith(told) for one in found(place)), found(place)


@pytest.mark.parametrize(
    ("sql", "told"),
    [
        ("INSERT INTO stz_sentences FROM stz_sentences", "stz_sentences: 1 sentences share doc_id, pidx and sent_idx"),
        ("UPDATE stz_tokens SET pidx = 9", "stz_tokens: 1 words belong to no sentence"),
        ("DELETE FROM stz_tokens", "stz_tokens: the table has no rows"),
        ("UPDATE stz_tokens SET lemma = NULL", "lemma_index: 1 words with a lemma are in one of"),
    ],
)
def test_texts_that_give_wrong_answers_are_told(place: Place, sql: str, told: str) -> None:
    change(place.collection.texts_path, sql)
    assert any(one.startswith(told) for one in found(place)), found(place)


def test_a_mapping_makes_other_names_sound(place: Place) -> None:
    change(place.collection.letters_path, "ALTER TABLE letters_resolved RENAME sender_id TO from_ent")
    assert check_collection(place.collection, {"letters_resolved": {"sender_id": "from_ent"}}) == ()


def test_dates_that_count_as_undated_are_a_note(place: Place) -> None:
    change(place.collection.letters_path, "UPDATE letters_resolved SET date_from = NULL, date_to = NULL")
    assert found(place) == []
    assert found(place, "note") == ["letters_resolved: 2 letters have a date without bounds and count as undated"]


def test_what_status_json_says_must_hold(place: Place) -> None:
    status = json.loads(place.collection.status_path.read_bytes())
    status |= {"registers": ["words"], "person": "Zacharias", "gaps": ["volume 2"]}
    place.collection.status_path.write_text(json.dumps(status))
    told = found(place)
    assert told[0] == "status.json: the register words is no table of the collection"
    assert told[1].startswith("status.json: person: no person is called Zacharias")
    assert found(place, "note") == ["status.json: gap: volume 2"]


def test_a_folder_without_any_file_of_a_collection_is_an_error(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.collection.folder.mkdir(parents=True)
    assert found(place) == [": there is none of its files: letters, texts, lemma index"]


def test_a_collection_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(CollectionError, match="no collection probe"):
        check_collection(Place(tmp_path).collection)
