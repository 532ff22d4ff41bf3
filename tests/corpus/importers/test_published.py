"""Files that editions published import whole, and plain SQL counts in them what was counted in the raw files."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import duckdb
import pytest
from importing import Place

from famulus_kernel.corpus.importers import import_cmif, import_conllu, import_table

pytestmark = pytest.mark.shared

GOTTSCHED = "gnd:118541013"
CERTAIN = "date_from >= '{0}-01-01' AND date_to <= '{1}-12-31'"
POSSIBLE = (
    "coalesce(date_from, date_to) IS NOT NULL AND coalesce(date_from <= '{1}-12-31', true) "
    "AND coalesce(date_to >= '{0}-01-01', true)"
)
PARTNERS = """
WITH other AS (
    SELECT letter_id, recipient_id AS id, recipient_basis AS basis FROM letters_resolved WHERE sender_id = '{0}' AND {1}
    UNION ALL
    SELECT letter_id, sender_id, sender_basis FROM letters_resolved WHERE recipient_id = '{0}' AND {1}
)
SELECT count(DISTINCT id) FILTER (id <> '{0}' AND basis <> 'unknown'), count(DISTINCT letter_id) FROM other
WHERE id IS NOT NULL
"""


def years(place: Place, condition: str, first: int, last: int) -> int:
    ((number,),) = place.letters(
        f"SELECT count(DISTINCT letter_id) FROM letters_resolved WHERE {condition.format(first, last)}"
    )
    return int(number)


def test_gottsched_imports_whole_and_counts_as_in_the_raw_file(shared_data: Path, place: Place) -> None:
    report = import_cmif([shared_data / "cmif" / "gottsched.xml"], place.collection.folder)
    assert (report.read, report.kept, report.rejects, report.doubles) == (3733, 3733, [], [])
    points = place.letters(
        "SELECT year(date_from), count(DISTINCT letter_id) FROM letters_resolved "
        r"WHERE regexp_full_match(date_when, '[0-9]{4}(-[0-9]{2}){0,2}\??') GROUP BY 1"
    )
    by_year = dict(points)
    assert [by_year[year] for year in (1722, 1740, 1750, 1751, 1752)] == [1, 209, 266, 277, 131]
    certain, possible = CERTAIN.format(1740, 1745), POSSIBLE.format(1740, 1745)
    assert place.letters(PARTNERS.format(GOTTSCHED, certain)) == [(232, 928)]
    assert place.letters(PARTNERS.format(GOTTSCHED, possible)) == [(236, 936)]
    assert [str(note) for note in report.notes["date"]] == ["gottsched.xml:36033: 1751-12-Ende is read as 1751-12"]
    assert {kind: report.counts[kind] for kind in report.counts} == {
        "no-sender": 3, "date": 1, "self": 1, "same-number": 1, "same-name": 1,
    }  # fmt: skip


def test_spener_is_the_same_register_in_both_forms_but_for_what_is_listed(shared_data: Path, tmp_path: Path) -> None:
    tei, table = Place(tmp_path / "tei"), Place(tmp_path / "table")
    import_cmif([shared_data / "cmif" / "spener.xml"], tei.collection.folder)
    import_table([shared_data / "cmif" / "spener-edtf.csv"], table.collection.folder)
    for one in (tei, table):
        assert one.letters("SELECT count(DISTINCT letter_id) FROM letters_resolved") == [(2435,)]
        assert (years(one, CERTAIN, 1686, 1686), years(one, POSSIBLE, 1686, 1686)) == (74, 88)
    columns = (
        "sender_id", "sender_name", "recipient_id", "recipient_name", "date_when", "date_from::VARCHAR",
        "date_to::VARCHAR", "date_basis", "sender_basis", "recipient_basis", "place",
    )  # fmt: skip
    sql = f"SELECT {', '.join(columns)} FROM letters_resolved ORDER BY rowid"
    differing: Counter[str] = Counter()
    for first, second in zip(tei.letters(sql), table.letters(sql), strict=True):
        # The editions have other names in the two files, and unnamed persons are called after their letters.
        pair = (tuple(re.sub("^unknown:[^:]*", "", str(cell)) for cell in row) for row in (first, second))
        differing.update(name for name, one, other in zip(columns, *pair, strict=True) if one != other)
    assert differing == {
        "date_when": 81,  # [a,b] of the table is a range in TEI (same bounds), % is ~
        "date_basis": 103,  # brackets about the written date stand in the table alone; % is a doubt, medium is none
        "recipient_name": 5,  # brackets that csv2cmi cut: einen Amtsbruder] im [Elsaß
        "recipient_basis": 1,  # the same
    }
    bodies = [set(one.letters("SELECT ent_id, kind FROM ent_canonical WHERE kind = 'org'")) for one in (tei, table)]
    assert bodies == [{("gnd:4032660-3", "org"), ("gnd:5044412-8", "org")}, set()]


@pytest.mark.parametrize(("name", "letters"), [("la_roche.xml", 194), ("bucer1-15.xml", 6)])
def test_smaller_editions_import_whole(shared_data: Path, place: Place, name: str, letters: int) -> None:
    report = import_cmif([shared_data / "cmif" / name], place.collection.folder)
    assert (report.read, report.kept) == (letters, letters)
    assert place.letters("SELECT count(DISTINCT letter_id) FROM letters_resolved") == [(letters,)]


@pytest.mark.parametrize(
    ("name", "letters", "fault"),
    [
        ("luxemburg.xml", 11, "luxemburg.xml:19: not well-formed from column 15 on: mismatched tag"),
        ("werthern.xml", 272, "werthern.xml:19: not well-formed from column 303 on: not well-formed (invalid token)"),
    ],
)
def test_files_with_a_broken_header_lose_no_letter_and_say_where_they_are_broken(
    shared_data: Path, place: Place, name: str, letters: int, fault: str
) -> None:
    report = import_cmif([shared_data / "cmif" / name], place.collection.folder)
    raw = (shared_data / "cmif" / name).read_bytes()
    assert report.kept == report.read == raw.count(b"<correspDesc ") == letters
    assert [str(note) for note in report.notes["malformed"]] == [fault]


def test_pirckheimers_table_imports_with_the_basis_of_every_party(shared_data: Path, place: Place) -> None:
    report = import_table([shared_data / "pirckheimer" / "letters.csv"], place.collection.folder)
    assert report.kept == 116
    ((sent, received),) = place.letters(
        "SELECT count(DISTINCT letter_id) FILTER (sender_id LIKE '%:pirckheimer-willibald'), "
        "count(DISTINCT letter_id) FILTER (recipient_id LIKE '%:pirckheimer-willibald') FROM letters_resolved"
    )
    assert (sent, received) == (40, 76)


def test_latin_texts_import_whole_and_their_lemmata_count_as_in_the_raw_file(shared_data: Path, place: Place) -> None:
    report = import_conllu([shared_data / "conllu" / "latin-texts.conllu"], place.collection.folder, lang="la")
    assert (report.read, report.kept, report.rejects) == (2339, 2339, [])
    assert place.texts("SELECT count(*) FROM stz_tokens") == [(56835,)]
    with duckdb.connect() as connection:
        found = connection.execute(
            "SELECT lemma, count(*), count(DISTINCT (doc_id, pidx, sent_idx)), count(DISTINCT doc_id) "
            "FROM read_parquet(?) WHERE lemma IN ('pax', 'deus', 'homo') GROUP BY lemma ORDER BY lemma",
            [str(place.collection.lemmata_path)],
        ).fetchall()
    assert found == [("deus", 305, 250, 28), ("homo", 131, 116, 25), ("pax", 28, 26, 14)]
    sentences = "SELECT doc_id, pidx, sent_idx FROM stz_tokens WHERE lemma = "
    assert place.texts(f"SELECT count(*) FROM ({sentences} 'deus' INTERSECT {sentences} 'homo')") == [(33,)]
    assert place.texts("SELECT count(*) FROM stz_sentences WHERE text LIKE '%Vtopia%' OR text LIKE '%Utopia%'") == [
        (3,)
    ]
