"""A table of who is who: persons whom the files have twice are one, because somebody says so."""

from __future__ import annotations

import json

import pytest
from importing import B, Place, cmif, letter, person

from famulus_kernel.corpus.importers import import_cmif, import_table
from famulus_kernel.errors import ImportRefused

ZWINGLI = "http://d-nb.info/gnd/118637533"
FILE = cmif(
    letter("1", person("Zwingli, Ulrich"), B),
    letter("2", person("Ulrich Zwingli", ZWINGLI), B),
    letter("3", person("Zwinglius", "https://viaf.org/viaf/12345"), B),
    letter("4", person("Zwingli", "#p1"), B),
)


def taken(place: Place, table: str) -> list[str]:
    """Return the senders when the file is imported with a table."""
    files = [place.file("a.xml", FILE)]
    place.report = import_cmif(files, place.collection.folder, persons=place.file("persons.csv", table))
    return [one for (one,) in place.letters("SELECT sender_id FROM letters_resolved ORDER BY letter_id")]


def test_names_and_numbers_that_are_one_person_become_one(place: Place) -> None:
    table = f'name,person\n"Zwingli, Ulrich",{ZWINGLI}\nviaf:12345,"Zwingli, Ulrich"\na:p1,118637533\n'
    assert taken(place, table) == ["gnd:118637533"] * 4
    assert place.letters("SELECT variant FROM ent_variants ORDER BY variant") == [
        ("Zwingli",), ("Zwingli, Ulrich",), ("Zwinglius",),
    ]  # fmt: skip
    assert place.odd("same-name") == []
    status = json.loads(place.collection.status_path.read_text())
    assert [one["name"] for one in status["imports"]["letters"]["persons"]] == ["persons.csv"]


def test_a_row_about_nobody_is_reported_with_its_line(place: Place) -> None:
    assert taken(place, f"Name;Same as\nNiemand;{ZWINGLI}\n")[0] == "name:Zwingli, Ulrich"
    assert place.odd("nobody") == ["persons.csv:2: name:Niemand stands in none of the files"]


@pytest.mark.parametrize(
    ("table", "why", "line"),
    [
        ("name,person\nA,B\nA,C\n", "name:A is name:B in line 2, and name:C here", 3),
        ("name,person\nA,B\nB,A\n", "in a circle", 3),
        ("name,person\nA,\n", "missing", 2),
        ("name,person\nA\n", "the row has 1 cells", 2),
        ("name,who\nA,B\n", "no column of the person", 1),
    ],
)
def test_a_table_that_says_two_things_is_refused_with_its_line(place: Place, table: str, why: str, line: int) -> None:
    with pytest.raises(ImportRefused, match=why) as caught:
        taken(place, table)
    assert caught.value.where.line == line
    assert not place.collection.folder.exists()


def test_a_table_of_letters_takes_it_too(place: Place) -> None:
    letters = place.file("a.csv", "sender,recipient,date\nA. Roth,Bert,1520\nAnna Roth,Bert,1521\n")
    persons = place.file("persons.csv", "name,person\nA. Roth,Anna Roth\n")
    import_table([letters], place.collection.folder, persons=persons)
    assert place.letters("SELECT DISTINCT sender_id FROM letters_resolved") == [("name:Anna Roth",)]
