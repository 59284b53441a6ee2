"""Live execution against servers on this machine: the sandbox over a socket, and servers that misbehave."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kopa_hf.catalog.tool import Endpoint, Paging, Parameter, Tool
from kopa_hf.execution.executor import Executor
from kopa_hf.execution.keys import KEY_NAMES, Keyring
from kopa_hf.execution.limits import Limit, Limits
from kopa_hf.execution.live import LiveSettings
from kopa_hf.execution.network import TimeLimits
from kopa_hf.sandbox.keys import sandbox_key

TOOL = "search_assembly_bills"
QUICK = TimeLimits(connect=2.0, read=0.4, whole=1.2)

ECHO = Tool(
    "list_gasang_records", "gasang", "data_go_kr", "district", "가상 자료", "가상의 자료를 준다.",
    Endpoint("https://apis.data.go.kr/9999999/gasang/getRecords", auth="serviceKey", operation="getRecords"),
    (Parameter("name", "이름"), Parameter("pageNo", "쪽", role="page"), Parameter("numOfRows", "건수", role="size")),
    paging=Paging("pageNo", "numOfRows"),
)  # fmt: skip


def sandbox_keys() -> Keyring:
    """Keys that open every service of the sandbox."""
    return Keyring({name: sandbox_key(name) for name in KEY_NAMES})


def unpaced(**limits: Limit) -> Limits:
    """Quotas of a test; a provider that is not named has a large one. No test waits for its turn."""
    table = dict.fromkeys(KEY_NAMES, Limit(per_day=100_000, concurrency=8))
    return Limits({**table, **limits})


def settings(address: str, folder: Path, **given: Any) -> LiveSettings:
    """Live settings with short waits, towards an address."""
    base: dict[str, Any] = {
        "keys": sandbox_keys(), "via": address, "state": folder / "state", "limits": unpaced(),
        "first_wait": 0.01, "longest_wait": 5.0, "times": QUICK,
    }  # fmt: skip
    return LiveSettings(**{**base, **given})


@contextmanager
def live(address: str, folder: Path, **given: Any) -> Iterator[Executor]:
    """A live executor towards an address."""
    with Executor("live", live=settings(address, folder, **given)) as executor:
        yield executor


@contextmanager
def raw_server(answer: Callable[[bytes], bytes]) -> Iterator[tuple[str, list[bytes]]]:
    """A server that reads one request per connection and writes what a function says; (address, requests)."""
    heard: list[bytes] = []
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(0.1)
    stopped = threading.Event()

    def work() -> None:
        while not stopped.is_set():
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            with connection:
                connection.settimeout(2)
                request = b""
                while b"\r\n\r\n" not in request:
                    request += connection.recv(65536)
                heard.append(request)
                connection.sendall(answer(request))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}", heard
    finally:
        stopped.set()
        thread.join(5)
        listener.close()


def http_answer(body: bytes, status: str = "200 OK", *headers: str) -> bytes:
    """The bytes of an answer that ends its connection."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", "Connection: close", *headers]
    return "\r\n".join(head).encode() + b"\r\n\r\n" + body


def closed_port() -> int:
    """A port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])
