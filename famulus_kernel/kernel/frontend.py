"""What a cell may say to the frontends that listen: outputs, streams, results, pages of help."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


@dataclass
class Frontend:
    """The outputs of one cell.

    Parameters
    ----------
    send
        Sends a message of a type with a content to all who listen.
    count
        The execution count of the cell.
    silent
        Nothing is shown; what goes into the reply still does.
    """

    send: Callable[[str, dict[str, Any]], None]
    count: int = 0
    silent: bool = False
    payload: list[dict[str, Any]] = field(default_factory=list)
    said: str | None = None
    """The text of what was shown last, for the history."""

    def display(self, bundle: Mapping[str, Any], display_id: str | None = None) -> str:
        """Show something and return the id under which it can be replaced."""
        name = display_id or uuid.uuid4().hex
        self._show("display_data", bundle, {"transient": {"display_id": name}})
        return name

    def replace(self, display_id: str, bundle: Mapping[str, Any]) -> None:
        """Show something else in the place of what :meth:`display` showed."""
        self._show("update_display_data", bundle, {"transient": {"display_id": display_id}})

    def result(self, bundle: Mapping[str, Any]) -> None:
        """Show what an expression is."""
        self._show("execute_result", bundle, {"execution_count": self.count})

    def write(self, words: str, stream: Literal["stdout", "stderr"] = "stdout") -> None:
        """Print text."""
        self.said = words
        self._send("stream", {"name": stream, "text": words})

    def page(self, bundle: Mapping[str, Any]) -> None:
        """Open a page of help beside the cell, as frontends do for `name?`."""
        self.said = str(bundle.get("text/plain", ""))
        self.payload.append({"source": "page", "data": dict(bundle), "start": 0})

    def clear(self, *, wait: bool = False) -> None:
        """Take away what the cell has shown so far; with `wait` only when something else is shown, so nothing jumps."""
        self._send("clear_output", {"wait": wait})

    def _show(self, kind: str, bundle: Mapping[str, Any], more: dict[str, Any]) -> None:
        self.said = str(bundle.get("text/plain", ""))
        self._send(kind, {"data": dict(bundle), "metadata": {}, **more})

    def _send(self, kind: str, content: dict[str, Any]) -> None:
        if not self.silent:
            self.send(kind, content)
