"""The embedding that comes with the package: TF-IDF over words, meanings and runs of letters; local and offline.

scikit-learn counts and weighs when cards are placed. A query needs numpy alone: it walks the postings of its own terms.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Final

from famulus_kernel.cards.wording import PAIR, Lexicon, taken_apart
from famulus_kernel.errors import MissingExtra

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from famulus_kernel.cards.embedding import Arrays

PARTS: Final[Mapping[str, float]] = {"words": 1.0, "meanings": 1.6, "runs": 0.7}
"""The parts of a wording, and how much each has to say in a comparison."""
FLOOR: Final = 0.05
"""The weight of a term that every card has: little, but enough to part two wordings that share all else."""
FOREIGN: Final = 4.0
"""How much a meaning that no card has counts against being for any of them; a new pair of known ones counts 1."""
UNMEANT: Final = 0.25
"""How much a word that the lexicon lacks counts as a meaning that no card has: names are such words too."""


@dataclass(frozen=True, slots=True)
class LocalSpace:
    """Placed texts by the terms that they have.

    Attributes
    ----------
    lexicon : Lexicon
    columns : mapping
        Part of a wording to its terms, each with its number.
    weights : array of float, one a term
    starts, texts, values : arrays
        The postings: term t stands in texts[starts[t]:starts[t + 1]], with these values; a text has the length 1.
    unknown : float
        The weight of a term that no card has: that of one which a single card has.
    size : int
        How many texts are placed.
    """

    lexicon: Lexicon
    columns: Mapping[str, Mapping[str, int]]
    weights: Any
    starts: Any
    texts: Any
    values: Any
    unknown: float
    size: int

    def near(self, texts: Sequence[str]) -> Any:
        """Return how near each text is to each placed one; see :class:`~famulus_kernel.cards.embedding.Space`."""
        import numpy as np  # noqa: PLC0415 - with an extra

        found = np.zeros((len(texts), self.size), np.float32)
        for row, text in zip(found, texts, strict=True):
            for term, value in self._vector(text).items():
                own = slice(self.starts[term], self.starts[term + 1])
                row[self.texts[own]] += value * self.values[own]
        return found

    def _vector(self, text: str) -> dict[int, float]:
        """Return the known terms of a text with their share of its length, which is 1 with the unknown ones."""
        wording = taken_apart(text, self.lexicon)
        vector: dict[int, float] = {}
        length = 0.0
        for part, share in PARTS.items():
            columns = self.columns[part]
            counts = Counter(getattr(wording, part))
            known = {
                columns[term]: n * float(self.weights[columns[term]]) for term, n in counts.items() if term in columns
            }
            new: float = sum(n**2 for term, n in counts.items() if term not in columns)
            if part == "meanings" and columns:
                new += sum(FOREIGN - 1 for term in counts if term not in columns and PAIR not in term)
                new += UNMEANT * wording.without_meaning
            norm = math.sqrt(sum(value**2 for value in known.values()) + new * self.unknown**2)
            if norm:
                length += share**2
                vector |= {term: share * value / norm for term, value in known.items()}
        return {term: value / math.sqrt(length) for term, value in vector.items()}

    def arrays(self) -> Arrays:
        """Return terms, weights and postings as plain arrays."""
        import numpy as np  # noqa: PLC0415 - with an extra

        terms = {f"terms.{part}": np.frombuffer("\n".join(self.columns[part]).encode(), np.uint8) for part in PARTS}
        numbers = {"unknown": np.array(self.unknown), "size": np.array(self.size)}
        postings = {"starts": self.starts, "texts": self.texts, "values": self.values, "weights": self.weights}
        return terms | numbers | postings


@dataclass(frozen=True, slots=True)
class LocalEmbedding:
    """A term counts the more, the fewer cards have it in their examples."""

    lexicon: Lexicon = field(default_factory=Lexicon)
    near_enough: ClassVar[float] = 0.22
    margin: ClassVar[float] = 0.01

    @property
    def name(self) -> str:
        """The method, its version and numbers, and what the lexicon says."""
        says = (sorted(self.lexicon.words.items()), sorted(self.lexicon.beginnings.items()))
        return f"local 1 {sorted(PARTS.items())} {FLOOR} {FOREIGN} {UNMEANT} {says}"

    def place(self, texts: Sequence[str], cards: Sequence[int]) -> LocalSpace:
        """Place texts; see :class:`~famulus_kernel.cards.embedding.Embedding`.

        Raises
        ------
        MissingExtra
            scikit-learn is not installed.
        """
        try:
            from sklearn.feature_extraction.text import CountVectorizer  # noqa: PLC0415 - an extra
            from sklearn.preprocessing import normalize  # noqa: PLC0415
        except ImportError:
            raise MissingExtra.of("scikit-learn, which routing needs,", "cards") from None
        import numpy as np  # noqa: PLC0415
        from scipy.sparse import csr_matrix, diags, hstack  # noqa: PLC0415

        wordings = [taken_apart(text, self.lexicon) for text in texts]
        numbers = np.asarray(cards)
        examples = np.flatnonzero(numbers >= 0)
        shape = (numbers.max(initial=0) + 1, len(texts))
        of_card = csr_matrix((np.ones(len(examples), np.float32), (numbers[examples], examples)), shape=shape)
        columns: dict[str, dict[str, int]] = {}
        blocks, weights = [], []
        for part, share in PARTS.items():
            first = sum(map(len, columns.values()))
            columns[part] = {}
            if not any(getattr(one, part) for one in wordings):
                continue
            counter = CountVectorizer(analyzer=attrgetter(part), dtype=np.float32)
            counts = counter.fit_transform(wordings)
            columns[part] = {term: first + at for at, term in enumerate(counter.get_feature_names_out())}
            rarity = _rarity(of_card @ counts)
            weights.append(rarity)
            blocks.append(normalize(counts @ diags(rarity)) * share)
        vectors = normalize(hstack(blocks, format="csr")).tocsc()
        return LocalSpace(
            lexicon=self.lexicon,
            columns=columns,
            weights=np.concatenate(weights).astype(np.float32),
            starts=vectors.indptr,
            texts=vectors.indices,
            values=vectors.data.astype(np.float32),
            unknown=math.log((1 + of_card.shape[0]) / 2) + FLOOR,
            size=len(texts),
        )

    def restore(self, arrays: Arrays) -> LocalSpace:
        """Return the space whose :meth:`LocalSpace.arrays` these are."""
        columns: dict[str, dict[str, int]] = {}
        for part in PARTS:
            first = sum(map(len, columns.values()))
            terms = arrays[f"terms.{part}"].tobytes().decode()
            columns[part] = {term: first + at for at, term in enumerate(terms.split("\n") if terms else ())}
        own = {name: arrays[name] for name in ("weights", "starts", "texts", "values")}
        return LocalSpace(self.lexicon, columns, unknown=float(arrays["unknown"]), size=int(arrays["size"]), **own)


def _rarity(counts: Any) -> Any:
    """Return the weight of each term by the number of cards that it is shared by, evenly counted.

    A term that one card has often and another one once is nearly that card's own: the number is the exponential of the
    entropy of its distribution over the cards.
    """
    import numpy as np  # noqa: PLC0415 - with an extra

    totals = np.asarray(counts.sum(axis=0)).ravel()
    from scipy.sparse import diags  # noqa: PLC0415

    shares = counts @ diags(1 / np.maximum(totals, 1))
    shares = shares.tocoo()
    entropy = np.bincount(shares.col, -shares.data * np.log(np.maximum(shares.data, 1e-12)), minlength=counts.shape[1])
    return np.log((1 + counts.shape[0]) / (1 + np.exp(entropy))) + FLOOR
