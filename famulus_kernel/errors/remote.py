"""What goes wrong with a server that is asked over MCP; every message names the server and the tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from famulus_kernel.errors.base import FamulusError, bold, offer

if TYPE_CHECKING:
    from collections.abc import Iterable


class RemoteError(FamulusError):
    """A tool of a server gave no answer that can be used."""

    code = "remote"


class ServerUnreachable(RemoteError):
    """Nobody answers there, or somebody who does not speak MCP."""

    code = "unreachable"

    @classmethod
    def of(cls, server: str, tool: str, why: str) -> Self:
        """`server` cannot be asked for `tool` because of `why`."""
        return cls(
            f"{bold(server)} cannot be reached for {bold(tool)}: {why}",
            hint="start the server, or mend its address",
        )


class ServerTimeout(RemoteError):
    """The answer did not come in time."""

    code = "timeout"

    @classmethod
    def of(cls, server: str, tool: str, seconds: float) -> Self:
        """`server` gave no answer of `tool` within `seconds`."""
        return cls(
            f"{bold(server)} gave no answer of {bold(tool)} within {seconds:g} s",
            hint="see whether the server is busy, or ask for less",
        )


class UnknownTool(RemoteError):
    """The server has no such tool."""

    code = "tool-unknown"

    @classmethod
    def of(cls, server: str, tool: str, known: Iterable[str]) -> Self:
        """`known` are the tools that `server` has."""
        return cls(f"{bold(server)} has no tool {bold(tool)}", hint=offer(tool, known))


class MalformedAnswer(RemoteError):
    """An answer came that is none."""

    code = "answer"

    @classmethod
    def of(cls, server: str, tool: str, why: str) -> Self:
        """What `server` sent for `tool` cannot be read because of `why`."""
        return cls(
            f"the answer of {bold(server)} for {bold(tool)} cannot be read: {why}",
            hint="see whether that server speaks MCP and fits this release",
        )


class AnswerTooLarge(RemoteError):
    """An answer is larger than what may be taken into memory."""

    code = "answer-size"

    @classmethod
    def of(cls, server: str, tool: str, max_bytes: int) -> Self:
        """`server` sends more than `max_bytes` for `tool`."""
        return cls(
            f"the answer of {bold(server)} for {bold(tool)} is larger than {max_bytes:,} bytes",
            hint="ask for less",
        )


class ToolFailed(RemoteError):
    """The tool itself says that it failed."""

    code = "tool"

    @classmethod
    def of(cls, server: str, tool: str, why: str) -> Self:
        """`tool` of `server` says `why` it failed."""
        return cls(f"{bold(tool)} of {bold(server)} failed: {why}", hint="see what the tool needs")


class GuardUnreachable(RemoteError):
    """The text of a block could not be checked: its artefacts stay, unverified (spec 6.4)."""

    code = "guard"

    @classmethod
    def of(cls, block: str, error: FamulusError) -> Self:
        """The text of `block` was not checked, for the institution ended in `error`."""
        return cls(f"the text of {bold(block)} was not checked: {error.message}", hint=error.hint)


class BadAddress(FamulusError):
    """A server cannot listen where it was told to."""

    code = "address"
    exit_status = 2

    @classmethod
    def of(cls, host: str, port: int, why: str) -> Self:
        """`host` and `port` cannot be listened on because of `why`."""
        return cls(f"the server cannot listen on {bold(f'{host}:{port}')}: {why}", hint="choose another --port")
