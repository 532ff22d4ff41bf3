from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.cards.wording import Lexicon, folded, taken_apart, tokens

LEXICON = Lexicon.of(
    {"how-many": ["wie viele", "anzahl", "how many"], "letter": ["brief*", "letter*"], "pair": ["Über"]}
)


@pytest.mark.parametrize("written", ["Für Dürer", "fuer duerer", "fur DURER", "fu\u0308r Du\u0308rer"])
def test_umlauts_may_be_written_in_every_way(written: str) -> None:
    assert folded(written) == "fur durer"


@pytest.mark.parametrize(
    ("written", "marks"),
    [
        ('steht "ad fontes" und „in spe“', ["steht", "<quote>", "und", "<quote>"]),
        ("von 1520 bis 1530er", ["von", "<year>", "bis", "<year>"]),
        ("seite 12", ["seite", "<number>"]),
        ("lies https://beispiel.de/a?b=1", ["lies", "<address>"]),
        ("bild karte.svg", ["bild", "<file>"]),
        ("what's it", ["what", "s", "it"]),
    ],
)
def test_what_differs_from_question_to_question_becomes_a_mark(written: str, marks: list[str]) -> None:
    assert tokens(written) == marks


def test_words_of_both_languages_share_a_meaning() -> None:
    german = taken_apart("Wie viele Briefe", LEXICON).meanings
    english = taken_apart("how many letters", LEXICON).meanings
    assert german == english == ("how-many", "letter", "how-many+letter")


def test_a_lexicon_is_folded_as_questions_are() -> None:
    assert taken_apart("ueber", LEXICON).meanings == ("pair",)


def test_words_without_a_meaning_are_counted_where_they_say_something() -> None:
    assert taken_apart("wie viele briefe an die nonnen in augsburg", LEXICON).without_meaning == 2


@given(st.text(max_size=200))
def test_any_text_can_be_taken_apart(text: str) -> None:
    wording = taken_apart(text, LEXICON)
    assert all(wording.words)
    assert all(wording.runs)
