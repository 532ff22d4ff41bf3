"""Where a key of an oracle is looked up."""

from __future__ import annotations

from famulus_kernel.verdict import LongList, Measures


def _value(measures: Measures, key: str) -> object:
    found = measures.find(key)
    assert found is not None, key
    return found.value


def test_counts_come_before_measures_before_fields_before_entries():
    everywhere = {"counts": {"n": 1}, "measures": {"n": 2}, "fields": {"n": 3}, "entries": {"n": [4]}}
    for place, value in (("counts", 1), ("measures", 2), ("fields", 3), ("entries", [4])):
        assert _value(Measures(**everywhere), "n") == value
        del everywhere[place]


def test_a_dotted_path_goes_into_mappings_and_lists_of_the_result():
    measures = Measures(fields={"answers": [{"text": "ja"}, {"text": "nein"}]})
    assert _value(measures, "answers.1.text") == "nein"
    assert measures.find("answers.2.text") is None
    assert measures.find("answers.-1.text") is None
    assert measures.find("answers.text") is None


def test_a_key_that_has_dots_itself_goes_before_the_path():
    assert _value(Measures(fields={"a.b": 1, "a": {"b": 2}}), "a.b") == 1


def test_a_value_that_is_null_is_found():
    assert _value(Measures(measures={"n": None}), "n") is None


def test_entries_are_columns_of_those_that_have_the_key():
    measures = Measures(entries=[{"name": "A", "count": 1}, {"name": "B"}])
    assert _value(measures, "name") == ["A", "B"]
    assert _value(measures, "count") == [1]
    assert measures.find("kind") is None


def test_the_known_keys_are_those_that_are_found():
    measures = Measures(
        counts={"n_letters": 1}, measures={"n_rows": 2}, fields={"a": {"b": {"c": 1}}}, entries=[{"name": 1}, {"x": 1}]
    )
    assert measures.known() == ("n_letters", "n_rows", "a", "a.b", "a.b.c", "name", "x")
    assert all(measures.find(key) for key in measures.known())


def test_a_result_that_holds_itself_has_finitely_many_known_keys():
    fields: dict[str, object] = {}
    fields["self"] = fields
    assert len(Measures(fields=fields).known()) < 10


def test_a_plain_list_is_no_long_list():
    assert not isinstance([1], LongList)
    assert not isinstance("text", LongList)
