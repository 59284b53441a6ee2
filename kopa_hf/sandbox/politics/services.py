"""열린국회정보's list of its own services, which tells the callable address of each.

Where only a service's id is public, the sandbox invents the code under which it is called
(17 lower-case letters, as the portal's are). That `SRV_URL` holds the address is our
assumption; no answer of the real list was at hand.
"""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from typing import Final

from kopa_hf.catalog.tool import Tool
from kopa_hf.sandbox.query import Handler, Query, Record, Reply, Rows
from kopa_hf.sandbox.world import World

OPENAPI: Final = "https://open.assembly.go.kr/portal/openapi/"
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def invented_code(service_id: str) -> str:
    """The callable code of a service that is known by its id only."""
    digest = blake2b(service_id.encode("utf-8"), digest_size=17, person=b"kopa-assembly").digest()
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest)


@cache
def service_of_code() -> dict[str, str]:
    """Invented code → service id."""
    return {invented_code(t.endpoint.operation): t.endpoint.operation for t in _tools() if t.endpoint.code_unresolved}


@cache
def _tools() -> tuple[Tool, ...]:
    from kopa_hf.catalog.registry import load_catalog  # the catalog loads when it is first needed

    return tuple(tool for tool in load_catalog() if tool.wire == "assembly")


@cache
def _records() -> tuple[Record, ...]:
    return tuple(_record(tool) for tool in _tools())


def _record(tool: Tool) -> Record:
    operation, unresolved = tool.endpoint.operation, tool.endpoint.code_unresolved
    # ids of services that are known by their code are not public, so these are made up
    number = int.from_bytes(blake2b(operation.encode("utf-8"), digest_size=4).digest(), "big") % 100_000
    service_id = operation if unresolved else f"OK7Y4S{number:012d}"
    return {
        "INF_ID": service_id,
        "INF_NM": tool.title,
        "INF_EXP": tool.description,
        "CATE_NM": "국회",
        "OPEN_DTTM": "2021-03-02",
        "ORG_NM": "가온기록실",
        "LOAD_DTTM": "2026-01-29",
        "SRC_EXP": "가온의정시스템",
        "DDC_URL": f"https://sandbox.invalid/ddc_url/{service_id}",
        "SRV_URL": OPENAPI + (invented_code(operation) if unresolved else operation),
        "CCL_NM": "출처표시",
        "LOAD_NM": "수시",
        "LOAD_CONT": "변경 시",
    }


def list_services(world: World, query: Query) -> Reply:
    """The same in every world: services are no records of it."""
    service_id, name, system = query.get("INF_ID"), query.get("INF_NM"), query.get("SRC_EXP")
    rows = [
        record
        for record in _records()
        if (not service_id or record["INF_ID"] == service_id)
        and name in str(record["INF_NM"])
        and system in str(record["SRC_EXP"])
    ]
    return Rows.of(rows)


HANDLERS: dict[str, Handler] = {"OPENSRVAPI": list_services}
