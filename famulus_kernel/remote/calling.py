"""Ask a tool of an MCP server one thing, and wait for its answer: bounded in time and memory, with errors by name."""

from __future__ import annotations

import json
import logging
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit, urlunsplit

from famulus_kernel.errors import (
    AnswerTooLarge,
    MalformedAnswer,
    MissingExtra,
    RemoteError,
    ServerTimeout,
    ServerUnreachable,
    ToolFailed,
    UnknownTool,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    import anyio
    from mcp import Client
    from mcp.types import CallToolResult

TIMEOUT_S: Final = 60.0
MAX_BYTES: Final = 20_000_000
_MOST_PAGES: Final = 20
"""Pages of a list of tools that are read to find out whether a tool is among them."""


@dataclass(frozen=True)
class ToolAnswer:
    """What a tool answered.

    Attributes
    ----------
    data
        The structured answer; of a tool that gives text only, what the text is as JSON, or None.
    text
        The answer as text; "" for none.
    """

    data: dict[str, Any] | list[Any] | None
    text: str


class Call:
    """What is asked of whom, and the first thing that went wrong on the way."""

    def __init__(self, where: str | Sequence[str], tool: str, max_bytes: int) -> None:
        self.server = server_name(where)
        self.tool = tool
        self.max_bytes = max_bytes
        self.status = 200
        self.problem: RemoteError | None = None
        self.scope: anyio.CancelScope | None = None
        self._taken = 0

    def fail(self, problem: RemoteError) -> None:
        """Remember the first problem and end the conversation."""
        self.problem = self.problem or problem
        if self.scope is not None:
            self.scope.cancel()

    def take(self, size: int) -> bool:
        """Count bytes that came; return False, and end the conversation, once they are too many."""
        self._taken += size
        if self._taken <= self.max_bytes:
            return True
        self.fail(AnswerTooLarge.of(self.server, self.tool, self.max_bytes))
        return False

    def unreachable(self, why: object) -> ServerUnreachable:
        """Return the error of a server that is not there, or is another kind of server."""
        return ServerUnreachable.of(self.server, self.tool, _short(why))

    def malformed(self, why: object) -> MalformedAnswer:
        """Return the error of an answer that is none."""
        return MalformedAnswer.of(self.server, self.tool, _short(why))


def call_tool(
    where: str | Sequence[str],
    tool: str,
    arguments: Mapping[str, Any],
    *,
    timeout: float = TIMEOUT_S,
    max_bytes: int = MAX_BYTES,
) -> ToolAnswer:
    """Call a tool of an MCP server and return what it answers.

    The conversation runs in a thread of its own that ends with the call, so it may be made from anywhere, also below
    a running event loop, and Ctrl-C ends it.

    Parameters
    ----------
    where
        URL of a streamable-HTTP server, or the command (program and arguments) of a stdio server, which is started
        for this call and ended with it.
    tool, arguments
        Its name there, and what it is given: JSON values.
    timeout
        Seconds that all of it may take, from connecting to parting.
    max_bytes
        What the server may send in all; more is not taken into memory.

    Raises
    ------
    RemoteError
        ServerUnreachable, ServerTimeout, UnknownTool, MalformedAnswer, AnswerTooLarge or ToolFailed; each names the
        server and the tool.
    MissingExtra
        The extra `mcp` is not installed.
    """
    try:
        from anyio.from_thread import start_blocking_portal  # noqa: PLC0415 - comes with the extra, and takes a second
        from mcp import Client  # noqa: F401, PLC0415 - the same
    except ImportError:
        raise MissingExtra.of("the MCP client", "mcp") from None
    for name in ("mcp", "client"):
        logging.getLogger(name).addHandler(logging.NullHandler())  # what the library logs we raise, in our own words
    call = Call(where, tool, max_bytes)
    with start_blocking_portal(name="famulus-mcp") as portal:
        answer: ToolAnswer = portal.call(_bounded, call, where, dict(arguments), timeout)
        return answer


def server_name(where: str | Sequence[str]) -> str:
    """Return how messages call a server: its URL without what may be secret in it, or its command."""
    if not isinstance(where, str):
        return _short(shlex.join(where), 100)
    try:
        parts = urlsplit(where)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    except ValueError:
        return where


async def _bounded(call: Call, where: str | Sequence[str], arguments: dict[str, Any], timeout: float) -> ToolAnswer:
    """Hold the conversation within its time, and make one named error of whatever ends it."""
    import anyio  # noqa: PLC0415 - comes with the extra

    answer = None
    try:
        with anyio.move_on_after(timeout) as scope:
            call.scope = scope
            answer = await _converse(call, where, arguments)
    except Exception as error:  # the SDK lets errors of four libraries through, alone and in groups
        call.problem = call.problem or _named(call, error)
    if call.problem is not None:
        raise call.problem
    if answer is None:
        raise ServerTimeout.of(call.server, call.tool, timeout)
    return answer


async def _converse(call: Call, where: str | Sequence[str], arguments: dict[str, Any]) -> ToolAnswer:
    from mcp import Client, MCPError  # noqa: PLC0415 - comes with the extra

    async with Client(_transport(call, where), cache=None) as client:
        try:
            result = await client.call_tool(call.tool, arguments)
        except MCPError as error:
            await _look_for_tool(call, client)
            raise ToolFailed.of(call.server, call.tool, _short(error)) from None
        if result.is_error:
            await _look_for_tool(call, client)
            raise ToolFailed.of(call.server, call.tool, _short(_text_of(result) or "it does not say why"))
        return _answer(result)


def _transport(call: Call, where: str | Sequence[str]) -> AbstractAsyncContextManager[Any]:
    if not isinstance(where, str):
        from famulus_kernel.remote.stdio import stdio_transport  # noqa: PLC0415 - built on the extra

        return stdio_transport(call, where)
    from famulus_kernel.remote.http import http_transport  # noqa: PLC0415 - built on the extra

    try:
        parts = urlsplit(where)
        fits = parts.scheme in {"http", "https"} and bool(parts.hostname)
    except ValueError:
        fits = False
    if not fits:
        raise call.unreachable("that is no http or https URL")
    return http_transport(call, where)


async def _look_for_tool(call: Call, client: Client) -> None:
    """Raise that the server has no such tool, if it can say what it has and this is not among it."""
    from mcp import MCPError  # noqa: PLC0415 - comes with the extra

    known: list[str] = []
    cursor = None
    for _ in range(_MOST_PAGES):
        try:
            page = await client.list_tools(cursor=cursor)
        except MCPError:
            return
        known += [tool.name for tool in page.tools]
        cursor = page.next_cursor
        if cursor is None:
            break
    if call.tool not in known:
        raise UnknownTool.of(call.server, call.tool, known)


def _answer(result: CallToolResult) -> ToolAnswer:
    text = _text_of(result)
    data = result.structured_content
    if data is None and text:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            data = None
    return ToolAnswer(data if isinstance(data, dict | list) else None, text)


def _text_of(result: CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if block.type == "text")


def _named(call: Call, error: BaseException) -> RemoteError:
    """Return an error of the SDK, or of a library below it, as one of ours."""
    from mcp import MCPError  # noqa: PLC0415 - comes with the extra

    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, RemoteError):
        return error
    if isinstance(error, MCPError) and call.status >= 300:  # noqa: PLR2004 - of HTTP
        return call.unreachable(f"it answers with HTTP status {call.status}")
    if isinstance(error, OSError):
        return call.unreachable(error)
    return call.malformed(error)


def _short(why: object, most: int = 300) -> str:
    words = " ".join(str(why).split()) or type(why).__name__
    return words if len(words) <= most else f"{words[: most - 1]}…"
