"""`mcp.call`: one tool of an MCP server, called within the run's budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from famulus_kernel.errors import UnboundInput
from famulus_kernel.harness.operations.operation import shown, words

if TYPE_CHECKING:
    from famulus_kernel.harness.operations.operation import Stage

INSTITUTION: Final = "institution"
"""As `server`: the language institution that famulus.yml names."""
_TIMEOUT_S: Final = 60.0
_LONG: Final = 100_000
"""Characters of an answer that the trace shows."""


class McpCall:
    """Calls a tool. `server` is a URL and never a command: a register may come from elsewhere."""

    name = "mcp.call"
    version = 1

    def play(self, given: Mapping[str, Any], stage: Stage) -> dict[str, Any] | list[Any]:
        """Call `tool` of `server` with `arguments`, for `timeout` seconds (60) at most.

        Returns
        -------
        dict or list
            The structured answer; of a tool that gives text only, `{"text": …}`.

        Raises
        ------
        UnboundInput
            A word of `with` is missing, unknown or of no use.
        BudgetExceeded
            The block has no call or no time left.
        RemoteError, MissingExtra
            The call itself failed.
        """
        from famulus_kernel.remote import call_tool  # noqa: PLC0415 - loaded where something is called
        from famulus_kernel.remote.calling import server_name  # noqa: PLC0415 - the same

        words(given, self.name, ("server", "tool", "arguments", "timeout"), ("server", "tool"))
        server = _server(given["server"], stage.surroundings.institution)
        arguments = given.get("arguments") or {}
        if not isinstance(arguments, Mapping):
            raise UnboundInput.bad_value("arguments", self.name, "a mapping")
        timeout = given.get("timeout", _TIMEOUT_S)
        if isinstance(timeout, bool) or not isinstance(timeout, int | float) or timeout <= 0:
            raise UnboundInput.bad_value("timeout", self.name, "a number of seconds")
        tool = str(given["tool"])
        stage.record["with"] = {**stage.record["with"], "server": server_name(server)}
        stage.record["call"] = {"server": server_name(server), "tool": tool, "arguments": dict(arguments)}
        stage.budget.tool_call()
        left = stage.budget.seconds_left()
        try:
            answer = call_tool(server, tool, arguments, timeout=timeout if left is None else min(timeout, left))
        finally:
            stage.budget.check()
        found = answer.data if answer.data is not None else {"text": answer.text}
        stage.record["answer"] = shown(found, _LONG)
        return found


def _server(written: object, institution: str | None) -> str:
    if written == INSTITUTION and institution is not None:
        return institution
    if not isinstance(written, str) or not written.startswith(("http://", "https://")):
        raise UnboundInput.bad_value("server", McpCall.name, f"an http or https URL, or {INSTITUTION}")
    return written


OPERATION = McpCall()
