"""Who may be one person: what raises the question, and what does not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.corpus.doubles import find_doubles, unlike


def found(*names: str, ids: tuple[str, ...] = ()) -> tuple[int, int]:
    """Return how many groups of the same name, and how many pairs of names alike there are."""
    doubles = find_doubles(zip(ids or [f"name:{name}" for name in names], names, strict=True))
    return len(doubles.same), len(doubles.alike)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Zwingli, Ulrich", "Ulrich Zwingli"),
        ("Johann Müller", "Johann Mueller"),
        ("Conrad Schurzfleisch", "Conrad Schurz\ufb02eisch"),
        ("Vlrich Zuingli", "Ulrich Zvingli"),
        ("Sophie von La Roche", "La Roche, Sophie"),
        ("Ulrich Zwingli (1484-1531)", "Zwingli, Ulrich"),
        ("JOHANN ECK", "Johann Eck"),
    ],
)
def test_the_same_words_raise_the_question(one: str, other: str) -> None:
    assert found(one, other) == (1, 0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("J. C. Gottsched", "Gottsched, Johann Christoph"),
        ("Hans Holbein", "Hans Holbain"),
        ("Dominik Dietrich", "Dominikus Dietrich"),
    ],
)
def test_words_alike_raise_the_question(one: str, other: str) -> None:
    assert found(one, other) == (0, 1)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Georg II. von Sachsen", "Georg III. von Sachsen"),
        ("Christian Müller", "Christiane Müller"),
        ("Hans Meier (1484-1531)", "Hans Meier (1600-1650)"),
        ("Hans Meier", "Hans Meier der Ältere"),
        ("Ulrich Zwingli", "Martin Luther"),
        ("Pirckamer", "Pirkamer"),
        ("?", "…"),
    ],
)
def test_other_persons_do_not(one: str, other: str) -> None:
    assert found(one, other) == (0, 0)


def test_two_numbers_of_one_list_are_two_persons_unless_they_have_one_name() -> None:
    assert found("J. Eck", "Johann Eck", ids=("gnd:1", "gnd:2")) == (0, 0)
    assert found("J. Eck", "Johann Eck", ids=("gnd:1", "viaf:2")) == (0, 1)
    assert found("Johann Eck", "Eck, Johann", ids=("gnd:1", "gnd:2")) == (1, 0)
    assert found("Johann Eck", "Eck, Johann", ids=("gnd:1", "gnd:1")) == (0, 0)


def test_names_of_two_persons_have_no_word_in_common() -> None:
    assert unlike("Anna Roth", "Ulrich Zwingli")
    assert not unlike("Nicolaus von Gersdorf", "Nikolaus Gersdorff")


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.text(max_size=12)), max_size=8))
def test_any_names_are_taken_and_their_order_is_nothing(names: list[tuple[str, str]]) -> None:
    assert find_doubles(names) == find_doubles(names[::-1])


def test_four_times_the_persons_take_about_four_times_the_time() -> None:
    def seconds(number: int) -> float:
        names = [(f"name:{at}", f"Hans Müller aus {at % 977} Ort{at}") for at in range(number)]
        begun = time.process_time()
        find_doubles(names)
        return time.process_time() - begun

    few = seconds(2_000)  # first: what it remembers of words must not be the larger one's work
    assert seconds(8_000) < 12 * few
