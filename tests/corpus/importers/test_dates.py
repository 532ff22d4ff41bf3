"""Dates as public data write them."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.corpus.importers.dates import UNDATED, not_after, read_date, read_dates


@pytest.mark.parametrize(
    ("text", "earliest", "latest", "basis"),
    [
        ("1541-07-18", "1541-07-18", "1541-07-18", "stated"),
        ("  1541-07-18 ", "1541-07-18", "1541-07-18", "stated"),
        ("1541-07-18/", "1541-07-18", None, "stated"),
        ("/1541-07-18", None, "1541-07-18", "stated"),
        ("[1542-05-05,1542-05-06]", "1542-05-05", "1542-05-06", "stated"),
        ("1538-09-20~", "1538-09-20", "1538-09-20", "inferred"),
        ("1669?", "1669-01-01", "1669-12-31", "uncertain"),
        ("1675%", "1675-01-01", "1675-12-31", "uncertain"),
        ("1522", "1522-01-01", "1522-12-31", "stated"),
        ("1522-02", "1522-02-01", "1522-02-28", "stated"),
        ("1522-22?", "1522-06-01", "1522-08-31", "uncertain"),
        ("[..1520]", None, "1520-12-31", "stated"),
        ("-0043-03-15", "0044-03-15 (BC)", "0044-03-15 (BC)", "stated"),
    ],
)
def test_edtf_becomes_bounds_and_a_basis(text: str, earliest: str | None, latest: str | None, basis: str) -> None:
    date = read_date(text)
    assert (date.when, date.earliest, date.latest, date.basis) == (text.strip(), earliest, latest, basis)
    assert date.remark == ""


@pytest.mark.parametrize(
    ("text", "earliest", "latest", "reading"),
    [
        ("1751-12-Ende", "1751-12-01", "1751-12-31", "1751-12"),
        ("1751 Ende", "1751-01-01", "1751-12-31", "1751"),
        ("1541-7-8", "1541-07-08", "1541-07-08", "1541-07-08"),
        ("1541-1542", "1541-01-01", "1542-12-31", "1541/1542"),
        ("ca. 1541", "1541-01-01", "1541-12-31", "1541~"),
        ("1751-12-31 (?)", "1751-12-31", "1751-12-31", "1751-12-31?"),
        ("1700-02-29", "1700-02-01", "1700-02-28", "1700-02"),
        ("1541-00-00", "1541-01-01", "1541-12-31", "1541"),
        ("800", "0800-01-01", "0800-12-31", "0800"),
        ("18.7.1541", "1541-07-18", "1541-07-18", "1541-07-18"),
        ("31. 02. 1541", "1541-02-01", "1541-02-28", "1541-02"),
        ("1541.7.18", "1541-07-18", "1541-07-18", "1541-07-18"),
        ("1541-07-18T12:00", "1541-07-18", "1541-07-18", "1541-07-18"),
        ("1541/42", "1541-01-01", "1542-12-31", "1541/1542"),
        ("154u-uu", "1540-01-01", "1549-12-31", "154X-XX"),
    ],
)
def test_what_is_no_edtf_but_surely_readable_keeps_its_text_and_is_reported(
    text: str, earliest: str, latest: str, reading: str
) -> None:
    date = read_date(text)
    assert (date.when, date.earliest, date.latest) == (text, earliest, latest)
    assert date.remark == f"{text} is read as {reading}"


@pytest.mark.parametrize(
    "text",
    [
        "am Tage Jacobi", "--05-03", "1541-07-18/foo", "0000-00-00", "7/18/1541", "1541 or 2", "1541/41", "1541 BC",
        "1541 v. Chr.", "1540s", "1540er Jahre", "1541 ff.", "1541 oder sp\u00e4ter", "-44",
    ],
)
def test_what_cannot_be_read_keeps_its_text_has_no_bounds_and_is_reported(text: str) -> None:
    date = read_date(text)
    assert (date.when, date.earliest, date.latest, date.basis) == (text, None, None, "unknown")
    assert "is not an EDTF date" in date.remark


def test_a_time_zone_moves_no_date_and_is_nothing_odd() -> None:
    assert read_date("1546-01-18+01:00").earliest == "1546-01-18"
    assert read_date("1546-01-18Z").remark == ""


def test_an_inverted_range_spans_both_ends_and_is_reported() -> None:
    date = read_dates({"from": "1542", "to": "1541-03"})
    assert (date.earliest, date.latest) == ("1541-03-01", "1542-12-31")
    assert date.remark == "1542/1541-03 ends before it begins; both ends are kept"


@pytest.mark.parametrize(
    ("attributes", "when", "bounds", "basis"),
    [
        ({"when": "1522-05-03"}, "1522-05-03", ("1522-05-03", "1522-05-03"), "stated"),
        ({"when": "1522", "cert": "medium"}, "1522~", ("1522-01-01", "1522-12-31"), "inferred"),
        ({"when": "1522", "cert": "low"}, "1522?", ("1522-01-01", "1522-12-31"), "uncertain"),
        ({"when": "1522", "cert": "high"}, "1522", ("1522-01-01", "1522-12-31"), "stated"),
        ({"from": "1522-05", "to": "1522-06"}, "1522-05/1522-06", ("1522-05-01", "1522-06-30"), "stated"),
        ({"notBefore": "1522-05", "notAfter": "1522-06"}, "[1522-05..1522-06]", ("1522-05-01", "1522-06-30"), "stated"),
        ({"notAfter": "1522"}, "[..1522]", (None, "1522-12-31"), "stated"),
        ({"notBefore": "1522"}, "[1522..]", ("1522-01-01", None), "stated"),
        ({"from": "1522"}, "1522/", ("1522-01-01", None), "stated"),
        ({"from": "1522", "to": "1523", "cert": "medium"}, "1522~/1523~", ("1522-01-01", "1523-12-31"), "inferred"),
    ],
)
def test_the_attributes_of_tei_are_one_edtf_date(
    attributes: dict[str, str], when: str, bounds: tuple[str | None, str | None], basis: str
) -> None:
    date = read_dates(attributes)
    assert (date.when, (date.earliest, date.latest), date.basis) == (when, bounds, basis)


def test_one_bad_side_of_a_range_is_read_as_far_as_it_goes() -> None:
    date = read_dates({"notBefore": "1751-12-Ende", "notAfter": "1752"})
    assert (date.earliest, date.latest) == ("1751-12-01", "1752-12-31")
    assert date.remark == "1751-12-Ende is read as 1751-12"


def test_no_attribute_is_no_date() -> None:
    assert read_dates({}) == UNDATED
    assert read_dates({"when": " "}) == UNDATED


@pytest.mark.parametrize("calendar", ["#julian", "Julian", "http://example.org/calendar#julian"])
def test_the_calendar_is_noted_and_moves_no_day(calendar: str) -> None:
    date = read_dates({"when": "1690-01-01", "calendar": calendar})
    assert (date.calendar, date.earliest) == ("julian", "1690-01-01")


def test_a_date_of_receipt_bounds_the_letter_from_above() -> None:
    date = not_after(read_date("1522-05"))
    assert (date.when, date.earliest, date.latest, date.basis) == ("[..1522-05]", None, "1522-05-31", "inferred")


def test_a_year_beyond_the_database_leaves_that_side_open_and_is_reported() -> None:
    date = read_date("Y99999999")
    assert (date.earliest, date.latest) == (None, None)
    assert "beyond the days" in date.remark


@given(st.text(max_size=30) | st.from_regex(r"[0-9X?~%/\[\]{}.,\- ]{1,20}", fullmatch=True))
def test_every_text_gives_a_date_whose_bounds_a_database_takes_in_order(text: str) -> None:
    date = read_date(text)
    found = duckdb.execute("SELECT ?::DATE <= ?::DATE", [date.earliest, date.latest]).fetchone()
    assert found in ((True,), (None,))
