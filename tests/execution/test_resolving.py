"""Services that are public by their id only: their address is looked up once, kept, and never guessed."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from kopa_hf.catalog.registry import load_catalog
from kopa_hf.catalog.tool import Tool
from kopa_hf.execution.executor import Executor
from kopa_hf.sandbox.politics.services import invented_code, service_of_code
from kopa_hf.sandbox.serving import SandboxServer, serving
from kopa_hf.sandbox.world import default_world
from tests.execution.loopback import QUICK, http_answer, live, raw_server

WORLD = default_world()
PATIENT = type(QUICK)(connect=5, read=60, whole=60)


def unresolved() -> list[Tool]:
    return [
        tool
        for tool in load_catalog()
        if tool.endpoint.code_unresolved and not any(p.required for p in tool.inputs if p.role == "input")
    ]


def test_invented_codes_are_the_portal_s_kind_and_belong_to_one_service_each() -> None:
    ids = [tool.endpoint.operation for tool in load_catalog() if tool.endpoint.code_unresolved]
    real = {tool.endpoint.operation for tool in load_catalog() if not tool.endpoint.code_unresolved}
    codes = [invented_code(name) for name in ids]
    assert len(set(codes)) == len(ids) == len(service_of_code())
    assert not set(codes) & real
    assert all(len(code) == 17 and code.isascii() and code.islower() for code in codes)


def test_the_list_is_asked_once_and_kept_for_the_next_process(tmp_path: Path) -> None:
    tools, server = unresolved()[:3], SandboxServer(WORLD)
    with serving(server) as address:
        with live(address, tmp_path, times=PATIENT) as executor, Executor(world=WORLD) as inside:
            for tool in tools:
                found, wanted = executor.call_sync(tool, {}), inside.call_sync(tool, {})
                assert (found.outcome, found.records) == (wanted.outcome, wanted.records)
                assert (found.source, found.requests) == ("live", 1)
        assert server.requests == len(tools) + 1
        with live(address, tmp_path, times=PATIENT) as executor:
            assert executor.call_sync(tools[0], {}).ok
        assert server.requests == len(tools) + 2


def test_many_calls_at_once_ask_for_the_list_once(tmp_path: Path) -> None:
    tools, server = unresolved()[:4], SandboxServer(WORLD)

    async def together(executor: Executor) -> list[str]:
        return [result.outcome for result in await asyncio.gather(*(executor.call(tool, {}) for tool in tools))]

    with serving(server) as address, live(address, tmp_path, times=PATIENT) as executor:
        assert asyncio.run(together(executor)) == ["ok"] * 4
    assert server.requests == 5


@pytest.mark.parametrize(
    "row",
    [
        {"INF_ID": "X", "SRV_URL": "https://open.assembly.go.kr/portal/data/service/page.do", "DDC_URL": None},
        {"INF_ID": None, "SRV_URL": "https://open.assembly.go.kr/portal/openapi/abc"},
        {},
    ],
)
def test_where_the_list_names_no_address_nothing_is_guessed_or_sent(row: dict[str, str], tmp_path: Path) -> None:
    head = {"head": [{"list_total_count": 1}, {"RESULT": {"CODE": "INFO-000", "MESSAGE": "정상"}}]}
    body = json.dumps({"OPENSRVAPI": [head, {"row": [row]}]}).encode()
    with raw_server(lambda _: http_answer(body)) as (address, heard), live(address, tmp_path) as executor:
        results = [executor.call_sync(unresolved()[0], {}) for _ in range(3)]
    assert {(result.outcome, result.requests) for result in results} == {("unknown_operation", 0)}
    assert "live address is not known" in (results[0].message or "")
    assert [b"OPENSRVAPI" in request for request in heard] == [True]


def test_a_list_that_cannot_be_had_is_not_asked_for_again_at_once(tmp_path: Path) -> None:
    page = http_answer("<html>점검 중</html>".encode())
    with raw_server(lambda _: page) as (address, heard), live(address, tmp_path) as executor:
        assert [executor.call_sync(tool, {}).outcome for tool in unresolved()[:3]] == ["unknown_operation"] * 3
    assert len(heard) == 1


def test_a_damaged_file_of_codes_is_asked_for_anew(tmp_path: Path) -> None:
    server, state = SandboxServer(WORLD), tmp_path / "state"
    state.mkdir()
    (state / "assembly-codes.via.json").write_text('{"codes": ', encoding="utf-8")
    with serving(server) as address, live(address, tmp_path, times=PATIENT) as executor:
        assert executor.call_sync(unresolved()[0], {}).ok
    assert server.requests == 2
