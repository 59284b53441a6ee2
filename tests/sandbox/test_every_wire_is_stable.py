"""On every wire: the same bytes in another process, from many threads at once, and interleaved in an event loop."""

from __future__ import annotations

import asyncio
import hashlib
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from functools import cache

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.wires import WIRES, wire_for
from kopa_hf.sandbox import Faults, SandboxTransport, World, sandbox_key
from kopa_hf.sandbox.probing import Prober
from kopa_hf.sandbox.world import default_world

A_WIRE = 3
"""Tools asked on each wire."""


@cache
def chosen() -> list[tuple[Tool, dict[str, str]]]:
    """Some answering tools of every wire, spread over the catalog, with arguments that they answer."""
    tools = [tool for tool in load_catalog() if not tool.fields_unknown]
    prober = Prober(default_world(), tools)
    found: list[tuple[Tool, dict[str, str]]] = []
    for wire in WIRES:
        mine = [tool for tool in tools if tool.wire == wire]
        answering = (
            (tool, known[0][0])
            for tool in mine[:: max(len(mine) // (3 * A_WIRE), 1)]
            if (known := prober.answers(tool))
        )
        found.extend(pair for _, pair in zip(range(A_WIRE), answering, strict=False))
    return found


def requests() -> list[httpx.Request]:
    """One request each; a fresh list, since requests are read once."""
    return [
        wire_for(tool.wire).build_request(tool, arguments, sandbox_key(tool.platform)) for tool, arguments in chosen()
    ]


def body(transport: SandboxTransport, request: httpx.Request) -> bytes:
    try:
        return transport.handle_request(request).content
    except httpx.ReadTimeout:
        return b"timeout"


def digest() -> str:
    """SHA-256 over all answers, under the default faults."""
    transport = SandboxTransport(faults=Faults.default(4))
    return hashlib.sha256(b"\x00".join(body(transport, request) for request in requests())).hexdigest()


def test_every_wire_is_asked() -> None:
    assert {tool.wire for tool, _ in chosen()} == set(WIRES)


@pytest.mark.slow
@pytest.mark.parametrize("hash_seed", ["1", "31337"])
def test_another_process_gives_the_same_bytes(hash_seed: str) -> None:
    code = "from tests.sandbox.test_every_wire_is_stable import digest; print(digest())"
    path = os.pathsep.join(entry for entry in ("", *sys.path) if entry is not None)
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == digest()


@pytest.mark.slow
def test_threads_and_event_loops_get_the_bytes_that_one_caller_gets() -> None:
    alone = [content for _, content in bodies()]
    shared = SandboxTransport(World())
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda request: body(shared, request), requests() * 2)) == alone * 2

    async def together() -> list[bytes]:
        transport = SandboxTransport()
        responses = await asyncio.gather(*(transport.handle_async_request(request) for request in requests()))
        return [response.content for response in responses]

    assert asyncio.run(together()) == alone


@cache
def bodies() -> list[tuple[Tool, bytes]]:
    """Each chosen tool with its answer's bytes, asked one after the other."""
    transport = SandboxTransport()
    return [(tool, body(transport, request)) for (tool, _), request in zip(chosen(), requests(), strict=True)]


def read(tool: Tool, content: bytes, content_type: str | None = None) -> Answer:
    return wire_for(tool.wire).parse(content, content_type=content_type, operation=tool.endpoint.operation)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.integers(0, 10_000), st.data())
def test_damaged_answers_never_raise_and_are_never_more_than_they_were(number: int, data: st.DataObject) -> None:
    tool, content = bodies()[number % len(bodies())]
    whole = read(tool, content)
    cut = data.draw(st.integers(0, max(len(content) - 2, 0)))
    assert read(tool, content[:cut]).outcome == "not_a_response" or tool.endpoint.response_kind == "zip"
    flipped = bytearray(content)
    for _ in range(data.draw(st.integers(1, 5))):
        flipped[data.draw(st.integers(0, len(flipped) - 1))] = data.draw(st.integers(0, 255))
    damaged = read(tool, bytes(flipped))
    assert (damaged.outcome == "ok") == bool(damaged.records)
    assert len(damaged.records) <= len(whole.records) + 1


def test_answers_in_the_old_korean_encoding_and_behind_a_mark_read_the_same() -> None:
    read_so = 0
    for tool, content in bodies():
        if content.startswith(b"PK"):
            continue  # an archive holds its own declaration
        assert read(tool, b"\xef\xbb\xbf" + content).records == read(tool, content).records
        text = content.decode("utf-8").replace('encoding="UTF-8"', 'encoding="EUC-KR"')
        try:
            encoded = text.encode("cp949")
        except UnicodeEncodeError:
            continue  # characters that the old encoding lacks
        assert read(tool, encoded, "text/plain;charset=EUC-KR").records == read(tool, content).records, tool.name
        read_so += 1
    assert read_so > len(WIRES)
