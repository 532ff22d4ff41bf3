from __future__ import annotations

import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from famulus_kernel.institution.evaluate import evaluate
from famulus_kernel.institution.measuring import labelled_texts, main, measure

HERE = Path(__file__).parent


def unsupported(text, evidence, lang="de"):
    return [one.text for one in evaluate(text, evidence, lang).unsupported]


class TestMeasured:
    def test_labelled_texts_are_judged_as_labelled(self) -> None:
        score = measure(labelled_texts(HERE / "labelled.yaml"))
        assert score.texts >= 200
        assert score.precision >= 0.97, score.differences
        assert score.recall >= 0.97, score.differences

    def test_texts_written_apart_from_the_rules_are_judged_nearly_as_well(self) -> None:
        score = measure(labelled_texts(HERE / "held_back.yaml"))
        assert score.texts >= 80
        assert score.precision >= 0.95, score.differences
        assert score.recall >= 0.95, score.differences

    def test_the_command_prints_both(self, capsys) -> None:
        main([str(HERE / "held_back.yaml")])
        assert "precision" in capsys.readouterr().out


def test_findings_say_where_they_stand() -> None:
    text = "Es sind 75 Briefe, „lieber Freund“, vom 4. März 1617."
    found = evaluate(text, {}, "de")
    assert [(one.kind, text[one.start : one.end]) for one in found.findings] == [
        ("number", "75"),
        ("quotation", "„lieber Freund“"),
        ("date", "4. März 1617"),
    ]
    assert found.as_dict() | {"findings": 0} == {
        "passed": False, "findings": 0, "n_unsupported": 3, "n_numbers": 1, "n_dates": 1, "n_quotations": 1,
    }  # fmt: skip


def test_places_are_those_of_the_text_as_it_was_given() -> None:
    text = unicodedata.normalize("NFD", "Fünf Bücher für Jürgen, am 4. März 1617 „schön“.")
    found = evaluate(text, [], "de")
    assert [unicodedata.normalize("NFC", text[one.start : one.end]) for one in found.findings] == [
        "Fünf", "4. März 1617", "„schön“",
    ]  # fmt: skip


def test_a_text_without_claims_passes_with_no_findings() -> None:
    assert evaluate("Er schrieb gern.", [], "de").findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "Siehe https://example.org/77 und [dort](seite-12.html).",
        "`LIMIT 10` und [^3]",
        "```sql\nSELECT 4711\n```\n",
        "1. eins\n2. zwei-mal\n3. noch was\n".replace("eins", "Ein").replace("zwei-mal", "Noch"),
    ],
)
def test_addresses_code_and_the_numbers_of_lists_are_no_claims(text) -> None:
    assert unsupported(text, []) == []


class TestEvidence:
    def test_rows_measures_and_keys_count(self) -> None:
        evidence = {"rows": [{"year": "1611", "n": 4}], "measures": {"n_rows": 17}, "by_year": {"1612": 3}}
        assert unsupported("1611, 4, 17, 1612, 3, aber nicht 18", evidence) == ["18"]

    def test_a_rounded_number_is_borne_out_by_the_exact_one(self) -> None:
        assert unsupported("0,83 und 83 % und 83,3 %", [0.8333333]) == []
        assert unsupported("0,84 und 84 %", [0.8333333]) == ["0,84", "84 %"]

    def test_a_whole_number_is_meant_exactly(self) -> None:
        assert unsupported("12 Briefe", [12.4]) == ["12"]

    def test_a_year_is_borne_out_by_a_day_in_it(self) -> None:
        assert unsupported("Im Jahr 1617, am 4. März", ["1617-03-04"]) == []

    def test_a_day_does_not_bear_out_a_number(self) -> None:
        assert unsupported("Vier Briefe", ["1617-03-04"]) == ["Vier"]

    def test_edtf_bears_out_what_it_means(self) -> None:
        assert unsupported("in den 1610er Jahren", ["161X"]) == []
        assert unsupported("im März 1617", ["1617-03~"]) == []
        assert unsupported("1541–1542", ["1541/1542"]) == []

    def test_a_quotation_may_go_over_two_rows(self) -> None:
        rows = [{"n": 1, "s": "Salve amice."}, {"n": 2, "s": "Vale semper."}]
        assert unsupported("«Salve amice. Vale semper.»", rows, "la") == []

    def test_another_language_of_the_evidence_is_understood(self) -> None:
        assert unsupported("Drei Bücher und 21 Briefe", ["libri tres", "vingt et une lettres"]) == []

    def test_names_with_figures_are_compared_as_they_are(self) -> None:
        assert unsupported("Siehe doc_17 und doc_18.", ["doc_17"]) == ["doc_18"]

    @pytest.mark.parametrize("evidence", [None, [], {}, "", 0, [None, True, float("nan"), float("inf")], [[[[]]]]])
    def test_evidence_may_be_of_any_shape(self, evidence) -> None:
        assert unsupported("75", evidence) == ["75"]


@pytest.mark.parametrize("lang", ["de", "de-AT", "DE", "el", "", "grc-x"])
def test_any_language_is_accepted(lang) -> None:
    assert unsupported("75 und 76", [75], lang) == ["76"]


def test_a_long_text_and_much_evidence_take_little_time() -> None:
    evidence = [
        {"id": n, "date": f"1617-03-{n % 28 + 1:02}", "text": f"Satz {n} mit Wörtern von Anfang an."}
        for n in range(2000)
    ]
    before = time.process_time()
    evaluate("Es sind 1999 Sätze vom 4. März 1617; „Satz 77 mit Wörtern“. " * 200, evidence, "de")
    assert time.process_time() - before < 15


@pytest.mark.parametrize(
    "sign",
    [
        "'", '"', "„", "> ", "(", "1.", "M. ", "CI", "vier und ", "1,", "a. d. ", "- ", "<!--", "{#", "[^", "1617-",
        "1617 ", "1\n", "Mai 1617, ", "12. Jh., ",
    ],
)  # fmt: skip
def test_no_text_takes_endless_time(sign) -> None:
    before = time.process_time()
    evaluate(sign * 5000, [sign * 5000], "la")
    assert time.process_time() - before < 6


@given(
    st.text(),
    st.recursive(st.none() | st.text() | st.integers() | st.floats(), st.lists),
    st.sampled_from(["de", "en", "fr", "la", "x"]),
)
def test_no_text_and_no_evidence_break_the_check(text, evidence, lang) -> None:
    found = evaluate(text, evidence, lang).findings
    assert [one.text for one in found] == [text[one.start : one.end] for one in found]
