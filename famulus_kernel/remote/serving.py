"""Offer Python functions as tools of an MCP server over streamable HTTP."""

from __future__ import annotations

import functools
import inspect
import logging
import socket
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import BadAddress, FamulusError, MissingExtra, plain
from famulus_kernel.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

PATH: Final = "/mcp"
LOOPBACK: Final = "127.0.0.1"
MAX_REQUEST_BYTES: Final = 16_000_000


def serve(
    tools: Sequence[Callable[..., Any]],
    *,
    name: str,
    host: str = LOOPBACK,
    port: int,
    ready: Callable[[str], None] | None = None,
) -> None:
    """Serve tools at `http://host:port/mcp` until the process is told to end (SIGINT, SIGTERM).

    Parameters
    ----------
    tools
        Functions with type hints and a docstring: their names, parameters and docstrings are what clients see. What
        they return (a dict, a model) is the structured answer; a FamulusError becomes the tool's own error.
    name
        What the server calls itself.
    host
        Address to listen on; only programs of this machine reach the default. There is no password: who gives another
        address opens the tools to all who reach it.
    port
        Port to listen on; 0 takes a free one.
    ready
        Called with the URL once the server can be asked.

    Raises
    ------
    BadAddress
        The address cannot be listened on.
    MissingExtra
        The extra `mcp` is not installed.
    """
    try:
        import uvicorn  # noqa: PLC0415 - comes with the extra
        from mcp.server.mcpserver import MCPServer  # noqa: PLC0415 - the same
    except ImportError:
        raise MissingExtra.of("the MCP server", "mcp") from None
    server: MCPServer[Any] = MCPServer(name, version=__version__, log_level="WARNING", subscriptions=False)
    for tool in tools:
        server.add_tool(_with_plain_errors(tool), description=inspect.getdoc(tool))
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        host=host,
        max_request_body_size=MAX_REQUEST_BYTES,
    )
    logging.getLogger("mcp").setLevel(logging.ERROR)
    with closing(_listening(host, port)) as listener:
        config = uvicorn.Config(app, log_level="error", access_log=False, lifespan="on")
        shown = f"[{host}]" if ":" in host else host
        if ready is not None:
            ready(f"http://{shown}:{listener.getsockname()[1]}{PATH}")
        uvicorn.Server(config).run(sockets=[listener])


def _with_plain_errors(tool: Callable[..., Any]) -> Callable[..., Any]:
    """Return a tool whose FamulusErrors reach the client in words; other errors stay here, as a crash."""
    from mcp.server.mcpserver.exceptions import ToolError  # noqa: PLC0415 - comes with the extra

    @functools.wraps(tool)
    def told(*args: Any, **kwargs: Any) -> Any:
        try:
            return tool(*args, **kwargs)
        except FamulusError as error:
            hint = f" ({error.hint})" if error.hint else ""
            raise ToolError(plain(error.message) + hint) from error

    return told


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens already, so that whoever learns its URL can connect at once."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen()
    except (OSError, OverflowError) as error:
        listener.close()
        raise BadAddress.of(host, port, str(error)) from None
    return listener
