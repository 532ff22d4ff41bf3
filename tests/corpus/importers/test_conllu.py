"""Sentences and words from CoNLL-U."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from importing import Place

from famulus_kernel.corpus.importers.conllu import read_sentences
from famulus_kernel.errors import ImportRefused


def words(*rows: str) -> str:
    """Return a sentence of rows `form lemma upos [misc]`."""
    lines = []
    for at, row in enumerate(rows, 1):
        form, lemma, upos, misc = (*row.split(), "_")[:4]
        lines.append(f"{at}\t{form}\t{lemma}\t{upos}\t_\t_\t_\t_\t_\t{misc}")
    return "\n".join(lines) + "\n\n"


PAX = words("Pax pax NOUN", "uobis tu PRON SpaceAfter=No", ". . PUNCT")


def test_a_sentence_becomes_rows_of_sentences_words_and_lemmata(place: Place) -> None:
    report = place.conllu("# newdoc id = d1\n# text = Pax uobis.\n" + PAX, lang="la")
    assert (report.read, report.kept) == (1, 1)
    assert place.texts("FROM stz_sentences") == [("d1", 0, 0, "la", "Pax uobis.")]
    assert place.texts("FROM stz_tokens") == [
        ("d1", 0, 0, 1, "Pax", "pax", "NOUN"),
        ("d1", 0, 0, 2, "uobis", "tu", "PRON"),
        ("d1", 0, 0, 3, ".", ".", "PUNCT"),
    ]
    found = duckdb.execute("SELECT lemma, tid FROM read_parquet(?)", [str(place.collection.lemmata_path)]).fetchall()
    assert found == [(".", 3), ("pax", 1), ("tu", 2)]


def test_sentences_are_counted_anew_on_every_page_and_in_every_document(place: Place) -> None:
    place.conllu(
        "# newdoc id = a\n" + PAX + PAX + "# newpage\n" + PAX + "# page = 12\n" + PAX + "# newdoc id = b\n" + PAX
    )
    assert place.texts("SELECT doc_id, pidx, sent_idx FROM stz_sentences") == [
        ("a", 0, 0), ("a", 0, 1), ("a", 1, 0), ("a", 11, 0), ("b", 0, 0),
    ]  # fmt: skip


def test_a_file_without_documents_is_one_with_its_name(place: Place) -> None:
    place.conllu(PAX, "# newdoc\n" + PAX + "# newdoc\n" + PAX)
    assert place.texts("SELECT doc_id FROM stz_sentences") == [("a",), ("b-1",), ("b-2",)]


def test_a_document_in_two_files_is_numbered_on_and_reported(place: Place) -> None:
    place.conllu("# newdoc id = d\n" + PAX, "# newdoc id = d\n" + PAX)
    assert place.texts("SELECT doc_id, sent_idx FROM stz_sentences") == [("d", 0), ("d", 1)]
    assert place.odd("same-document") == ["b.conllu:1: the document d began in a.conllu:1"]


def test_words_of_a_contraction_count_and_its_surface_makes_the_text(place: Place) -> None:
    rows = [
        "1-2\tzum\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No",
        "1\tzu\tzu\tADP" + "\t_" * 6,
        "2\tdem\tder\tDET" + "\t_" * 6,
    ]
    place.conllu("\n".join([*rows, "3\t!\t!\tPUNCT" + "\t_" * 6, "3.1\tx\tx\tX" + "\t_" * 6]))
    assert place.texts("SELECT text FROM stz_sentences") == [("zum!",)]
    assert place.texts("SELECT tid, form FROM stz_tokens") == [(1, "zu"), (2, "dem"), (3, "!")]
    assert len(place.odd("empty-node")) == 1


def test_absent_lemmata_are_none_and_left_out_of_the_index(place: Place) -> None:
    place.conllu(words("Pax _ _", "_ _ SYM"))
    assert place.texts("SELECT lemma, upos FROM stz_tokens") == [(None, None), ("_", "SYM")]
    assert place.odd("no-lemma") == ["a.conllu:1: 1 words"]


def test_entities_are_joined_from_their_tags(place: Place) -> None:
    place.conllu(
        words("Anna A PROPN ner=B-PER", "Maria M PROPN ner=E-PER", "et et CCONJ ner=O", "Roma R PROPN x=y|ner=S-LOC")
    )
    assert place.texts("SELECT ent_id, text, kind FROM stz_entities") == [
        (None, "Anna Maria", "PER"),
        (None, "Roma", "LOC"),
    ]


STANZA = """# text = Anna zum Haus
# sent_id = 0
1\tAnna\tAnna\tPROPN\t_\t_\t0\t_\t_\tstart_char=0|end_char=4|ner=S-PER
2-3\tzum\t_\t_\t_\t_\t_\t_\t_\tstart_char=5|end_char=8
2\tzu\tzu\tADP\t_\t_\t1\t_\t_\t_
3\tdem\tder\tDET\t_\t_\t2\t_\t_\t_
4\tHaus\tHaus\tNOUN\t_\t_\t3\t_\t_\tSpacesAfter=.\\s|start_char=9|end_char=13|ner=O

# text = Berlin Mitte
# sent_id = 1
1\tBerlin\tBerlin\tPROPN\t_\t_\t0\t_\t_\tstart_char=15|end_char=21|ner=B-LOC
2\tMitte\tMitte\tPROPN\t_\t_\t1\t_\t_\tSpaceAfter=No|start_char=22|end_char=27|ner=E-LOC

"""
"""What Stanza 1.15 writes of a document with a contraction and two entities."""


def test_what_stanza_writes_is_read_whole(place: Place) -> None:
    report = place.conllu(STANZA, lang="de")
    assert (report.read, report.kept, dict(report.counts)) == (2, 2, {})
    assert place.texts("SELECT sent_idx, lang, text FROM stz_sentences") == [
        (0, "de", "Anna zum Haus"), (1, "de", "Berlin Mitte"),
    ]  # fmt: skip
    assert place.texts("SELECT tid, lemma, upos FROM stz_tokens WHERE sent_idx = 0") == [
        (1, "Anna", "PROPN"), (2, "zu", "ADP"), (3, "der", "DET"), (4, "Haus", "NOUN"),
    ]  # fmt: skip
    entities = [(0, "Anna", "PER"), (1, "Berlin Mitte", "LOC")]
    assert place.texts("SELECT sent_idx, text, kind FROM stz_entities") == entities


def test_the_language_is_the_sentences_else_the_documents_else_the_given_one(place: Place) -> None:
    place.conllu(PAX + "# newdoc id = d\n# lang = grc\n" + PAX + "# lang = de\n" + PAX + PAX, lang="la")
    assert [row[0] for row in place.texts("SELECT lang FROM stz_sentences")] == ["la", "grc", "de", "grc"]


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        ("1\tPax\tpax\n\n", "a.conllu:5: the line has 3 columns, not 10 between tabs"),
        ("2" + PAX[1:], "a.conllu:5: the word has the number '2', expected is 1"),
        (PAX.replace("2\tuobis", "x\tuobis"), "a.conllu:6: 'x' is no number of a word"),
        ("# text = leer\n\n", "a.conllu:5: the sentence has no words"),
        (PAX.replace("Pax", "P\udcff"), "a.conllu:5: the line is not UTF-8 (invalid start byte)"),
    ],
)
def test_a_broken_sentence_is_a_reject_with_its_line_and_its_neighbours_are_kept(
    place: Place, bad: str, why: str
) -> None:
    report = place.conllu((PAX + bad + PAX).encode(errors="surrogateescape"))
    assert (report.read, report.kept) == (3, 2)
    assert [str(note) for note in report.rejects] == [why]
    assert place.texts("SELECT sent_idx FROM stz_sentences") == [(0,), (1,)]


def test_windows_lines_a_byte_order_mark_and_no_line_at_the_end_change_nothing(place: Place) -> None:
    place.conllu(b"\xef\xbb\xbf" + ("# newdoc id = d\n" + PAX.strip("\n")).replace("\n", "\r\n").encode())
    assert place.texts("SELECT doc_id, count(*) FROM stz_tokens GROUP BY ALL") == [("d", 3)]


def test_conllu_plus_names_its_columns(place: Place) -> None:
    place.conllu("# global.columns = ID FORM UPOS LEMMA\n1\tPax\tNOUN\tpax\n")
    assert place.texts("SELECT form, lemma, upos FROM stz_tokens") == [("Pax", "pax", "NOUN")]


def test_conllu_plus_may_lack_lemmata_but_not_the_words(place: Place) -> None:
    assert place.conllu("# global.columns = ID FORM\n1\tPax\n").kept == 1
    with pytest.raises(ImportRefused, match="no sentence"):
        place.conllu("# global.columns = LEMMA UPOS\npax\tNOUN\n")


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(noise=st.text(alphabet="#=\t\n _1-2.PaxNEWdoc\r", max_size=40), at=st.integers(0, 200))
def test_any_noise_gives_sentences_whose_words_count_from_one(place: Place, noise: str, at: int) -> None:
    text = "# newdoc id = d\n" + PAX + PAX
    for found in read_sentences(place.file("a.conllu", text[:at] + noise + text[at:])):
        tids = [word.tid for word in getattr(found, "words", ())]
        assert tids == list(range(1, len(tids) + 1))
