"""The adapters read back what the world wrote: bytes out, the same records in."""

from __future__ import annotations

from typing import Any

import httpx
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from kopa_hf.catalog.registry import Catalog, load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.platforms.wires import wire_for
from kopa_hf.sandbox import SandboxTransport, World, sandbox_key
from kopa_hf.sandbox.longtail import answer_from_signature
from kopa_hf.sandbox.probing import Prober
from kopa_hf.sandbox.query import Archive, Groups, Query, RefusedError, Rows
from kopa_hf.sandbox.registry import find_handler
from kopa_hf.sandbox.world import default_world

WORLD = default_world()
CATALOG: Catalog = load_catalog()
TRANSPORT = SandboxTransport(WORLD, catalog=CATALOG)
PROBER = Prober(WORLD, CATALOG)
TOOLS = [tool for tool in CATALOG if tool.fields and tool.endpoint.response_kind == "list"]


REFUSED = -1
"""In place of a total: the handler itself refuses the request (one of two parameters is due)."""


def truth(tool: Tool, given_: dict[str, str], page: int, size: int) -> tuple[list[dict[str, Any]], int]:
    """What the handler itself says, cut as the service cuts."""
    handler = find_handler(tool.wire, tool.endpoint.operation) or answer_from_signature
    try:
        reply = handler(WORLD, Query(tool.endpoint.operation, given_, tool))
    except RefusedError:
        return [], REFUSED
    assert not isinstance(reply, Groups | Archive)
    rows: Rows = reply
    return (rows.slice((page - 1) * size, page * size) if tool.paging else rows.all()), rows.total


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(TOOLS), st.integers(0, 7), st.integers(1, 4), st.integers(1, 30))
def test_every_answer_parses_back_to_the_worlds_records(tool: Tool, turn: int, page: int, size: int) -> None:
    known = PROBER.answers(tool)
    given_ = dict(known[turn % len(known)][0]) if known else {}
    # a tool whose required value no probe found is refused before any record is made
    needed = [p.name for p in tool.inputs if p.required and p.role == "input" and p.location != "client"]
    assume(all(name in given_ for name in needed))
    sent = dict(given_)
    if tool.paging is not None:
        size = min(size, tool.paging.max_size)
        bounds = (page, size) if tool.paging.style == "page" else ((page - 1) * size + 1, page * size)
        sent |= {tool.paging.page: str(bounds[0]), tool.paging.size: str(bounds[1])}
    request = wire_for(tool.wire).build_request(tool, sent, sandbox_key(tool.platform))
    response = TRANSPORT.handle_request(request)
    answer = wire_for(tool.wire).parse(
        response.content,
        http_status=response.status_code,
        content_type=response.headers["content-type"],
        operation=tool.endpoint.operation,
    )
    records, total = truth(tool, given_, page, size)
    if response.content.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"<"):
        records = [plain(record) for record in records]
    assert answer.records == records
    if total == REFUSED:
        assert answer.outcome == "bad_param"
        return
    assert answer.outcome == ("ok" if records else "no_data")
    if tool.paging is not None and records and answer.total_count is not None:
        assert answer.total_count == total


def plain(value: Any) -> Any:
    """A record as XML carries it: text only."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return "" if value is None else str(value).strip()


def test_corporation_codes_survive_the_zip(world: World, catalog: Catalog) -> None:
    tool = catalog.get("find_dart_corp_code")
    response = SandboxTransport(world).handle_request(
        httpx.Request("GET", tool.endpoint.url, params={"crtfc_key": sandbox_key("dart")})
    )
    answer = wire_for("dart").parse(response.content, operation="corpCode")
    assert len(answer.records) == 1500
    listed = [record for record in answer.records if (record["stock_code"] or "").strip()]
    assert len(listed) == 420
