"""Asking the law service of the sandbox as the package itself does."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms import Answer
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import SandboxTransport, sandbox_key
from kopa_hf.sandbox.query import Query, Rows
from kopa_hf.sandbox.registry import find_handler
from kopa_hf.sandbox.world import default_world

WORLD = default_world()
TOOLS = {tool.endpoint.operation: tool for tool in load_catalog() if tool.wire == "law"}
TRANSPORT = SandboxTransport(WORLD)
Record = dict[str, Any]


def call(operation: str, *, form: str = "", key: str | None = None, **given: str) -> Answer:
    """The parsed answer of an operation; `form` json or xml instead of the tool's own."""
    return parsed(operation, raw(operation, form=form, key=key, **given))


def raw(operation: str, *, form: str = "", key: str | None = None, **given: str) -> bytes:
    """The bytes of an answer."""
    tool = TOOLS[operation]
    if form:
        tool = dataclasses.replace(tool, endpoint=dataclasses.replace(tool.endpoint, response_format=form))
    request = wire_for("law").build_request(tool, given, sandbox_key("law") if key is None else key)
    return TRANSPORT.handle_request(request).content


def parsed(operation: str, body: bytes) -> Answer:
    """A body as the adapter reads it."""
    return wire_for("law").parse(body, http_status=200, operation=operation)


def records(operation: str, **given: str) -> list[Record]:
    """The records of an answer that must have some."""
    answer = call(operation, **given)
    assert answer.outcome == "ok", (operation, given, answer.outcome, answer.message)
    return answer.records


def truth(operation: str, given: Mapping[str, str]) -> Rows:
    """What the world itself says, without the wire."""
    handler = find_handler("law", operation)
    assert handler is not None, operation
    rows = handler(WORLD, Query(operation, dict(given), TOOLS[operation]))
    assert isinstance(rows, Rows)
    return rows


def lists() -> list[Tool]:
    """The list operations with known columns that demand nothing."""
    return [
        tool
        for tool in TOOLS.values()
        if tool.endpoint.operation.startswith("lawSearch/")
        and tool.fields
        and not any(p.required and p.role == "input" for p in tool.inputs)
    ]
