from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from famulus_kernel.corpus.edtf import Bounds, Day, parse_edtf
from famulus_kernel.errors import NotEdtf

if TYPE_CHECKING:
    import datetime as dt

SHARED = Path(__file__).parents[2].parent / "shared" / "data"


def bounds(text: str) -> tuple[str | None, ...]:
    parsed = parse_edtf(text)
    return tuple(None if day is None else str(day) for day in (parsed.earliest, parsed.latest))


@pytest.mark.parametrize(
    ("text", "earliest", "latest"),
    [
        ("1522", "1522-01-01", "1522-12-31"),
        ("1522-02", "1522-02-01", "1522-02-28"),
        ("1520-02", "1520-02-01", "1520-02-29"),
        ("1522-05-03", "1522-05-03", "1522-05-03"),
        ("1522-05-03T10:30:00", "1522-05-03", "1522-05-03"),
        ("1522-05-03T23:59:59-05:00", "1522-05-03", "1522-05-03"),
        ("  1522-05 \n", "1522-05-01", "1522-05-31"),
    ],
)
def test_a_plain_date_spans_what_it_names(text: str, earliest: str, latest: str) -> None:
    assert bounds(text) == (earliest, latest)


@pytest.mark.parametrize(
    ("text", "earliest", "latest"),
    [
        ("1541/1542-03", "1541-01-01", "1542-03-31"),
        ("1541-07-18/", "1541-07-18", None),
        ("/1541-07-18", None, "1541-07-18"),
        ("1541-07-18/..", "1541-07-18", None),
        ("../1541", None, "1541-12-31"),
        ("../..", None, None),
        (" 1541 / 1542 ", "1541-01-01", "1542-12-31"),
        ("1541~/1542~", "1541-01-01", "1542-12-31"),
        ("2004-06-XX/2004-07-03", "2004-06-01", "2004-07-03"),
    ],
)
def test_an_interval_reaches_from_its_first_to_its_last_day(
    text: str, earliest: str | None, latest: str | None
) -> None:
    assert bounds(text) == (earliest, latest)


@pytest.mark.parametrize(
    ("text", "earliest", "latest"),
    [
        ("[1542-05-05,1542-05-06]", "1542-05-05", "1542-05-06"),
        ("{1529-11-11,1529-11-12}", "1529-11-11", "1529-11-12"),
        ("[1516-09,1516-10]", "1516-09-01", "1516-10-31"),
        ("[1502-12-16..1503-02-28]", "1502-12-16", "1503-02-28"),
        ("[..1520]", None, "1520-12-31"),
        ("[1760-12..]", "1760-12-01", None),
        ("[1667,1668, 1670..1672]", "1667-01-01", "1672-12-31"),
        ("[1670..1672, 1667]", "1667-01-01", "1672-12-31"),
        ("{..1983-12-31,1984-10-10..1984-11-01}", None, "1984-11-01"),
        ("[1511-23,1512-21]", "1511-09-01", "1512-05-31"),
    ],
)
def test_a_set_reaches_from_its_earliest_to_its_latest_member(
    text: str, earliest: str | None, latest: str | None
) -> None:
    assert bounds(text) == (earliest, latest)


@pytest.mark.parametrize(
    ("text", "earliest", "latest"),
    [
        ("1511-21", "1511-03-01", "1511-05-31"),
        ("1511-22", "1511-06-01", "1511-08-31"),
        ("1511-23", "1511-09-01", "1511-11-30"),
        ("1511-24", "1511-12-01", "1512-02-29"),
        ("1512-28", "1512-12-01", "1513-02-28"),
        ("1511-29", "1511-09-01", "1511-11-30"),
        ("1511-30", "1511-12-01", "1512-02-29"),
        ("1511-36", "1511-10-01", "1511-12-31"),
        ("1511-38", "1511-05-01", "1511-08-31"),
        ("1511-40", "1511-01-01", "1511-06-30"),
        ("1511-41", "1511-07-01", "1511-12-31"),
        ("152X-22", "1520-06-01", "1529-08-31"),
    ],
)
def test_seasons_and_parts_of_a_year_are_whole_months(text: str, earliest: str, latest: str) -> None:
    assert bounds(text) == (earliest, latest)


@pytest.mark.parametrize(
    ("text", "earliest", "latest"),
    [
        ("152X", "1520-01-01", "1529-12-31"),
        ("15XX", "1500-01-01", "1599-12-31"),
        ("1XXX-12", "1000-12-01", "1999-12-31"),
        ("1522-XX", "1522-01-01", "1522-12-31"),
        ("1522-1X", "1522-10-01", "1522-12-31"),
        ("1522-04-3X", "1522-04-30", "1522-04-30"),
        ("1522-02-XX", "1522-02-01", "1522-02-28"),
        ("1522-XX-31", "1522-01-31", "1522-12-31"),
        ("15XX-02-29", "1504-02-29", "1596-02-29"),
        ("-004X", "-0049-01-01", "-0040-12-31"),
        ("-000X", "-0009-01-01", "-0001-12-31"),
    ],
)
def test_unspecified_digits_span_every_day_that_fits_them(text: str, earliest: str, latest: str) -> None:
    assert bounds(text) == (earliest, latest)


@pytest.mark.parametrize("text", ["XXXX", "XXXX-12-XX", "-XXXX", "XXXX-05-03"])
def test_an_unspecified_year_leaves_both_bounds_unknown(text: str) -> None:
    assert bounds(text) == (None, None)


@pytest.mark.parametrize(
    ("text", "earliest", "latest"),
    [
        ("-0043-03-15", "-0043-03-15", "-0043-03-15"),
        ("0000", "0000-01-01", "0000-12-31"),
        ("Y170000002", "170000002-01-01", "170000002-12-31"),
        ("Y-17E7", "-170000000-01-01", "-170000000-12-31"),
        ("1950S2", "1900-01-01", "1999-12-31"),
        ("-1950S2", "-1999-01-01", "-1900-12-31"),
        ("1950S9", "1950-01-01", "1950-12-31"),
        ("Y171010000S3", "171000000-01-01", "171999999-12-31"),
        ("Y3388E2S3", "338000-01-01", "338999-12-31"),
        ("Y-3388E2S3~", "-338999-01-01", "-338000-12-31"),
    ],
)
def test_years_before_christ_long_years_and_significant_digits_are_read(
    text: str, earliest: str, latest: str
) -> None:
    assert bounds(text) == (earliest, latest)


@pytest.mark.parametrize(
    ("text", "uncertain", "approximate"),
    [
        ("1522", False, False),
        ("1522?", True, False),
        ("1538-09-20~", False, True),
        ("1522-05%", True, True),
        ("1522-22?", True, False),
        ("?1522-05-~03", True, True),
        ("1522-05~-03", False, True),
        ("1522-?05", True, False),
        ("[1522~,1523?]", True, True),
        ("1522~/1523", False, True),
        ("Y17E3?", True, False),
        ("1520S2~", False, True),
    ],
)
def test_marks_set_the_certainty_wherever_they_stand(text: str, uncertain: bool, approximate: bool) -> None:
    parsed = parse_edtf(text)
    assert (parsed.uncertain, parsed.approximate) == (uncertain, approximate)


@given(st.dates(), st.sampled_from("?~%"))
def test_a_mark_moves_no_bound(day: dt.date, mark: str) -> None:
    plain, marked = parse_edtf(day.isoformat()), parse_edtf(day.isoformat() + mark)
    assert (plain.earliest, plain.latest) == (marked.earliest, marked.latest)
    assert plain.is_exact
    assert not marked.is_exact


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1542/1541", Bounds(Day(1541, 1, 1), Day(1542, 12, 31), inverted=True)),
        ("[1542-05-06..1542-05-05]", Bounds(Day(1542, 5, 5), Day(1542, 5, 6), inverted=True)),
        (
            "[1530,1542-06..1541-05?]",
            Bounds(Day(1530, 1, 1), Day(1542, 6, 30), uncertain=True, inverted=True),
        ),
    ],
)
def test_a_range_that_ends_before_it_begins_spans_both_ends_and_says_so(text: str, expected: Bounds) -> None:
    assert parse_edtf(text) == expected


@pytest.mark.parametrize("text", ["1541-07/1541", "1541/1541-07", "1541-07-18/1541-07-18", "[1542,1541]"])
def test_a_range_within_one_year_and_an_unordered_choice_are_not_inverted(text: str) -> None:
    assert not parse_edtf(text).inverted


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1751-12-Ende", "1751-12-Ende is not a date"),
        ("", "a date is missing"),
        ("  ", "a date is missing"),
        ("ca. 1522", "is not a date"),
        ("15", "is not a date"),
        ("1522-5-3", "is not a date"),
        ("1522-05-03T", "is not a date"),
        ("1522-05-03T25:00:00", "is not a date"),
        ("1522-05-03T10:30:00~", "is not a date"),
        ("1522-13", "there is no month 1522-13"),
        ("1522-00-01", "there is no day"),
        ("1522-04-31", "there is no day 1522-04-31"),
        ("1XXX-02-3X", "there is no day"),
        ("1500-02-29", "a day of the Julian calendar alone"),
        ("1511-23-01", "a season has no days"),
        ("-0000", "year 0 has no sign"),
        ("Y1522", "five digits"),
        ("Y1E999999999", "at most 18 digits"),
        ("Y" + "1" * 5000, "at most 18 digits"),
        ("1522S0", "at least one significant digit"),
        ("15XXS2", "without X"),
        ("1522S2-05", "a year alone"),
        ("/", "at least one says something"),
        ("1541/1542/1543", "two ends"),
        ("[1541/1542]", "is not a date"),
        ("[]", "a date is missing"),
        ("[..]", "at least one date"),
        ("[1541,..1543]", "only the first member"),
        ("[1541..,1543]", "only the first member"),
        ("[1541,]", "a date is missing"),
        ("[1541", "is not a date"),
        ("[1541}", "is not a date"),
        ("\u0661\u0665\u0662\u0662", "is not a date"),
    ],
)
def test_what_is_no_date_is_an_error_that_names_the_text_and_the_reason(text: str, why: str) -> None:
    with pytest.raises(NotEdtf) as raised:
        parse_edtf(text)
    assert raised.value.code == "date"
    assert repr(text[:80]) in raised.value.message
    assert why in raised.value.message


def test_the_message_about_a_very_long_text_stays_short() -> None:
    with pytest.raises(NotEdtf) as raised:
        parse_edtf("1522, " * 100_000)
    assert len(raised.value.message) < 400


@given(st.text(alphabet="0123456789X-?~%/.,[]{} YESTZ:", max_size=40) | st.text(max_size=20))
@example("[" * 50)
@example("9999-24")
@example("Y999999999999999999")
def test_whatever_the_text_nothing_but_not_edtf_is_raised_and_bounds_are_in_order(text: str) -> None:
    try:
        parsed = parse_edtf(text)
    except NotEdtf:
        return
    if parsed.earliest is not None and parsed.latest is not None:
        assert parsed.earliest <= parsed.latest


@given(st.dates(), st.dates())
def test_ranges_of_any_form_agree(one: dt.date, other: dt.date) -> None:
    first, last = sorted((one, other))
    spans = {
        bounds(form.format(first, last))
        for form in ("{}/{}", "[{}..{}]", "[{},{}]", "{{{},{}}}", "{{{}..{}}}")
    }
    assert spans == {(first.isoformat(), last.isoformat())}


@given(st.dates())
def test_a_day_is_written_as_it_was_read(day: dt.date) -> None:
    assert str(parse_edtf(day.isoformat()).earliest) == day.isoformat()


@pytest.mark.parametrize(
    ("day", "text"),
    [
        (Day(1522, 5, 3), "1522-05-03"),
        (Day(1, 1, 1), "0001-01-01"),
        (Day(0, 12, 31), "0001-12-31 (BC)"),
        (Day(-43, 3, 15), "0044-03-15 (BC)"),
        (Day(170_000, 1, 1), "170000-01-01"),
        (Day(-5_877_641, 6, 25), "5877642-06-25 (BC)"),
        (Day(5_881_580, 7, 10), "5881580-07-10"),
    ],
)
def test_duckdb_reads_the_text_of_a_day_and_writes_it_back(day: Day, text: str) -> None:
    assert day.to_duckdb() == text
    assert duckdb.execute("SELECT ?::DATE::VARCHAR", [text]).fetchone() == (text,)


@pytest.mark.parametrize("day", [Day(-5_877_641, 6, 24), Day(5_881_580, 7, 11), Day(-170_000_000, 1, 1)])
def test_a_day_beyond_the_reach_of_duckdb_has_no_text_there(day: Day) -> None:
    assert day.to_duckdb() is None


@given(st.integers(-4000, 4000), st.integers(-4000, 4000))
def test_days_compare_by_time_across_the_era(one: int, other: int) -> None:
    days = [Day(year, 1, 1) for year in (one, other)]
    first, second = (day.to_duckdb() for day in days)
    in_order = duckdb.execute("SELECT ?::DATE < ?::DATE", [first, second]).fetchone()
    assert in_order == (days[0] < days[1],)


def dates_of(file: str, column: str) -> list[str]:
    path = SHARED / file
    if not path.exists():
        pytest.skip(f"the public test data {file} do not lie beside the checkout")
    with path.open(newline="", encoding="utf-8") as stream:
        return [row[column] for row in csv.DictReader(stream)]


@pytest.mark.shared
def test_every_date_of_the_spener_edition_is_read_and_those_of_1686_are_counted() -> None:
    inside = possible = 0
    for parsed in map(parse_edtf, dates_of("cmif/spener-edtf.csv", "senderDate")):
        earliest = -1 if parsed.earliest is None else parsed.earliest.year
        latest = 9999 if parsed.latest is None else parsed.latest.year
        inside += earliest == latest == 1686
        possible += earliest <= 1686 <= latest
    assert (inside, possible) == (74, 88)


@pytest.mark.shared
def test_the_exact_days_of_the_pirckheimer_register_are_counted() -> None:
    parsed = [parse_edtf(text) for text in dates_of("pirckheimer/letters.csv", "date")]
    assert (sum(each.is_exact for each in parsed), sum(not each.is_exact for each in parsed)) == (74, 42)
