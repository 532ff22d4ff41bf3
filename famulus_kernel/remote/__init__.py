"""Programs of others, asked over the Model Context Protocol, and our own tools served by it (extra `mcp`).

:func:`call_tool` asks one tool one thing; :func:`serve` offers Python functions to whoever asks.
"""

from famulus_kernel.remote.calling import ToolAnswer, call_tool, server_name
from famulus_kernel.remote.serving import serve

__all__ = ["ToolAnswer", "call_tool", "serve", "server_name"]
