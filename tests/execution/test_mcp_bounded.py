"""Answers of MCP servers over HTTP: as they came up to the bound, an error beyond it, nothing packed."""

from __future__ import annotations

import asyncio
import gzip
from collections.abc import AsyncIterator

import pytest

pytest.importorskip("httpx2", reason="extra `mcp` is not installed")
import httpx2  # needs the extra

from kopa_hf.execution.mcp_bounded import BoundedTransport  # needs the extra


class Parts(httpx2.AsyncByteStream):
    """A body in parts; notes how many were asked for."""

    def __init__(self, part: bytes, number: int) -> None:
        self.part, self.number, self.sent = part, number, 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for _ in range(self.number):
            self.sent += 1
            yield self.part


def fetched(body: Parts, most: int, **headers: str) -> bytes:
    asked: list[str] = []

    def answer(request: httpx2.Request) -> httpx2.Response:
        asked.append(request.headers["accept-encoding"])
        return httpx2.Response(
            200, stream=body, headers={name.replace("_", "-"): text for name, text in headers.items()}
        )

    async def get() -> bytes:
        transport = BoundedTransport(httpx2.MockTransport(answer), most)
        async with httpx2.AsyncClient(transport=transport) as client:
            return bytes((await client.get("http://mcp.test/")).content)

    try:
        return asyncio.run(get())
    finally:
        assert asked == ["identity"]


def test_what_fits_comes_whole() -> None:
    assert fetched(Parts(b"abc", 4), 12, content_type="application/json") == b"abcabcabcabc"


def test_reading_stops_at_the_bound() -> None:
    body = Parts(b"x" * 1000, 1_000_000)
    with pytest.raises(httpx2.ReadError, match="more than"):
        fetched(body, 5000, content_type="application/json")
    assert body.sent == 6  # the sixth thousand is the one too many


def test_a_packed_body_is_not_taken() -> None:
    body = Parts(gzip.compress(b"0" * 10_000), 1)
    with pytest.raises(httpx2.DecodingError, match="packed"):
        fetched(body, 5000, content_type="application/json", content_encoding="gzip")
    assert body.sent == 0


def test_a_stream_of_events_goes_on() -> None:
    assert len(fetched(Parts(b"data: {}\n\n", 1000), 50, content_type="text/event-stream")) == 10_000
