from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.institution.numerals import LANGUAGES, find_numerals
from famulus_kernel.institution.numerals.de import cardinal
from famulus_kernel.institution.numerals.roman import roman_value


def values(text, lang):
    return [str(one.readings[0].value) for one in find_numerals(text, (lang,))]


WORDS = [
    ("de", "dreiundzwanzig, elf, tausend, zweitausendvierhunderteins", ["23", "11", "1000", "2401"]),
    ("de", "siebzehnhundertsechs und sechzehnhundert", ["1706", "1600"]),
    ("de", "zwei Millionen dreihunderttausend", ["2300000"]),
    ("de", "der zwanzigste, die dritte, das hundertdritte", ["20", "3", "103"]),
    ("de", "zwei Drittel, anderthalb, zweieinhalb", ["2/3", "3/2", "5/2"]),
    ("de", "dreimal, vierfach, fünfköpfig, zwanzigjährig", ["3", "4", "5", "20"]),
    ("de", "ein halbes Dutzend, zwei Dutzend", ["6", "24"]),
    ("de", "DREISSIG, dreißig, zwoelf, drey, eilff", ["30", "30", "12", "3", "11"]),
    ("de", "nur ein Brief und ein einziger", ["1", "1"]),
    ("de", "ein Brief, Achtung, Zweifel, außer Acht, erste, Hunderte, Einband, Elfe", []),
    ("en", "twenty-three, one hundred and five, two thousand three hundred", ["23", "105", "2300"]),
    ("en", "nineteen eighty-four, seventeen hundred, twenty twenty", ["1984", "1700", "2020"]),
    ("en", "the twenty-third, the two hundredth, the third", ["23", "200", "3"]),
    ("en", "two thirds, a quarter of it, three point one four, two and a half", ["2/3", "1/4", "157/50", "5/2"]),
    ("en", "twice, half a dozen, a hundred and twenty", ["2", "6", "120"]),
    ("en", "only one letter", ["1"]),
    ("en", "one of them, no one, a second, first, one must", []),
    ("fr", "vingt et un, soixante-dix, quatre-vingt-dix-neuf, quatre-vingts", ["21", "70", "99", "80"]),
    ("fr", "mille six cent dix-sept, deux cents, un million deux cent mille", ["1617", "200", "1200000"]),
    ("fr", "septante-deux, soixante et onze, cent un", ["72", "71", "101"]),
    ("fr", "la troisième, le vingt et unième, la seconde, dix-septième", ["3", "21", "2", "17"]),
    ("fr", "deux tiers, trois quarts, une douzaine, un seul", ["2/3", "3/4", "12", "1"]),
    ("fr", "un livre tout neuf, un livre neuf, une lettre, pour cent raisons", []),
    ("de", "Eins zu null", ["1", "0"]),
    ("la", "quinque et viginti, viginti tres, unus et triginta", ["25", "23", "31"]),
    ("la", "mille sescenti septendecim, duo milia, centum viginti", ["1617", "2000", "120"]),
    ("la", "millesimo sexcentesimo decimo septimo", ["1617"]),
    ("la", "epistolas trecentas, libris quattuor, IIII uiros, ter", ["300", "4", "4", "3"]),
    ("la", "quarto, septimo decimo, vigesimo quinto", ["4", "17", "25"]),
    ("la", "in quarto, secundum legem, una cum fratre, Cicero et Quintus, non", []),
]


@pytest.mark.parametrize(("lang", "text", "found"), WORDS, ids=[f"{one[0]}: {one[1]}" for one in WORDS])
def test_number_words_have_their_values(lang, text, found) -> None:
    assert values(text, lang) == found


FIGURES = [
    ("de", "1.234 und 12,5 und 1.234.567,89", ["1234", "25/2", "123456789/100"]),
    ("en", "1,234 and 12.5 and 1,234,567.89", ["1234", "25/2", "123456789/100"]),
    ("fr", "1\u202f234 et 12,5", ["1234", "25/2"]),
    ("de", "1'234'567", ["1234567"]),
    ("de", "1,2 Mio., 3 Tausend, 2 Dutzend", ["1200000", "3000", "24"]),
    ("en", "3rd, 21st, 12v, 1610s", ["3", "21", "12", "1610"]),
    ("en", "K17, H2O, x_3, MP3", []),
    ("de", "½, 2½, 3/4", ["1/2", "5/2", "3/4"]),
    ("en", "14:30 is one number", ["143/10"]),
]


@pytest.mark.parametrize(("lang", "text", "found"), FIGURES, ids=[one[1] for one in FIGURES])
def test_figures_have_the_value_that_the_language_gives_them(lang, text, found) -> None:
    assert values(text, lang) == found


@pytest.mark.parametrize(
    ("lang", "text", "first"),
    [
        ("de", "vier- bis fünfhundert", {4, 400}),
        ("en", "two to three million", {2, 2_000_000}),
        ("fr", "de quatre à cinq cents", {4, 400}),
        ("de", "4 bis 500", {4}),
        ("de", "fünf bis hundert", {5}),
        ("en", "two or three", {2}),
    ],
)
def test_the_first_number_of_a_range_may_share_the_scale_of_the_second(lang, text, first) -> None:
    assert {one.value for one in find_numerals(text, (lang,))[0].readings} == first


@pytest.mark.parametrize("figures", ["1" * 5000, "1," + "1" * 5000, "1 234" * 2000, "1.234" * 2000])
def test_figures_without_end_are_read(figures) -> None:
    assert find_numerals(figures, ("de",))


def test_a_percentage_is_also_a_share() -> None:
    (found,) = find_numerals("12,5 %", ("de",))
    assert [one.value for one in found.readings] == [Fraction("12.5"), Fraction("0.125")]


ROMAN = [
    ("la", "anno M CCCC XX", [1420]),
    ("de", "Karl V., Leo X. und Ludwig XIV.; Herr X. nicht", [5, 10, 14]),
    ("la", "CC epistolae", [200]),
    ("de", "Band V, fol. xij, Kap. IX", [5, 12, 9]),
    ("la", "MDCXVII, M.DC.XVII, CIↃIↃCXVII, MDXXIIII", [1617, 1617, 1617, 1524]),
    ("fr", "XVIIe", [17]),
    ("en", "I think Mr X. Jones has a CD from DC with a MIX", []),
    ("la", "di immortales, mi fili, vi et armis", []),
]


@pytest.mark.parametrize(("lang", "text", "found"), ROMAN, ids=[one[1] for one in ROMAN])
def test_roman_numerals_are_told_from_words(lang, text, found) -> None:
    assert values(text, lang) == list(map(str, found))


@pytest.mark.parametrize("text", ["", "IM", "VX", "IC", "ABC", "IIIIII", "MMMMMM"])
def test_what_is_no_roman_numeral_has_no_value(text) -> None:
    assert roman_value(text) is None


_ROMAN_SIGNS = [(1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"),
                (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]  # fmt: skip


@given(st.integers(1, 4999))
def test_every_roman_numeral_is_read(number) -> None:
    written, left = "", number
    for value, sign in _ROMAN_SIGNS:
        written += sign * (left // value)
        left %= value
    assert roman_value(written) == number


def _german(number: int) -> str:
    ones = ["", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwölf",
            "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"]  # fmt: skip
    tens = ["", "", "zwanzig", "dreissig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
    if number >= 1000:
        return _german(number // 1000) + "tausend" + (_german(number % 1000) if number % 1000 else "")
    if number >= 100:
        return ones[number // 100] + "hundert" + (_german(number % 100) if number % 100 else "")
    if number >= 20:
        return (ones[number % 10] + "und" if number % 10 else "") + tens[number // 10]
    return ones[number]


@given(st.integers(2, 999_999))
def test_every_german_number_word_is_read(number) -> None:
    assert cardinal(_german(number)) == number


@given(st.text(), st.sampled_from([*LANGUAGES, "el"]))
def test_no_text_breaks_the_search_and_places_are_right(text, lang) -> None:
    end = 0
    for one in find_numerals(text, (lang,) if lang in LANGUAGES else ()):
        assert end <= one.start < one.end <= len(text)
        assert one.readings
        end = one.end
