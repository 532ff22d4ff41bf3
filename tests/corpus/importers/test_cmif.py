"""Letters from TEI CMIF: what public files hold, and what they should not."""

from __future__ import annotations

import gzip
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from importing import HEAD, TAIL, A, B, Place, cmif, letter, person

from famulus_kernel.corpus.importers import Reading, import_cmif
from famulus_kernel.corpus.importers.cmif import read_letters, survey
from famulus_kernel.corpus.importers.letter import SourceLetter, Unreadable
from famulus_kernel.errors import ImportRefused, MissingFile


def test_a_letter_becomes_a_row_with_persons_bounds_and_place(place: Place) -> None:
    report = place.cmif(cmif(letter("1", A, B)))
    assert (report.read, report.kept, report.rejects, report.doubles) == (1, 1, [], [])
    (row,) = place.letters(
        "SELECT letter_id, doc_id, sender_id, sender_name, recipient_id, recipient_name, date_when, "
        "date_from::VARCHAR, date_to::VARCHAR, calendar, date_basis, sender_basis, recipient_basis, place, url "
        "FROM letters_resolved"
    )
    assert row == (
        "v1:1", "v1:1", "gnd:118541013", "Anna", "gnd:118616099", "Bert", "1522-05-03",
        "1522-05-03", "1522-05-03", None, "stated", "stated", "stated", "Wien", None,
    )  # fmt: skip


def test_several_senders_and_recipients_make_a_row_for_each_pair(place: Place) -> None:
    place.cmif(cmif(letter("1", A + B, person("Carl") + person("Dora"))))
    rows = place.letters("SELECT sender_name, recipient_name, letter_id FROM letters_resolved ORDER BY ALL")
    assert [row[:2] for row in rows] == [("Anna", "Carl"), ("Anna", "Dora"), ("Bert", "Carl"), ("Bert", "Dora")]
    assert {row[2] for row in rows} == {"v1:1"}


def test_a_missing_party_is_a_row_without_it_and_is_reported(place: Place) -> None:
    place.cmif(cmif(letter("1", A, ""), letter("2", "<persName> </persName>", B)))
    assert place.letters("SELECT sender_id, recipient_id, sender_basis, recipient_basis FROM letters_resolved") == [
        ("gnd:118541013", None, "stated", "unknown"),
        (None, "gnd:118616099", "unknown", "stated"),
    ]
    assert place.odd("no-recipient") == ["a.xml:7: letter 1 names no recipient"]
    assert place.odd("no-sender") == ["a.xml:11: letter 2 names no sender"]


def test_the_same_person_under_another_spelling_of_the_number_is_one_person(place: Place) -> None:
    spellings = [
        "http://d-nb.info/gnd/118541013",
        "https://d-nb.info/gnd/118541013",
        "118541013",
        "http://d-nb.info/gnd/ 118541013",
        " https://d-nb.info/gnd/118 541 013 ",
        "gnd:118541013",
    ]
    place.cmif(cmif(*(letter(str(at), person(f"Anna {at}", one), B) for at, one in enumerate(spellings))))
    assert place.letters("SELECT DISTINCT sender_id FROM letters_resolved") == [("gnd:118541013",)]
    assert place.letters("SELECT count(*) FROM ent_variants") == [(5,)]


def test_a_blank_inside_a_number_is_reported(place: Place) -> None:
    place.cmif(cmif(letter("1", person("Anna", "http://d-nb.info/gnd/118 541 013"), B)))
    assert place.odd("blank-in-id") == ["a.xml:7: 'http://d-nb.info/gnd/118 541 013' is read as gnd:118541013"]


def test_the_number_of_a_place_on_a_person_is_no_number_of_the_person(place: Place) -> None:
    geo = "http://www.geonames.org/2925533"
    place.cmif(cmif(letter("1", person("Anna", geo), B), letter("2", person("Carl", geo), B)))
    assert place.letters("SELECT sender_id FROM letters_resolved") == [("name:Anna",), ("name:Carl",)]
    assert len(place.odd("place-as-person")) == 2


def test_two_numbers_in_one_attribute_are_one_person_and_are_reported(place: Place) -> None:
    both = "http://d-nb.info/gnd/118541013 https://viaf.org/viaf/12345"
    place.cmif(cmif(letter("1", person("Anna", both), B)))
    assert place.letters("SELECT sender_id FROM letters_resolved") == [("gnd:118541013",)]
    assert place.odd("several-ids") == [f"a.xml:7: Anna has the numbers {both}"]


def test_one_name_with_two_numbers_is_two_persons_and_is_reported(place: Place) -> None:
    place.cmif(cmif(letter("1", A, B), letter("2", person("Anna", "http://d-nb.info/gnd/118505092"), B)))
    assert place.letters("SELECT count(*) FROM ent_canonical WHERE canonical = 'Anna'") == [(2,)]
    assert place.odd("same-name") == ["Anna (gnd:118505092) = Anna (gnd:118541013)"]


def test_a_person_who_may_be_there_twice_is_told_and_not_merged(place: Place) -> None:
    zwingli = "http://d-nb.info/gnd/118637533"
    names = [("Zwingli, Ulrich", ""), ("Ulrich Zwingli", zwingli), ("U. Zwingli", ""), ("Anna", zwingli)]
    place.cmif(cmif(*(letter(str(at), person(*name), B) for at, name in enumerate(names))))
    assert place.letters("SELECT count(DISTINCT sender_id) FROM letters_resolved") == [(3,)]
    assert place.odd("same-name") == ["Ulrich Zwingli (gnd:118637533) = Zwingli, Ulrich (name:Zwingli, Ulrich)"]
    assert "U. Zwingli (name:U. Zwingli) = Zwingli, Ulrich (name:Zwingli, Ulrich)" in place.odd("like-name")
    assert place.odd("several-names") == ["gnd:118637533: Anna; Ulrich Zwingli, which have no word in common"]


def test_a_name_without_a_number_is_one_person_however_it_is_spaced(place: Place) -> None:
    place.cmif(cmif(letter("1", person("Carl\n   Beck"), B), letter("2", person(" Carl Beck"), B)))
    assert place.letters("SELECT DISTINCT sender_id, sender_name FROM letters_resolved") == [
        ("name:Carl Beck", "Carl Beck")
    ]


def test_placeholders_are_many_persons_and_never_one(place: Place) -> None:
    names = ["Unbekannt", "[unknown]", "N. N.", "?", "Unbekannter Empfänger", "einen Amtsbruder"] * 2
    place.cmif(cmif(*(letter(str(at), A, person(name)) for at, name in enumerate(names))))
    rows = place.letters("SELECT recipient_id, recipient_basis FROM letters_resolved")
    assert len({ent_id for ent_id, _ in rows}) == len(names)
    assert {basis for _, basis in rows} == {"unknown"}
    assert place.letters("SELECT kind, count(*) FROM ent_canonical GROUP BY kind ORDER BY kind") == [
        ("person", 1),
        ("unknown", len(names)),
    ]


def test_a_placeholder_stays_one_under_a_number_and_its_number_is_reported(place: Place) -> None:
    place.cmif(
        cmif(
            letter("1", A, person("Unbekannt", "#p0")),
            letter("2", A, person("Unbekannt", "#p0")),
            letter("3", A, person("X. Y.", "http://correspsearch.net/unknown")),
        )
    )
    assert place.letters("SELECT count(DISTINCT recipient_id) FROM letters_resolved") == [(3,)]
    assert len(place.odd("unknown-with-id")) == 2


def test_a_person_with_a_number_may_be_called_by_an_article(place: Place) -> None:
    place.cmif(cmif(letter("1", A, person("un Ami", "http://d-nb.info/gnd/118616099"))))
    assert place.letters("SELECT recipient_id FROM letters_resolved") == [("gnd:118616099",)]


def test_a_letter_to_oneself_is_kept_and_reported(place: Place) -> None:
    place.cmif(cmif(letter("1", A, A)))
    assert place.letters("SELECT sender_id = recipient_id FROM letters_resolved") == [(True,)]
    assert place.odd("self") == ["a.xml:7: letter 1 goes to its own sender: gnd:118541013"]


def test_a_number_of_a_list_of_ones_own_holds_in_its_file_alone(place: Place) -> None:
    place.cmif(cmif(letter("1", person("Anna", "#p1"), B)), cmif(letter("1", person("Carl", "#p1"), B, source="v2")))
    assert place.letters("SELECT sender_id FROM letters_resolved") == [("a:p1",), ("b:p1",)]


def test_numbers_of_letters_restart_in_each_volume(place: Place) -> None:
    place.cmif(cmif(letter("1", A, B), letter("1", B, A, source="v2")))
    assert place.letters("SELECT DISTINCT letter_id FROM letters_resolved ORDER BY ALL") == [("v1:1",), ("v2:1",)]
    assert not place.odd("same-number")


def test_two_letters_under_one_number_are_both_kept(place: Place) -> None:
    report = place.cmif(cmif(letter("1", A, B), letter("1", B, A), letter("1", B, A)))
    assert (report.read, report.kept) == (3, 3)
    assert [row[0] for row in place.letters("SELECT letter_id FROM letters_resolved")] == ["v1:1", "v1:1#2", "v1:1#3"]
    assert len(place.odd("same-number")) == 2


def test_one_letter_in_two_files_is_one_letter_and_the_second_is_listed(place: Place) -> None:
    report = place.cmif(cmif(letter("1", A, B), letter("2", B, A)), cmif(letter("2", B, A), letter("3", A, B)))
    assert (report.read, report.kept) == (4, 3)
    assert [str(note) for note in report.doubles] == ["b.xml:7: letter v1:2 says the same as a.xml:11"]


def test_one_letter_in_two_files_under_its_address_is_one_letter(place: Place) -> None:
    where = ' ref="https://example.org/letters/1"'
    report = place.cmif(
        cmif(letter("1", A, B, source="x", extra=where)), cmif(letter("1", A, B, source="y", extra=where))
    )
    assert report.kept == 1
    assert place.letters("SELECT url FROM letters_resolved") == [("https://example.org/letters/1",)]


def test_one_letter_in_two_files_is_known_however_its_persons_are_spelled(place: Place) -> None:
    spelled = A.replace("http:", "https:").replace("Anna", "Anna von X")
    report = place.cmif(cmif(letter("1", A, B)), cmif(letter("1", spelled, B)))
    assert (report.kept, len(report.doubles)) == (1, 1)


def test_one_letter_in_two_lists_without_volumes_is_known_by_number_day_and_parties(place: Place) -> None:
    def lone(text: str) -> str:
        return cmif(text).replace(' source="#v1"', "")

    report = place.cmif(lone(letter("1", A, B)), lone(letter("1", A, B)))
    assert (report.kept, len(report.doubles)) == (1, 1)
    for date, party in (("", B), ('<date when="1522"/>', B), ('<date when="1522-05-03"/>', person("Unbekannt"))):
        report = place.cmif(lone(letter("1", A, party, date)), lone(letter("1", A, party, date)))
        assert (report.kept, report.doubles) == (2, [])


def test_a_letter_of_another_day_under_the_same_number_in_another_file_is_another_one(place: Place) -> None:
    report = place.cmif(cmif(letter("1", A, B)), cmif(letter("1", A, B, '<date when="1522-05-04"/>')))
    assert (report.kept, report.doubles) == (2, [])
    assert len(place.odd("same-number")) == 1


def test_a_note_on_a_name_of_a_megabyte_is_short(place: Place) -> None:
    place.cmif(cmif(letter("1", person("A" * 1_000_000, "http://www.geonames.org/1"), B)))
    assert len(place.odd("place-as-person")[0]) < 500


def test_progress_is_told_in_lines_and_letters_while_a_file_is_read(place: Place) -> None:
    path = place.file("a.xml", cmif(*(letter(str(at), A, B) for at in range(500))))
    told: list[Reading] = []
    import_cmif([path], place.collection.folder, progress=told.append)
    assert [far.read for far in told] == [0, 200, 400, 500]
    assert told == sorted(told)
    assert all(0 < far.lines <= far.total for far in told)
    assert told[-1] == (told[-1].total, told[-1].total, 500, "letters")


def test_the_markup_of_the_editors_says_what_a_party_and_a_date_rest_on(place: Place) -> None:
    place.cmif(
        cmif(
            letter(
                "1", person("Anna", "", ' evidence="conjecture"'), person("[Carl]"), '<date when="1522" cert="low"/>'
            ),
            letter(
                "2", person("Anna?"), person("Bert", "", ' cert="low"'), '<date when="1522" evidence="conjecture"/>'
            ),
        )
    )
    assert place.letters("SELECT sender_basis, recipient_basis, date_basis, date_when FROM letters_resolved") == [
        ("supplied", "supplied", "uncertain", "1522?"),
        ("uncertain", "uncertain", "inferred", "1522"),
    ]
    assert place.letters("SELECT DISTINCT sender_name FROM letters_resolved") == [("Anna",)]


def test_the_parts_of_a_name_are_words_of_it(place: Place) -> None:
    parts = "<forename>Anna</forename><nameLink>von</nameLink>\n<surname>Bert<hi>in</hi>g</surname>"
    place.cmif(cmif(letter("1", person(parts), B)))
    assert place.letters("SELECT sender_name FROM letters_resolved") == [("Anna von Berting",)]


def test_bodies_are_told_from_persons(place: Place) -> None:
    place.cmif(cmif(letter("1", A, "<orgName>Rat zu Erfurt</orgName>")))
    assert place.letters("SELECT canonical, kind FROM ent_canonical ORDER BY kind") == [
        ("Rat zu Erfurt", "org"),
        ("Anna", "person"),
    ]


def test_the_canonical_name_is_the_most_used_and_the_others_are_variants(place: Place) -> None:
    number = "http://d-nb.info/gnd/118616099"
    names = ["Bert", "Bertus", "Bertus", "Alb"]
    place.cmif(cmif(*(letter(str(at), A, person(name, number)) for at, name in enumerate(names))))
    assert place.letters("SELECT canonical FROM ent_canonical WHERE ent_id = 'gnd:118616099'") == [("Bertus",)]
    assert place.letters("SELECT variant FROM ent_variants ORDER BY ALL") == [("Alb",), ("Bert",)]


def test_a_letter_of_which_only_the_receipt_is_dated_was_written_not_later(place: Place) -> None:
    place.cmif(cmif(letter("1", A, B + '<date when="1522-06-01"/>', "")))
    assert place.letters("SELECT date_when, date_from, date_to::VARCHAR, date_basis FROM letters_resolved") == [
        ("[..1522-06-01]", None, "1522-06-01", "inferred")
    ]


def test_a_date_in_words_alone_leaves_the_letter_undated_and_is_reported(place: Place) -> None:
    place.cmif(cmif(letter("1", A, B, "<date>am Tage Jacobi</date>")))
    assert place.letters("SELECT date_when, date_from, date_to, date_basis FROM letters_resolved") == [
        (None, None, None, "unknown")
    ]
    assert place.odd("date") == ["a.xml:7: the date is in words alone: am Tage Jacobi"]


def test_a_letter_with_two_dates_spans_them(place: Place) -> None:
    place.cmif(cmif(letter("1", A, B, '<date when="1522-05-03"/><date when="1522-05-07"/>')))
    assert place.letters("SELECT date_from::VARCHAR, date_to::VARCHAR FROM letters_resolved") == [
        ("1522-05-03", "1522-05-07")
    ]


def test_a_range_as_wide_as_the_edition_is_kept_and_reported(place: Place) -> None:
    wide = '<date notBefore="1500" notAfter="1550"/>'
    place.cmif(cmif(letter("0", A, B), *(letter(str(at), B, A, wide) for at in range(1, 4))))
    assert place.odd("wide-date") == ["3 letters are dated 1500-01-01 to 1550-12-31"]


def test_the_header_says_whom_to_credit(place: Place) -> None:
    place.cmif(cmif(letter("1", A, B)))
    status = place.collection.open_status()
    assert (status.source, status.credit) == ("Briefe & mehr", "Akademie")
    assert status.licence == "https://creativecommons.org/licenses/by/4.0/"


def test_prefixed_elements_are_read_like_others(place: Place) -> None:
    text = cmif(letter("1", A, B)).replace("</", "</tei:").replace("<", "<tei:").replace("<tei:/tei:", "</tei:")
    place.cmif(text.replace("<tei:?xml", "<?xml"))
    assert place.letters("SELECT sender_name FROM letters_resolved") == [("Anna",)]


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1", "windows-1252", "utf-8-sig"])
def test_other_encodings_are_read(place: Place, encoding: str) -> None:
    text = cmif(letter("1", person("Jörg Müßig"), B)).replace("UTF-8", encoding.removesuffix("-sig"))
    place.cmif(text.encode(encoding))
    assert place.letters("SELECT sender_name FROM letters_resolved") == [("Jörg Müßig",)]


@pytest.mark.parametrize("encoding", ["no-such-code", "utf-16", "hex", "aUTF-8"])
def test_an_encoding_that_is_none_or_the_wrong_one_costs_no_letter(place: Place, encoding: str) -> None:
    place.cmif(cmif(letter("1", A, B), letter("2", A, B)).replace("UTF-8", encoding))
    assert place.report.kept == 2
    assert place.report.counts["malformed"] == 1


def test_letters_in_comments_are_no_letters(place: Place) -> None:
    report = place.cmif(cmif("<!--", letter("0", A, B), "-->", letter("1", A, B), "<![CDATA[<correspDesc>]]>"))
    assert (report.read, report.kept) == (1, 1)


def test_a_fault_in_the_header_costs_no_letter(place: Place) -> None:
    report = place.cmif(cmif(letter("1", A, B), letter("2", B, A), head=HEAD.replace("&amp;", "&")))
    assert (report.read, report.kept, report.rejects) == (2, 2, [])
    assert place.odd("malformed") == ["a.xml:3: not well-formed from column 27 on: not well-formed (invalid token)"]


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (letter("2", A, "<persName>Bert &</persName>"), "a.xml:11: not well-formed (invalid token) (line 13)"),
        (letter("2", A, "<persName>Bert"), "a.xml:11: mismatched tag (line 13)"),
        (letter("2", A, B).replace("</correspDesc>", ""), "a.xml:11: its correspDesc is not closed before the next"),
        (letter("2", A, "<persName>B&ouml;</persName>"), "a.xml:11: undefined entity (line 13)"),
    ],
)
def test_a_broken_letter_is_reported_and_its_neighbours_are_kept(place: Place, broken: str, why: str) -> None:
    report = place.cmif(cmif(letter("1", A, B), broken, letter("3", B, A)))
    assert (report.read, report.kept) == (3, 2)
    assert [str(note)[: len(why)] for note in report.rejects] == [why]
    assert "1 letters could not be read" in place.collection.open_status().gaps[0]


def test_a_file_that_ends_in_a_letter_loses_that_one(place: Place) -> None:
    report = place.cmif(cmif(letter("1", A, B), letter("2", A, B)[:60], tail=""))
    assert [str(note) for note in report.rejects] == ["a.xml:11: its correspDesc is not closed before the file ends"]
    assert report.kept == 1


def test_letters_behind_a_comment_that_is_not_closed_are_each_reported(place: Place) -> None:
    report = place.cmif(cmif(letter("1", A, B), "<!-- ", letter("2", A, B), letter("3", A, B)))
    assert (report.read, report.kept) == (3, 1)
    assert [note.line for note in report.rejects] == [11, 15]
    assert "in a comment that is not closed and begins in line 11" in report.rejects[0].what


def test_many_comments_that_are_not_closed_take_no_longer_than_one(place: Place) -> None:
    path = place.file("a.xml", cmif(letter("1", A, B)) + "<!- <!-- - " * 200_000)
    assert sum(1 for _ in read_letters(path)) == 1


def test_entities_are_refused_with_their_line_and_never_expanded(place: Place) -> None:
    bomb = '<!DOCTYPE TEI [\n<!ENTITY a "aaaaaaaaaa">\n<!ENTITY b "&a;&a;&a;">]>\n'
    with pytest.raises(ImportRefused) as caught:
        place.cmif(cmif(letter("1", person("&b;"), B)).replace("<TEI", bomb + "<TEI", 1))
    assert "declares the entity a" in str(caught.value)
    assert caught.value.where.line == 3
    assert not place.collection.folder.exists()


def test_a_file_on_the_disk_is_not_read_through_an_external_entity(place: Place) -> None:
    secret = place.file("secret.txt", "geheim")
    doctype = f'<!DOCTYPE TEI [<!ENTITY x SYSTEM "{secret.as_uri()}">]>'
    with pytest.raises(ImportRefused):
        place.cmif(cmif(letter("1", person("&x;"), B)).replace("<TEI", doctype + "<TEI", 1))


def test_a_million_open_tags_are_no_deep_recursion(place: Place) -> None:
    deep = "<hi>" * 100_000 + "x" + "</hi>" * 100_000
    report = place.cmif(cmif(letter("1", A, B + deep)))
    assert report.kept == 1


@pytest.mark.parametrize("content", ["", "no xml at all", HEAD + TAIL])
def test_a_file_without_letters_is_refused_and_leaves_no_folder(place: Place, content: str) -> None:
    with pytest.raises(ImportRefused, match="no letter"):
        place.cmif(content)
    assert not place.collection.folder.exists()


def test_a_file_that_is_not_there_is_named(place: Place) -> None:
    with pytest.raises(MissingFile, match="nothere"):
        import_cmif([place.root / "nothere.xml"], place.collection.folder)


def test_letters_are_streamed(place: Place) -> None:
    one = letter("1", A, B)
    path = place.file("a.xml", cmif(*(one for _ in range(2_000))))
    tracemalloc.start()
    try:
        assert sum(1 for _ in read_letters(path)) == 2_000
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < path.stat().st_size / 4


def test_the_survey_of_a_sound_file_finds_no_fault(place: Place) -> None:
    assert survey(place.file("a.xml", cmif(letter("1", A, B)))).fault is None


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(noise=st.text(alphabet="<>&;\"'/!-[]= abcorrespDesc\n?", max_size=60), at=st.integers(0, 900))
def test_every_letter_that_begins_is_read_or_reported_whatever_the_noise(place: Place, noise: str, at: int) -> None:
    text = cmif(letter("1", A, B), letter("2", B, A))
    path = place.file("a.xml", text[:at] + noise + text[at:])
    found = list(read_letters(path))
    assert all(isinstance(one, (SourceLetter, Unreadable)) for one in found)
    lines = [one.line for one in found]
    assert lines == sorted(lines)


@pytest.mark.parametrize("nothing", ["#", "-", "http://d-nb.info/gnd/", "https://viaf.org/viaf/", "?", "n/a"])
def test_an_address_without_a_number_is_nobody_and_makes_no_one_person_of_many(place: Place, nothing: str) -> None:
    place.cmif(cmif(letter("1", person("Anna", nothing), B), letter("2", person("Carl", nothing), B)))
    assert place.letters("SELECT sender_id FROM letters_resolved") == [("name:Anna",), ("name:Carl",)]
    told = [f"a.xml:{line}: '{nothing}' is no number of {name}" for line, name in ((7, "Anna"), (11, "Carl"))]
    assert place.odd("no-id") == told


@pytest.mark.parametrize(
    ("dates", "bounds", "remarks"),
    [
        ((("1583-10-05", "julian"), ("1583-10-15", "gregorian")), ("1583-10-15", "1583-10-15"), 0),
        ((("1700-03-11", "gregorian"), ("1700-02-28", "julian")), ("1700-02-28", "1700-03-11"), 1),
        ((("1700-03-10", "gregorian"), ("1700-02-28", "julian")), ("1700-03-10", "1700-03-10"), 0),
        ((("1700-03-12", "gregorian"), ("1700-03-01", "julian")), ("1700-03-12", "1700-03-12"), 0),
        ((("1583-12-25", "julian"), ("1584-01-04", "gregorian")), ("1584-01-04", "1584-01-04"), 0),
    ],
)
def test_one_day_in_both_calendars_is_one_date(
    place: Place, dates: tuple[tuple[str, str], ...], bounds: tuple[str, str], remarks: int
) -> None:
    written = "".join(f'<date when="{when}" calendar="#{calendar}"/>' for when, calendar in dates)
    place.cmif(cmif(letter("1", A, B, written)))
    assert place.letters("SELECT date_from::VARCHAR, date_to::VARCHAR FROM letters_resolved") == [bounds]
    assert len(place.odd("date")) == remarks


def test_every_place_of_a_letter_is_kept(place: Place) -> None:
    place.cmif(cmif(letter("1", f"{A}<placeName>Linz</placeName>", B)))
    assert place.letters("SELECT place FROM letters_resolved") == [("Linz; Wien",)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_wide_encoding_is_read_with_a_mark_and_without(place: Place, encoding: str) -> None:
    text = cmif(letter("1", person("Müller"), B)).replace("UTF-8", "UTF-16")
    place.cmif(text.encode(encoding))
    assert place.letters("SELECT sender_name FROM letters_resolved") == [("Müller",)]


def test_a_packed_file_is_refused_with_the_way_out(place: Place) -> None:
    with pytest.raises(ImportRefused, match="packed \\(gzip\\)") as caught:
        place.cmif(gzip.compress(cmif(letter("1", A, B)).encode()))
    assert caught.value.hint == "unpack it first"
