"""The real network as an httpx transport: proxies, time-outs, one deadline per answer, and no key in any error.

`httpx.Client` is not used: it logs every address at level INFO, and several services take
their key in the address.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar
from urllib.request import getproxies, proxy_bypass
from weakref import WeakKeyDictionary

import httpx

from kopa_hf.errors import BackendError
from kopa_hf.execution.bounded import Body, TooLargeError

T = TypeVar("T", httpx.HTTPTransport, httpx.AsyncHTTPTransport)


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds that the parts of one request may take."""

    connect: float = 10.0
    read: float = 30.0
    """Silence in the middle of an answer."""
    whole: float = 120.0
    """From request to the answer's last byte; also ends answers that trickle."""


class NetworkTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Sends requests out, for threads and event loops alike, and reads answers whole.

    Errors are httpx's own kinds without the request, which may hold a key. `via` is an
    address (`http://127.0.0.1:8700`) that stands in for all services: requests go there
    with the service's host in their Host header.
    """

    def __init__(
        self, *, via: str | None = None, times: TimeLimits | None = None, connections: int = 64, verify: Any = True
    ) -> None:
        self.times = times or TimeLimits()
        self.via = _address(via) if via else None
        self._limits = httpx.Limits(max_connections=connections, max_keepalive_connections=connections // 2)
        self._verify = verify
        self._lock = threading.Lock()
        self._sync: dict[str | None, httpx.HTTPTransport] = {}
        self._async: WeakKeyDictionary[asyncio.AbstractEventLoop, _LoopTransports] = WeakKeyDictionary()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send one request and read its answer."""
        began, failure = time.monotonic(), ""
        kind: type[httpx.HTTPError] = httpx.TransportError
        try:
            outgoing = self._outgoing(request, request.read())
            response = self._sync_transport(self._proxy(outgoing.url)).handle_request(outgoing)
            try:
                body = Body(response)
                for chunk in response.iter_raw():
                    body.add(chunk)
                    self._check_time(began)
            finally:
                response.close()
            return _whole(response, body, request)
        except httpx.HTTPError as error:
            kind, failure = type(error), _words(error)
        # raised out here, so that the error with its request is not even its context
        _fail(kind, failure)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """`handle_request` on an event loop."""
        began, failure = time.monotonic(), ""
        kind: type[httpx.HTTPError] = httpx.TransportError
        try:
            outgoing = self._outgoing(request, await request.aread())
            transport = await self._async_transport(self._proxy(outgoing.url))
            response = await transport.handle_async_request(outgoing)
            try:
                body = Body(response)
                async for chunk in response.aiter_raw():
                    body.add(chunk)
                    self._check_time(began)
            finally:
                await response.aclose()
            return _whole(response, body, request)
        except httpx.HTTPError as error:
            kind, failure = type(error), _words(error)
        _fail(kind, failure)

    def close(self) -> None:
        """Close the connections that threads use; those of an event loop close with the loop."""
        with self._lock:
            for transport in self._sync.values():
                transport.close()
            self._sync.clear()

    def _outgoing(self, request: httpx.Request, body: bytes) -> httpx.Request:
        """The request as it leaves: with time-outs, and turned to the stand-in if there is one."""
        url, headers = request.url, request.headers
        if self.via is not None:
            url = url.copy_with(scheme=self.via.scheme, host=self.via.host, port=self.via.port)
        extensions = {"timeout": {"connect": self.times.connect, "read": self.times.read,
                                  "write": self.times.read, "pool": self.times.whole}}  # fmt: skip
        return httpx.Request(request.method, url, headers=headers, content=body or None, extensions=extensions)

    def _proxy(self, url: httpx.URL) -> str | None:
        """The proxy that the environment names for an address; none in front of a stand-in."""
        if self.via is not None or proxy_bypass(url.host):
            return None
        proxies = getproxies()
        return proxies.get(url.scheme) or proxies.get("all")

    def _check_time(self, began: float) -> None:
        if time.monotonic() - began > self.times.whole:
            raise httpx.ReadTimeout("the answer took too long")

    def _sync_transport(self, proxy: str | None) -> httpx.HTTPTransport:
        with self._lock:
            if proxy not in self._sync:
                self._sync[proxy] = _open(httpx.HTTPTransport, proxy, self._limits, self._verify)
            return self._sync[proxy]

    async def _async_transport(self, proxy: str | None) -> httpx.AsyncHTTPTransport:
        loop = asyncio.get_running_loop()
        if loop not in self._async:
            self._async[loop] = _LoopTransports()
        return await self._async[loop].get(proxy, self._limits, self._verify)


class _LoopTransports:
    """The transports of one event loop, which close when it does."""

    def __init__(self) -> None:
        self._open: dict[str | None, tuple[httpx.AsyncHTTPTransport, Any]] = {}

    async def get(self, proxy: str | None, limits: httpx.Limits, verify: Any) -> httpx.AsyncHTTPTransport:
        if proxy not in self._open:
            transport = _open(httpx.AsyncHTTPTransport, proxy, limits, verify)
            keeper = _until_the_loop_ends(transport)
            self._open[proxy] = (transport, keeper)
            await anext(keeper)
        return self._open[proxy][0]


async def _until_the_loop_ends(transport: httpx.AsyncHTTPTransport) -> AsyncIterator[None]:
    """A loop that shuts down ends its unfinished generators, and this one closes the connections with it."""
    try:
        yield
    finally:
        with suppress(RuntimeError):
            await transport.aclose()


def _open(kind: type[T], proxy: str | None, limits: httpx.Limits, verify: Any) -> T:
    problem = ""
    try:
        return kind(limits=limits, proxy=proxy, verify=verify)
    except ImportError:
        problem = "it is a SOCKS proxy, and the package socksio is not installed"
    except (ValueError, httpx.InvalidURL):
        problem = "its address cannot be read"
    # the address is not repeated: it may hold a password
    raise BackendError(f"The proxy named in the environment cannot be used: {problem}.")


def _address(via: str) -> httpx.URL:
    try:
        url = httpx.URL(via if "://" in via else f"http://{via}")
    except httpx.InvalidURL as error:
        raise BackendError(f"--via {via!r} is no address: {error}") from error
    if url.scheme not in ("http", "https") or not url.host or url.path not in ("", "/"):
        raise BackendError(f"--via takes scheme, host and port, as in http://127.0.0.1:8700, not {via!r}.")
    return url


def _whole(response: httpx.Response, body: Body, request: httpx.Request) -> httpx.Response:
    """The answer with its body at hand, decoded."""
    dropped = (b"content-encoding", b"content-length", b"transfer-encoding")
    headers = [(name, value) for name, value in response.headers.raw if name.lower() not in dropped]
    return httpx.Response(response.status_code, headers=headers, content=body.whole(), request=request)


def _words(error: httpx.HTTPError) -> str:
    """What an error says of the connection; never an address."""
    if isinstance(error, httpx.LocalProtocolError):  # quotes the header that it refuses
        return "the request could not be written"
    text = str(error)
    if isinstance(error, TooLargeError):
        return text
    if isinstance(error, httpx.RemoteProtocolError):  # may quote what came, and some services repeat the key
        return "the answer broke off" if "without" in text else "the answer is no HTTP"
    return text if text and "://" not in text and "?" not in text else "no further word"


def _fail(kind: type[httpx.HTTPError], words: str) -> NoReturn:
    if kind is httpx.HTTPStatusError or not issubclass(kind, httpx.RequestError):
        kind = httpx.TransportError
    raise kind(words)
