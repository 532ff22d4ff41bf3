"""The scope as SQL: what is inside the years, what may be, what is outside."""

from __future__ import annotations

from datetime import date, timedelta

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.corpus.scope import Scope, folded, narrowed
from famulus_kernel.errors import UnboundInput, YearsReversed

YEARS = st.none() | st.integers(1400, 1700)
DAYS = st.none() | st.dates(date(1400, 1, 1), date(1700, 12, 31))


@pytest.fixture(scope="module")
def database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


def time_of(database: duckdb.DuckDBPyConnection, scope: Scope, first: object, last: object) -> str | None:
    sql = f"SELECT {scope.time()} FROM (SELECT $1::DATE AS date_from, $2::DATE AS date_to)"
    row = database.execute(sql, [first, last]).fetchone()
    assert row is not None
    return row[0]  # type: ignore[no-any-return]


@given(years=st.tuples(YEARS, YEARS), first=DAYS, length=st.integers(0, 4000), is_open=st.booleans())
def test_a_span_is_certain_when_all_of_it_is_inside_and_possible_when_some_is(
    database: duckdb.DuckDBPyConnection,
    years: tuple[int | None, int | None],
    first: date | None,
    length: int,
    is_open: bool,
) -> None:
    start, end = years if None in years else sorted(years)  # type: ignore[type-var]
    if start is None and end is None:
        return
    last = None if is_open or first is None else first + timedelta(days=length)
    found = time_of(database, Scope(first=start, last=end), first, last)
    # The same, said day by day: the open ends of a span are the ends of all days there are.
    low, high = date(start or 1, 1, 1), date(end or 9999, 12, 31)
    if first is None and last is None:
        assert found == "undated"
        return
    begin, until = first or date.min, last or date.max
    starts_inside = start is None or (first is not None and low <= begin)
    ends_inside = end is None or (last is not None and until <= high)
    overlaps = begin <= high and low <= until
    assert found == ("certain" if starts_inside and ends_inside and overlaps else "possible" if overlaps else None)


@pytest.mark.parametrize(
    ("first", "last", "found"),
    [
        ("0045-03-15 (BC)", "0045-03-15 (BC)", "certain"),
        ("0046-12-31 (BC)", "0045-01-01 (BC)", "possible"),
        ("0044-01-01 (BC)", "0044-01-01 (BC)", None),
    ],
)
def test_years_before_christ_are_years_too(
    database: duckdb.DuckDBPyConnection, first: str, last: str, found: str | None
) -> None:
    assert time_of(database, Scope(first=-44, last=-44), first, last) == found


@pytest.mark.parametrize("name", ["VUILIBALDUS", "vuilibaldvs", "Uuilibaldu\u017f", "uuilibald\u0075s"])
def test_case_u_and_v_and_the_long_s_make_no_difference(database: duckdb.DuckDBPyConnection, name: str) -> None:
    row = database.execute(f"SELECT {folded('$1')} = {folded('$2')}", [name, "Vuilibaldus"]).fetchone()
    assert row == (True,)


def test_a_composed_letter_is_the_same_as_its_parts(database: duckdb.DuckDBPyConnection) -> None:
    row = database.execute(f"SELECT {folded('$1')} = {folded('$2')}", ["Du\u0308rer", "D\u00fcrer"]).fetchone()
    assert row == (True,)


def test_the_document_being_read_is_the_only_one() -> None:
    assert Scope.of({"reading_doc": "d1"}).documents == ("d1",)
    assert Scope.of({"reading_doc": "d1", "documents": ["d2"]}).documents == ("d2",)
    assert Scope.of({}).documents is None


def test_a_collection_that_the_question_names_narrows_the_scope_unless_it_is_locked() -> None:
    scope = Scope(collections=("kepler-prim", "spener", "spe"))
    assert narrowed(scope, "Was schreibt Spener?").collections == ("spener",)
    assert narrowed(scope, "Was steht in Kepler-Prim?").collections == ("kepler-prim",)
    assert narrowed(scope, "Was steht in den Spe-Briefen?").collections == scope.collections
    locked = Scope(collections=("kepler-prim", "spener"), locked=True)
    assert narrowed(locked, "Was schreibt Spener?") == locked


def test_years_the_wrong_way_round_and_an_unknown_certainty_are_errors() -> None:
    with pytest.raises(YearsReversed, match="1530"):
        Scope.of({"years": {"from": 1530, "to": 1520}})
    for key, value in {
        "certainty": "gewiss",
        "evidence": "x",
        "counting_mode": ["x"],
        "years": {"from": "1); DROP"},
    }.items():
        with pytest.raises(UnboundInput, match=key):
            Scope.of({key: value})


def test_texts_in_sql_cannot_leave_their_quotes(database: duckdb.DuckDBPyConnection) -> None:
    scope = Scope(documents=("d' OR true --",), languages=("la' OR true --",))
    sql = (
        f"SELECT {scope.documents_condition()}, {scope.language_condition()} FROM (SELECT 'd' AS doc_id, 'de' AS lang)"
    )
    assert database.execute(sql).fetchone() == (False, False)
