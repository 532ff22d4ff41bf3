"""Names as editors write them."""

from __future__ import annotations

import pytest

from famulus_kernel.corpus.importers.names import is_nobody, is_somebody, read_name


@pytest.mark.parametrize(
    ("written", "text", "basis"),
    [
        ("Elias Veiel", "Elias Veiel", "stated"),
        ("[Elias Veiel]", "Elias Veiel", "supplied"),
        ("Elias Veiel?", "Elias Veiel", "uncertain"),
        ("Elias Veiel (?)", "Elias Veiel", "uncertain"),
        ("[Elias Veiel?]", "Elias Veiel", "uncertain"),
        ("[Elias Veiel]?", "Elias Veiel", "uncertain"),
        ("[Christian] Wildvogel", "[Christian] Wildvogel", "stated"),
        ("A\u0308nne \n Mu\u0308ller", "Änne Müller", "stated"),
        ("", "", "stated"),
    ],
)
def test_brackets_and_question_marks_are_no_part_of_a_name(written: str, text: str, basis: str) -> None:
    assert read_name(written) == (text, basis)


@pytest.mark.parametrize(
    "name",
    [
        "Unbekannt",
        "unbekannter Empfänger",
        "Unknown",
        "N. N.",
        "N.N.",
        "NN",
        "?",
        "-",
        "…",
        "Anonymus",
        "[unknown",
        "Ignotus",
    ],
)
def test_words_for_nobody_are_known(name: str) -> None:
    assert is_nobody(name)


@pytest.mark.parametrize(
    "name", ["einen Amtsbruder", "Ein Konsistorium", "a lady of Leipzig", "un ami", "[einen Freund] im Elsaß"]
)
def test_descriptions_of_somebody_are_known(name: str) -> None:
    assert is_somebody(name)


@pytest.mark.parametrize(
    "name",
    ["Anna", "An Lee", "Einhard", "Ein", "Xaver", "Unbekannt-Meyer", "Nikolaus", "A. Müller", "Una", "Die Dreizehn"],
)
def test_names_are_names(name: str) -> None:
    assert not is_nobody(name)
    assert not is_somebody(name)
