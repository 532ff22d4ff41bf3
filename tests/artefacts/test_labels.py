from __future__ import annotations

import json

import pytest

from famulus_kernel.artefacts.kinds.report import _WORKINGS
from famulus_kernel.artefacts.labels import format_date, has_label, label, language_of, resolve
from famulus_kernel.artefacts.view import literal, message
from famulus_kernel.language.preamble import Preamble
from famulus_kernel.resources import extension_dir


def test_both_languages_have_the_same_keys_in_order() -> None:
    words = json.loads((extension_dir() / "labels.json").read_text(encoding="utf-8"))
    assert list(words) == ["de", "en"]
    assert list(words["de"]) == list(words["en"]) == sorted(words["de"])
    assert all(text.strip() == text != "" for texts in words.values() for text in texts.values())


def test_both_languages_have_the_same_places_for_values() -> None:
    words = json.loads((extension_dir() / "labels.json").read_text(encoding="utf-8"))
    places = {
        lang: {key: sorted(part.partition("}")[0] for part in text.split("{")[1:]) for key, text in texts.items()}
        for lang, texts in words.items()
    }
    assert places["de"] == places["en"]


@pytest.mark.parametrize(("tag", "lang"), [("de", "de"), ("DE-at", "de"), ("de_CH", "de"), ("la", "en"), ("", "en")])
def test_a_language_that_is_not_shipped_reads_english(tag: str, lang: str) -> None:
    assert language_of(tag) == lang


def test_a_value_is_put_in_once_and_its_own_braces_are_text() -> None:
    assert label("table.more", "de", shown="{total}", total="9") == "{total} von 9 Zeilen"


def test_an_unknown_key_is_shown_so_that_it_can_be_searched_for() -> None:
    assert label("no.such.key", "de") == "no.such.key"
    assert not has_label("no.such.key")


def test_a_literal_is_never_looked_up() -> None:
    assert resolve(message("answer"), "de") == "Antwort"
    assert resolve(literal("answer"), "de") == "answer"
    assert resolve(None, "de") == ""


@pytest.mark.parametrize(
    ("iso", "german", "english"),
    [
        ("2026-09-22T10:00:00Z", "22. September 2026", "22 September 2026"),
        ("1520-03-01", "1. März 1520", "1 March 1520"),
        ("1520", "1520", "1520"),
        ("2026-13-01", "2026-13-01", "2026-13-01"),
        ("yesterday!", "yesterday!", "yesterday!"),
    ],
)
def test_a_day_is_written_in_words(iso: str, german: str, english: str) -> None:
    assert (format_date(iso, "de"), format_date(iso, "en")) == (german, english)


COLUMNS = """
canonical collection count date doc_id doc_ids ent_id entry_kind evidence excerpts from group id keyword kind label left
lemma letter_id n_docs n_findings n_letters n_mentions n_pages n_received n_sent n_sentences name number page partner
recipient_name recipients right sender_name signature source target text time title to uncertain url variants weight
year
""".split()  # noqa: SIM905 - a list of names
"""What subtasks and builders write that a table may show."""

SAID_DEEPER = {"limits", "duckdb", "partiturs", "satz", "aussage", "slots", "bind", "lesart", "verfeinerung", "budget",
               "input", "artefacts", "oracle", "guard"}  # fmt: skip
"""Keys of a preamble that are built deeper than a line of facts; a report does not repeat them."""


def test_every_column_that_results_have_is_headed_by_a_word() -> None:
    assert [name for name in COLUMNS if not has_label(f"column.{name}")] == []


def test_every_key_of_a_preamble_that_a_report_repeats_is_a_word() -> None:
    shown = set(Preamble.model_fields) - SAID_DEEPER - _WORKINGS
    assert sorted(name for name in shown if not has_label(f"spec.{name}")) == []
