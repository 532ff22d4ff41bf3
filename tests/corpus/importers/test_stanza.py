"""Texts through Stanza: what its documents become, and what is said where it is missing."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass

import pytest
from importing import Place

from famulus_kernel.corpus.importers import import_stanza
from famulus_kernel.corpus.importers.letter import Unreadable
from famulus_kernel.corpus.importers.stanza import read_sentences
from famulus_kernel.errors import ImportRefused, MissingExtra


@dataclass
class Found:
    """A word, entity, sentence or document, with the attributes that Stanza gives it."""

    text: str = ""
    lemma: str | None = None
    upos: str | None = None
    type: str = ""
    words: tuple[Found, ...] = ()
    ents: tuple[Found, ...] = ()
    sentences: tuple[Found, ...] = ()


PIPELINE = """
class Pipeline:
    def __init__(self, lang, processors, download_method, logging_level):
        self.steps = processors
        for step in processors.split(","):
            if step not in {steps}:
                raise FileNotFoundError("Could not find the model file la/" + step)
        if "mwt" in {steps} and "mwt" not in processors:
            raise AssertionError("it has that step")
    def __call__(self, text):
        word = type("Word", (), dict(text=text, lemma=self.steps, upos="X"))
        sentence = type("Sentence", (), dict(text=text, words=[word], ents=[]))
        return type("Document", (), dict(sentences=[sentence]))
"""
"""A library of which only some steps have models."""


def by_lines(text: str) -> Found:
    """Return a document of which each line is a sentence and capitals are names."""
    return Found(
        sentences=tuple(
            Found(
                line,
                words=tuple(Found(word, word.casefold(), "X") for word in line.split()),
                ents=tuple(Found(word, type="PER") for word in line.split() if word.istitle()),
            )
            for line in text.split("\n")
            if line.strip()
        )
    )


def test_pages_begin_at_form_feeds_and_words_count_from_one(place: Place) -> None:
    path = place.file("doc.txt", "pax uobis\n\nAnna legit\n\ffinis\n")
    found = [one for one in read_sentences(path, "la", by_lines) if not isinstance(one, Unreadable)]
    assert [(one.doc_id, one.pidx, one.text, one.lang) for one in found] == [
        ("doc", 0, "pax uobis", "la"), ("doc", 0, "Anna legit", "la"), ("doc", 1, "finis", "la"),
    ]  # fmt: skip
    assert [(word.tid, word.form, word.lemma, word.upos) for word in found[1].words] == [
        (1, "Anna", "anna", "X"), (2, "legit", "legit", "X"),
    ]  # fmt: skip
    assert [(one.text, one.kind) for one in found[1].mentions] == [("Anna", "PER")]


def test_a_text_that_is_not_utf_8_is_refused(place: Place) -> None:
    with pytest.raises(ImportRefused, match="not UTF-8"):
        list(read_sentences(place.file("doc.txt", b"\xff"), "la", by_lines))


@pytest.mark.skipif(importlib.util.find_spec("stanza") is not None, reason="Stanza is installed")
def test_without_stanza_the_error_says_what_to_install(place: Place) -> None:
    with pytest.raises(MissingExtra) as caught:
        import_stanza([place.file("doc.txt", "pax")], place.collection.folder, lang="la")
    assert caught.value.hint == "pip install 'famulus-kernel[stanza]'"


def test_without_models_of_the_language_the_error_says_how_to_fetch_them(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    raises = "def Pipeline(lang, **options):\n    raise FileNotFoundError(f'no {lang}/resources.json')\n"
    place.file("stanza.py", raises)
    monkeypatch.syspath_prepend(place.root)
    monkeypatch.delitem(sys.modules, "stanza", raising=False)
    with pytest.raises(ImportRefused, match=r"no models of la here.*resources\.json") as caught:
        import_stanza([place.file("doc.txt", "pax")], place.collection.folder, lang="la")
    assert "stanza.download('la')" in caught.value.hint
    assert "STANZA_RESOURCES_DIR" in caught.value.hint
    assert not place.collection.folder.exists()


@pytest.mark.parametrize(
    ("steps", "taken", "notes"),
    [
        ("tokenize,mwt,pos,lemma,ner", "tokenize,mwt,pos,lemma,ner", 0),
        ("tokenize,pos,lemma,ner", "tokenize,pos,lemma,ner", 0),
        ("tokenize,mwt,pos,lemma", "tokenize,mwt,pos,lemma", 1),
        ("tokenize,pos,lemma", "tokenize,pos,lemma", 1),
    ],
)
def test_steps_that_a_language_lacks_are_left_out_and_missing_names_are_told(
    place: Place, monkeypatch: pytest.MonkeyPatch, steps: str, taken: str, notes: int
) -> None:
    place.file("stanza.py", PIPELINE.format(steps=steps.split(",")))
    monkeypatch.syspath_prepend(place.root)
    monkeypatch.delitem(sys.modules, "stanza", raising=False)
    report = import_stanza([place.file("doc.txt", "pax")], place.collection.folder, lang="la")
    assert report.kept == 1
    assert place.texts("SELECT lemma FROM stz_tokens") == [(taken,)]
    assert report.counts["no-names"] == notes
