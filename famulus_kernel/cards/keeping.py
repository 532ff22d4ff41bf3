"""Indexes that are kept from one call to the next, under a name that says what they were made of."""

from __future__ import annotations

import hashlib
import json
import logging
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from famulus_kernel.cards.embedding import Embedding, Space

log = logging.getLogger(__name__)

MOST_KEPT: Final = 16
"""How many indexes are kept; the ones made longest ago go first."""


def cache_folder() -> Path:
    """Return where indexes are kept: `$FAMULUS_CACHE`, else the user's cache folder (`$XDG_CACHE_HOME`)."""
    own = os.environ.get("FAMULUS_CACHE")
    base = Path(own) if own else Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "famulus"
    return base / "cards"


def placed(embedding: Embedding, lines: Sequence[str], cards: Sequence[int], cache: Path | None) -> Space:
    """Return the space of some lines: the kept one where it is of the same lines and embedding, else a new one.

    A cache that cannot be read or written costs time, and nothing else.
    """
    if cache is None:
        return embedding.place(lines, cards)
    content = json.dumps([embedding.name, list(lines), list(cards)], ensure_ascii=False)
    file = cache / f"{hashlib.sha256(content.encode()).hexdigest()[:32]}.npz"
    kept = _restored(embedding, file)
    if kept is not None:
        return kept
    space = embedding.place(lines, cards)
    _keep(space, file)
    return space


def _restored(embedding: Embedding, file: Path) -> Space | None:
    import numpy as np  # noqa: PLC0415 - with an extra

    try:
        with file.open("rb") as stream, np.load(stream, allow_pickle=False) as arrays:
            return embedding.restore(dict(arrays))
    except FileNotFoundError:
        return None
    except Exception as error:  # numpy and zipfile have many words for a file that is damaged
        log.info("the index %s is made anew: %s", file, error)
        return None


def _keep(space: Space, file: Path) -> None:
    import numpy as np  # noqa: PLC0415 - with an extra

    made = file.with_suffix(f".{os.getpid()}.tmp")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with made.open("wb") as stream:
            np.savez(stream, **space.arrays())
        made.replace(file)
        for old in sorted(file.parent.glob("*.npz"), key=lambda one: one.stat().st_mtime)[:-MOST_KEPT]:
            old.unlink(missing_ok=True)
    except OSError as error:
        log.info("the index %s is not kept: %s", file, error)
        with suppress(OSError):
            made.unlink()
