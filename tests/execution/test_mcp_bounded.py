"""Answers of MCP servers: as they came up to the bound, a failure from outside beyond it, nothing packed."""

from __future__ import annotations

import asyncio
import gzip
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import anyio
import pytest

from kopa_hf.catalog.folder import load_folder, write_service
from kopa_hf.catalog.import_mcp import import_tools, says_it_reads
from kopa_hf.catalog.registry import Catalog
from kopa_hf.errors import BackendError
from kopa_hf.execution.bounded import Bound, TooLargeError
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.mcp_server import McpServer
from kopa_hf.execution.mcp_sessions import McpSessions
from kopa_hf.platforms.mcp import rows_member

pytest.importorskip("httpx2", reason="extra `mcp` is not installed")
import httpx2  # needs the extra

from kopa_hf.execution.mcp_bounded import BoundedTransport  # needs the extra
from kopa_hf.execution.mcp_program import read_lines  # needs the extra

TALKER = Path(__file__).with_name("mcp_talker.py")
MOST = 20_000


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
        transport = BoundedTransport(httpx2.MockTransport(answer), Bound(most))
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


class Chunks:
    """A program's output, in chunks as they are given."""

    def __init__(self, *chunks: bytes) -> None:
        self.left = list(chunks)

    async def receive(self) -> bytes:
        if not self.left:
            raise anyio.EndOfStream
        return self.left.pop(0)


@pytest.mark.parametrize(
    ("chunks", "lines", "passed", "left"),
    [
        ((b"ab", b"c\nde\n\nf", b"g\n"), [b"abc", b"de", b"", b"fg"], False, 0),
        ((b"12345\n",), [b"12345"], False, 0),  # as long as may be
        ((b"ok\n123", b"456\n", b"ok\n"), [b"ok"], True, 1),
        ((b"ok\n", b"12345", b"6", b"7"), [b"ok"], True, 1),  # no end ever comes
    ],
)
def test_lines_come_whole_and_none_is_read_beyond_the_bound(
    chunks: tuple[bytes, ...], lines: list[bytes], passed: bool, left: int
) -> None:
    output, bound = Chunks(*chunks), Bound(5)

    async def read() -> list[bytes]:
        return [line async for line in read_lines(output, bound)]  # type: ignore[arg-type]  # all that is used of one

    assert (asyncio.run(read()), bound.passed, len(output.left)) == (lines, passed, left)


@pytest.fixture(params=["stdio", "json", "events"])
def server(request: pytest.FixtureRequest) -> Iterator[McpServer]:
    """A real program that answers as long as it is asked to, on standard output or over HTTP."""
    command = (sys.executable, "-S", str(TALKER), request.param)
    if request.param == "stdio":
        yield McpServer("talker", command, timeout=20.0)
        return
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as started:
        assert started.stdout is not None
        yield McpServer("talker", url=started.stdout.readline().strip(), timeout=20.0)
        started.kill()


def catalog_of(server: McpServer, sessions: McpSessions, folder: Path) -> Catalog:
    tools = import_tools(
        server.name, sessions.tools(server.name), taken=(), rows_member=rows_member, reads=says_it_reads,
        source="talker", domain="talker",
    )  # fmt: skip
    write_service(folder, server.name, tools, server.described(), ())
    return load_folder(folder)


def test_a_server_that_talks_on_is_a_failure_from_outside_and_is_asked_again(server: McpServer, tmp_path: Path) -> None:
    sessions = McpSessions({server.name: server}, most=MOST)
    try:
        catalog = catalog_of(server, sessions, tmp_path)
        asked = Executor(catalog=catalog, transport=sessions.beside(None))
        assert asked.call_sync("talk", {"length": MOST // 2}).records == [{"text": "x" * (MOST // 2)}]
        long = asked.call_sync("talk", {"length": MOST})  # with what is around it
        assert (long.outcome, long.failure, long.records) == ("not_a_response", "environmental", [])
        began = time.monotonic()
        endless = asked.call_sync("talk", {"length": -1})
        assert (endless.outcome, endless.failure, endless.records) == ("not_a_response", "environmental", [])
        assert "TooLargeError" in (endless.message or "")
        assert time.monotonic() - began < server.timeout / 2  # nobody waits for its end
        assert asked.call_sync("talk", {"length": 3}).records == [{"text": "xxx"}]
    finally:
        sessions.close()


def test_a_list_of_tools_without_end_is_left() -> None:
    endless = McpServer("endless", (sys.executable, "-S", str(TALKER), "stdio", "endless"))
    sessions = McpSessions({"endless": endless}, most=1000)  # five or six pages
    try:
        with pytest.raises(BackendError, match="endless lists more tools than are read"):
            sessions.tools("endless")
    finally:
        sessions.close()


def test_a_program_whose_greeting_has_no_end_is_not_read_on() -> None:
    program = (sys.executable, "-S", "-c", "while True: print(end='x' * 65536)")
    sessions = McpSessions({"endless": McpServer("endless", program)}, most=MOST)
    try:
        with pytest.raises(TooLargeError, match="endless: the answer has more than"):
            sessions.greeting("endless")
    finally:
        sessions.close()
