"""The tools as an MCP server, over standard input and output or streamable HTTP on this machine.

Every client has a session of its own: its kept results (`result_id`), issued keys and saved tables are nobody
else's. Answers are what an agent of ours reads, as text and as structured content; a failed call is an error result that
names the outcome.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import anyio

from kopa_hf._version import __version__
from kopa_hf.agent.mcp_tools import listed_tool
from kopa_hf.agent.session import Session
from kopa_hf.catalog.tool import Tool
from kopa_hf.errors import BudgetError, KopaError, MissingExtraError
from kopa_hf.execution.executor import Executor

if TYPE_CHECKING:
    from mcp.server import Server
    from mcp.types import CallToolResult, ListToolsResult
    from starlette.applications import Starlette

NAME: Final = "kopa_hf"
PAGE: Final = 250
"""Tools on one page of tools/list."""
CLIENTS: Final = 256
"""Sessions over HTTP that are open at once; a client beyond them waits until one ends."""
WHOLE: Final = 10**12
"""Tokens that no answer has: it is then sent whole."""
_INSTRUCTIONS: Final = (
    "Tools over Korean open public APIs. Values are passed as the parameter's description says; answers are records with "
    "their total and the number of the next page. {source}"
)
_SOURCES: Final = {
    "sandbox": "All records are invented (an embedded sandbox answers).",
    "live": "The services themselves answer.",
    "replay": "Recorded answers are replayed; a request that was never recorded fails.",
}


class _Client:
    """One client's session, and the lock under which its calls come one after the other."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.lock = anyio.Lock()


class McpServing:
    """A set of tools over one backend, for any number of clients.

    Args:
        executor: Runs the calls.
        tools: What is offered, in this order.
        token_budget: Tokens that one answer may have (records are cut and stay reachable by their `result_id`);
            None: answers are whole.
    """

    def __init__(self, executor: Executor, tools: Sequence[Tool], *, token_budget: int | None = None) -> None:
        self._executor = executor
        self._tools = {tool.name: tool for tool in tools}
        self._budget = WHOLE if token_budget is None else token_budget
        try:
            self._listed = [listed_tool(tool, typed=executor.source == "sandbox") for tool in tools]
        except ImportError as error:
            raise MissingExtraError("mcp", "mcp") from error
        self._clients: OrderedDict[str, _Client] = OrderedDict()
        self.calls = 0

    async def over_stdio(self) -> None:
        """Serve one client until it closes standard input. Nothing else reaches standard output meanwhile."""
        from mcp.server.stdio import stdio_server

        server = self.server()
        async with stdio_server() as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())

    def http_app(self) -> Starlette:
        """An ASGI app with the server at /mcp, for this machine only (other Host headers are refused)."""
        server = self.server()
        _keep_sessions(server)
        return server.streamable_http_app(max_sessions=CLIENTS)

    def server(self) -> Server[Any]:
        """The server itself, for any transport of the `mcp` package."""
        from mcp.server import Server

        return Server(
            NAME,
            version=__version__,
            instructions=_INSTRUCTIONS.format(source=_SOURCES.get(self._executor.source, "")),
            on_list_tools=self._list,
            on_call_tool=self._call,
        )

    async def _list(self, context: Any, params: Any) -> ListToolsResult:
        from mcp.shared.exceptions import MCPError
        from mcp.types import INVALID_PARAMS, ListToolsResult

        cursor = params.cursor if params is not None else None
        if cursor is not None and not (cursor.isascii() and cursor.isdigit() and int(cursor) < len(self._listed)):
            raise MCPError(INVALID_PARAMS, "Unknown cursor")
        start = int(cursor or 0)
        following = str(start + PAGE) if start + PAGE < len(self._listed) else None
        return ListToolsResult(tools=self._listed[start : start + PAGE], next_cursor=following)

    async def _call(self, context: Any, params: Any) -> CallToolResult:
        from mcp.types import CallToolResult, TextContent

        client = self._client(context)
        self.calls += 1
        async with client.lock:
            try:
                text = await client.session.acall(params.name, params.arguments or {})
            except KopaError as error:
                # a budget that is used up or a backend that is not to be had: the client reads why
                outcome = "quota" if isinstance(error, BudgetError) else "server"
                text = json.dumps({"error": {"outcome": outcome, "message": str(error)}}, ensure_ascii=False)
        told = json.loads(text)
        return CallToolResult(content=[TextContent(text=text)], structured_content=told, is_error="error" in told)

    def _client(self, context: Any) -> _Client:
        """The client's own session. Over HTTP its session id tells it; without one every call stands alone."""
        session_id = "" if context.request is None else context.request.headers.get("mcp-session-id")
        if session_id is None:
            return self._new()
        client = self._clients.pop(session_id, None) or self._new()
        self._clients[session_id] = client
        # clients that left are not announced; four times as many as may be open are remembered
        while len(self._clients) > 4 * CLIENTS:
            self._clients.popitem(last=False)
        return client

    def _new(self) -> _Client:
        state = {"current_date": self._executor.today.isoformat()}
        return _Client(Session(self._executor, self._tools, system_state=state, token_budget=self._budget))


def _keep_sessions(server: Server[Any]) -> None:
    """Let HTTP clients open a session.

    The protocol's latest revision has none over HTTP, so a server that offers it would lose what a client did before. Asked
    for its revisions, this one names those with sessions, as the protocol provides.
    """
    from mcp.types import DiscoverResult, RequestParams
    from mcp.types.version import HANDSHAKE_PROTOCOL_VERSIONS

    async def discover(context: Any, params: Any) -> DiscoverResult:
        return DiscoverResult(
            supported_versions=list(HANDSHAKE_PROTOCOL_VERSIONS),
            capabilities=server.get_capabilities(protocol_version=context.protocol_version),
            instructions=server.instructions,
        )

    server.add_request_handler("server/discover", RequestParams, discover)
