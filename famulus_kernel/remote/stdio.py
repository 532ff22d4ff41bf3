"""The way to a stdio server: a process of our own that is started for a call and ended with it.

The SDK has a transport for this too; it keeps reading a line however long that line gets, and passes over lines that
are no messages. Here both end the call.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import asynccontextmanager, suppress
from subprocess import PIPE
from typing import TYPE_CHECKING, Any, Final

import anyio
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage
from mcp.types import jsonrpc_message_adapter

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from anyio.abc import ObjectReceiveStream, ObjectSendStream, Process

    from famulus_kernel.remote.calling import Call

_GRACE_S: Final = 1.0
"""How long a server may take to end by itself, and again once it is asked to."""

_TAIL: Final = 2000
"""Characters of what a server says on stderr that are kept for a message."""

_GONE = (anyio.ClosedResourceError, anyio.BrokenResourceError, anyio.EndOfStream, ConnectionError)


@asynccontextmanager
async def stdio_transport(call: Call, command: Sequence[str]) -> AsyncIterator[Any]:
    """Start `command` and yield the streams of messages to and from it."""
    if not command:
        raise call.unreachable("the command is empty")
    try:
        process = await anyio.open_process(
            list(command), stdin=PIPE, stdout=PIPE, stderr=PIPE, env=get_default_environment(), start_new_session=True
        )
    except (OSError, ValueError) as error:
        raise call.unreachable(error) from None
    server = _Server(call, process)
    received, incoming = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    outgoing, sent = anyio.create_memory_object_stream[SessionMessage](0)
    try:
        async with received, incoming, outgoing, sent, anyio.create_task_group() as tasks:
            tasks.start_soon(server.read, received)
            tasks.start_soon(server.write, sent)
            tasks.start_soon(server.listen)
            yield incoming, outgoing
            server.ending = True
            tasks.cancel_scope.cancel()
    finally:
        with anyio.CancelScope(shield=True):
            await server.end()


class _Server:
    def __init__(self, call: Call, process: Process) -> None:
        self.ending = False
        self._call = call
        self._process = process
        self._said = ""

    async def read(self, messages: ObjectSendStream[SessionMessage | Exception]) -> None:
        """Pass on what the server writes on stdout, a message a line."""
        stdout = self._process.stdout
        assert stdout is not None  # noqa: S101 - it was opened with pipes
        line = bytearray()
        with suppress(*_GONE):
            async for chunk in stdout:
                if not self._call.take(len(chunk)):
                    return
                *whole, rest = chunk.split(b"\n")
                for end in whole:
                    message = self._parsed(bytes(line + end))
                    line.clear()
                    if message is not None:
                        await messages.send(message)
                line += rest
        if not self.ending:
            await self._report_end()

    def _parsed(self, line: bytes) -> SessionMessage | None:
        if not line.strip():
            return None
        try:
            return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
        except ValueError:
            shown = line[:80].decode("utf-8", "replace")
            self._call.fail(self._call.malformed(f"its output holds a line that is no message: {shown!r}"))
            return None

    async def _report_end(self) -> None:
        with anyio.move_on_after(_GRACE_S):
            await self._process.wait()
        status = self._process.returncode
        words = f"the program ended with exit status {status}" if status is not None else "it closed its output"
        said = " ".join(self._said.split())[-200:]
        self._call.fail(self._call.unreachable(f"{words}: {said}" if said else words))

    async def write(self, messages: ObjectReceiveStream[SessionMessage]) -> None:
        """Write what is sent to the server on its stdin."""
        stdin = self._process.stdin
        assert stdin is not None  # noqa: S101 - it was opened with pipes
        with suppress(*_GONE):
            async for message in messages:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                await stdin.send(text.encode() + b"\n")

    async def listen(self) -> None:
        """Keep the end of what the server says on stderr."""
        stderr = self._process.stderr
        assert stderr is not None  # noqa: S101 - it was opened with pipes
        with suppress(*_GONE):
            async for chunk in stderr:
                self._said = (self._said + chunk.decode("utf-8", "replace"))[-_TAIL:]

    async def end(self) -> None:
        """End the server and all that it started: by closing its input, then by asking, then by force."""
        process = self._process
        if process.stdin is not None:
            with suppress(*_GONE):
                await process.stdin.aclose()
        if not await self._has_ended():
            self._signal(signal.SIGTERM)
            if not await self._has_ended():
                self._signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
        with anyio.move_on_after(_GRACE_S):  # a grandchild may keep the pipes open
            await process.aclose()

    async def _has_ended(self) -> bool:
        # not wait(): that waits for the end of the pipes too, which a full one of which nobody reads has not
        with anyio.move_on_after(_GRACE_S):
            while self._process.returncode is None:
                await anyio.sleep(0.01)
        return self._process.returncode is not None

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.send_signal(number)
            else:
                os.killpg(self._process.pid, number)
