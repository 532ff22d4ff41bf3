"""Numbers of authority files in one spelling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.corpus.identity import identity, references, spellings


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("http://d-nb.info/gnd/118541013", "gnd:118541013"),
        ("https://www.d-nb.info/gnd/118541013/about/lds", "gnd:118541013"),
        ("118541013", "gnd:118541013"),
        ("(DE-588)118541013", "gnd:118541013"),
        ("http://d-nb.info/gnd/11859382x", "gnd:11859382X"),
        ("11859382x", "gnd:11859382X"),
        ("http://d-nb.info/gnd/1701603-4", "gnd:1701603-4"),
        ("https://www.deutsche-biographie.de/pnd118541013.html", "gnd:118541013"),
        ("http://viaf.org/viaf/9847974/", "viaf:9847974"),
        ("https://www.wikidata.org/wiki/Q57188", "wikidata:Q57188"),
        ("q57188", "wikidata:Q57188"),
        ("http://id.loc.gov/authorities/names/n79021164", "lccn:n79021164"),
        ("https://data.cerl.org/thesaurus/cnp00396638", "cerl:cnp00396638"),
        ("http://example.org/persons/7/", "https://example.org/persons/7"),
    ],
)
def test_one_person_has_one_number(text: str, value: str) -> None:
    assert identity(text) == ("authority", value)


@pytest.mark.parametrize("text", ["118541014", "12345", "#p7", "pirckheimer-willibald"])
def test_a_number_without_the_right_check_digit_belongs_to_its_own_list(text: str) -> None:
    assert identity(text) == ("local", text)


@pytest.mark.parametrize("text", ["http://www.geonames.org/2925533", "https://sws.geonames.org/2925533/", "geonames:1"])
def test_a_place_is_no_person(text: str) -> None:
    assert identity(text).kind == "place"


@pytest.mark.parametrize("text", ["http://correspsearch.net/unknown", "https://www.wikidata.org/entity/Q4233718"])
def test_addresses_for_anybody_unknown_are_known(text: str) -> None:
    assert identity(text).kind == "unknown"


def test_blanks_separate_numbers_or_stand_inside_one() -> None:
    assert references("http://d-nb.info/gnd/118 541 013") == ["http://d-nb.info/gnd/118541013"]
    assert references("http://d-nb.info/gnd/1  #p2") == ["http://d-nb.info/gnd/1", "#p2"]
    assert references("  ") == []


@given(st.text(max_size=40))
def test_blanks_around_and_inside_change_no_identity(text: str) -> None:
    assert identity(f" {text} ") == identity(text) == identity(text.replace(" ", ""))


@pytest.mark.parametrize("text", ["118541013", "gnd:118541013", "http://d-nb.info/gnd/118541013", "(DE-588)118541013"])
def test_every_spelling_of_a_number_leads_to_the_others(text: str) -> None:
    everywhere = {"gnd:118541013", "118541013", "http://d-nb.info/gnd/118541013", "https://d-nb.info/gnd/118541013"}
    assert everywhere <= set(spellings(text))


def test_a_number_of_a_list_of_its_own_has_one_spelling() -> None:
    assert spellings("p7") == ("p7",)
