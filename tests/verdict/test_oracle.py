"""What an oracle says, and what a result must be to hold it."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.errors import PreambleError, UnknownMeasure
from famulus_kernel.verdict import Measures, check_oracle, compare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text()


def _holds(wanted: object, found: object) -> bool:
    """Compare one key with one measure."""
    return compare({"key": wanted}, Measures(measures={"key": found})).observed["key"]["ok"]


def _terms(wanted: object, values: Sequence[object]) -> dict[str, object]:
    return compare({"terms": wanted}, Measures(fields={"terms": values})).observed["terms"]


class TestScalars:
    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            (75, 75),
            (75, 75.0),
            (75.0, 75),
            (75, Decimal("75.00")),
            (0.1, Decimal("0.1")),
            (10**30, 10**30),
            (10**30, Decimal(10**30)),
            (-0.0, 0),
            ("pass", "pass"),
            ("café", "cafe\u0301"),
            ("1520-01-01", "1520-01-01"),
            (True, True),
            (None, None),
            (float("inf"), float("inf")),
            (float("nan"), float("nan")),
        ],
    )
    def test_equal_values_hold(self, wanted, found):
        assert _holds(wanted, found)

    @pytest.mark.parametrize(
        ("wanted", "found"),
        [
            (75, 76),
            (75, "75"),
            ("75", 75),
            (1, True),
            (True, 1),
            (0, False),
            (False, 0),
            (False, None),
            ("", None),
            (None, 0),
            (0.3, 0.1 + 0.2),
            (2**53, 2**53 + 1),
            ("A", "a"),
            (75, [75]),
            ("a", {"a": 1}),
            (float("inf"), float("-inf")),
        ],
    )
    def test_different_values_fail(self, wanted, found):
        assert not _holds(wanted, found)

    @given(SCALARS)
    def test_every_value_equals_itself(self, value):
        assert _holds(value, value)

    @given(SCALARS, SCALARS)
    def test_equality_has_no_direction(self, one, other):
        assert _holds(one, other) == _holds(other, one)


class TestRanges:
    @pytest.mark.parametrize("found", [15, 15.0, 17, Decimal("19.99"), 20])
    def test_the_ends_of_a_range_belong_to_it(self, found):
        assert _holds({"min": 15, "max": 20}, found)

    @pytest.mark.parametrize("found", [14, 14.999, 21, None, "17", True, [17], float("nan"), float("inf")])
    def test_what_is_outside_or_no_number_fails(self, found):
        assert not _holds({"min": 15, "max": 20}, found)

    def test_either_end_may_be_missing(self):
        assert _holds({"min": 15}, 10**40)
        assert _holds({"max": 15}, -(10**40))
        assert not _holds({"min": 15}, 14)
        assert not _holds({"max": 15}, 16)

    def test_true_is_no_number_in_a_range(self):
        assert not _holds({"min": 0, "max": 2}, True)

    @pytest.mark.parametrize("found", [0.4, 0.2, 0.3, Decimal("0.25")])
    def test_a_tolerance_is_taken_as_it_is_written(self, found):
        assert _holds({"value": 0.3, "tolerance": 0.1}, found)

    @pytest.mark.parametrize("found", [0.401, 0.199, None, "0.3", float("nan"), float("inf")])
    def test_what_is_beyond_the_tolerance_fails(self, found):
        assert not _holds({"value": 0.3, "tolerance": 0.1}, found)


class TestLists:
    def test_a_list_holds_when_one_value_is_found_and_tells_the_share(self):
        found = _terms(["saphea", "horologium"], ["astrolabium", "saphea"])
        assert found == {"value": ["saphea", "astrolabium"], "ok": True, "share": 0.5}

    def test_a_list_without_any_of_them_fails_and_shows_what_is_there_instead(self):
        assert _terms(["saphea"], ["quadrans"]) == {"value": ["quadrans"], "ok": False, "share": 0.0}

    def test_all_needs_every_value(self):
        assert _terms({"all": ["a", "b"]}, ["b", "c", "a"])["ok"]
        assert not _terms({"all": ["a", "b"]}, ["b", "c"])["ok"]

    def test_min_share_is_reached_at_its_end(self):
        wanted = {"min_share": 0.8, "of": ["a", "b", "c", "d", "e"]}
        assert _terms(wanted, ["a", "b", "c", "d"])["ok"]
        assert not _terms(wanted, ["a", "b", "c"])["ok"]

    def test_a_value_that_is_wanted_twice_counts_once(self):
        assert _terms({"min_share": 1, "of": ["a", "a", "b"]}, ["a"])["share"] == 0.5

    def test_the_values_of_lists_are_compared_as_scalars_are(self):
        assert _terms({"all": [75, "café"]}, [75.0, "cafe\u0301"])["ok"]
        assert not _terms([1], [True])["ok"]

    def test_a_single_value_is_a_list_of_one(self):
        assert _terms(["a"], "a")["ok"]

    def test_a_list_key_that_names_no_field_is_compared_with_the_labels(self):
        result = compare({"terms": ["saphea"]}, Measures(labels=["saphea", "astrolabium"]))
        assert result.status == "pass"

    def test_a_list_key_that_names_a_field_is_not_compared_with_the_labels(self):
        result = compare({"terms": ["saphea"]}, Measures(fields={"terms": []}, labels=["saphea"]))
        assert result.status == "fail"

    def test_a_list_key_without_field_and_labels_is_an_error(self):
        with pytest.raises(UnknownMeasure):
            compare({"terms": ["saphea"]}, Measures())

    def test_only_the_first_values_of_a_long_result_are_recorded(self):
        found = _terms(["x9999"], [f"x{number}" for number in range(10_000)])
        assert found["ok"]
        assert found["value"][0] == "x9999"
        assert len(found["value"]) == 20

    def test_a_list_on_disk_is_asked_and_not_read(self):
        class Disk:
            read = 0

            def __iter__(self) -> Iterator[object]:
                for number in range(10**9):
                    self.read += 1
                    yield number

            def matching(self, wanted: Sequence[object]) -> Sequence[object]:
                return [value for value in wanted if value != 7]

        disk = Disk()
        result = compare({"id": {"all": [999_999_999, 7]}}, Measures(entries={"id": disk}))
        assert result.observed["id"]["share"] == 0.5
        assert disk.read <= 1000

    def test_a_column_of_a_result_is_no_scalar(self):
        assert compare({"name": "A"}, Measures(entries=[{"name": "A"}])).status == "fail"


class TestContains:
    @pytest.mark.parametrize("needle", ["saphea", "SAPHEA", "de Sap"])
    def test_the_answer_contains_it_without_regard_to_case(self, needle):
        assert compare({"subject_contains": needle}, Measures(fields={"answer": "De Saphea"})).status == "pass"

    def test_it_is_compared_after_normalisation(self):
        fields = {"answer": "STRASSE DES CAFE\u0301S"}
        assert compare({"a_contains": "straße des cafés"}, Measures(fields=fields)).status == "pass"

    def test_the_field_of_that_name_goes_before_the_answer(self):
        fields = {"answer": "saphea", "subject": "horologium"}
        assert compare({"subject_contains": "saphea"}, Measures(fields=fields)).status == "fail"

    def test_a_field_may_be_a_list_or_a_number_or_null(self):
        fields = {"subject": ["x", "Saphea"], "year": 1520, "none": None}
        oracle = {"subject_contains": "saphea", "year_contains": "52", "none_contains": "none"}
        observed = compare(oracle, Measures(fields=fields)).observed
        assert [observed[key]["ok"] for key in oracle] == [True, True, False]

    def test_without_field_and_answer_it_is_an_error(self):
        with pytest.raises(UnknownMeasure):
            compare({"subject_contains": "saphea"}, Measures(counts={"n": 1}))

    def test_a_field_that_is_really_called_so_is_compared_as_it_stands(self):
        assert compare({"x_contains": "a"}, Measures(fields={"x_contains": "a", "answer": ""})).status == "pass"


class TestTheWhole:
    def test_a_key_that_the_result_lacks_is_an_error_that_names_the_known_ones(self):
        with pytest.raises(UnknownMeasure) as caught:
            compare({"n_leters": 1}, Measures(counts={"n_letters": 1}))
        assert "n_leters" in caught.value.message
        assert "n_letters" in caught.value.hint

    def test_the_score_is_the_share_of_keys_that_hold(self):
        result = compare({"a": 1, "b": 2, "c": 3, "d": 5}, Measures(counts={"a": 1, "b": 2, "c": 3, "d": 4}))
        assert (result.status, result.score, result.checked) == ("fail", 0.75, True)

    def test_note_and_status_are_not_compared(self):
        result = compare({"note": "by hand", "status": "candidate", "n": 1}, Measures(counts={"n": 1}))
        assert list(result.observed) == ["n"]

    @pytest.mark.parametrize("oracle", [{}, {"note": "to do"}])
    def test_an_oracle_that_compares_nothing_is_not_checked(self, oracle):
        result = compare(oracle, Measures())
        assert (result.status, result.score, result.checked) == ("pass", None, False)

    @given(st.dictionaries(st.text(), SCALARS | st.lists(SCALARS) | st.decimals() | st.binary()))
    def test_what_was_observed_is_json(self, found):
        oracle = {key: "x" for key in found if key not in {"score", "guard", "note", "status"}}
        observed = compare(oracle, Measures(fields=found)).observed
        json.dumps(observed, allow_nan=False)

    def test_an_integer_that_json_readers_would_round_is_recorded_as_text(self):
        observed = compare({"n": 1}, Measures(counts={"n": 2**53 + 1})).observed
        assert observed["n"]["value"] == "9007199254740993"


class TestForms:
    @pytest.mark.parametrize(
        "wanted",
        [
            {},
            {"min": 1, "maximum": 2},
            {"min": "1"},
            {"min": True},
            {"min": None},
            {"min": 3, "max": 2},
            {"max": float("nan")},
            {"value": 1},
            {"value": 1, "tolerance": -1},
            {"value": "1", "tolerance": 1},
            {"value": 1, "tolerance": float("inf")},
            [],
            {"all": []},
            {"all": "a"},
            {"min_share": 0, "of": ["a"]},
            {"min_share": 1.1, "of": ["a"]},
            {"min_share": 80, "of": ["a"]},
            {"min_share": 0.5},
            {"min_share": 0.5, "of": []},
            [["nested"]],
            [{"a": 1}],
            {"counts": {"n": 1}},
            b"bytes",
        ],
    )
    def test_a_form_that_nothing_could_hold_is_an_error_that_names_the_key(self, wanted):
        with pytest.raises(PreambleError, match=r"oracle\.key"):
            check_oracle({"key": wanted})

    def test_an_empty_text_is_in_everything_and_so_says_nothing(self):
        with pytest.raises(PreambleError):
            check_oracle({"answer_contains": ""})

    @pytest.mark.parametrize("key", ["score", "guard"])
    def test_a_key_that_the_verdict_uses_itself_is_an_error(self, key):
        with pytest.raises(PreambleError, match="rename"):
            compare({key: 1}, Measures(fields={key: 1}))

    def test_an_oracle_is_checked_whole_before_anything_is_compared(self):
        with pytest.raises(PreambleError):
            compare({"unknown": 1, "n": {"mn": 1}}, Measures(counts={"n": 1}))
