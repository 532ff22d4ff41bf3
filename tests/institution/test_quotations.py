from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.institution.quotations import Sources, find_quotations

MARKS = ["„{}“", "„{}”", "“{}”", "»{}«", "«{}»", "« {} »", "‚{}‘", "‘{}’", "›{}‹", "‹{}›", '"{}"', "'{}'", "``{}''"]


@pytest.mark.parametrize("marks", MARKS)
def test_every_kind_of_quote_mark_is_known(marks) -> None:
    text = f"Er schreibt: {marks.format('lieber Freund')}, und so weiter."
    (found,) = find_quotations(text)
    assert found.words.strip() == "lieber Freund"
    assert text[found.start : found.end] == marks.format("lieber Freund")


@pytest.mark.parametrize(
    "text",
    [
        "the scholars' letters and printers' shops",
        "l'an et l'ami",
        "don't and can't",
        "5'10\" tall",
        "„75“",
        "''",
        "rock 'n' roll",
    ],
)
def test_apostrophes_and_figures_are_no_quotations(text) -> None:
    assert find_quotations(text) == []


def test_a_quotation_inside_another_is_part_of_it() -> None:
    (found,) = find_quotations("Er: „Sie sagte ‚komm‘ zu mir“.")
    assert found.words == "Sie sagte ‚komm‘ zu mir"


def test_a_block_quote_is_a_quotation_without_its_signature() -> None:
    (found,) = find_quotations("Vorher:\n\n> Lieber Freund,\n> komm bald.\n> — Pirckheimer\n\nNachher.")
    assert found.words == "Lieber Freund,\nkomm bald."


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("lieber  Freund", "Mein lieber\nFreund!"),
        ("Lieber Freund,", "mein lieber freund"),
        ("ein „Freund“ von mir", "ein 'Freund' von mir"),
        ("Ver-\nband", "der Verband"),
        ("aber … dennoch", "aber sie kam dennoch"),
        ("aber [...] dennoch", "aber sie kam dennoch"),
        ("aber [sie] kam", "aber kam"),
        ("[D]as ist", "das ist gut"),
        ("finden", "ﬁnden"),
        ("1517–1518", "1517-1518"),
    ],
)
def test_a_quotation_is_found_however_it_is_set(words, source) -> None:
    assert Sources([source], "de").have(words)


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("lieber Feind", "lieber Freund"),
        ("dennoch … aber", "aber sie kam dennoch"),
        ("Freund", "Freundschaft"),
        ("vinum", "uinum"),
        ("ein Freund", "Freund ein"),
    ],
)
def test_other_words_are_not_found(words, source) -> None:
    assert not Sources([source], "de").have(words)


def test_latin_spelling_is_folded_in_latin() -> None:
    assert Sources(["Vbi iudicium cælo"], "la").have("ubi judicium caelo")
    assert not Sources(["Vbi iudicium"], "en").have("ubi iudicium")


@given(st.text(), st.text())
def test_no_text_breaks_the_search(text, source) -> None:
    sources = Sources([source], "la")
    for one in find_quotations(text):
        assert 0 <= one.start < one.end <= len(text)
        sources.have(one.words)
