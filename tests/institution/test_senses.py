from __future__ import annotations

from pathlib import Path

import pytest
from collections_made import Letter, make_collection

from famulus_kernel.errors import CollectionError, MissingFile, UnboundInput, UnknownLemma
from famulus_kernel.institution.tools import Institution


def words(text: str) -> list[tuple[str, str, str]]:
    """Return the words of a sentence, each its own lemma but for a few."""
    lemmata = {"Pacem": "pax", "pacem": "pax", "Pax": "pax"}
    kinds = {".": "PUNCT"}
    return [(form, lemmata.get(form, form.lower()), kinds.get(form, "NOUN")) for form in text.split()]


SENTENCES = [
    ("d1", 0, 0, "la", words("Pax optima rerum .")),
    ("d1", 0, 1, "la", words("Si vis pacem , para bellum .")),
    ("d2", 3, 0, "la", words("Pacem volunt omnes .")),
    ("d3", 0, 0, "la", words("Bellum iustum est .")),
    ("d3", 0, 1, "la", words("Pax et otium .")),
]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Institution:
    root = tmp_path_factory.mktemp("collections")
    letters = [
        Letter("1", "a", "b", "1506-01-06", doc="d1"),
        Letter("2", "a", "b", "1507-01-01", "1508-12-31", doc="d2"),
    ]
    make_collection(root, "haus", letters=letters, sentences=SENTENCES, family=[("pax", "otium", "NOUN")])
    return Institution(root)


class TestSenseHistory:
    def test_attestations_are_counted_by_year_and_by_document(self, own: Institution) -> None:
        found = own.lw_sense_history("pax")
        assert found["attestations"] == 4
        assert found["by_year"] == [{"year": 1506, "count": 2}, {"year": 1507, "count": 1}]
        assert (found["first_year"], found["last_year"], found["undated"]) == (1506, 1507, 1)
        assert [(one["doc_id"], one["count"], one["year"]) for one in found["by_document"]] == [
            ("d1", 2, 1506), ("d2", 1, 1507), ("d3", 1, None),
        ]  # fmt: skip

    def test_registered_variants_count_where_they_are_asked_for(self, own: Institution) -> None:
        found = own.lw_sense_history("pax", family=True)
        assert found["attestations"] == 5
        assert found["counted"] == ["pax", "otium"]

    def test_a_lemma_that_is_not_there_names_the_nearest(self, own: Institution) -> None:
        with pytest.raises(UnknownLemma) as caught:
            own.lw_sense_history("bellun")
        assert "bellum" in str(caught.value.hint)

    def test_collections_that_are_not_there_are_told(self, own: Institution, tmp_path: Path) -> None:
        with pytest.raises(CollectionError):
            own.lw_sense_history("pax", ["nirgends"])
        with pytest.raises(CollectionError):
            Institution(tmp_path).lw_sense_history("pax")
        with pytest.raises(MissingFile):
            Institution(tmp_path / "gone").lw_sense_history("pax", ["haus"])


class TestSituateSpecimen:
    def test_a_specimen_is_found_whatever_its_spelling(self, own: Institution) -> None:
        found = own.lw_situate_specimen("si uis PACEM para")
        assert (found["specimens"], found["found"], found["missing"]) == (1, 1, [])
        (place,) = found["places"]
        assert (place["collection"], place["doc_id"], place["page"], place["sent_idx"]) == ("haus", "d1", 1, 1)
        assert place["verbatim"]
        assert {"lemma": "pax", "upos": "NOUN", "attestations": 4} in found["lemmata"]
        assert all(one["upos"] != "PUNCT" for one in found["lemmata"])

    def test_several_specimens_stand_one_a_line(self, own: Institution) -> None:
        found = own.lw_situate_specimen(["Pax optima rerum", "", "Nunc est bibendum"])
        assert (found["specimens"], found["found"]) == (2, 1)
        assert found["missing"] == ["Nunc est bibendum"]

    def test_what_is_nearly_there_is_named_and_not_found(self, own: Institution) -> None:
        found = own.lw_situate_specimen("Pacem volumus omnes")
        assert found["found"] == 0
        assert found["places"][0]["doc_id"] == "d2"
        assert not found["places"][0]["verbatim"]

    def test_part_of_a_word_is_no_place(self, own: Institution) -> None:
        assert own.lw_situate_specimen("ax opt")["found"] == 0

    @pytest.mark.parametrize("text", ["", " \n ", [], "'; DROP TABLE x; --", "%", "\\"])
    def test_empty_and_hostile_specimens_find_nothing(self, own: Institution, text) -> None:
        if isinstance(text, str) and text.strip():
            assert own.lw_situate_specimen(text)["found"] == 0
        else:
            with pytest.raises(UnboundInput):
                own.lw_situate_specimen(text)
