"""The bounds against those of the two Python libraries for EDTF, on forms that they read rightly.

Left out on purpose: undate 0.8 reads no sets, seasons and exponents; edtf 5.0 ends winter with December,
gives an open end ten years and takes `1520S2` for the year alone.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from famulus_kernel.corpus.edtf import parse_edtf

undate = pytest.importorskip("undate", reason="the comparison needs the package undate")
edtf = pytest.importorskip("edtf", reason="the comparison needs the package edtf")


def bounds(text: str) -> tuple[str, ...]:
    parsed = parse_edtf(text)
    return str(parsed.earliest), str(parsed.latest)


def iso_like(draw_year: st.SearchStrategy[int]) -> st.SearchStrategy[str]:
    """Texts that both read rightly: years, months, days, with unspecified digits and marks at the end."""
    year = draw_year.map("{:04d}".format)
    month = st.integers(1, 12).map("{:02d}".format)
    date = st.one_of(
        year,
        year.map(lambda text: text[:3] + "X"),
        year.map(lambda text: text[:2] + "XX"),
        st.tuples(year, month).map("-".join),
        st.tuples(year, month, st.integers(1, 28).map("{:02d}".format)).map("-".join),
    )
    return st.tuples(date, st.sampled_from(["", "?", "~", "%"])).map("".join)


@settings(deadline=None)  # the parsers of both build their tables on the first call
@given(iso_like(st.integers(1000, 2999)))
def test_undate_gives_the_same_bounds_where_it_is_right(text: str) -> None:
    peer = undate.Undate.parse(text, "EDTF")
    assert bounds(text) == (str(peer.earliest), str(peer.latest))


def edtf_bounds(text: str) -> tuple[str, ...]:
    peer = edtf.parse_edtf(text)
    return tuple(
        "{:04d}-{:02d}-{:02d}".format(*end[:3]) for end in (peer.lower_strict(), peer.upper_strict())
    )


@settings(deadline=None)  # the parsers of both build their tables on the first call
@given(iso_like(st.integers(1000, 2999)))
def test_edtf_gives_the_same_bounds_where_it_is_right(text: str) -> None:
    assert bounds(text) == edtf_bounds(text)


@pytest.mark.parametrize(
    "text",
    [
        "1511-21",
        "1511-22",
        "1511-23",
        "1511-33",
        "1511-37",
        "1511-41",
        "1541/1542",
        "[1667,1668]",
        "2004-06~-11",
        "{1517-10-03,1517-10-09}",
        "[1670..1672]",
        "15XX-12-25",
        "1522-XX",
        "1522-05-XX",
        "Y17E4",
        "1541-05~/1542-06",
    ],
)
def test_edtf_agrees_on_seasons_sets_and_intervals(text: str) -> None:
    assert bounds(text) == edtf_bounds(text)
