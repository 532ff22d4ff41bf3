"""Parameters through papermill: `papermill in.ipynb out.ipynb -p from 1520` writes them into a cell as `%params {…}`.

Papermill finds engines by entry points, and languages in a table. This engine is its own one under another name: it is
there so that the table learns our language when papermill is loaded.
"""
# mypy: allow-subclassing-any, allow-untyped-calls
# papermill is not annotated.

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from papermill.engines import NBClientEngine
from papermill.translators import Translator, papermill_translators

if TYPE_CHECKING:
    from collections.abc import Mapping


class FamulusTranslator(Translator):
    """Writes the cell that gives parameters."""

    @classmethod
    def codify(cls, parameters: Mapping[str, Any], comment: str = "") -> str:  # noqa: ARG003 - papermill's own
        """Return the text of the cell; a command stands on one line, and has no comment."""
        return f"%params {json.dumps(dict(parameters), ensure_ascii=False, default=str)}"


class FamulusEngine(NBClientEngine):
    """Runs a notebook as papermill does."""


papermill_translators.register("famulus", FamulusTranslator)
