"""The way to a streamable-HTTP server: the SDK's transport over a client that counts what comes."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import httpx2
from mcp.client.streamable_http import streamable_http_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from famulus_kernel.remote.calling import Call


@asynccontextmanager
async def http_transport(call: Call, url: str) -> AsyncIterator[Any]:
    """Connect to `url`; what goes wrong below the protocol ends the call with its own error."""
    # no timeouts here: the call has one for all of it
    async with (
        httpx2.AsyncClient(transport=_Counting(call), timeout=None) as client,
        streamable_http_client(url, http_client=client, max_sse_event_size=call.max_bytes) as streams,
    ):
        yield streams


class _Counting(httpx2.AsyncBaseTransport):
    """Passes requests on, and ends the call once too much comes or nobody is there."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._inner = httpx2.AsyncHTTPTransport()

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.headers["accept-encoding"] = "identity"  # a megabyte of gzip can be a gigabyte
        asks = request.method == "POST"
        try:
            response = await self._inner.handle_async_request(request)
        except httpx2.TransportError as error:
            if asks:
                self._call.fail(self._call.unreachable(error))
            raise
        if response.headers.get("content-encoding", "identity") != "identity":
            self._call.fail(self._call.malformed("it is compressed, which was not asked for"))
        if asks:
            self._call.status = response.status_code
        response.stream = _CountedStream(response.stream, self._call)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()


class _CountedStream(httpx2.AsyncByteStream):
    def __init__(self, inner: Any, call: Call) -> None:
        self._inner = inner
        self._call = call

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._inner:
            if not self._call.take(len(chunk)):
                raise httpx2.ReadError("too large")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
