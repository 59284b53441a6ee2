"""Sessions with MCP servers: opened by the first call, kept, ended with the executor.

One thread with an event loop of its own holds them, so that calls from threads and from any event loop share
one session per server. A server that ends, hangs or cannot be reached is a failure from outside; the next try
starts it anew. Programs end when the sessions are closed, at the latest with the process.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import threading
import weakref
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import IO, TYPE_CHECKING, Any, Final, TypeVar

import httpx

from kopa_hf.errors import BackendError, KopaError
from kopa_hf.execution.bounded import Bound, TooLargeError, UnreadableError
from kopa_hf.execution.mcp_server import SESSIONS, McpServer, open_client
from kopa_hf.execution.recorded import LARGEST_BODY
from kopa_hf.values.printable import printable

if TYPE_CHECKING:
    from mcp import Client

T = TypeVar("T")
_HUNG: Final = 2
"""Calls in a row without an answer in time, after which a session is given up and its program ended."""
_ENDING: Final = 8.0
"""Seconds for programs to end; the protocol's own steps (close, terminate, kill) take up to 6."""

_LINES: Final = 10
"""Lines of a program's last words that are shown where it does not start."""
_LONGEST_LINE: Final = 200
_TAIL: Final = 65536
"""Bytes of a program's words that are read; it may have said any number."""
_LONG_EVENT: Final = "byte limit"
"""In the words with which httpx2 gives up an event of a stream that is longer than the bound."""
_UNPARSED: Final = "Failed to parse"
"""So begin the words with which the protocol's client gives up an answer that is no message."""
_NO_ANSWER: Final = "the answer is not of the protocol's form"


class McpSessions:
    """The sessions of one executor, by the servers' names."""

    def __init__(self, servers: Mapping[str, McpServer], most: int = LARGEST_BODY) -> None:
        """`most`: bytes of the longest answer that is read."""
        self._servers = dict(servers)
        self._most = most
        self._lock = threading.Lock()
        self._thread: _Thread | None = None

    def call(self, name: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """A JSON-RPC response's `result` or `error`; raises httpx's errors where none came."""
        return self._wait(self._run(name, "call", tool, dict(arguments)))

    async def call_async(self, name: str, tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """`call` on an event loop."""
        found: dict[str, Any] = await asyncio.wrap_future(self._run(name, "call", tool, dict(arguments)))
        return found

    def tools(self, name: str, left_out: dict[str, str] | None = None) -> list[dict[str, Any]]:
        """All pages of a server's tool list, as it sends them; `left_out` gets entries that are no tools: name → why."""
        listed: tuple[list[dict[str, Any]], dict[str, str]] = self._wait(self._run(name, "tools"))
        if left_out is not None:
            left_out.update(listed[1])
        return listed[0]

    def greeting(self, name: str) -> str:
        """What a server calls itself; empty where it does not say."""
        greeting: str = self._wait(self._run(name, "greeting"))
        return greeting

    def beside(self, transport: Any) -> McpTransport:
        """A transport that makes calls of requests to these servers, and hands all others to `transport`."""
        return McpTransport(self, transport)

    def close(self) -> None:
        """End all sessions and the programs behind them."""
        with self._lock:
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.close()

    def _run(self, name: str, what: str, *given: Any) -> Future[Any]:
        server = self._servers.get(name)
        if server is None:
            raise BackendError(
                f"No MCP server is called {name!r}; the catalog has {', '.join(self._servers) or 'none'}."
            )
        with self._lock:
            # a fork has the thread's memory and not the thread
            if self._thread is None or self._thread.process != os.getpid():
                self._thread = _Thread(self._most)
                weakref.finalize(self, self._thread.close)
            thread = self._thread
        return thread.submit(getattr(thread, what)(server, *given))

    @staticmethod
    def _wait(future: Future[T]) -> T:
        try:
            return future.result()
        except BaseException:  # Ctrl-C: the server is told that nobody waits any more
            future.cancel()
            raise


class _Kept:
    """One session: the task that holds it open, and the client once it is there."""

    def __init__(self, server: McpServer, bound: Bound) -> None:
        self.server = server
        self.bound = bound
        self.ready: asyncio.Future[Client] = asyncio.get_running_loop().create_future()
        self.ready.add_done_callback(lambda ready: ready.cancelled() or ready.exception())
        self.end = asyncio.Event()
        self.late = 0
        self.left_out: dict[str, str] = {}
        self.log: IO[str] | None = None
        self.task = asyncio.create_task(self._hold())

    async def _hold(self) -> None:
        # a client is left by the task that entered it, so one task does both
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
            self.log = log
            try:
                async with open_client(self.server, log, self.bound, self.left_out) as client:
                    self.ready.set_result(client)
                    await self.end.wait()
            except Exception as error:  # noqa: BLE001  # whatever a server does to a session is told to its callers
                if not self.ready.done() and self.bound.passed:
                    self.ready.set_exception(_gone(self, ""))
                elif not self.ready.done():
                    self.ready.set_exception(_translated(self.server, error, _last_lines(self.server, log)))
            finally:
                self.end.set()
                if not self.ready.done():
                    self.ready.set_exception(httpx.ConnectError(f"{self.server.name} was ended before it was ready"))

    async def client(self) -> Client:
        """The client, when the session is open; raises why it is not."""
        try:
            return await asyncio.wait_for(asyncio.shield(self.ready), self.server.start)
        except TimeoutError:
            said = _it_said(_last_lines(self.server, self.log) if self.log is not None else "")
            self.task.cancel()
            raise httpx.ConnectTimeout(f"{self.server.name} did not start in {self.server.start:g} s{said}") from None


class _Thread:
    """A thread with an event loop, and everything that runs on it."""

    def __init__(self, most: int) -> None:
        self.process = os.getpid()
        self._most = most
        self._kept: dict[str, _Kept] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        """Of all sessions, also those that were given up and are still ending."""
        started: Future[asyncio.AbstractEventLoop] = Future()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._until_closed(started)), name=SESSIONS, daemon=True
        )
        self._thread.start()
        self._loop = started.result()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run it on the loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """End the sessions, then the loop; safe to call twice, and from a fork, which has neither."""
        if self.process != os.getpid() or not self._thread.is_alive():
            return
        with suppress(RuntimeError):  # the loop has ended by itself
            self._loop.call_soon_threadsafe(self._closed.set)
        self._thread.join(_ENDING + 2)

    async def call(self, server: McpServer, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """One tools/call. The result is not held against the tool's output schema: what came is what is judged."""
        from mcp.types import CallToolRequest, CallToolRequestParams, CallToolResult

        request = CallToolRequest(params=CallToolRequestParams(name=tool, arguments=arguments))
        answer = await self._asked(server, request, CallToolResult, server.timeout)
        if isinstance(answer, dict):
            return answer
        told = answer.model_dump(mode="json", by_alias=True, exclude_unset=True)
        _join(server, told.get("content") or ())
        return {"result": {name: told[name] for name in ("content", "structuredContent", "isError") if name in told}}

    async def greeting(self, server: McpServer) -> str:
        """The server's own name."""
        info = (await self._session(server).client()).server_info
        return info.name if info is not None else ""

    async def tools(self, server: McpServer) -> tuple[list[dict[str, Any]], dict[str, str]]:
        """Every page of tools/list, and what was left out of it: name → why."""
        from kopa_hf.execution.mcp_tool_list import list_tools

        kept = self._session(server)
        await kept.client()
        kept.left_out.clear()
        found = await list_tools(server, partial(self._asked, server), self._most)
        return found, dict(kept.left_out)

    async def _asked(self, server: McpServer, request: Any, kind: Any, seconds: float) -> Any:
        """A result of the kind, or `{"error": …}`; raises httpx's errors where the server did not answer."""
        from mcp import MCPError
        from mcp.types import CONNECTION_CLOSED, PARSE_ERROR, REQUEST_TIMEOUT
        from pydantic import ValidationError

        kept = self._session(server)
        client = await kept.client()
        try:
            answer = await client.session.send_request(request, kind, request_read_timeout_seconds=seconds)
        except MCPError as error:
            if error.code == REQUEST_TIMEOUT:
                kept.late += 1
                if kept.late >= _HUNG:
                    kept.end.set()
                raise httpx.ReadTimeout(f"{server.name} gave no answer in {round(seconds, 1):g} s") from None
            if error.code == CONNECTION_CLOSED or error.message == "Session terminated":
                kept.end.set()
                if server.url and _LONG_EVENT in error.message:
                    kept.bound.passed = True
                raise _gone(kept, server.hide(error.message)) from None
            kept.late = 0
            if error.code == PARSE_ERROR and error.message.startswith(_UNPARSED):
                raise UnreadableError(f"{server.name}: {_NO_ANSWER}") from None  # its words quote the answer
            return {"error": {"code": error.code, "message": error.message}}
        except (ValidationError, RecursionError):
            kept.late = 0
            raise UnreadableError(f"{server.name}: {_NO_ANSWER}") from None
        except (RuntimeError, OSError) as error:
            kept.end.set()
            raise _gone(kept, type(error).__name__) from None
        kept.late = 0
        return answer

    def _session(self, server: McpServer) -> _Kept:
        kept = self._kept.get(server.name)
        if kept is None or kept.end.is_set():
            kept = self._kept[server.name] = _Kept(server, Bound(self._most))
            self._tasks.add(kept.task)
            kept.task.add_done_callback(self._tasks.discard)
        return kept

    async def _until_closed(self, started: Future[asyncio.AbstractEventLoop]) -> None:
        self._closed = asyncio.Event()
        started.set_result(asyncio.get_running_loop())
        await self._closed.wait()
        for kept in self._kept.values():
            kept.end.set()
            if not kept.ready.done():
                kept.task.cancel()
        if self._tasks:
            await asyncio.wait(set(self._tasks), timeout=_ENDING)


class McpTransport(httpx.BaseTransport, httpx.AsyncBaseTransport):
    """An httpx transport: requests to `mcp://SERVER/` become calls, all others go on to another transport."""

    def __init__(self, sessions: McpSessions, otherwise: Any) -> None:
        self.sessions = sessions
        self._otherwise = otherwise

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """One call from a thread."""
        if request.url.scheme != "mcp":
            response: httpx.Response = self._otherwise.handle_request(request)
            return response
        call = httpx.Response(200, content=request.read()).json()
        return _response(self.sessions.call(request.url.host, call["name"], call["arguments"]))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """One call from an event loop."""
        if request.url.scheme != "mcp":
            response: httpx.Response = await self._otherwise.handle_async_request(request)
            return response
        call = httpx.Response(200, content=await request.aread()).json()
        answer = await self.sessions.call_async(request.url.host, call["name"], call["arguments"])
        return _response(answer)


def _response(answer: dict[str, Any]) -> httpx.Response:
    body = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
    return httpx.Response(200, headers={"content-type": "application/json"}, content=body)


def _join(server: McpServer, blocks: Sequence[dict[str, Any]]) -> None:
    """Take out secrets that stand half in one block's text and half in the next; whole ones are masked with the answer."""
    parts = [block.get("resource") or block for block in blocks]
    texts = [part for part in parts if isinstance(part.get("text"), str)]
    for part, text in zip(texts, server.hide_pieces([part["text"] for part in texts]), strict=True):
        part["text"] = text


def _gone(kept: _Kept, words: str) -> httpx.RequestError:
    """Why a session is no more: of an answer that is too long no other try is made."""
    if kept.bound.passed:
        return TooLargeError(f"{kept.server.name}: {kept.bound.words}")
    return httpx.RemoteProtocolError(f"{kept.server.name} ended the session ({words})")


def _translated(server: McpServer, error: BaseException, said: str) -> Exception:
    """Why a session did not open. What no other try can mend is an error of the backend."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, KopaError):
        return error
    if isinstance(error, FileNotFoundError | PermissionError):
        return BackendError(f"{server.name}: {server.command[0]} cannot be run ({error.strerror}).")
    # masked before it is cut, and whole: half a secret is not found, and an answer that cannot be read is quoted in part
    unread = str(error).startswith(_UNPARSED) or type(error).__name__ == "ValidationError"
    words = (
        _NO_ANSWER
        if unread
        else server.hide(f"{type(error).__name__}: {error}" if str(error) else type(error).__name__)
    )
    return httpx.ConnectError(f"{server.name} cannot be reached ({words}){_it_said(said)}")


def _it_said(said: str) -> str:
    return f"; it said:{said if said.startswith(chr(10)) else f' {said}'}" if said else ""


def _last_lines(server: McpServer, log: IO[str]) -> str:
    """What a program said last, without secrets and without what a terminal would obey."""
    with suppress(OSError, ValueError):
        # the program writes at the same place of the file, so that place is not moved
        start = max(0, os.fstat(log.fileno()).st_size - _TAIL)
        tail = os.pread(log.fileno(), _TAIL, start).decode("utf-8", "replace")
        # masked before it is cleaned and cut: half a secret is not found, and is not shown with half a line either
        said = printable(server.hide(tail.partition("\n")[2] if start else tail))
        lines = [server.hide(line.strip())[:_LONGEST_LINE] for line in said.splitlines() if line.strip()][-_LINES:]
        return lines[0] if len(lines) == 1 else "".join(f"\n  {line}" for line in lines)
    return ""
