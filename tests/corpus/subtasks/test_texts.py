"""Questions about words, sentences and mentions: against counts made by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from collections_made import Asking, Letter, make_collection, rows_of

from famulus_kernel.errors import UnboundInput, UnknownLemma

CANONICAL = {"counting_mode": "canonical"}


def test_attestations_are_words_and_their_sentences_are_triples(ask: Asking) -> None:
    found = ask("terminology-find", lemmata=["deus"], **CANONICAL)
    assert found.counts == {"n_occurrences": 5, "n_sentences": 4, "n_documents": 2}
    places = rows_of(found.findings, "doc_id", "pidx", "sent_idx", "page")
    assert places == [("d1", 0, 0, 1), ("d1", 0, 1, 1), ("d1", 1, 0, 2), ("d1", 1, 0, 2), ("d2", 0, 0, 1)]


def test_the_keyword_is_the_word_itself_and_not_the_same_letters_before_it(ask: Asking) -> None:
    kwic = rows_of(ask("terminology-find", lemmata=["sum"], **CANONICAL).findings, "left", "keyword", "right")
    assert kwic == [("deus ", "est", " naturae et Albertus"), ("naturalis ", "est", " saphea"),
                    ("essentia ", "est", " natura")]  # fmt: skip
    twice = rows_of(ask("terminology-find", lemmata=["et"], **CANONICAL).findings, "left", "right")
    assert twice[2:] == [("pacem ", " Deum et deus"), ("pacem et Deum ", " deus")]


@pytest.mark.parametrize(("mode", "number"), [("canonical", 2), ("family", 3), ("family+adj", 4)])
def test_a_family_takes_its_variants_and_its_adjectives_only_when_asked(ask: Asking, mode: str, number: int) -> None:
    assert ask("terminology-find", lemmata=["natura"], counting_mode=mode).counts["n_occurrences"] == number


def test_an_adjective_of_its_own_is_counted_as_itself(ask: Asking) -> None:
    assert ask("terminology-find", lemmata=["naturalis"], counting_mode="family+adj").counts["n_occurrences"] == 1


def test_a_language_filters_sentences_and_a_document_texts(ask: Asking) -> None:
    assert ask("terminology-find", lemmata=["deus"], language="de", **CANONICAL).counts["n_occurrences"] == 1
    assert ask("terminology-find", lemmata=["deus"], reading_doc="d2", **CANONICAL).counts["n_occurrences"] == 1


def test_years_are_those_of_the_letter_on_the_page(ask: Asking) -> None:
    counts = ask("terminology-find", lemmata=["sum"], years={"from": 1520, "to": 1520}, **CANONICAL).counts
    assert counts == {"n_occurrences": 1, "n_sentences": 1, "n_documents": 1, "n_possible": 0, "n_undated": 1}
    assert ask("terminology-find", lemmata=["saphea"], years={"to": 1524}, **CANONICAL).counts["n_sentences"] == 1


def test_persons_narrow_texts_to_letters_from_or_to_them(ask: Asking) -> None:
    assert ask("terminology-find", lemmata=["sum"], persons=["Caritas Wirt"], **CANONICAL).counts["n_occurrences"] == 1


def test_a_lemma_that_the_index_does_not_have_is_an_error_with_those_alike(ask: Asking) -> None:
    with pytest.raises(UnknownLemma, match="sapheas") as error:
        ask("terminology-find", lemmata=["sapheas"], **CANONICAL)
    assert "saphea" in error.value.hint


def test_cooccurrence_wants_all_lemmata_in_one_sentence(ask: Asking) -> None:
    found = ask("cooccurrence", lemmata=["homo", "deus"], **CANONICAL)
    assert found.counts == {"n_sentences": 1, "n_documents": 1}
    assert rows_of(found.findings, "left", "keyword", "right", "lemma") == [("", "deus", " et homo", "deus, homo")]
    assert ask("cooccurrence", lemmata=["pax", "homo"], **CANONICAL).is_empty
    with pytest.raises(UnboundInput, match="lemmata"):
        ask("cooccurrence", lemmata=["homo", "homo"], **CANONICAL)


def test_one_word_that_counts_as_two_lemmata_does_not_occur_with_itself(ask: Asking) -> None:
    assert ask("cooccurrence", lemmata=["natura", "essentia"], counting_mode="family").counts["n_sentences"] == 1
    assert ask("cooccurrence", lemmata=["natura", "naturalis"], counting_mode="family+adj").is_empty


def test_three_lemmata_that_share_words_need_three_words(tmp_path: Path) -> None:
    family = [(one, other, "NOUN") for one in "abc" for other in "xy"]
    words = {name: (name, name, "NOUN") for name in "abcxyz"}
    texts = ["xx", "xyx", "ay", "abc", "axz", "xyz", "aab"]
    make_collection(
        tmp_path / "root",
        "drei",
        sentences=[("d", 0, at, "la", [words[sign] for sign in text]) for at, text in enumerate(texts)],
        family=family,
    )
    (tmp_path / "out").mkdir()
    asking = Asking(tmp_path / "root", tmp_path / "out")

    def together(*lemmata: str) -> list[str]:
        found = asking("cooccurrence", collections=["drei"], counting_mode="family", lemmata=list(lemmata))
        return [texts[at] for at in rows_of(found.findings, "sent_idx")]

    assert together("a", "b") == texts
    assert together("a", "b", "c") == ["xyx", "abc"]
    assert together("a", "b", "a") == together("a", "b")


def test_a_lemma_in_two_forms_of_unicode_is_one_lemma(ask: Asking) -> None:
    with pytest.raises(UnboundInput, match="lemmata"):
        ask("cooccurrence", lemmata=["\u00e9tat", "e\u0301tat"], **CANONICAL)


def test_statements_are_sentences_quoted_under_their_documents(ask: Asking) -> None:
    found = ask("statement-mention", lemmata=["deus"], lang="de", **CANONICAL)
    assert found.counts == {"n_sentences": 4, "n_documents": 2}
    content = found.payloads["markdown"]["content"]
    assert content.startswith("Von deus ist in 4 Sätzen aus 2 Dokumenten die Rede.\n\n**d1**\n\n- deus et homo")
    assert "[S. 2](https://viewer.example/haus/d1?p=2)" in content


def test_both_kinds_of_evidence_are_counted_and_quoted_apart(ask: Asking) -> None:
    found = ask("concept-statements", lemmata=["deus"], evidence="both", **CANONICAL)
    assert (found.counts["n_sentences"], found.counts["n_sentences_secondary"]) == (4, 1)
    assert "**s1 (Secondary literature)**" in found.payloads["markdown"]["content"]


@pytest.mark.parametrize(
    ("text", "ignore", "number"),
    [("Stra\u00dfe", False, 1), ("stra\u00dfe", False, 0), ("stra\u00dfe", True, 1), ("deus", False, 3)],
)
def test_a_string_is_found_as_it_stands(ask: Asking, text: str, ignore: bool, number: int) -> None:
    found = ask("sentence-mention", arguments={"text": text, "ignore_case": ignore})
    assert found.counts["n_sentences"] == number


def test_the_one_quoted_string_of_the_question_is_what_is_looked_for(ask: Asking) -> None:
    found = ask("sentence-mention", "Wo steht \u201eet homo\u201c?")
    assert rows_of(found.findings, "left", "keyword", "right") == [("deus ", "et homo", "")]
    with pytest.raises(UnboundInput, match="text"):
        ask("sentence-mention", "Wo steht es?")


def test_a_source_is_found_by_name_by_string_and_by_lemmata(ask: Asking) -> None:
    by_name = ask("source-attestation", arguments={"source": "Albertus Pictor"})
    assert by_name.counts == {"n_documents": 2, "n_sentences": 2}
    by_string = ask("source-attestation", arguments={"source": "naturae et"})
    assert rows_of(by_string.entries, "doc_id", "n_sentences") == [("d1", 1)]
    by_lemmata = ask("source-attestation", arguments={"source": ["deus", "natura"]}, **CANONICAL)
    assert by_lemmata.payloads["citation-list"]["rows"][0]["excerpts"] == ["deus est naturae et Albertus"]


def test_a_sentence_that_names_the_source_and_spells_it_decomposed_is_one_sentence(tmp_path: Path) -> None:
    name = "Jo\u0308rg Maler"
    words = [(word, word, "PROPN") for word in name.split()]
    make_collection(
        tmp_path,
        "haus",
        letters=[Letter("L1", "j", "j", "1520-01-01", doc="d1")],
        persons=[("j", "J\u00f6rg Maler", "person")],
        sentences=[("d1", 0, 0, "de", words), ("d1", 0, 1, "la", words)],
        mentions=[("d1", 0, 0, "j", name), ("d1", 0, 7, "j", name)],
    )
    ask = Asking(tmp_path, tmp_path)
    found = ask("source-attestation", arguments={"source": "J\u00f6rg Maler"})
    assert rows_of(found.findings, "sent_idx", "text") == [(0, "J\u00f6rg Maler"), (1, "J\u00f6rg Maler"), (7, None)]
    assert rows_of(found.entries, "n_sentences") == [3]
    in_german = ask("source-attestation", arguments={"source": "J\u00f6rg Maler"}, language="de")
    assert in_german.counts["n_sentences"] == 1


def test_mentions_are_rows_and_not_sentences(ask: Asking) -> None:
    found = ask("entity-mention-count", persons=["albertus pictor"])
    assert found.counts == {"n_mentions": 3, "n_sentences": 2, "n_documents": 2}
    assert ask("entity-mention-count", "Wie oft steht Albrecht Maler da?").counts["n_mentions"] == 3


def test_who_names_a_person_in_letters_to_whom(ask: Asking) -> None:
    found = ask("mention-in-letters", persons=["Albrecht Maler"])
    assert {key: found.counts[key] for key in ("n_letters", "n_writers", "n_mentions")} == {
        "n_letters": 2, "n_writers": 2, "n_mentions": 3,
    }  # fmt: skip
    assert rows_of(found.entries, "name", "count", "n_letters", "recipients") == [
        ("Willibald Wirt", 2, 1, ["Albrecht Maler"]),
        ("Albrecht Maler", 1, 1, ["Caritas Wirt"]),
    ]
    assert ask("mention-in-letters", persons=["Albrecht Maler", "Caritas Wirt"]).counts["n_letters"] == 1


def test_letters_are_about_the_words_that_mark_them_out(ask: Asking) -> None:
    found = ask("letter-subject", persons=["Caritas Wirt"], years={"from": 1524, "to": 1524})
    assert (found.counts["n_letters"], found.counts["n_sentences"]) == (1, 1)
    assert found.fields["subject"] == "saphea"
    assert "naturalis est saphea" in found.payloads["markdown"]["content"]
    everything = ask("letter-subject", locked=True)
    assert (everything.counts["n_letters"], everything.counts["n_sentences"]) == (12, 5)
