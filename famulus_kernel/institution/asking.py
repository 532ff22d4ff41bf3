"""Ask the language institution that a project names: a server, or our own tools in this process (spec 3.9)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from famulus_kernel.errors import (
    FamulusError,
    Interrupted,
    MalformedAnswer,
    ServerUnreachable,
    ToolFailed,
    UnknownTool,
    plain,
)
from famulus_kernel.institution import EMBEDDED
from famulus_kernel.remote import call_tool

if TYPE_CHECKING:
    from collections.abc import Mapping

    from famulus_kernel.institution.tools import Institution


def ask(where: str, tool: str, arguments: Mapping[str, Any], own: Institution, *, timeout: float) -> dict[str, Any]:
    """Call a tool of the institution and return its answer.

    Parameters
    ----------
    where
        URL of its server, or `embedded`: the tools of `own`.
    timeout
        Seconds that a server may take.

    Returns
    -------
    dict
        The structured answer; of a tool that gives text only, `{"text": …}`.

    Raises
    ------
    RemoteError
        It names server and tool.
    MissingExtra
        A server is to be asked and the extra `mcp` is not installed.
    """
    if where == EMBEDDED:
        return _ask_own(own, tool, arguments)
    try:
        answer = call_tool(where, tool, arguments, timeout=timeout)
    except ServerUnreachable as error:
        error.hint = f"start it with famulus-notebook institution, or set institution: {EMBEDDED} in famulus.yml"
        raise
    if isinstance(answer.data, dict):
        return answer.data
    if answer.text:
        return {"text": answer.text}
    raise MalformedAnswer.of(where, tool, "it has neither fields nor text")


def _ask_own(own: Institution, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    from pydantic import ValidationError, validate_call  # noqa: PLC0415 - taken up where something is asked

    tools = {one.__name__: one for one in own.tools}
    if tool not in tools:
        raise UnknownTool.of(EMBEDDED, tool, tools)
    try:
        answer: dict[str, Any] = validate_call(tools[tool])(**json.loads(json.dumps(arguments)))
    except ValidationError as error:
        why = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise ToolFailed.of(EMBEDDED, tool, why) from None
    except Interrupted:
        raise
    except FamulusError as error:
        failed = ToolFailed.of(EMBEDDED, tool, plain(error.message))
        failed.hint = error.hint
        raise failed from error
    return answer
