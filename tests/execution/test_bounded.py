"""Answers that are longer than any that is read: cut off while they come, packed or not."""

from __future__ import annotations

import asyncio
import gzip
import socket
import threading
import tracemalloc
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from kopa_hf.execution.bounded import Body, TooLargeError
from kopa_hf.execution.recorded import LARGEST_BODY
from tests.execution.loopback import ECHO, live

MIB = 2**20


def response(*encodings: str) -> httpx.Response:
    return httpx.Response(200, headers=[("content-encoding", name) for name in encodings])


def read(body: Body, content: bytes, size: int = 1000) -> bytes:
    for start in range(0, len(content), size):
        body.add(content[start : start + size])
    return body.whole()


def _deflated(content: bytes) -> bytes:
    packing = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packing.compress(content) + packing.flush()


@pytest.mark.parametrize(
    ("encodings", "pack"),
    [
        ((), lambda content: content),
        (("identity",), lambda content: content),
        (("gzip",), gzip.compress),
        (("X-GZIP",), gzip.compress),
        (("deflate",), zlib.compress),
        (("deflate",), _deflated),
        (("deflate, gzip",), lambda content: gzip.compress(zlib.compress(content))),
        (("deflate", "gzip"), lambda content: gzip.compress(zlib.compress(content))),
    ],
)
@pytest.mark.parametrize("size", [1, 7, 1000, 10**6])
def test_bodies_come_whole(encodings: tuple[str, ...], pack: Callable[[bytes], bytes], size: int) -> None:
    content = "가나다 라마바사 ".encode() * 5000 + bytes(300_000)
    assert read(Body(response(*encodings), len(content)), pack(content), size) == content
    with pytest.raises(TooLargeError, match="more than"):
        read(Body(response(*encodings), len(content) - 1), pack(content), size)


def test_an_encoding_that_nobody_asked_for_stays_and_a_damaged_one_is_said() -> None:
    assert read(Body(response("br")), b"abc") == b"abc"
    with pytest.raises(httpx.DecodingError, match="unpacked"):
        read(Body(response("gzip")), b"no archive at all")
    with pytest.raises(httpx.DecodingError, match="too often"):
        Body(response("gzip, gzip, gzip, gzip, gzip"))


@contextmanager
def endless(head: str, piece: bytes) -> Iterator[tuple[str, list[int]]]:
    """A server whose answers go on until the other side hangs up; (address, bytes sent of each)."""
    listener = socket.create_server(("127.0.0.1", 0))
    sent: list[int] = []

    def work() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                sent.append(0)
                with connection, suppress(OSError):
                    connection.settimeout(10)
                    connection.recv(65536)
                    connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n{head}\r\n".encode())
                    while True:
                        connection.sendall(piece)
                        sent[-1] += len(piece)

    threading.Thread(target=work, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", sent
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()


# some 300 bytes that unfold to 80 KiB and these to 80 MiB
_BOMB = zlib.compress(zlib.compress(bytes(80 * MIB), 9), 9)


@pytest.mark.parametrize(
    ("head", "piece"),
    [
        ("", b'{"a": 1}, ' * 6554),
        ("Content-Encoding: deflate\r\n", zlib.compress(bytes(80 * MIB), 9)),
        ("Content-Encoding: deflate, deflate\r\n", _BOMB),
    ],
    ids=["plain", "bomb", "bomb in a bomb"],
)
@pytest.mark.parametrize("loop", [False, True], ids=["thread", "loop"])
def test_an_endless_answer_is_left_and_not_asked_for_again(head: str, piece: bytes, loop: bool, tmp_path: Path) -> None:
    with endless(head, piece) as (address, sent), live(address, tmp_path) as executor:
        executor.live.transport.times = executor.live.transport.times.__class__(2.0, 5.0, 60.0)  # type: ignore[union-attr]
        tracemalloc.start()
        try:
            result = asyncio.run(executor.call(ECHO, {})) if loop else executor.call_sync(ECHO, {})
            highest = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert (result.outcome, result.failure, result.requests) == ("not_a_response", "environmental", 1)
    assert "more than 64 MiB" in (result.message or "")
    assert len(sent) == 1
    assert sent[0] < LARGEST_BODY + 16 * MIB
    assert highest < LARGEST_BODY + 64 * MIB
