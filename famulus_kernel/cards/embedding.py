"""The seam for embeddings: what gives wordings a place, so that they can be near or far."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Arrays = Mapping[str, Any]
    """numpy arrays by name, without Python objects in them: what an index is kept as."""


class Space(Protocol):
    """Texts that have a place, so that any text can be compared with each of them."""

    def near(self, texts: Sequence[str]) -> Any:
        """Return how near each text is to each of the placed ones.

        Returns
        -------
        numpy array of floats, (texts, placed texts)
            1: the same; 0: nothing in common.
        """
        ...

    def arrays(self) -> Arrays:
        """Return what the space is made of, to be kept."""
        ...


class Embedding(Protocol):
    """A way to place texts."""

    near_enough: ClassVar[float]
    """The score that a card must have at least to be meant."""
    margin: ClassVar[float]
    """How far the best card's score must be ahead of the next one's."""

    @property
    def name(self) -> str:
        """What an index made by it is filed under: tells it, and all that its places depend on, from every other."""
        ...

    def place(self, texts: Sequence[str], cards: Sequence[int]) -> Space:
        """Place texts.

        Parameters
        ----------
        texts
            Wordings of users.
        cards
            The number, from 0, of the card that each is an example of; -1 for counter-examples.
        """
        ...

    def restore(self, arrays: Arrays) -> Space:
        """Return the space whose :meth:`Space.arrays` these are.

        Raises
        ------
        KeyError, ValueError
            They are those of no space of this embedding.
        """
        ...
