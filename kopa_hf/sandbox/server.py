"""The sandbox as an httpx transport: real addresses in, real wire bytes out, no network.

One request goes one straight line: route → transient fault → defect → key →
required parameters → handler → envelope. Past the fault an answer is a function of
the request alone, so an identical request is answered with the bytes of the first.
"""

from __future__ import annotations

import dataclasses
import json
import threading
from collections import OrderedDict
from collections.abc import Iterable
from functools import cached_property
from typing import Final
from urllib.parse import parse_qsl

import httpx

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.envelopes import ENVELOPES, wires_of_host
from kopa_hf.sandbox.envelopes.base import Envelope, Incoming, Outgoing, host_of, split_suffix
from kopa_hf.sandbox.faults import FaultKind, Faults
from kopa_hf.sandbox.longtail import answer_from_signature
from kopa_hf.sandbox.query import Handler, Query, RefusedError, Reply
from kopa_hf.sandbox.registry import find_handler
from kopa_hf.sandbox.world import World, default_world

KEPT_REPLIES: Final = 256
"""Replies kept at a time. They hold which records match, not the records themselves."""
KEPT_BYTES: Final = 24 << 20
"""Bytes of rendered answers kept at a time; the longest unused go first."""
OVERHEAD: Final = 1024
"""Bytes that a kept answer costs beside its body: the request, the entry."""


class SandboxTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """Serves the platforms' addresses out of a world, for `httpx.Client` and `httpx.AsyncClient` alike.

    `catalog` is any iterable of tools (default: the package's catalog). Hosts outside the
    sandbox raise `httpx.ConnectError`; a time-out fault raises `httpx.ReadTimeout` at once.
    """

    def __init__(
        self,
        world: World | None = None,
        faults: Faults | None = None,
        catalog: Iterable[Tool] | None = None,
        *,
        kept_bytes: int = KEPT_BYTES,
    ) -> None:
        """`kept_bytes`: of rendered answers, for identical requests; 0 renders every answer anew."""
        self.world = world if world is not None else default_world()
        self._faults = faults if faults is not None else Faults.none()
        self._catalog = catalog
        self._replies: dict[tuple[object, ...], Reply] = {}
        self._rendered = Rendered(kept_bytes, kept_bytes // 8)

    @property
    def faults(self) -> Faults:
        """What befalls requests; with others, other fields arrive, so what was rendered is forgotten."""
        return self._faults

    @faults.setter
    def faults(self, faults: Faults) -> None:
        self._faults = faults
        self._rendered = Rendered(self._rendered.capacity, self._rendered.largest)

    @cached_property
    def _routes(self) -> dict[tuple[str, str, str], Tool]:
        """(wire, host, address) → signature."""
        tools = self._catalog
        if tools is None:
            from kopa_hf.catalog.registry import load_catalog  # the catalog loads when it is first needed

            tools = load_catalog()
        routes: dict[tuple[str, str, str], Tool] = {}
        for tool in tools:
            envelope = ENVELOPES.get(tool.wire)
            host = host_of(tool.endpoint.url)
            if envelope is not None and host in envelope.hosts:
                routes.setdefault((tool.wire, host, envelope.address_of(tool)), tool)
        return routes

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request (sync)."""
        outgoing = self.respond(request, request.read())
        headers = [(b"content-type", outgoing.content_type.encode("ascii"))]
        return httpx.Response(outgoing.status, headers=headers, content=outgoing.body, request=request)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Answer one request (async); the same bytes as the sync way."""
        outgoing = self.respond(request, await request.aread())
        headers = [(b"content-type", outgoing.content_type.encode("ascii"))]
        return httpx.Response(outgoing.status, headers=headers, content=outgoing.body, request=request)

    def respond(self, request: httpx.Request, body: bytes = b"") -> Outgoing:
        """The answer's bytes, status and content type."""
        incoming = _incoming(request, body)
        wire, tool = self._route(request, incoming)
        envelope = ENVELOPES[wire]
        fault = self._transient(request, incoming, envelope)
        if fault == "timeout":
            raise httpx.ReadTimeout("the sandbox's time-out fault", request=request)
        if tool is not None:
            incoming = dataclasses.replace(incoming, named=tool.endpoint.operation)
        incoming = envelope.complete(incoming, tool)
        if fault is not None:
            return envelope.trouble(fault, incoming)
        if tool is None:
            return envelope.trouble("unknown", incoming)
        # nothing but the fault depends on when and how often a request comes
        asked = (request.method, str(request.url), body, tuple(request.headers.raw))
        known = self._rendered.get(asked)
        if known is None:
            known = self._answer(wire, tool, envelope, incoming)
            self._rendered.keep(asked, known)
        return known

    def _answer(self, wire: str, tool: Tool, envelope: Envelope, incoming: Incoming) -> Outgoing:
        """What a request brings where nothing befalls it."""
        handler = find_handler(wire, incoming.operation)
        defect = self.faults.defect(wire, incoming.operation)
        if defect is not None:
            return envelope.trouble("unknown" if defect == "gone" else "server", incoming)
        if not envelope.admits(tool.platform, envelope.key(incoming)):
            return envelope.trouble("auth", incoming)
        try:
            query = envelope.ask(incoming, tool)
            _require(tool, incoming)
            reply = self._reply(wire, query, handler or answer_from_signature)
        except RefusedError as refusal:
            return envelope.trouble(refusal.kind, incoming, refusal.name)
        return envelope.answer(reply, query, incoming, self._absent(wire, incoming.operation, tool))

    def _reply(self, wire: str, query: Query, handler: Handler) -> Reply:
        """A handler's reply; kept for the other pages of the same query, because selecting costs more than a page."""
        key = (wire, query.operation, *sorted(query.parameters.items()))
        reply = self._replies.get(key)
        if reply is None:
            if len(self._replies) >= KEPT_REPLIES:
                self._replies.clear()
            reply = self._replies[key] = handler(self.world, query)
        return reply

    def _route(self, request: httpx.Request, incoming: Incoming) -> tuple[str, Tool | None]:
        """The wire that answers, and the signature; wires that share a host are asked in turn."""
        wires = wires_of_host(incoming.host)
        if not wires:
            raise httpx.ConnectError(f"{incoming.host} is not part of the sandbox", request=request)
        for wire in wires:
            tool = self._routes.get((wire, incoming.host, ENVELOPES[wire].address(incoming)))
            if tool is not None:
                return wire, tool
        return wires[0], None

    def _transient(self, request: httpx.Request, incoming: Incoming, envelope: Envelope) -> FaultKind | None:
        if not self.faults.transient:
            return None
        key = envelope.key(incoming)
        asked = "&".join(f"{n}={v}" for n, v in sorted(incoming.parameters.items()) if v and v != key)
        path = incoming.path.replace(key, "") if key else incoming.path
        text = f"{incoming.host}{path}?{asked}"
        extensions = request.extensions
        return self.faults.transient_fault(text, extensions.get("kopa_attempt", 0), extensions.get("kopa_stream", ""))

    def _absent(self, wire: str, operation: str, tool: Tool) -> frozenset[str]:
        if not self.faults.missing_share:
            return frozenset()
        return self.faults.missing_fields(wire, operation, tuple(f.name for f in tool.fields))


class Rendered:
    """Answers as they left, by request; bounded by their bytes."""

    def __init__(self, capacity: int, largest: int) -> None:
        self.capacity = capacity
        self.largest = largest
        """Bytes of one answer that are worth keeping."""
        self.held = 0
        """Bytes of the bodies that are kept."""
        self._kept: OrderedDict[tuple[object, ...], Outgoing] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, asked: tuple[object, ...]) -> Outgoing | None:
        """The answer to a request, if it is still there."""
        with self._lock:  # one transport may serve several threads
            known = self._kept.get(asked)
            if known is not None:
                self._kept.move_to_end(asked)
            return known

    def keep(self, asked: tuple[object, ...], outgoing: Outgoing) -> None:
        """Remember an answer that is not too large; the longest unused make room."""
        size = len(outgoing.body) + OVERHEAD
        if size > self.largest:
            return
        with self._lock:
            if asked in self._kept:
                return
            self._kept[asked] = outgoing
            self.held += size
            while self.held > self.capacity:
                _, oldest = self._kept.popitem(last=False)
                self.held -= len(oldest.body) + OVERHEAD


def _require(tool: Tool, incoming: Incoming) -> None:
    """Refuse where a required parameter is absent; the key was checked before."""
    for parameter in tool.parameters:
        sent = parameter.required and parameter.role == "input" and parameter.location != "client"
        if sent and not incoming.parameters.get(parameter.name, "").strip():
            raise RefusedError("missing", parameter.name)


def _incoming(request: httpx.Request, body: bytes) -> Incoming:
    path, suffix = split_suffix(request.url.path)
    parameters = dict(parse_qsl(request.url.query.decode("ascii"), keep_blank_values=True))
    if body:
        parameters.update(_body_parameters(body))
    headers = {name.decode("ascii").lower(): value.decode("latin-1") for name, value in request.headers.raw}
    return Incoming(
        request.method, request.url.host.lower(), path, suffix, parameters, headers, body, _raw_path(request)
    )


def _raw_path(request: httpx.Request) -> str:
    return request.url.raw_path.partition(b"?")[0].decode("ascii")


def _body_parameters(body: bytes) -> dict[str, str]:
    """Parameters of a POST: a JSON object, else a form; an unreadable body holds none."""
    try:
        content = json.loads(body)
    except RecursionError:
        return {}
    except ValueError:
        return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
    return {str(n): str(v) for n, v in content.items()} if isinstance(content, dict) else {}
