"""An MCP server's answers over HTTP, never beyond a size.

Events of a stream are bounded by the protocol's own client; a whole JSON body is not, so it is counted as it
comes, and packed bodies, which may unfold to anything, are neither asked for nor taken.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx2

from kopa_hf.execution.bounded import Bound


class BoundedTransport(httpx2.AsyncBaseTransport):
    """Hands requests on to `inner`; a body that is too long or packed ends in httpx2's own errors."""

    def __init__(self, inner: httpx2.AsyncBaseTransport, bound: Bound) -> None:
        self._inner = inner
        self._bound = bound

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """One exchange."""
        request.headers["accept-encoding"] = "identity"
        response = await self._inner.handle_async_request(request)
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            raise httpx2.DecodingError("the answer is packed, though nobody asked for that", request=request)
        if response.headers.get("content-type", "").lower().startswith("text/event-stream"):
            return response
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _Counted(response.stream, self._bound, request)
        return response

    async def aclose(self) -> None:
        """Close the transport behind."""
        await self._inner.aclose()


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, inner: httpx2.AsyncByteStream, bound: Bound, request: httpx2.Request) -> None:
        self._inner, self._bound, self._request = inner, bound, request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        seen = 0
        async for part in self._inner:
            seen += len(part)
            if self._bound.passes(seen):
                raise httpx2.ReadError(self._bound.words, request=self._request)
            yield part

    async def aclose(self) -> None:
        await self._inner.aclose()
