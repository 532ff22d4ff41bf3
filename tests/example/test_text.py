"""The example's Latin sentences, counted by hand, and the collection that is made of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from famulus_kernel.corpus.collection import Collection
from famulus_kernel.corpus.soundness import check_collection

if TYPE_CHECKING:
    from collections.abc import Sequence

FILE = Path(__file__).parents[2] / "example-project" / "texte" / "laelius.conllu"


class Sentence(NamedTuple):
    """A sentence as the file has it: lines of words are split at tabs, surface lines included."""

    document: str
    text: str
    lines: Sequence[Sequence[str]]

    @property
    def words(self) -> list[Sequence[str]]:
        return [line for line in self.lines if "-" not in line[0]]


def sentences() -> list[Sentence]:
    found, document = [], ""
    for block in FILE.read_text(encoding="utf-8").strip().split("\n\n"):
        said = dict(re.findall(r"^# ([\w ]+) = (.*)$", block, re.MULTILINE))
        document = said.get("newdoc id", document)
        lines = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        found.append(Sentence(document, said["text"], lines))
    return found


def test_there_are_14_sentences_of_nine_sections() -> None:
    assert (len(sentences()), len({sentence.document for sentence in sentences()})) == (14, 9)


@pytest.mark.parametrize("sentence", sentences(), ids=lambda sentence: sentence.document)
def test_a_sentence_is_spelled_by_its_words(sentence: Sentence) -> None:
    inside: set[str] = set()
    spelled = ""
    for number, form, *_, misc in sentence.lines:
        if number not in inside:
            spelled += form + ("" if misc == "SpaceAfter=No" else " ")
        if "-" in number:
            first, last = map(int, number.split("-"))
            inside |= {str(one) for one in range(first, last + 1)}
    assert spelled.rstrip() == sentence.text


@pytest.mark.parametrize("sentence", sentences(), ids=lambda sentence: sentence.document)
def test_every_word_has_a_lemma_and_a_part_of_speech(sentence: Sentence) -> None:
    assert [word[0] for word in sentence.words] == [str(at) for at in range(1, len(sentence.words) + 1)]
    assert {len(line) for line in sentence.lines} == {10}
    assert [word for word in sentence.words if "_" in word[1:4]] == []


@pytest.mark.parametrize(
    ("form", "lemma", "words", "in_sentences", "in_sections"),
    [(r"amiciti(a|am|as)", "amicitia", 11, 9, 7), (r"virtu(s|te|tem|tum)", "virtus", 8, 5, 5)],
)
def test_a_lemma_stands_where_its_forms_stand(
    form: str, lemma: str, words: int, in_sentences: int, in_sections: int
) -> None:
    plain = [len(re.findall(rf"\b{form}\b", sentence.text, re.IGNORECASE)) for sentence in sentences()]
    assert plain == [sum(word[2] == lemma for word in sentence.words) for sentence in sentences()]
    where = [sentence.document for sentence, times in zip(sentences(), plain, strict=True) if times]
    assert (sum(plain), len(where), len(set(where))) == (words, in_sentences, in_sections)


def test_both_words_stand_together_in_four_sentences() -> None:
    both = [sentence for sentence in sentences() if {"amicitia", "virtus"} <= {word[2] for word in sentence.words}]
    assert len(both) == 4
    assert sum("virtus" in sentence.text for sentence in sentences()) == 2


@pytest.mark.parametrize("name", ["pirckheimer", "laelius"])
def test_what_build_makes_is_a_sound_collection(built: Path, name: str) -> None:
    found = check_collection(Collection.at(built / "data" / name))
    assert [finding for finding in found if finding.level == "error"] == []


def test_the_credit_says_whose_the_lemmata_are(built: Path) -> None:
    status = Collection.at(built / "data/laelius").open_status()
    assert "Cicero" in str(status.cite)
    assert "eigene" in str(status.credit)
