"""The sandbox on a real socket: the same bytes, with everything that can go wrong between two machines.

h11 reads and writes HTTP/1.1 and asyncio owns the sockets, since a server framework would
hide them: a connection that is reset, cut or held open is what this server is for.

A request names its service in the Host header (`Host: opendart.fss.or.kr`), as a live
backend with `--via` sends it, or in the first part of its path
(`http://127.0.0.1:8700/opendart.fss.or.kr/api/…`), for a browser.
"""

from __future__ import annotations

import asyncio
import dataclasses
import hashlib
import logging
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Final

import h11
import httpx

from kopa_hf.sandbox.envelopes import wires_of_host
from kopa_hf.sandbox.envelopes.base import Outgoing
from kopa_hf.sandbox.fates import Fates
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.server import SandboxTransport
from kopa_hf.sandbox.world import World

_log = logging.getLogger(__name__)

_IDLE: Final = 75.0
"""Seconds that a kept connection may wait for its next request."""
_MAX_BODY: Final = 1 << 20
_CHUNK: Final = 1 << 16
_TRICKLES: Final = 20
"""Pieces of an answer that trickles."""
_PAGE: Final = (
    "<!DOCTYPE html><html><head><title>안내</title></head><body><h1>시스템 점검 중입니다.</h1></body></html>"
).encode()
_ANSWERED: Final = frozenset({"rate_limit", "quota", "server"})
"""Faults that the service itself answers; all others happen to the connection."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """One request, read whole."""

    method: str
    target: str
    headers: list[tuple[str, str]]
    body: bytes


@dataclass(slots=True)
class SandboxServer:
    """Serves one world. Answers are made one after the other; waiting connections hold nobody up."""

    world: World = field(default_factory=World)
    defects: Faults = field(default_factory=Faults.none)
    """Static defects: dead operations, missing fields."""
    fates: Fates = field(default_factory=Fates)
    hold: float = 60.0
    """Seconds that a held connection stays open, and that an answer trickles."""
    retry_after: int = 1
    """Seconds that a 429 asks to wait."""
    requests: int = 0
    """Requests heard so far."""
    most_at_once: int = 0
    """Most requests that were under way together."""
    delay: float = 0.0
    """Seconds before every answer: the way to a real service and back."""
    _transports: dict[str | None, SandboxTransport] = field(default_factory=dict)
    _tries: dict[bytes, int] = field(default_factory=dict)
    _open: set[asyncio.StreamWriter] = field(default_factory=set)
    _under_way: int = 0
    _server: asyncio.Server | None = None

    @property
    def open_connections(self) -> int:
        """Connections that are open now, idle ones too."""
        return len(self._open)

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> str:
        """Listen, and return the address."""
        from kopa_hf.catalog.registry import load_catalog

        load_catalog()  # the first request should not wait for it
        self._server = await asyncio.start_server(self._serve, host, port)
        bound = self._server.sockets[0].getsockname()
        return f"http://[{bound[0]}]:{bound[1]}" if ":" in bound[0] else f"http://{bound[0]}:{bound[1]}"

    async def stop(self) -> None:
        """Stop listening and drop the connections that are open."""
        if self._server is not None:
            self._server.close()
        for writer in list(self._open):
            writer.transport.abort()
        if self._server is not None:
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self._server.wait_closed(), 2)

    # one connection

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connection = h11.Connection(h11.SERVER)
        self._open.add(writer)
        try:
            while True:
                heard = await _hear(connection, reader)
                if heard is None or not await self._answer(heard, connection, writer):
                    break
                if connection.our_state is h11.MUST_CLOSE:
                    break
                connection.start_next_cycle()
        except h11.RemoteProtocolError as error:
            with suppress(ConnectionError, h11.LocalProtocolError):
                status = error.error_status_hint
                await _send(connection, writer, Outgoing(b"Bad Request", "text/plain", status))
        except (ConnectionError, TimeoutError, h11.LocalProtocolError, asyncio.CancelledError):
            pass  # the client went away, or the server ends: this task is nothing but the connection
        finally:
            self._open.discard(writer)
            writer.close()

    async def _answer(self, heard: _Heard, connection: h11.Connection, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; False where the connection is of no use any more."""
        self.requests += 1
        self._under_way += 1
        self.most_at_once = max(self.most_at_once, self._under_way)
        try:
            if self.delay:
                await asyncio.sleep(self.delay)
            fate = self._fate(heard)
            if fate == "timeout":
                await asyncio.sleep(self.hold)
                writer.transport.abort()
                return False
            if fate == "reset":
                _reset(writer)
                return False
            if fate == "page":
                outgoing: Outgoing | None = Outgoing(_PAGE, "text/html; charset=utf-8")
            elif fate == "empty":
                outgoing = Outgoing(b"", "application/json")
            else:
                outgoing = self._outgoing(heard, fate)
            if outgoing is None:  # the transport's own time-out fault
                await asyncio.sleep(self.hold)
                writer.transport.abort()
                return False
            if fate == "cut":
                await _cut(connection, writer, outgoing)
                return False
            headers = [("Retry-After", str(self.retry_after))] if outgoing.status == 429 else []
            pause = self.hold / _TRICKLES if fate == "slow" else 0.0
            await _send(connection, writer, outgoing, headers, pause)
            return True
        finally:
            self._under_way -= 1

    def _fate(self, heard: _Heard) -> str | None:
        """The fault of this try; equal requests are tries of one call."""
        if not self.fates.fixed and not self.fates.rates:
            return None
        text = "\n".join((heard.method, _host(heard), heard.target))
        digest = hashlib.blake2b(text.encode("utf-8", "replace") + heard.body, digest_size=16).digest()
        attempt = self._tries.get(digest, 0)
        self._tries[digest] = attempt + 1
        return self.fates.of(digest.hex(), attempt)

    def _outgoing(self, heard: _Heard, fate: str | None) -> Outgoing | None:
        """The sandbox's answer; None where it would time out."""
        try:
            request = _request(heard)
            return self._transport(fate if fate in _ANSWERED else None).respond(request, heard.body)
        except httpx.TimeoutException:
            return None
        except (httpx.ConnectError, httpx.InvalidURL, UnicodeDecodeError) as error:
            return Outgoing(f"{error}\n".encode(), "text/plain; charset=utf-8", 404)
        except Exception:  # noqa: BLE001 - one broken answer must not end the server
            _log.exception("no answer to %s %s", heard.method, _host(heard))
            return Outgoing(b"Internal Server Error", "text/plain", 500)

    def _transport(self, kind: str | None) -> SandboxTransport:
        """The world with one answered fault switched on, or none."""
        if kind not in self._transports:
            known: Any = kind
            faults = dataclasses.replace(self.defects, transient=((known, 1.0),) if kind else ())
            self._transports[kind] = SandboxTransport(self.world, faults=faults)
        return self._transports[kind]


async def _hear(connection: h11.Connection, reader: asyncio.StreamReader) -> _Heard | None:
    """The next request of a connection; None where the client closed it or waited too long."""
    request: h11.Request | None = None
    body = bytearray()
    while True:
        event = connection.next_event()
        if event is h11.NEED_DATA:
            try:
                connection.receive_data(await asyncio.wait_for(reader.read(_CHUNK), _IDLE))
            except TimeoutError:
                return None
        elif isinstance(event, h11.Request):
            request = event
        elif isinstance(event, h11.Data):
            body += event.data
            if len(body) > _MAX_BODY:
                raise h11.RemoteProtocolError("request too large", error_status_hint=413)
        elif isinstance(event, h11.EndOfMessage) and request is not None:
            headers = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in request.headers]
            return _Heard(request.method.decode(), request.target.decode("latin-1"), headers, bytes(body))
        elif isinstance(event, h11.ConnectionClosed) or event is h11.PAUSED:
            return None


async def _send(
    connection: h11.Connection,
    writer: asyncio.StreamWriter,
    outgoing: Outgoing,
    headers: list[tuple[str, str]] | None = None,
    pause: float = 0.0,
) -> None:
    """Write an answer, in pieces with pauses where it is to trickle."""
    writer.write(connection.send(_head(outgoing, headers)) or b"")
    step = max(len(outgoing.body) // _TRICKLES, 1) if pause else max(len(outgoing.body), 1)
    for start in range(0, len(outgoing.body), step):
        writer.write(connection.send(h11.Data(data=outgoing.body[start : start + step])) or b"")
        await writer.drain()
        if pause:
            await asyncio.sleep(pause)
    writer.write(connection.send(h11.EndOfMessage()) or b"")
    await writer.drain()


async def _cut(connection: h11.Connection, writer: asyncio.StreamWriter, outgoing: Outgoing) -> None:
    """Promise the whole answer, send half of it, and go."""
    writer.write(connection.send(_head(outgoing)) or b"")
    writer.write(outgoing.body[: len(outgoing.body) // 2])
    await writer.drain()


def _reset(writer: asyncio.StreamWriter) -> None:
    """Close with a reset instead of an orderly end."""
    raw = writer.get_extra_info("socket")
    if raw is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()


def _head(outgoing: Outgoing, headers: list[tuple[str, str]] | None = None) -> h11.Response:
    fixed = [("Content-Type", outgoing.content_type), ("Content-Length", str(len(outgoing.body)))]
    return h11.Response(status_code=outgoing.status, headers=[*fixed, *(headers or [])])


def _host(heard: _Heard) -> str:
    return next((value for name, value in heard.headers if name == "host"), "")


def _request(heard: _Heard) -> httpx.Request:
    """The request as the service would have got it."""
    host, target = _host(heard), heard.target
    if "://" in target.partition("?")[0]:  # as a client behind a proxy writes it
        _, _, rest = target.partition("://")
        host, _, target = rest.partition("/")
        target = "/" + target
    elif not wires_of_host(host.partition(":")[0].lower()):
        named, slash, rest = target.removeprefix("/").partition("/")
        if slash and wires_of_host(named.partition(":")[0].lower()):
            host, target = named, "/" + rest
    headers = [(name, value) for name, value in heard.headers if name != "host"]
    return httpx.Request(heard.method, f"https://{host}{target}", headers=headers, content=heard.body or None)


@contextmanager
def serving(server: SandboxServer, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """Serve from a thread of this process; gives the address."""
    ready, address = threading.Event(), [""]
    loop = asyncio.new_event_loop()

    async def listen() -> None:
        try:
            address[0] = await server.start(host, port)
        finally:
            ready.set()

    def work() -> None:
        loop.run_until_complete(listen())
        loop.run_forever()

    thread = threading.Thread(target=work, name="kopa-sandbox", daemon=True)
    thread.start()
    ready.wait()
    try:
        yield address[0]
    finally:
        asyncio.run_coroutine_threadsafe(_wind_up(server), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


async def _wind_up(server: SandboxServer) -> None:
    await server.stop()
    pending = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
