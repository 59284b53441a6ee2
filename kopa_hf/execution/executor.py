"""One call becomes one `CallResult`, whatever the backend.

The line is the same for every tool: bind the arguments, ask the wire adapter
for a request, send it, read the answer, say what happened. Backends differ
in the httpx transport underneath and in where keys come from; the live one
also bounds, paces and repeats requests (`kopa_hf.execution.live`). With a
snapshot, answers are recorded on their way (`kopa_hf.execution.recording`) or
come from there (`kopa_hf.execution.replay`).
"""

from __future__ import annotations

import asyncio
import datetime
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

import httpx

from kopa_hf.catalog.active import active_catalog
from kopa_hf.catalog.arguments import Bound, bind_arguments
from kopa_hf.catalog.registry import Catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import ArgumentError, BackendError
from kopa_hf.execution.bounded import UnreadableError
from kopa_hf.execution.episode import DEFAULT_DATE, Episode
from kopa_hf.execution.exchange import Exchange, retry_after
from kopa_hf.execution.local import run_local, run_local_async
from kopa_hf.execution.own_secrets import OwnSecrets, forms_of_key
from kopa_hf.execution.reading import Received, read_answer, result_of
from kopa_hf.execution.resolving import LISTING
from kopa_hf.execution.result import CallResult, Source
from kopa_hf.platforms.keys import Hidden, echoes_key, redact, redact_answer
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox.faults import Faults
from kopa_hf.sandbox.keys import sandbox_key
from kopa_hf.sandbox.server import SandboxTransport
from kopa_hf.sandbox.world import World, default_world

if TYPE_CHECKING:
    from kopa_hf.execution.live import Live, LiveSettings
    from kopa_hf.execution.mcp_sessions import McpSessions
    from kopa_hf.execution.recorded import Origin
    from kopa_hf.execution.recording import Recorder
    from kopa_hf.execution.replay import Answering, Replay

BACKENDS: Final[tuple[str, ...]] = ("sandbox", "live", "record", "replay")


class Executor:
    """Runs tool calls against one backend.

    `backend="sandbox"` answers from the embedded world, `"live"` asks the services themselves
    (or a stand-in) as its `LiveSettings` say. A `transport` of your own (an object that is an
    httpx sync and async transport) takes the sandbox's place.

    `"record"` is live, and keeps every answer in `snapshot` (a file's path, or an open `Snapshot`, which
    whoever opened it closes); what is kept there already is not asked again. With a `transport` of your own, that is
    recorded. `"replay"` answers from `snapshot` alone.
    """

    def __init__(
        self,
        backend: str = "sandbox",
        *,
        catalog: Catalog | None = None,
        world: World | None = None,
        faults: Faults | None = None,
        transport: Any = None,
        live: LiveSettings | None = None,
        snapshot: Answering | Path | str | None = None,
    ) -> None:
        if backend not in BACKENDS:
            raise BackendError(f"Unknown backend {backend!r}. This version has: {', '.join(BACKENDS)}.")
        if (snapshot is not None) != (backend in ("record", "replay")):
            raise BackendError(
                "A snapshot goes with the backends record and replay, which need one, and with no other."
            )
        self.replay: Replay | None = _replay(snapshot) if backend == "replay" and snapshot is not None else None
        self.recorder: Recorder | None = None
        asks = backend == "live" or (backend == "record" and transport is None)
        self._asked: Origin = "sandbox" if not asks else "via" if live and live.via else "live"
        self.catalog = catalog if catalog is not None else active_catalog()
        self._sessions = _mcp_sessions(self.catalog, live.via if live is not None else None) if asks else None
        self._secrets = OwnSecrets(self.catalog.services)
        if backend == "record":
            self.recorder = _recorder(snapshot, self._asked)
        # recording is a live run that keeps what it is told
        self.backend = "live" if asks else "sandbox" if backend == "record" else backend
        self.source: Source = "live" if asks else "replay" if self.replay is not None else "sandbox"
        if backend == "sandbox" and transport is None and self.catalog.services:
            raise BackendError(
                f"The sandbox answers for the ten platforms only, not for {', '.join(self.catalog.services)}: "
                "ask the services themselves (--backend live or record) or a snapshot (--backend replay)."
            )
        self.live = _live(live, self.catalog) if asks else None
        if transport is None and self.replay is None:
            transport = (
                SandboxTransport(world or default_world(), faults=faults) if self.live is None else self.live.transport
            )
        self.transport = transport if self._sessions is None else self._sessions.beside(transport)

    async def call(
        self,
        tool: Tool | str,
        arguments: Mapping[str, Any],
        *,
        episode: Episode | None = None,
        attempt: int = 0,
        stream: str = "",
    ) -> CallResult:
        """Run one call. Failures come back as results; only an unknown tool name raises.

        `attempt` and `stream` reach the sandbox's fault function, so that a retry can
        meet another fate and two runs with the same seeds meet the same. A live job that
        has used up its calls raises `BudgetError`.
        """
        tool = self._resolve(tool)
        if tool.platform == "local":
            return await run_local_async(
                tool,
                arguments,
                episode or Episode(),
                self.call,
                lookup=self.catalog.get,
                attempt=attempt,
                stream=stream,
            )
        if self.live is not None and tool.endpoint.code_unresolved:
            tool = await asyncio.to_thread(self._addressed, tool, self.live)
        try:
            bound = bind_arguments(tool, arguments)
        except ArgumentError as error:
            return self._refused(tool, arguments, error)
        key = self._key(tool, episode)
        kept = self._from_snapshot(tool, arguments, bound, key)
        if kept is not None:
            return kept
        try:
            first = self._request(tool, bound, key, attempt, stream)
        except ArgumentError as error:
            return self._refused(tool, arguments, error)

        async def once(tries: int) -> Exchange:
            start = time.perf_counter()
            request = self._request(tool, bound, key, attempt + tries, stream) if tries else first
            try:
                response = await self.transport.handle_async_request(request)
                await response.aread()
            except httpx.HTTPError as error:
                return self._broken(tool, arguments, bound, self._hidden(tool, key), error, start)
            return self._understood(tool, arguments, bound, Received.of(response, tool), self._hidden(tool, key), start)

        if self.live is not None:
            return await self.live.run_async(tool, arguments, once)
        return (await once(0)).result

    def call_sync(
        self,
        tool: Tool | str,
        arguments: Mapping[str, Any],
        *,
        episode: Episode | None = None,
        attempt: int = 0,
        stream: str = "",
    ) -> CallResult:
        """`call` for callers without an event loop; same result."""
        tool = self._resolve(tool)
        if tool.platform == "local":
            return run_local(
                tool,
                arguments,
                episode or Episode(),
                self.call_sync,
                lookup=self.catalog.get,
                attempt=attempt,
                stream=stream,
            )
        if self.live is not None and tool.endpoint.code_unresolved:
            tool = self._addressed(tool, self.live)
        try:
            bound = bind_arguments(tool, arguments)
        except ArgumentError as error:
            return self._refused(tool, arguments, error)
        key = self._key(tool, episode)
        kept = self._from_snapshot(tool, arguments, bound, key)
        if kept is not None:
            return kept
        try:
            first = self._request(tool, bound, key, attempt, stream)
        except ArgumentError as error:
            return self._refused(tool, arguments, error)

        def once(tries: int) -> Exchange:
            request = self._request(tool, bound, key, attempt + tries, stream) if tries else first
            return self._exchange(tool, arguments, bound, key, request)

        if self.live is not None:
            return self.live.run(tool, arguments, once)
        return once(0).result

    def probe(self, tool: Tool | str, arguments: Mapping[str, Any]) -> Exchange:
        """One request, never repeated, and how it ended; raises `ArgumentError` for arguments that do not fit."""
        tool = self._resolve(tool)
        bound, key = bind_arguments(tool, arguments), self._key(tool, None)
        request = self._request(tool, bound, key, 0, "")

        def once() -> Exchange:
            return self._exchange(tool, arguments, bound, key, request)

        return once() if self.live is None else self.live.run_once(tool, arguments, once)

    @property
    def today(self) -> datetime.date:
        """The day that a run counts from: the real one live, the day a recording began, the sandbox's own."""
        kept = self.recorder or self.replay
        if kept is not None:
            return kept.day
        return DEFAULT_DATE if self.live is None else self.live.today

    @property
    def provenance(self) -> dict[str, Any]:
        """Where answers come from, for rows made on them: `backend`, and of a replayed snapshot its print as `snapshot`.

        A sandbox world other than the default one stands in `world` with its seeds, scale and version. `origin` tells real answers from a stand-in's where a snapshot is recorded or replayed, or services are asked.
        """
        if self.replay is not None:
            return {"backend": self.source, **self.replay.provenance}
        if self.recorder is not None:
            return {"backend": self.source, "origin": self.recorder.snapshot.origin}
        if self.live is not None:
            return {"backend": self.source, "origin": self._asked}
        world = getattr(self.transport, "world", None)
        if not isinstance(world, World) or world.seeds == default_world().seeds:
            return {"backend": self.source}
        return {"backend": self.source, "world": {**world.seeds, "version": world.version}}

    def close(self) -> None:
        """Close what a live backend and a snapshot hold open; the sandbox holds nothing."""
        for part in (self._sessions, self.live, self.recorder, self.replay):
            if part is not None:
                part.close()

    def __enter__(self) -> Executor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _resolve(self, tool: Tool | str) -> Tool:
        return self.catalog.get(tool) if isinstance(tool, str) else tool

    def _addressed(self, tool: Tool, live: Live) -> Tool:
        """The tool at the address that the portal's list of services tells; as it is where that tells none."""
        with live.codes.lock:
            listing = next((t for t in self.catalog if t.endpoint.operation == LISTING), None)
            if not live.codes.known and listing is not None:
                told = self.call_sync(listing, {"pSize": "1000"})
                if told.outcome in ("ok", "no_data"):
                    live.codes.learn(told.records)
                else:
                    live.codes.postpone()
        return live.codes.get(tool) or tool

    def _key(self, tool: Tool, episode: Episode | None) -> str | None:
        """The key in force: issued in the episode, else the backend's own unless it must be issued first.

        What an episode issues opens the sandbox only, so live it merely puts the user's own key in force.
        """
        if tool.endpoint.auth is None:
            return None
        issued = episode.keys.get(tool.platform) if episode is not None else None
        if issued is None and episode is not None and tool.platform in episode.keys_required:
            return None
        if self.live is not None:
            return self.live.keys.key_for(tool)
        return issued or sandbox_key(tool.platform)

    def _hidden(self, tool: Tool, key: str | None) -> Hidden:
        """What an answer must not show: the key, or all that a service of one's own was told in confidence."""
        if key is not None and tool.platform in self.catalog.services:
            return forms_of_key(key, tool.endpoint.auth_scheme)
        return self._secrets.of(tool.platform) or key

    def _from_snapshot(
        self, tool: Tool, arguments: Mapping[str, Any], bound: Bound, key: str | None
    ) -> CallResult | None:
        """What a snapshot says, where one is in use: always a result on replay; None: ask."""
        if self.replay is not None:
            return self.replay.result(tool, arguments, bound, key)
        if self.recorder is None or not tool.read:  # what writes is done each time
            return None
        return self.recorder.result(tool, arguments, bound, key, self.source)

    def _request(self, tool: Tool, bound: Bound, key: str | None, attempt: int, stream: str) -> httpx.Request:
        """The request; `ArgumentError` where the wire cannot write one, which ends a call and no run."""
        try:
            request = wire_for(tool.wire).build_request(tool, bound.values, key)
        except (ValueError, httpx.InvalidURL) as error:
            raise ArgumentError(tool.name, [redact(f"no request can be written ({str(error)[:200]})", key)]) from error
        request.extensions = {**request.extensions, "kopa_attempt": attempt, "kopa_stream": stream}
        return request

    def _exchange(
        self, tool: Tool, arguments: Mapping[str, Any], bound: Bound, key: str | None, request: httpx.Request
    ) -> Exchange:
        start = time.perf_counter()
        try:
            response = self.transport.handle_request(request)
            response.read()
        except httpx.HTTPError as error:
            return self._broken(tool, arguments, bound, self._hidden(tool, key), error, start)
        return self._understood(tool, arguments, bound, Received.of(response, tool), self._hidden(tool, key), start)

    def _refused(self, tool: Tool, arguments: Mapping[str, Any], error: ArgumentError) -> CallResult:
        return CallResult(
            tool=tool.name,
            arguments=dict(arguments) if isinstance(arguments, Mapping) else {},
            outcome="bad_param",
            failure="structural",
            message=str(error),
            source=self.source,
            requests=0,
        )

    def _broken(
        self,
        tool: Tool,
        arguments: Mapping[str, Any],
        bound: Bound,
        key: Hidden,
        error: httpx.HTTPError,
        start: float,
    ) -> Exchange:
        """No answer at all. The error's text may hold an address with a key, so only its kind is kept."""
        timeout, unread = isinstance(error, httpx.TimeoutException), isinstance(error, UnreadableError)
        words = "no answer in time" if timeout else "it was not read" if unread else "the connection broke"
        if self.live is not None:  # its transport has left addresses out already
            words = redact(f"{words} ({error})", key)
        result = CallResult(
            tool=tool.name,
            arguments=dict(arguments),
            outcome="timeout" if timeout else "not_a_response" if unread else "server",
            failure="environmental",
            message=f"{type(error).__name__}: {words}",
            elapsed=time.perf_counter() - start,
            source=self.source,
        )
        if self.recorder is not None:
            self.recorder.note_failure(tool, bound, key, result.outcome, "environmental", None)
        return Exchange(result, broke=type(error))

    def _understood(
        self,
        tool: Tool,
        arguments: Mapping[str, Any],
        bound: Bound,
        received: Received,
        key: Hidden,
        start: float,
    ) -> Exchange:
        answer = read_answer(tool.wire, received, tool.endpoint.operation)
        # the sandbox echoes a key as it came; a real service may escape it, so there the decoded answer is searched
        foreign = self.source != "sandbox" or tool.platform in self.catalog.services
        if foreign or echoes_key(received.body, key):
            answer = redact_answer(answer, key)
        if self.recorder is not None and tool.read:
            self.recorder.note(tool, bound, key, received, answer)
        elapsed = time.perf_counter() - start
        result = result_of(tool, arguments, bound, answer, elapsed=elapsed, source=self.source)
        return Exchange(result, retry_after(received.retry_after), of_request=answer.of_request)


def _live(settings: LiveSettings | None, catalog: Catalog) -> Live:
    from kopa_hf.execution.live import Live  # retry and pacing libraries load only where they are used

    return Live(settings, catalog)


def _mcp_sessions(catalog: Catalog, via: str | None) -> McpSessions | None:
    services = {name: service for name, service in catalog.services.items() if service["kind"] == "mcp"}
    if not services:
        return None
    if via is not None:
        raise BackendError(
            f"--via puts a stand-in in the place of HTTP services, and {', '.join(services)} is reached over MCP, which "
            "would be asked itself. Leave --via out, or use a catalog without MCP servers."
        )
    from kopa_hf.execution.mcp_server import McpServer
    from kopa_hf.execution.mcp_sessions import McpSessions

    return McpSessions({name: McpServer.read(name, service) for name, service in services.items()})


def _replay(snapshot: Answering | Path | str) -> Replay:
    from kopa_hf.execution.replay import Replay

    return Replay.of(snapshot)


def _recorder(snapshot: Any, origin: Origin) -> Recorder:
    from kopa_hf.execution.recording import Recorder

    return Recorder.of(snapshot, origin)
