"""Asking Seoul's services the way a caller does: tool in, parsed answer out."""

from __future__ import annotations

from typing import Any

import httpx

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.wires import parse_answer, wire_for
from kopa_hf.sandbox import SandboxTransport, sandbox_key
from kopa_hf.sandbox.world import default_world

WORLD = default_world()
TOOLS = {tool.name: tool for tool in load_catalog() if tool.platform == "seoul"}
TRANSPORT = SandboxTransport(WORLD)
KEY = sandbox_key("seoul")
HOST = "http://openapi.seoul.go.kr:8088"
SUBWAY = "http://swopenAPI.seoul.go.kr/api/subway"

Record = dict[str, Any]


def get(url: str) -> httpx.Response:
    """The bytes behind an address."""
    return TRANSPORT.handle_request(httpx.Request("GET", url))


def read(url: str, operation: str | None = None) -> Answer:
    """What the adapter makes of an address."""
    response = get(url)
    kind = response.headers["content-type"]
    return parse_answer(
        "seoul", response.content, http_status=response.status_code, content_type=kind, operation=operation
    )


def ask(tool_name: str, first: int = 1, last: int = 1000, **given: str) -> Answer:
    """A tool's answer over its own wire; rows `first` to `last` where it pages."""
    tool = TOOLS[tool_name]
    sent = dict(given)
    if tool.paging is not None and tool.paging.style == "range":
        sent |= {tool.paging.page: str(first), tool.paging.size: str(last)}
    response = TRANSPORT.handle_request(wire_for(tool.wire).build_request(tool, sent, KEY))
    return wire_for(tool.wire).parse(
        response.content, content_type=response.headers["content-type"], operation=tool.endpoint.operation
    )


def records(tool_name: str, first: int = 1, last: int = 1000, **given: str) -> list[Record]:
    """The rows of an answer that must not fail."""
    answer = ask(tool_name, first, last, **given)
    assert answer.outcome in ("ok", "no_data"), (tool_name, answer)
    return answer.records
