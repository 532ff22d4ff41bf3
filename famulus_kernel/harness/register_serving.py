"""The register over MCP: two tools that answer what a register on the disk answers (spec 3.3)."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.harness.register import GET_TOOL, LIST_TOOL

if TYPE_CHECKING:
    from collections.abc import Callable

    from famulus_kernel.harness.register import Register

PORT: Final = 5117
NAME: Final = "famulus register"


def tools_of(open_again: Callable[[], Register]) -> tuple[Callable[..., Any], ...]:
    """Return the tools of a register.

    Parameters
    ----------
    open_again
        Opens the register; called for each question, so that what is added while it is served is found.
    """

    def list_partituren() -> dict[str, Any]:
        """List every partitur: id, version, goal_path, sha256 and created."""
        return {"partituren": [asdict(entry) for _, entry in open_again().entries()]}

    def get_partitur(name: str) -> dict[str, Any]:
        """Return the document of an id, id@version or goal_path, as it was put in, with its sha256."""
        document = open_again().lookup(name).document
        return {"name": document.name, "document": document.text.decode(), "sha256": document.sha256}

    assert (list_partituren.__name__, get_partitur.__name__) == (LIST_TOOL, GET_TOOL)  # noqa: S101 - what clients ask
    return list_partituren, get_partitur
