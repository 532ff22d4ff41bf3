"""Any embedding model that pydantic-ai knows, behind the seam for embeddings (extra `models`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Final

from famulus_kernel.errors import MissingExtra, RouteError, counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.cards.embedding import Arrays

AT_ONCE: Final = 256
"""Lines that are sent in one request."""


@dataclass(frozen=True, slots=True)
class ModelEmbedding:
    """Lines as vectors of a model; `tag` is `provider:model`, the endpoint and key come from the environment."""

    tag: str
    near_enough: ClassVar[float] = 0.3
    margin: ClassVar[float] = 0.01

    @property
    def name(self) -> str:
        """The model's tag."""
        return f"model 1 {self.tag}"

    def place(self, texts: Sequence[str], cards: Sequence[int]) -> ModelSpace:  # noqa: ARG002 - of the seam
        """Place texts; see :class:`~famulus_kernel.cards.embedding.Embedding`.

        Raises
        ------
        MissingExtra
            pydantic-ai or numpy is not installed.
        RouteError
            The model cannot be reached, or answers with something else.
        """
        return ModelSpace(self.tag, self.vectors(texts))

    def restore(self, arrays: Arrays) -> ModelSpace:
        """Return the space whose :meth:`ModelSpace.arrays` these are."""
        return ModelSpace(self.tag, arrays["vectors"])

    def vectors(self, texts: Sequence[str]) -> Any:
        """Return the vectors of texts, each of length 1; raises as :meth:`place`."""
        try:
            import numpy as np  # noqa: PLC0415 - an extra
            from anyio.from_thread import start_blocking_portal  # noqa: PLC0415
            from pydantic_ai.embeddings import Embedder  # noqa: PLC0415
        except ImportError:
            raise MissingExtra.of("pydantic-ai, which models need,", "models") from None
        try:
            embedder = Embedder(self.tag)
            with start_blocking_portal(name="famulus-embedding") as portal:  # its loop is closed with it
                parts = [
                    portal.call(embedder.embed_documents, list(texts[at : at + AT_ONCE])).embeddings
                    for at in range(0, len(texts), AT_ONCE)
                ]
            found = np.array([vector for part in parts for vector in part], dtype=np.float32)
        except Exception as error:
            raise RouteError.no_embedding(self.tag, f"{type(error).__name__}: {error}") from error
        if found.ndim != 2 or len(found) != len(texts):  # noqa: PLR2004 - texts by dimensions
            came = f"{counted(len(texts), 'text')} came back as an array of {found.shape}"
            raise RouteError.no_embedding(self.tag, came)
        return found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)


@dataclass(frozen=True, slots=True)
class ModelSpace:
    """The vectors of placed texts."""

    tag: str
    placed: Any

    def near(self, texts: Sequence[str]) -> Any:
        """Return the cosines of texts and placed ones; see :class:`~famulus_kernel.cards.embedding.Space`."""
        return ModelEmbedding(self.tag).vectors(texts) @ self.placed.T

    def arrays(self) -> Arrays:
        """Return the vectors."""
        return {"vectors": self.placed}
