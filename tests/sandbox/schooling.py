"""Calls to the education services over their wires, and what the world itself says."""

from __future__ import annotations

from typing import Any

from kopa_hf.catalog.registry import Catalog, load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.base import Answer
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import SandboxTransport, sandbox_key
from kopa_hf.sandbox.query import Query, Rows
from kopa_hf.sandbox.registry import find_handler
from kopa_hf.sandbox.schools.school import School, schools
from kopa_hf.sandbox.world import default_world

WORLD = default_world()
CATALOG: Catalog = load_catalog()
TRANSPORT = SandboxTransport(WORLD, catalog=CATALOG)


def send(tool: Tool, arguments: dict[str, str], key: str | None = "") -> Answer:
    """One call over the wire and back; `None`: no key."""
    wire = wire_for(tool.wire)
    given_key = sandbox_key("education") if key == "" else key
    response = TRANSPORT.handle_request(wire.build_request(tool, arguments, given_key))
    return wire.parse(
        response.content,
        http_status=response.status_code,
        content_type=response.headers["content-type"],
        operation=tool.endpoint.operation,
    )


def ask(name: str, **arguments: str) -> list[dict[str, Any]]:
    return send(CATALOG.get(name), arguments).records


def held(tool: Tool, arguments: dict[str, str]) -> Rows:
    """What the handler itself says."""
    handler = find_handler(tool.wire, tool.endpoint.operation)
    assert handler is not None
    reply = handler(WORLD, Query(tool.endpoint.operation, arguments, tool))
    assert isinstance(reply, Rows)
    return reply


def codes_of(school: School) -> dict[str, str]:
    return {"ATPT_OFCDC_SC_CODE": school.office.code, "SD_SCHUL_CODE": school.code}


def one(level: str, number: int = 0) -> School:
    return [s for s in schools(WORLD) if s.level == level and not s.branch][number]
