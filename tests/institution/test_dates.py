from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.institution.dates import find_dates
from famulus_kernel.institution.numerals import LANGUAGES
from famulus_kernel.institution.periods import DayOfYear, Period, Tens, century, day, month, year, years

DAY = day(4, 3, 1617)


def meanings(text):
    return [reading for mention in find_dates(text, LANGUAGES) for reading in mention.readings]


@pytest.mark.parametrize(
    "text",
    [
        "1617-03-04", "1617/03/04", "4.3.1617", "04. 03. 1617", "4.III.1617", "4. März 1617", "den 4ten Mertzen 1617",
        "vierten März 1617", "4 March 1617", "March 4, 1617", "March 4th 1617", "the 4th of March, 1617",
        "fourth of March 1617", "le 4 mars 1617", "quatre mars 1617", "4 mars de l'an 1617", "1617 März 4",
        "die quarta Martii anno 1617", "quarto die mensis Martii MDCXVII", "IV. Non. Mart. 1617",
        "a. d. IV Nonas Martias anno 1617", "4. Mart. 1617", "iiij Martij 1617", "1617-03-04T10:30:00Z",
        "quarta die Martii anno millesimo sescentesimo decimo septimo", "4. März sechzehnhundertsiebzehn",
    ],
)  # fmt: skip
def test_a_day_is_read_in_many_forms(text) -> None:
    assert meanings(text) == [(DAY,)]


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("March 1617", (month(3, 1617),)),
        ("on the second of March, 1617", (day(2, 3, 1617),)),
        ("the second century", (century(2),)),
        ("im März des Jahres 1617", (month(3, 1617),)),
        ("mense Martio anno 1617", (month(3, 1617),)),
        ("am 4. März", (DayOfYear(3, 4),)),
        ("Idibus Martiis", (DayOfYear(3, 15),)),
        ("pridie Kal. Ian. 1618", (day(31, 12, 1617),)),
        ("vom 4. bis 6. März 1617", (DAY, day(6, 3, 1617))),
        ("am 3., 4. und 6. März 1617", (day(3, 3, 1617), DAY, day(6, 3, 1617))),
        ("March 4-6, 1617", (DAY, day(6, 3, 1617))),
        ("1611–1617", (year(1611), year(1617))),
        ("1611–17", (year(1611), year(1617))),
        ("1914/15", (year(1914), year(1915))),
        ("the 1610s", (years(1610, 1619),)),
        ("1610er Jahre", (years(1610, 1619),)),
        ("années 1610", (years(1610, 1619),)),
        ("zwanziger Jahre", (Tens(20),)),
        ("twenties of the 17th century", (years(1620, 1629),)),
        ("17. Jahrhundert", (century(17),)),
        ("XVIIe siècle", (century(17),)),
        ("saeculo XVII", (century(17),)),
        ("saeculo decimo septimo", (century(17),)),
        ("seventeenth-century", (century(17),)),
        ("16. und 17. Jahrhundert", (century(16), century(17))),
        ("first half of the 17th century", (century(17, 1),)),
        ("1. Hälfte 17. Jh.", (century(17, 1),)),
        ("1520/1", (year(1520), year(1521))),
        ("seconde moitié du XVIIe siècle", (century(17, 2),)),
    ],
)
def test_other_dates_are_spans_of_days(text, means) -> None:
    assert meanings(text) == [means]


def test_two_dates_share_a_year() -> None:
    assert meanings("März bis Mai 1617") == [(month(3, 1617),), (month(5, 1617),)]


def test_a_numeric_date_may_be_read_both_ways() -> None:
    assert meanings("3/4/1617") == [(day(3, 4, 1617),), (DAY,)]


@pytest.mark.parametrize("text", ["1617", "im Mai", "zwei Jahrhunderte", "30. Februar 1617", "99.99.1617", "he may go"])
def test_what_is_no_date_is_none(text) -> None:
    assert meanings(text) == []


def test_evidence_bears_out_what_it_lies_within() -> None:
    assert DAY.bears_out(month(3, 1617))
    assert DAY.bears_out(year(1617))
    assert DAY.bears_out(DayOfYear(3, 4))
    assert year(1617).bears_out(century(17))
    assert year(1623).bears_out(Tens(20))
    assert not month(3, 1617).bears_out(DAY)
    assert not year(1617).bears_out(century(16))
    assert not Period((1611, 1, 1), (1617, 12, 31)).bears_out(year(1611))


@given(st.text(alphabet="0123456789./- ,MärzofthedieMarchXVI–Jahrhundert"))
def test_no_text_breaks_the_search_and_places_are_right(text) -> None:
    end = 0
    for one in find_dates(text, LANGUAGES):
        assert end <= one.start < one.end <= len(text)
        assert all(one.readings)
        end = one.end
