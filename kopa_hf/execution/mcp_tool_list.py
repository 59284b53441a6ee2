"""An MCP server's list of tools: all its pages within one deadline; entries that are no tools are left out and named."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import httpx
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCResponse, ListToolsRequest, ListToolsResult, PaginatedRequestParams
from mcp_types.methods import parse_server_result
from mcp_types.version import LATEST_MODERN_VERSION
from pydantic import ValidationError

from kopa_hf.errors import BackendError
from kopa_hf.values.printable import printable

if TYPE_CHECKING:
    from kopa_hf.execution.mcp_server import McpServer

LISTING: Final = 60.0
"""Seconds for all pages of a list; a server whose single answers may take longer has as long as one of them."""
_PAGES: Final = 1000
_EMPTY: Final = 5
"""Pages in a row without a tool; a server that goes on is not believed."""
_LONGEST: Final = 200
"""Characters of a reason."""

_SAYING: Final = frozenset({"title", "description", "default", "const", "examples", "enum"})
"""Members of a listed tool and its schemas that hold words or values."""

Ask = Callable[[ListToolsRequest, type[ListToolsResult], float], Awaitable[Any]]
"""(request, kind of result, seconds) → the result, or `{"error": …}`; raises httpx's errors."""


async def list_tools(server: McpServer, ask: Ask, most: int) -> list[dict[str, Any]]:
    """Every page of tools/list, without secrets; `BackendError` where it is too long in bytes, pages or seconds."""
    found: list[dict[str, Any]] = []
    seconds = max(server.timeout, LISTING)
    ends = time.monotonic() + seconds
    cursor, seen, size, empty = None, set[str](), 0, 0
    endless = f"{server.name} does not come to the end of its tool list"
    for _ in range(_PAGES):
        left = ends - time.monotonic()
        if left <= 0:
            raise BackendError(f"{endless} in {seconds:g} s.")
        try:
            request = ListToolsRequest(params=PaginatedRequestParams(cursor=cursor))
            answer = await ask(request, ListToolsResult, min(left, server.timeout))
        except httpx.ReadTimeout:
            if cursor is None:
                raise
            raise BackendError(f"{endless}: a further page did not come in time.") from None
        if isinstance(answer, dict):
            raise BackendError(f"{server.name} does not list its tools: {server.hide(answer['error']['message'])}")
        listed = [tool.model_dump(mode="json", by_alias=True, exclude_unset=True) for tool in answer.tools]
        cursor = answer.next_cursor
        size += len(json.dumps(listed, ensure_ascii=False)) + len(cursor or "")
        if size > most:
            raise BackendError(f"{server.name} lists more tools than are read ({most // 2**20} MiB).")
        found += [_told(server, tool) for tool in listed]
        if not cursor:  # some write an empty one at the end
            return found
        empty = 0 if listed else empty + 1
        if empty >= _EMPTY:
            raise BackendError(f"{endless}: {empty} pages in a row held no tool.")
        if cursor in seen:
            raise BackendError(f"{endless}: it begins anew.")
        seen.add(cursor)
    raise BackendError(f"{endless}: it has more than {_PAGES:,} pages.")


@asynccontextmanager
async def sifted(
    transport: AbstractAsyncContextManager[tuple[Any, Any]], server: McpServer, left_out: dict[str, str]
) -> AsyncIterator[tuple[Any, Any]]:
    """A transport whose lists of tools hold none that is not of the protocol's form; `left_out`: name → why.

    The protocol's client gives up a whole page for one.
    """
    async with transport as (heard, said):
        yield _Sieve(heard, server, left_out), said


class _Sieve:
    """The messages of a stream."""

    def __init__(self, stream: Any, server: McpServer, left_out: dict[str, str]) -> None:
        self._stream, self._server, self._left_out = stream, server, left_out
        self._version = LATEST_MODERN_VERSION  # of a session without a greeting, which would name an older one

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    async def __aenter__(self) -> _Sieve:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *error: Any) -> Any:
        return await self._stream.__aexit__(*error)

    def __aiter__(self) -> _Sieve:
        return self

    async def __anext__(self) -> Any:
        return self._sift(await self._stream.__anext__())

    async def receive(self) -> Any:
        return self._sift(await self._stream.receive())

    def _sift(self, item: Any) -> Any:
        if not isinstance(item, SessionMessage) or not isinstance(item.message, JSONRPCResponse):
            return item
        result = item.message.result
        if isinstance(result.get("protocolVersion"), str):
            self._version = result["protocolVersion"]
        if isinstance(result.get("tools"), list) and self._wrong({**result, "tools": []}) is None:
            kept = []
            for tool in result["tools"]:
                wrong = self._wrong({**result, "tools": [tool]})
                if wrong is None:
                    kept.append(tool)
                else:
                    self._left_out[self._name(tool)] = wrong
            item.message.result = {**result, "tools": kept}
        return item

    def _wrong(self, page: Mapping[str, Any]) -> str | None:
        try:
            parse_server_result("tools/list", self._version, page)
        except ValidationError as error:
            found = error.errors(include_url=False, include_input=False, include_context=False)[0]
            where = ".".join(str(part) for part in found["loc"] if part not in ("tools", 0))
            return self._words(f"{where}: {found['msg']}" if where else found["msg"])
        except (ValueError, KeyError):  # a revision that nobody knows; the client says so
            return None
        return None

    def _name(self, tool: Any) -> str:
        called = tool.get("name") if isinstance(tool, Mapping) else None
        named = self._words(called) if isinstance(called, str) else ""
        return named or f"one without a name ({len(self._left_out) + 1})"

    def _words(self, text: str) -> str:
        return " ".join(printable(self._server.hide(text)).split())[:_LONGEST]


def _told(server: McpServer, value: Any, says: bool = False) -> Any:
    """An entry of a tool list without secrets in what it says; names, which calls need, stay as they are."""
    if isinstance(value, dict):
        return {name: _told(server, item, says or name in _SAYING) for name, item in value.items()}
    if isinstance(value, list):
        return [_told(server, item, says) for item in value]
    return server.hide(value) if says and isinstance(value, str) else value
