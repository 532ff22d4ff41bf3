"""Letters from tables with EDTF dates."""

from __future__ import annotations

import pytest
from importing import Place

from famulus_kernel.errors import ImportRefused

HEADER = "key,edition,sender,senderID,senderPlace,senderDate,senderDateText,addressee,addresseeID,addresseeDate"
ANNA, BERT = "http://d-nb.info/gnd/118541013", "http://d-nb.info/gnd/118616099"


def table(*rows: str, header: str = HEADER) -> str:
    return "\n".join([header, *rows]) + "\n"


def test_a_row_becomes_a_letter(place: Place) -> None:
    report = place.csv(table(f"1,v1,Anna,{ANNA},Wien,1541-07-18/,,Bert,{BERT},"))
    assert (report.read, report.kept) == (1, 1)
    assert place.letters(
        "SELECT letter_id, sender_id, recipient_id, date_when, date_from::VARCHAR, date_to, place FROM letters_resolved"
    ) == [("v1:1", "gnd:118541013", "gnd:118616099", "1541-07-18/", "1541-07-18", None, "Wien")]


def test_brackets_say_that_editors_supplied_a_party_a_place_or_a_date(place: Place) -> None:
    place.csv(table("1,v1,[Anna],,[Wien],1675-08-01,[1. August 1675],Bert?,,"))
    assert place.letters(
        "SELECT sender_name, sender_basis, recipient_name, recipient_basis, date_basis, place FROM letters_resolved"
    ) == [("Anna", "supplied", "Bert", "uncertain", "inferred", "Wien")]


def test_several_names_and_numbers_in_a_cell_go_together_in_their_order(place: Place) -> None:
    place.csv(table(f"1,v1,Anna,{ANNA},,1541,,Bert|Carl,{BERT},", f"2,v1,Anna,{ANNA},,1541,,Carl; Bert,;{BERT},"))
    assert place.letters("SELECT letter_id, recipient_id FROM letters_resolved") == [
        ("v1:1", "gnd:118616099"),
        ("v1:1", "name:Carl"),
        ("v1:2", "name:Carl"),
        ("v1:2", "gnd:118616099"),
    ]
    assert place.odd("ids-and-names") == ["a.csv:2: Bert|Carl has 2 names and 1 numbers"]


def test_columns_are_found_however_they_are_spelled_and_basis_columns_are_read(place: Place) -> None:
    header = "Letter No;Date;Date-Basis;SENDER;sender_id;Sender Basis;Recipient;recipient id"
    place.csv(table("7;1496?;year inferred;Anna;p1;supplied;[unknown];", header=header))
    assert place.letters(
        "SELECT letter_id, sender_id, sender_basis, recipient_basis, date_basis FROM letters_resolved"
    ) == [("a:7", "a:p1", "supplied", "unknown", "inferred")]


def test_a_german_table_is_read_under_its_own_names(place: Place) -> None:
    place.csv("Nr.;Absender;Absender-GND;Empfa\u0308nger;Datum;Ort\n7;Anna;118541013;Bert;3.5.1520;Wien\n")
    columns = "letter_id, sender_id, recipient_id, date_from::VARCHAR, place"
    rows = place.letters(f"SELECT {columns} FROM letters_resolved")
    assert rows == [("a:7", "gnd:118541013", "name:Bert", "1520-05-03", "Wien")]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_the_separator_is_that_of_the_header(place: Place, separator: str) -> None:
    place.csv(f"sender{separator}addressee{separator}date\nAnna{separator}Bert{separator}1541\n")
    assert place.letters("SELECT sender_name, recipient_name FROM letters_resolved") == [("Anna", "Bert")]


def test_a_row_of_another_length_is_a_reject_with_its_line(place: Place) -> None:
    report = place.csv(table('1,v1,"An\nna",,,1541,,Bert,,', "2,v1,Anna", "", f"3,v1,Anna,{ANNA},,1541,,Bert,,"))
    assert (report.read, report.kept) == (3, 2)
    assert [str(note) for note in report.rejects] == ["a.csv:4: the row has 3 cells, the header 10"]


def test_a_letter_without_date_of_sending_has_that_of_receipt_as_its_end(place: Place) -> None:
    place.csv(table("1,v1,Anna,,,,,Bert,,1541-07-18"))
    assert place.letters("SELECT date_when, date_to::VARCHAR FROM letters_resolved") == [
        ("[..1541-07-18]", "1541-07-18")
    ]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "it is empty"),
        ("sender,date\nAnna,1541\n", "no column of the recipient"),
        (table('1,v1,"Anna"x,,,1541,,Bert,,'), "its quotes do not match"),
        (table("1,v1,Änna,,,1541,,Bert,,").encode("latin-1"), "it is not UTF-8"),
        (table(), "no letter"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_file_and_reason(
    place: Place, content: str | bytes, message: str
) -> None:
    with pytest.raises(ImportRefused, match=message) as caught:
        place.csv(content)
    assert str(caught.value.where).startswith(str(place.root / "a.csv"))
    assert not place.collection.folder.exists()


@pytest.mark.parametrize(
    "row", ["2,v1,\u00c4nna,,,1541,,Bert,,".encode("latin-1"), b'2,v1,"Anna,,,1541,,Bert,,\n3,v1,Carl,,,1541,,Bert,,']
)
def test_the_row_that_makes_a_table_unreadable_is_named(place: Place, row: bytes) -> None:
    with pytest.raises(ImportRefused) as caught:
        place.csv(table("1,v1,Anna,,,1541,,Bert,,").encode() + row + b"\n")
    assert caught.value.where is not None
    assert caught.value.where.line == 3


def test_a_byte_order_mark_is_no_part_of_the_first_name(place: Place) -> None:
    assert place.csv("\ufeff" + table("1,v1,Anna,,,1541,,Bert,,")).kept == 1
