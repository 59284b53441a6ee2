"""An MCP server's answer that names no request, or one that was never made.

A server that could not read a request answers with `"id": null` (JSON-RPC 2.0, section 5.1), and the protocol's client
drops what it cannot place: whoever waits would wait for something that has come already. Where exactly one request is
waiting, the answer is that one's; where several are, nobody knows whose it is, and nothing is done.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

from mcp.shared.message import SessionMessage
from mcp.types import PARSE_ERROR, ErrorData, JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

_FOREIGN = "Failed to parse the answer, which names another request"
"""Begins as the protocol's client begins where an answer is no message."""


@asynccontextmanager
async def placed(transport: AbstractAsyncContextManager[tuple[Any, Any]]) -> AsyncIterator[tuple[Any, Any]]:
    """A transport whose answers all name a request, as far as that is known."""
    waiting = Waiting()
    async with transport as (heard, said):
        yield _Heard(heard, waiting), _Said(said, waiting)


class Waiting:
    """The requests of one session that have no answer yet."""

    def __init__(self) -> None:
        self._asked: set[str] = set()
        self._open: dict[str, int | str] = {}

    def note(self, message: Any) -> None:
        """Something that is sent: a request, or word that one is no longer waited for."""
        if isinstance(message, JSONRPCRequest):
            self._asked.add(str(message.id))
            self._open[str(message.id)] = message.id
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._open.pop(str((message.params or {}).get("requestId")), None)

    def place(self, message: Any) -> Any:
        """Something that came: as it is, or under the id of the one request that it can belong to."""
        if not isinstance(message, JSONRPCResponse | JSONRPCError):
            return message
        if message.id is not None and str(message.id) in self._asked:
            self._open.pop(str(message.id), None)
            return message
        if len(self._open) != 1:
            return message
        _, asked = self._open.popitem()
        unread = ErrorData(code=PARSE_ERROR, message=_FOREIGN)
        error = message.error if isinstance(message, JSONRPCError) and message.id is None else unread
        return JSONRPCError(jsonrpc="2.0", id=asked, error=error)


class _Stream:
    """One side of a transport."""

    def __init__(self, stream: Any, waiting: Waiting) -> None:
        self._stream, self._waiting = stream, waiting

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def __aenter__(self) -> _Stream:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        return await self._stream.__aexit__(*error)


class _Said(_Stream):
    async def send(self, item: SessionMessage) -> None:
        self._waiting.note(item.message)
        await self._stream.send(item)


class _Heard(_Stream):
    def __aiter__(self) -> _Heard:
        return self

    async def __anext__(self) -> Any:
        return self._placed(await self._stream.__anext__())

    async def receive(self) -> Any:
        return self._placed(await self._stream.receive())

    def _placed(self, item: Any) -> Any:
        if isinstance(item, SessionMessage):
            item.message = self._waiting.place(item.message)
        return item
