"""How many partners, how many letters, which: against counts made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from collections_made import Asking, Letter, make_collection, rows_of

from famulus_kernel.errors import UnboundInput

YEARS = {"from": 1520, "to": 1530}


def test_every_trap_of_a_correspondence_is_counted_where_it_belongs(ask: Asking) -> None:
    found = ask("correspondence-count", years=YEARS)
    assert found.counts == {
        "n_correspondents": 3,  # a, o, b; c stands in a possible and an undated letter only
        "n_letters": 7,  # L01 L02 L03 L04 L05 L07 L10; L06 names nobody opposite
        "n_sent": 4,
        "n_received": 4,  # L07 is both
        "n_possible": 1,
        "n_undated": 1,
        "n_uncertain": 1,
        "n_unknown_partner": 2,
        "n_correspondents_at_most": 4,
        "n_letters_at_most": 8,
    }


@pytest.mark.parametrize(
    ("direction", "letters", "partners", "sentence"),
    [("sent", 4, 1, "sandte"), ("received", 4, 3, "empfing")],
)
def test_letters_of_one_direction_are_counted_alone(
    ask: Asking, direction: str, letters: int, partners: int, sentence: str
) -> None:
    found = ask("correspondence-count", years=YEARS, arguments={"direction": direction}, lang="de")
    assert (found.counts["n_letters"], found.counts["n_correspondents"]) == (letters, partners)
    assert found.counts[f"n_{direction}"] == letters
    assert sentence in found.sentence
    assert any(sentence in rule for rule in found.method)
    roster = ask("correspondence-roster", years=YEARS, arguments={"direction": direction})
    assert roster.counts == found.counts


def test_a_direction_that_there_is_not_is_told(ask: Asking) -> None:
    with pytest.raises(UnboundInput, match="sent or received"):
        ask("correspondence-count", arguments={"direction": "both"})


def test_what_the_source_doubts_is_left_out_on_request_and_still_counted_apart(ask: Asking) -> None:
    counts = ask("correspondence-count", years=YEARS, arguments={"certainty": "stated"}).counts
    assert (counts["n_correspondents"], counts["n_letters"], counts["n_uncertain"]) == (2, 6, 1)


def test_without_years_undated_letters_count_too(ask: Asking) -> None:
    counts = ask("correspondence-count").counts
    assert (counts["n_letters"], counts["n_correspondents"], counts["n_possible"], counts["n_undated"]) == (10, 4, 0, 1)


@pytest.mark.parametrize(
    ("years", "letters", "possible"),
    [
        ({"from": 1521, "to": 1521}, 1, 1),
        ({"to": 1519}, 0, 1),
        ({"from": 1528}, 2, 0),
        ({"from": -500, "to": -1}, 0, 0),
    ],
)
def test_both_ends_of_the_years_are_inside(ask: Asking, years: dict[str, int], letters: int, possible: int) -> None:
    counts = ask("correspondence-count", years=years).counts
    assert (counts["n_letters"], counts["n_possible"]) == (letters, possible)


def test_the_roster_has_each_partner_once_with_variants_and_letters(ask: Asking) -> None:
    found = ask("correspondence-roster", years=YEARS)
    assert rows_of(found.entries, "name", "count", "n_sent", "n_received") == [
        ("Albrecht Maler", 3, 2, 1),
        ("Beata Vogt", 1, 0, 1),
        ("Rat der Stadt", 1, 0, 1),
    ]
    first = found.payloads["roster-table"]["entries"][0]
    assert (first["variants"], first["kind"], first["doc_ids"]) == (["Albertus Pictor"], "person", ["d1", "d2"])
    assert set(rows_of(found.labels, "label")) >= {"Albertus Pictor", "Rat der Stadt"}


def test_findings_are_complete_and_each_leads_to_its_page(ask: Asking) -> None:
    found = ask("correspondence-count", years=YEARS).findings
    assert [column.name for column in found.columns][:9] == [
        "kind", "collection", "evidence", "doc_id", "pidx", "sent_idx", "page", "text", "url",
    ]  # fmt: skip
    times = dict(rows_of(found, "letter_id", "time"))
    assert len(times) == 10  # all letters of w but that of 1531
    assert {key: time for key, time in times.items() if time != "certain"} == {"L08": "possible", "L09": "undated"}
    assert rows_of(found, "letter_id", "page", "url")[1] == ("L01", 1, "https://viewer.example/haus/d1?p=1")


def test_a_letter_without_a_document_leads_to_where_it_is_published(house: object, ask: Asking) -> None:
    plain = Asking(ask.root, ask.folder)
    assert ("L01", "https://edition.example/1") in rows_of(plain("correspondence-count").findings, "letter_id", "url")


def test_further_persons_narrow_the_letters_to_those_with_them(ask: Asking) -> None:
    counts = ask("correspondence-count", persons=["Willibald Wirt", "beata uogts"]).counts
    assert (counts["n_letters"], counts["n_correspondents"]) == (1, 1)


def test_a_person_named_in_the_question_narrows_it_unless_it_is_locked(ask: Asking) -> None:
    question = "Wie viele Briefe wechselte er mit Albrecht Maler?"
    assert ask("correspondence-count", question).counts["n_correspondents"] == 1
    assert ask("correspondence-count", question, locked=True).counts["n_correspondents"] == 4


def test_primary_and_secondary_evidence_are_kept_apart(ask: Asking) -> None:
    both = ask("correspondence-count", persons=["Willibald Wirt"], evidence="both")
    assert (both.counts["n_letters"], both.counts["n_letters_secondary"]) == (10, 1)
    assert set(rows_of(both.findings, "evidence")) == {"grounding", "secondary"}
    alone = ask("correspondence-count", persons=["Willibald Wirt"], evidence="secondary")
    assert alone.counts["n_letters"] == 1
    assert set(rows_of(alone.findings, "collection")) == {"haus-sec"}


def test_documents_narrow_the_letters_by_their_pages(ask: Asking) -> None:
    assert ask("correspondence-count", documents=["d2"]).counts["n_letters"] == 1


ANSWERS = {
    "de": "Willibald Wirt hatte 3 Briefpartner von 1520 bis 1530, in 7 Briefen (4 gesandt, 4 empfangen). "
    "Bei 2 Briefen ist die Gegenseite unbenannt; wo jede Angabe fehlt, ist der Brief nicht mitgezählt. "
    "Gesondert gezählt: 1 möglicherweise in dieser Zeit und 1 ohne Datum.",
    "en": "Willibald Wirt had 3 correspondents from 1520 to 1530, in 7 letters (4 sent, 4 received). "
    "2 letters do not name the other side; where nothing at all is said of it, the letter is left out. "
    "Counted apart: 1 possibly in that time and 1 without a date.",
}


@pytest.mark.parametrize("lang", ANSWERS)
def test_the_answer_is_a_sentence_in_the_language_of_the_document(ask: Asking, lang: str) -> None:
    assert ask("correspondence-count", years=YEARS, lang=lang).sentence == ANSWERS[lang]


def test_the_same_question_gives_the_same_bytes(ask: Asking) -> None:
    one = ask("correspondence-roster", years=YEARS)
    before = [table.parquet.read_bytes() for table in (one.findings, one.entries) if table]
    two = ask("correspondence-roster", years=YEARS)
    assert [table.parquet.read_bytes() for table in (two.findings, two.entries) if table] == before
    assert (one.counts, one.sentence, one.method) == (two.counts, two.sentence, two.method)


def test_letters_by_year_and_the_graph_hold_what_is_counted(ask: Asking) -> None:
    payloads = ask("correspondence-count", years=YEARS, kinds=None).payloads
    assert sum(row[3] for row in payloads["timeline"]["events"].rows) == 7
    assert payloads["d3-graph"]["edges"].rows == (("w", "a", 3), ("w", "b", 1), ("w", "o", 1))
    assert ("a", "Albrecht Maler", "person") in payloads["d3-graph"]["nodes"].rows


def test_nobody_at_the_centre_is_an_error(ask: Asking) -> None:
    with pytest.raises(UnboundInput, match="persons") as error:
        ask("correspondence-count", "Wie viele?", collections=["haus-sec"])
    assert error.value.hint.startswith("add persons: [a name] to the block")


@pytest.mark.parametrize("stored", ["gnd:118541013", "118541013", "http://d-nb.info/gnd/118541013"])
@pytest.mark.parametrize("asked", ["118541013", "https://d-nb.info/gnd/118541013", "gnd:118541013"])
def test_a_person_is_found_by_any_spelling_of_the_number(tmp_path: Path, stored: str, asked: str) -> None:
    letters = [Letter("L1", stored, "a", "1740-01-01")]
    make_collection(tmp_path / "root", "haus", letters=letters, persons=[(stored, "J. Chr. Gottsched", "person")])
    (tmp_path / "out").mkdir()
    ask = Asking(tmp_path / "root", tmp_path / "out")
    assert ask("correspondence-count", person_id=asked).counts["n_sent"] == 1
    assert ask("correspondence-count", persons=[asked]).counts["n_sent"] == 1
