from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from famulus_kernel.artefacts.drawing import GROUPS, MUTED
from famulus_kernel.artefacts.view import Figure, Table


def titles(path) -> list[str]:
    return [one.text or "" for one in ET.parse(path).getroot().iter("{http://www.w3.org/2000/svg}title")]


def test_years_and_counts_of_a_query_are_bars_and_a_table(build, query, tmp_path) -> None:
    built = build("timeline", query("SELECT 1500 + range AS year, range + 1 AS count FROM range(3)"), lang="de")
    assert built.data == {
        "events": [{"label": None, "from": 1500 + at, "to": 1500 + at, "count": at + 1} for at in range(3)],
        "n_events": 3,
    }
    figure, table = built.view.parts
    assert isinstance(figure, Figure)
    assert figure.alt == "Zeitleiste von 1500 bis 1502: 6 insgesamt, am meisten 1502 (3)"
    assert titles(tmp_path / figure.file) == [figure.alt, "1500: 1", "1501: 2", "1502: 3"]
    assert isinstance(table, Table)
    assert [(column.key, column.format) for column in table.columns] == [("from", "d"), ("count", None)]
    assert table.columns[0].label.message == "column.year"
    assert built.companions == ("artefacts/probe.svg", "artefacts/probe.parquet", "artefacts/probe.csv")


@pytest.mark.parametrize(
    ("written", "years"),
    [
        (1520, (1520, 1520)), ("1520-03-02", (1520, 1520)), ("1520?", (1520, 1520)), (" 1520 ", (1520, 1520)),
        ("1512/1515", (1512, 1515)), ("-0043", (-43, -43)), ("0044-03-15 (BC)", (-43, -43)), (1520.0, (1520, 1520)),
        ("152X", (None, None)), ("s. a.", (None, None)), (None, (None, None)), ("1512-03-02/1515-01", (1512, 1515)),
        ("/1515", (1515, 1515)), ("1520/..", (1520, 1520)),
    ],
)  # fmt: skip
def test_years_are_read_from_what_dates_look_like(build, written: object, years: tuple) -> None:
    (event,) = build("timeline", [{"date": written}]).data["events"]
    assert (event["from"], event["to"]) == years


def test_dates_of_a_query_are_years_also_before_our_era(build, query) -> None:
    sql = "SELECT unnest([DATE '1520-03-02', DATE '1520-12-31', DATE '0044-03-15 (BC)']) AS date"
    events = build("timeline", query(sql)).data["events"]
    assert [(event["from"], event["count"]) for event in events] == [(-43, 1), (1520, 2)]


def test_letters_of_any_number_are_added_up_by_year(build, query) -> None:
    built = build("timeline", query("SELECT 1500 + range % 7 AS year, 'letter ' || range AS label FROM range(70000)"))
    assert [event["count"] for event in built.data["events"]] == [10_000] * 7
    assert built.view.parts[1].full is not None


def test_undated_events_are_told_and_stand_in_the_table_only(build) -> None:
    built = build("timeline", [{"year": 1500, "count": 2}, {"year": None, "count": 12}])
    assert built.view.parts[0].caption == "without a year: 12"
    assert built.view.parts[1].rows[-1] == (None, 12)
    (table,) = build("timeline", [{"year": None}], "undated").view.parts
    assert isinstance(table, Table)


def test_a_few_labels_are_series_and_many_are_not(build, tmp_path) -> None:
    events = [{"year": year, "label": label, "count": 1} for year in (1500, 1501) for label in ("sent", "received")]
    figure = build("timeline", events).view.parts[0]
    assert set(titles(tmp_path / figure.file)[1:]) == {
        f"{year}: 1 ({label})" for year in (1500, 1501) for label in ("sent", "received")
    }
    many = [{"year": 1500, "label": f"letter {at}"} for at in range(30)]
    figure, table = build("timeline", many, "many").view.parts
    assert titles(tmp_path / figure.file)[1:] == ["1500: 30"]
    assert table.rows[0] == (1500, "letter 0", 1)


def test_a_label_that_is_the_year_is_not_repeated(build) -> None:
    table = build("timeline", [{"label": "1500", "from": 1500, "to": 1500, "count": 3}]).view.parts[1]
    assert table.rows == ((1500, 3),)


def test_what_lasts_longer_stands_below_the_axis(build, tmp_path) -> None:
    events = [{"label": "journey", "from": 1520, "to": 1521}, {"from": 1500, "to": 1500, "count": 4}]
    figure, table = build("timeline", events).view.parts
    assert "1520\N{EN DASH}1521 journey" in titles(tmp_path / figure.file)
    assert table.rows == ((1500, None, None, 4), (1520, 1521, "journey", 1))
    assert table.columns[0].label.message == "column.from"


def test_spans_that_find_no_place_are_counted(build) -> None:
    spans = [{"label": f"span {at}", "from": 1500, "to": 1501 + at} for at in range(20)]
    figure = build("timeline", spans).view.parts[0]
    assert figure.caption == "8 more spans stand in the table only"


def test_reversed_years_are_the_same_span(build) -> None:
    (event,) = build("timeline", [{"from": 1515, "to": 1512}]).data["events"]
    assert (event["from"], event["to"]) == (1512, 1515)


def lines(path) -> list[tuple[str, str]]:
    """Return colour and words of what lasts longer."""
    svg = "{http://www.w3.org/2000/svg}"
    return [
        (one.get("stroke", ""), one.findtext(f"{svg}title") or "")
        for one in ET.parse(path).getroot().iter(f"{svg}line")
        if one.find(f"{svg}title") is not None
    ]


def test_what_lasts_longer_has_the_colour_of_its_series(build, tmp_path) -> None:
    events = [{"year": 1500, "label": "sent"}, {"year": 1500, "label": "received"}]
    events += [{"label": "received", "from": 1501, "to": 1503}, {"label": "journey", "from": 1502, "to": 1504}]
    drawn = lines(tmp_path / build("timeline", events).view.parts[0].file)
    # The series are received, sent and journey, in the order of their first events.
    assert [colour for colour, _ in drawn] == [GROUPS[0], GROUPS[2]]
    many = [{"label": f"span {at}", "from": 1500, "to": 1501 + at} for at in range(8)]
    figure = build("timeline", [*events[:2], *many], "many").view.parts[0]
    assert {colour for colour, _ in lines(tmp_path / figure.file)} == {MUTED}
    figure = build("timeline", many, "alone").view.parts[0]
    assert {colour for colour, _ in lines(tmp_path / figure.file)} == {GROUPS[0]}
