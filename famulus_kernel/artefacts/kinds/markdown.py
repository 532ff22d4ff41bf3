"""Kind `markdown`: a text that a step wrote (spec 5.1)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from famulus_kernel.artefacts.build import BuildContext, Built
from famulus_kernel.artefacts.characters import storable
from famulus_kernel.artefacts.view import Prose, View

VIEW_CHARACTERS: Final = 100_000
"""How much of a text a view shows, whole paragraphs; `data` keeps all of it."""


class MarkdownBuilder:
    """`data` is `{content}`; the view is its prose."""

    kind = "markdown"
    extension = "json"

    def build(self, payload: object, context: BuildContext) -> Built:
        """Build from a text, or from a mapping whose `content` is one."""
        content = payload.get("content") if isinstance(payload, Mapping) else payload
        if not isinstance(content, str):
            raise context.error("it needs a text, or content: with one")
        content = storable(content)
        return Built({"content": content}, View(parts=(Prose(markdown=_beginning(content)),)))


def _beginning(content: str) -> str:
    if len(content) <= VIEW_CHARACTERS:
        return content
    end = content.rfind("\n\n", 0, VIEW_CHARACTERS)
    return content[: end if end > 0 else VIEW_CHARACTERS].rstrip() + "\n\n…\n"


BUILDER = MarkdownBuilder()
