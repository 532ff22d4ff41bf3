"""How well texts are checked: precision and recall over labelled texts.

`python -m famulus_kernel.institution.measuring FILE…` prints both for each file, and what was judged otherwise.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from famulus_kernel.institution.evaluate import evaluate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


@dataclass(frozen=True, slots=True)
class Labelled:
    """A text, its evidence, and what of it the evidence does not have, in the text's order."""

    lang: str
    text: str
    evidence: Any
    unsupported: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Score:
    """How many unsupported claims were found, wrongly found, and missed.

    Attributes
    ----------
    texts
        How many texts were checked.
    differences
        A line for each text that was judged otherwise than it is labelled.
    """

    texts: int
    right: int
    wrong: int
    missed: int
    differences: tuple[str, ...]

    @property
    def precision(self) -> float:
        """Share of the claims called unsupported that are; 1 for none."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """Share of the unsupported claims that were found; 1 for none."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def labelled_texts(path: Path) -> Iterator[Labelled]:
    """Yield the labelled texts of a YAML file: a list of `{evidence, <lang>: [[text, unsupported…], …]}`."""
    for group in yaml.safe_load(path.read_text(encoding="utf-8")):
        for lang, texts in group.items():
            if lang != "evidence":
                for text, *unsupported in texts:
                    yield Labelled(lang, text, group["evidence"], tuple(map(str, unsupported)))


def measure(texts: Iterable[Labelled]) -> Score:
    """Check every text and compare with its labels; a claim counts as found where the two overlap."""
    total = right = wrong = missed = 0
    differences = []
    for one in texts:
        total += 1
        found = [(claim.start, claim.end) for claim in evaluate(one.text, one.evidence, one.lang).unsupported]
        wanted = _places(one)
        hits = [span for span in wanted if any(_overlap(span, other) for other in found)]
        extra = [span for span in found if not any(_overlap(span, other) for other in wanted)]
        right, wrong, missed = right + len(hits), wrong + len(extra), missed + len(wanted) - len(hits)
        if extra or len(hits) < len(wanted):
            lost = [one.text[start:end] for start, end in wanted if (start, end) not in hits]
            surplus = [one.text[start:end] for start, end in extra]
            differences.append(f"{one.lang}: {one.text!r}: missed {lost}, wrongly found {surplus}")
    return Score(total, right, wrong, missed, tuple(differences))


def _places(one: Labelled) -> list[tuple[int, int]]:
    places, start = [], 0
    for words in one.unsupported:
        start = one.text.index(words, start)
        places.append((start, start + len(words)))
        start += len(words)
    return places


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def main(files: Sequence[str]) -> None:
    """Print the score of each file."""
    for name in files:
        score = measure(labelled_texts(Path(name)))
        sys.stdout.write(f"{name}: {score.texts} texts, precision {score.precision:.3f}, recall {score.recall:.3f}\n")
        sys.stdout.writelines(f"  {line}\n" for line in score.differences)


if __name__ == "__main__":
    main(sys.argv[1:])
