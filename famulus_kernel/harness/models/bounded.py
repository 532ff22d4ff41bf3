"""A client for HTTP that takes no reply without end into memory: it counts what comes, and wants nothing compressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import httpx2
from openai import DefaultAsyncHttpxClient

from famulus_kernel.harness.models.failures import UnusableReply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

MAX_BYTES: Final = 5_000_000
"""What a reply may have in all; the longest answers of models have a tenth of it."""


def bounded_client() -> httpx2.AsyncClient:
    """Return the client that the library would make for itself, with replies bounded.

    A reply that is too long or compressed ends with an UnusableReply.
    """
    client = DefaultAsyncHttpxClient(headers={"accept-encoding": "identity"})  # a megabyte of gzip can be a gigabyte
    client.event_hooks = {"response": [_bound]}
    return client


async def _bound(response: httpx2.Response) -> None:
    if response.headers.get("content-encoding", "identity") != "identity":
        raise UnusableReply("it is compressed, which was not asked for")
    response.stream = _Counted(response.stream)


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, inner: object) -> None:
        if not isinstance(inner, httpx2.AsyncByteStream):
            raise TypeError("a response of an asynchronous client is one stream")
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        taken = 0
        async for chunk in self._inner:
            taken += len(chunk)
            if taken > MAX_BYTES:
                raise UnusableReply(f"it has more than {MAX_BYTES:,} bytes")
            yield chunk

    async def aclose(self) -> None:
        await self._inner.aclose()
