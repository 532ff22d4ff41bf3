"""What stops a question (spec 3.1): each the error that names the thing."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from collections_made import Asking, Letter, make_collection

from famulus_kernel.corpus.subtasks import ALIASES, names, subtask
from famulus_kernel.errors import (
    AmbiguousPerson,
    CollectionError,
    MissingFile,
    UndatedCollection,
    UnknownPerson,
    UnknownSubtask,
)

PERSONS = [("w", "Willibald Wirt", "person")]
LETTERS = [Letter("L1", "w", "a")]


@pytest.fixture
def make(tmp_path: Path) -> Asking:
    """Give a place for collections of one test."""
    (tmp_path / "collections").mkdir()
    (tmp_path / "out").mkdir()
    return Asking(tmp_path / "collections", tmp_path / "out")


def test_every_subtask_of_the_language_is_registered_under_its_name() -> None:
    assert len(names()) == 13
    assert all(subtask(name).name == ALIASES.get(name, name) for name in names())
    with pytest.raises(UnknownSubtask, match="attestation"):
        subtask("attestation")


def test_an_unknown_person_is_an_error_with_those_alike(ask: Asking) -> None:
    with pytest.raises(UnknownPerson, match="Albrecht Mahler") as error:
        ask("correspondence-count", persons=["Albrecht Mahler"])
    assert error.value.hint.startswith("nearest: Albrecht Maler")


def test_a_person_like_nobody_is_an_error_that_says_where_the_names_are(ask: Asking) -> None:
    with pytest.raises(UnknownPerson) as error:
        ask("correspondence-count", persons=["Xqzzt"])
    assert error.value.hint == "famulus-notebook collection show lists whom a collection has"


def test_a_name_of_two_persons_is_an_error_with_both_and_their_ids(ask: Asking) -> None:
    with pytest.raises(AmbiguousPerson, match="namensuetter") as error:
        ask("correspondence-count", persons=["namensuetter"])
    assert "Namensvetter der Ältere (n1), Namensvetter der Jüngere (n2)" in error.value.hint
    assert ask("correspondence-count", persons=["n1"]).is_empty


def test_somebody_unnamed_is_nobody(ask: Asking) -> None:
    with pytest.raises(UnknownPerson, match="Unbekannt"):
        ask("correspondence-count", persons=["Unbekannt"])


def test_a_collection_that_is_not_there_is_named_with_those_alike(ask: Asking) -> None:
    with pytest.raises(CollectionError, match="haos") as error:
        ask("correspondence-count", collections=["haos"])
    assert "haus" in error.value.hint
    with pytest.raises(CollectionError, match=r"haus-sec"):
        ask("correspondence-count", collections=["haus-sec"], evidence="secondary")


@pytest.mark.parametrize("name", ["../collections0/haus", "..", "/etc", "haus/../haus"])
def test_a_place_is_not_the_name_of_a_collection(ask: Asking, name: str) -> None:
    with pytest.raises(CollectionError):
        ask("correspondence-count", collections=[name])


def test_a_root_that_is_not_mounted_is_named_as_written_and_as_expanded(tmp_path: Path) -> None:
    with pytest.raises(MissingFile, match=r"PDAI_COLLECTIONS.*nowhere"):
        Asking(tmp_path / "nowhere", tmp_path)("correspondence-count")


def test_years_on_a_collection_without_dates_are_an_error(make: Asking) -> None:
    words = [("d", 0, 0, "la", [("x", "x", "NOUN")])]
    make_collection(make.root, "haus", letters=LETTERS, persons=PERSONS, sentences=words)
    with pytest.raises(UndatedCollection, match="haus"):
        make("correspondence-count", persons=["w"], years={"from": 1500})
    with pytest.raises(UndatedCollection, match="haus"):
        make("terminology-find", lemmata=["x"], counting_mode="canonical", years={"to": 1500})


def test_an_empty_collection_is_an_error(make: Asking) -> None:
    make_collection(make.root, "haus", persons=PERSONS)
    with pytest.raises(CollectionError, match=r"haus.*empty.*letters_resolved"):
        make("correspondence-count", persons=["w"])
    with pytest.raises(CollectionError, match=r"haus.*empty.*lemma_index"):
        make("terminology-find", lemmata=["x"], counting_mode="canonical")


def test_a_missing_table_and_a_missing_column_are_named(make: Asking) -> None:
    made = make_collection(make.root, "haus", letters=LETTERS, persons=PERSONS)
    with pytest.raises(CollectionError, match="manuscripts"):
        make("manuscript-inventory")
    with duckdb.connect(str(made.letters_path)) as connection:
        connection.execute("ALTER TABLE letters_resolved RENAME sender_id TO von")
    with pytest.raises(CollectionError, match=r"letters_resolved.*haus.*sender_id"):
        make("correspondence-count", persons=["w"])
    mapped = make("correspondence-count", persons=["w"], schema={"letters_resolved": {"sender_id": "von"}})
    assert mapped.counts["n_letters"] == 1
    made.letters_path.unlink()
    with pytest.raises(CollectionError, match="letters_resolved"):
        make("correspondence-count", persons=["w"])


def test_hostile_names_are_texts_and_nothing_else(make: Asking) -> None:
    name = "O'Neill\"; DROP TABLE x; --<script>{{< famulus >}}"
    letters = [Letter("L1", "w", name, "1520-01-01", doc="a/b ?&#'")]
    make_collection(make.root, "haus", letters=letters, persons=[*PERSONS, (name, name, "person")])
    viewed = Asking(make.root, make.folder, "https://viewer.example")
    found = viewed("correspondence-roster", persons=[name])
    assert found.counts["n_correspondents"] == 1
    assert found.findings.rows[0][8] == "https://viewer.example/haus/a%2Fb%20%3F%26%23%27"
