"""A small MCP server for tests, run as a program: python mcp_toy.py [http PORT]. Its records are invented."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from mcp.server import Server
from mcp.types import CallToolResult, ListToolsResult, TextContent, Tool, ToolAnnotations

CITIES = [{"city": "가온시", "code": "011", "people": 1200}, {"city": "나래시", "code": "012", "people": None}]
_ROW = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "title": "도시"},
        "code": {"type": "string", "title": "도시 코드"},
        "people": {"type": ["integer", "null"], "title": "인구"},
    },
}
_TEXT = {"type": "string"}
TOOLS = [
    Tool(
        name="list_cities", title="도시 목록", description="도시와 코드, 인구를 준다.",
        input_schema={"type": "object", "properties": {"prefix": _TEXT, "codes": {"type": "array", "items": _TEXT}}},
        output_schema={"type": "object", "properties": {"result": {"type": "array", "items": _ROW}}},
        annotations=ToolAnnotations(read_only_hint=True),
    ),
    Tool(name="echo", description="인자를 돌려준다.", input_schema={
        "type": "object", "required": ["n"],
        "properties": {"n": {"type": "integer"}, "on": {"type": "boolean"}, "deep": {"type": "object"}, "text": _TEXT},
    }, annotations=ToolAnnotations(read_only_hint=True)),
    Tool(name="fail", input_schema={"type": "object", "properties": {"words": _TEXT}}),
    Tool(name="die", input_schema={"type": "object"}),
    Tool(name="sleep", input_schema={"type": "object", "properties": {"seconds": {"type": "number"}}}),
    Tool(name="remove.city", input_schema={"type": "object", "properties": {"code": _TEXT}},
         annotations=ToolAnnotations(read_only_hint=True, destructive_hint=True)),
]  # fmt: skip


async def list_tools(context: Any, params: Any) -> ListToolsResult:
    """Two tools a page."""
    start = int(params.cursor) if params is not None and params.cursor else 0
    following = str(start + 2) if start + 2 < len(TOOLS) else None
    return ListToolsResult(tools=TOOLS[start : start + 2], next_cursor=following)


async def call_tool(context: Any, params: Any) -> CallToolResult:
    """Whatever the name asks for; texts may name variables of the environment."""
    given = {name: os.path.expandvars(v) if isinstance(v, str) else v for name, v in (params.arguments or {}).items()}
    match params.name:
        case "list_cities":
            wanted = given.get("codes")
            rows = [c for c in CITIES if str(c["city"]).startswith(given.get("prefix", ""))]
            return _structured({"result": [c for c in rows if wanted is None or c["code"] in wanted]})
        case "echo":
            return _structured({"given": {**given, "kind": type(given["n"]).__name__}, "process": os.getpid()})
        case "fail":
            return CallToolResult(content=[TextContent(text=given.get("words", "nothing works"))], is_error=True)
        case "sleep":
            time.sleep(given["seconds"])  # a hung server does not look at its input either
        case "die":
            os._exit(3)
    return CallToolResult(content=[TextContent(text=f"{params.name} done")])


def _structured(value: dict[str, Any]) -> CallToolResult:
    return CallToolResult(content=[TextContent(text="see the structured content")], structured_content=value)


SERVER = Server("toy town", version="1", on_list_tools=list_tools, on_call_tool=call_tool)


async def over_stdio() -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (reading, writing):
        await SERVER.run(reading, writing, SERVER.create_initialization_options())


if __name__ == "__main__":
    if os.environ.get("TOY_MARKS"):
        (Path(os.environ["TOY_MARKS"]) / str(os.getpid())).touch()  # by which a test follows a program
    if os.environ.get("TOY_STUBBORN"):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if len(sys.argv) > 1:
        import uvicorn

        uvicorn.run(SERVER.streamable_http_app(), port=int(sys.argv[2]), log_level="error")
    else:
        import asyncio

        asyncio.run(over_stdio())
        while os.environ.get("TOY_STUBBORN"):
            time.sleep(1)
